import type { ArtMatch } from '../art/entry.ts'
import type {
  BodyPart,
  Camera,
  ClothPattern,
  Colour,
  DifferingPlace,
  Format,
  FramePlace,
  LetterMake,
  PaintedPart,
  PersonLook,
  Pose,
  RelationKind,
  Season,
  SizeWord,
  TimeOfDay,
  Weather,
} from '../scene.ts'
import type { ObjectRole, Sense, SenseOf } from './lexicon/senses.ts'
import type { Token } from './tokens.ts'

/** One relation of a mention: how its thing is placed relative to the mention `target`. `role` is
 *  set when the target is the object of a verb; it says where the object is in relation to the
 *  subject. */
export interface MentionRelation {
  kind: RelationKind
  target: Mention
  and?: Mention
  /** The part of the target's body to which the relation refers. */
  part?: BodyPart
  role?: ObjectRole
}

/** A thing or place that the prompt names, with everything that the prompt says about it. */
export interface Mention {
  order: number
  /** The noun as written, with the words around it that describe it. */
  words: string[]
  match?: ArtMatch
  setting?: SenseOf<'setting'>
  /** True when a word such as "in" or "at" makes the mention a location. */
  isLocative: boolean
  /** Kind of the garment that the noun names. A mention with `garment`, `worn`, `hair` or
   *  `isPart` belongs to another mention, its owner; when the owner is found, the mention
   *  becomes a part of the owner. */
  garment?: string
  worn?: string
  hair?: { colour?: string; style?: NonNullable<NonNullable<PersonLook['hair']>['style']> }
  isPart: boolean
  count?: number
  isPlural: boolean
  isDefinite: boolean
  /** True when the noun has no article, number or owner, as in "wine" and "coffee". */
  isBare?: boolean
  colours: Colour[]
  /** Parts that have a colour of their own. */
  parts: PaintedPart[]
  size?: SizeWord
  age?: PersonLook['age']
  looks: string[]
  details: string[]
  pose?: Pose
  beard?: boolean
  skin?: string
  /** The occupation or costume of an animal: "astronaut cat", "dressed as a pirate". */
  role?: string
  clothes: { kind: string; colour?: Colour; pattern?: ClothPattern }[]
  wears: { kind: string; colour?: Colour; words: string }[]
  relations: MentionRelation[]
  place?: FramePlace
  /** Nouns before the main noun that the drawing does not show: "dragon" in "dragon statue". */
  compound: string[]
  /** The catalogue entry for a noun before the main noun: for the dog in "golden retriever
   *  puppy". */
  compoundMatch?: ArtMatch
  isNegated: boolean
}

/** How one member of a group differs: the words for it as written, the text before these words, the
 *  member (`at`) and its colour. */
export interface MemberDifference {
  words: string
  before: string
  at: DifferingPlace
  colour: string
}

/** A text to write, and the thing on which it is written (`on`). The prompt may name the thing
 *  after the text; until then, `isOpen` is true. */
interface DraftLettering {
  text: string
  on?: Mention
  isOpen?: boolean
  colour?: Colour
  made?: LetterMake
  place?: FramePlace
}

/** Everything read from a prompt, before a scene is built from it. */
export interface Draft {
  mentions: Mention[]
  times: TimeOfDay[]
  seasons: Season[]
  weather: Weather[]
  /** Details for the functions that paint the sky and the place, such as `moon`, `snow` and
   *  `flowers`. */
  details: string[]
  styles: SenseOf<'style'>[]
  moods: string[]
  camera: Partial<Camera>
  /** Colours that do not describe a particular thing. */
  palette: Colour[]
  background?: Colour
  wantsBackdrop: boolean
  isAbstract: boolean
  letterings: DraftLettering[]
  format?: Format
  /** The words about the material of letters, as written. The words are set when the letters are on
   *  a thing. The drawing of a thing prints every text in the same way, so the material is not
   *  shown. */
  madeWords?: string
  /** The colour that the prompt names right before a text: blue in "a blue '5'". */
  textColour?: Colour
  negated: Token[]
  /** Differences of single group members. */
  differing: MemberDifference[]
  notDrawn: Set<string>
}

export function createDraft(): Draft {
  return {
    mentions: [],
    times: [],
    seasons: [],
    weather: [],
    details: [],
    styles: [],
    moods: [],
    camera: {},
    palette: [],
    wantsBackdrop: false,
    isAbstract: false,
    letterings: [],
    negated: [],
    differing: [],
    notDrawn: new Set(),
  }
}

export function createMention(order: number): Mention {
  return {
    order,
    words: [],
    isLocative: false,
    isPart: false,
    parts: [],
    isPlural: false,
    isDefinite: false,
    colours: [],
    looks: [],
    details: [],
    clothes: [],
    wears: [],
    relations: [],
    compound: [],
    isNegated: false,
  }
}

/** Largest number of mentions that are read; more would not fit into a picture. */
const mostMentions = 100

/** Later verbs and prepositions refer to at most this many subjects of a clause. When a clause
 *  has more, the last ones are kept. */
export const mostListed = 24

/** Adds a mention, unless the draft has it already. When the draft has `mostMentions`, the words of
 *  a further mention are reported as not drawn. */
export function addMention(draft: Draft, mention: Mention): void {
  if (draft.mentions.includes(mention)) return
  if (draft.mentions.length >= mostMentions) {
    note(draft, phraseOf(mention))
    return
  }
  mention.order = draft.mentions.length
  draft.mentions.push(mention)
}

/** Returns the words of a mention as one phrase; only English words are separated by spaces. */
export function phraseOf(mention: Mention): string {
  return mention.words.join(mention.words.some(word => /[a-z]/i.test(word)) ? ' ' : '')
}

/** Stores the first meaning of a token that concerns the whole picture: time, season, weather,
 *  style, mood, camera or abstraction. Returns false when the token has no such meaning. */
export function absorbFact(draft: Draft, senses: readonly Sense[], text: string): boolean {
  const fact = senses.find(sense => factKinds.has(sense.kind))
  if (fact) applyFact(draft, fact, text)
  return fact !== undefined
}

const factKinds: ReadonlySet<Sense['kind']> = new Set<Sense['kind']>(['time', 'season', 'weather', 'style', 'mood', 'camera', 'abstract'])

export function isFact(senses: readonly Sense[]): boolean {
  return senses.some(sense => factKinds.has(sense.kind))
}

function applyFact(draft: Draft, fact: Sense, text: string): void {
  switch (fact.kind) {
    case 'time':
      draft.times.push(fact.time)
      if (/star|星/i.test(text)) draft.details.push('stars')
      if (/moon|月/i.test(text)) draft.details.push('moon')
      return
    case 'season':
      draft.seasons.push(fact.season)
      if (/leaves|落叶|红叶|秋叶/i.test(text)) draft.details.push('leaves')
      return
    case 'weather':
      draft.weather.push(...fact.weather)
      draft.details.push(...fact.details)
      if (fact.time) draft.times.push(fact.time)
      if (fact.season) draft.seasons.push(fact.season)
      return
    case 'style':
      draft.styles.push(fact)
      if (/^diagram/.test(text)) {
        draft.details.push('diagram')
        draft.wantsBackdrop = true
      }
      // Styles that are not drawn are reported. Words about camera settings are not, because no
      // drawing could show them.
      if (fact.undrawn && !/\d|nikon|canon|dslr|iso|photography/i.test(text)) note(draft, text)
      return
    case 'mood':
      draft.moods.push(fact.mood)
      if (/firefl|萤火/i.test(text)) draft.details.push('fireflies')
      return
    case 'camera':
      draft.camera = { ...fact.camera, ...draft.camera }
      return
    case 'abstract':
      draft.isAbstract = true
      draft.details.push(text.toLowerCase())
  }
}

/** Adds words, as written, to the list of what is not drawn. */
export function note(draft: Draft, text: string): void {
  const words = text.trim()
  if (words !== '') draft.notDrawn.add(words)
}

/** Gives a being the pose that a verb implies. Any other pose replaces `standing`, `holding` and
 *  `looking`, but these three never replace a pose. */
export function takePose(mention: Mention, pose: Pose | undefined): void {
  const isWeak = mention.pose === undefined || mention.pose === 'standing' || mention.pose === 'holding' || mention.pose === 'looking'
  if (pose && isWeak && !(mention.pose !== undefined && (pose === 'holding' || pose === 'looking' || pose === 'standing')))
    mention.pose = pose
}

/** True for people, animals and creatures of tales. When a clause also names things, its verbs
 *  refer to these beings. */
export function isAnimate(mention: Mention): boolean {
  if (mention.match?.person) return true
  const category = mention.match?.entry.category
  return (
    category === 'animal' ||
    category === 'bird' ||
    category === 'fish' ||
    category === 'insect' ||
    category === 'creature' ||
    category === 'person'
  )
}

/** True for beings other than people that can be drawn in clothes and with things in their
 *  hands: all animals, and dragons, unicorns and a few other creatures of tales. False for
 *  people. */
export function isDressable(mention: Mention): boolean {
  const entry = mention.match?.entry
  if (!entry || isPerson(mention)) return false
  return /^(animal|bird|fish|insect)$/.test(entry.category) || /dragon|unicorn|pegasus|phoenix|griffin/.test(entry.key)
}

export function isPerson(mention: Mention): boolean {
  return mention.match?.person !== undefined || mention.match?.entry.category === 'person'
}
