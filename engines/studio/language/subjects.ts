import type { ArtCatalogue, ArtMatch } from '../art/entry.ts'
import { hasPaintedParts } from '../art/painted-parts.ts'
import { singularForms } from '../art/words.ts'
import type { ArtKey, Colour, Habitat, PersonLook, Relation, Setting, Subject } from '../scene.ts'
import { animalLook } from './animal-look.ts'
import { emptyCanvases } from './canvases.ts'
import { unique } from './choose-setting.ts'
import { countOf } from './counts.ts'
import { type Draft, isAnimate, isDressable, isPerson, type Mention, note, phraseOf } from './draft.ts'
import { drawingInUse } from './drawing-in-use.ts'
import { colourWords } from './lexicon/colours.ts'
import { famousLooks } from './lexicon/famous.ts'
import { words } from './lexicon/senses.ts'
import { actedThing } from './people-relations.ts'
import { personLook } from './person-look.ts'
import { settleRelations } from './settle-relations.ts'
import { shapedArt } from './shapes.ts'
import { sortColours } from './sort-colours.ts'
import type { FindArt } from './tokens.ts'

interface SubjectContext {
  draft: Draft
  setting: Setting
  art: ArtCatalogue
  find: FindArt
  ids: Map<Mention, string>
  mentions: Mention[]
}

/** Largest number of subjects; each may have several copies. */
const mostSubjects = 40

const scenery: ReadonlySet<string> = new Set(['tree', 'terrain', 'celestial', 'weather', 'plant'])

/** Returns the subjects of the scene in order of mention, background scenery last. Ids are `s1`,
 *  `s2`, ... in order of mention. */
export function makeSubjects(
  draft: Draft,
  options: { setting: Setting; from?: Mention; art: ArtCatalogue; find: FindArt; keepsSky: boolean },
): Subject[] {
  sortColours(draft)
  const mentions = draft.mentions.filter(
    mention => isSubject(mention, options.from, draft) && (options.keepsSky || !isInSky(mention, draft)),
  )
  for (const mention of mentions.splice(mostSubjects)) note(draft, phraseOf(mention))
  const ids = new Map(mentions.map((mention, index) => [mention, `s${index + 1}`]))
  const making: SubjectContext = { draft, setting: options.setting, art: options.art, find: options.find, ids, mentions }
  settleRelations(mentions)
  const subjects = mentions.map(mention => makeSubject(mention, making))
  for (const mention of draft.mentions) noteLosses(mention, making, options.from)
  emptyCanvases(subjects)
  subjects.push(...ownKites(subjects))
  return [...subjects.filter(subject => !subject.isBackground), ...subjects.filter(subject => subject.isBackground)]
}

/** When several subjects hold the same kites ("a boy and a girl flying kites"), gives each of them
 *  after the first a copy, because kites can belong to one subject only. Returns the copies. */
function ownKites(subjects: readonly Subject[]): Subject[] {
  return subjects.flatMap((kites, at) => {
    if (kites.art !== 'drawn:kite' || kites.count < 2) return []
    const hands = subjects.flatMap(({ relations }) => relations.filter(({ kind, of }) => kind === 'holding' && of === kites.id))
    return hands.slice(1).map((hand, index) => {
      hand.of = `s${subjects.length + 1 + at + index}`
      return { ...kites, id: hand.of }
    })
  })
}

function isSubject(mention: Mention, from: Mention | undefined, draft: Draft): boolean {
  if (mention === from || !mention.match) return false
  if (isWallOf(mention, draft) || isWindowOf(mention, draft)) return false
  // The painting of a room shows its window already.
  return !(mention.setting?.details.includes('window') && from !== undefined)
}

/** True for a moon in the painted sky, which is added to the draft (with night, if no time is
 *  named). A moon with a colour, in a painting, or with something on or above it, is a thing. */
function isInSky(mention: Mention, draft: Draft): boolean {
  const noun = mention.match?.entry.noun
  const isUsed = draft.mentions.some(other =>
    other.relations.some(relation => relation.target === mention && /^(on|above)$/.test(relation.kind)),
  )
  const isPainted = mention.relations.some(({ kind }) => kind === 'printed-on')
  if (noun !== 'moon' || mention.isLocative || isPainted || isUsed || mention.colours.length > 0) return false
  if (draft.times.length === 0) draft.times.push('night')
  draft.details.push('moon')
  return true
}

/** True for the windows in "light from the windows", which the drawing of a building shows. */
function isWindowOf(mention: Mention, draft: Draft): boolean {
  return (
    mention.isPart && mention.match?.entry.noun === 'window' && draft.mentions.some(other => other.match?.entry.category === 'building')
  )
}

/** True for the wall in "a painting on the wall": the painted room already has a wall. */
function isWallOf(mention: Mention, draft: Draft): boolean {
  return (
    mention.match?.entry.noun === 'wall' &&
    mention.colours.length === 0 &&
    draft.mentions.some(
      other => !isAnimate(other) && other.relations.some(relation => relation.target === mention && relation.kind === 'on'),
    )
  )
}

function makeSubject(mention: Mention, making: SubjectContext): Subject {
  const match = singleOf(mention, making.find)
  if (!match) throw new RangeError('a subject needs art')
  const other = actedThing(mention, making.mentions)
  mention.match = (other === undefined ? undefined : making.find(other, 'en')) ?? match
  raise(mention)
  const colour = colourOf(mention, making)
  const relations = relationsOf(mention, making)
  undressForWater(mention)
  const person = isPerson(mention) ? personLook(mention) : isDressable(mention) ? animalLook(mention) : undefined
  const own = isPlayedAt(mention, making)
    ? 'drawn:chess-table'
    : mention.parts.length > 0
      ? withParts(match.entry.key, making.art)
      : wholeBody(mention.match.entry.key, making.art)
  const art = drawingInUse(shapedArt(mention, own, making), mention, making)
  const pose = mention.pose ?? (relations.some(relation => relation.kind === 'riding') ? ('riding' as const) : undefined)
  return {
    id: making.ids.get(mention) ?? 's0',
    noun: nounOf(mention.match, making.find),
    words: phraseOf(mention),
    art,
    count: art === 'noto:books' ? 1 : (sharedCount(mention, making) ?? countOf(mention)),
    ...(colour ? { colour } : {}),
    ...(mention.parts.length > 0 ? { parts: mention.parts } : {}),
    looks: unique([...mention.looks.filter(look => look !== 'field'), ...mention.details, ...ageLooks(mention)]),
    size: isPerson(mention) && mention.age !== undefined ? 'normal' : (mention.size ?? 'normal'),
    heightMetres: isPlayedAt(mention, making)
      ? 0.82
      : person && !isPerson(mention)
        ? uprightMetres(mention.match.heightMetres, person)
        : mention.match.heightMetres,
    habitat: isPlayedAt(mention, making) ? 'ground' : habitatOf(mention, making.setting),
    ...(pose && (isAnimate(mention) || pose === 'flying') ? { pose } : {}),
    ...(person ? { person } : {}),
    relations,
    ...(mention.place ? { place: mention.place } : {}),
    isBackground: isBackground(mention, making),
  }
}

/** Gives a swimsuit to people in water or a bathtub, if no clothes or occupation are named. */
function undressForWater(mention: Mention): void {
  const isBathing =
    mention.looks.includes('in water') ||
    mention.relations.some(({ kind, target }) => kind === 'in' && target.match?.entry.key === 'drawn:bathtub')
  if (isBathing && isPerson(mention) && mention.clothes.length === 0 && !mention.match?.person?.role)
    mention.clothes.push({ kind: 'swimsuit' })
}

/** Returns how often a thing is drawn that a group of people holds and that has no number of its
 *  own: once for each person, so twice for the wine in "a couple drinking wine". Undefined for
 *  other things, and for groups of more than 12. */
function sharedCount(mention: Mention, { mentions }: SubjectContext): number | undefined {
  if (!mention.isBare || mention.isPlural || mention.count !== undefined) return undefined
  const holder = mentions.find(
    other => isPerson(other) && other.relations.some(({ kind, target }) => kind === 'holding' && target === mention),
  )
  const count = holder ? countOf(holder) : 1
  return count > 1 && count <= 12 ? count : undefined
}

/** True for a board game that somebody plays; it is drawn together with a table. */
function isPlayedAt(mention: Mention, { mentions }: SubjectContext): boolean {
  const isBoard = mention.match?.entry.key === 'drawn:chess-board'
  return isBoard && mentions.some(({ pose, relations }) => pose === 'playing' && relations.some(({ target }) => target === mention))
}

/** Returns the height in metres of an animal that acts like a person: 0.9 to 2.2, to suit the
 *  things of people. With only a hat or the like, it keeps its own height. */
function uprightMetres(metres: number, { clothes, wears, role }: PersonLook): number {
  const isNatural = clothes.length === 0 && role === undefined && wears.length > 0
  return isNatural ? metres : Math.min(2.2, Math.max(0.9, metres))
}

/** Returns the drawing for a counted thing: "roses" alone is a bush, but "twelve roses" are single
 *  flowers, whose drawing is found by the singular. */
function singleOf(mention: Mention, find: FindArt): ArtMatch | undefined {
  const { match } = mention
  if (!match || match.person || mention.count === undefined || mention.count < 2) return match
  const single = singularForms(match.word)
    .map(form => find(form, 'en'))
    .find(other => other !== undefined && (other.via === 'name' || other.via === 'label'))
  return single ?? match
}

/** Moves a thing above the place itself ("lanterns above a street") to the top of the picture,
 *  unless it is a building or terrain, or the prompt gives it a height. */
function raise(mention: Mention): void {
  const isOver = mention.relations.some(relation => relation.kind === 'above' && relation.target.setting !== undefined)
  const category = mention.match?.entry.category ?? ''
  if (isOver && !['building', 'structure', 'terrain', 'landmark'].includes(category)) mention.place = { vertical: 'top', ...mention.place }
}

/** Returns the noun in its dictionary form, because the catalogue may have found a plural. */
function nounOf(match: ArtMatch, find: FindArt): string {
  const noun = match.person
    ? match.noun.toLowerCase().replace(/^(little|small|young|old|elderly)\s+(?!man$|woman$|lady$)/, '')
    : match.noun.toLowerCase()
  const single = singularForms(noun).find(form => find(form, 'en')?.entry.key === match.entry.key)
  return single ?? noun
}

/** Returns the key of a drawing of the same thing whose parts can be coloured, else `key`. */
function withParts(key: ArtKey, art: ArtCatalogue): ArtKey {
  return hasPaintedParts(key) ? key : (art.get(key).alternatives.find(hasPaintedParts) ?? key)
}

/** Returns the key of a drawing of the whole body if `key` shows only a head, else `key`. */
function wholeBody(key: ArtKey, art: ArtCatalogue): ArtKey {
  const entry = art.get(key)
  if (!entry.headOnly) return key
  return entry.alternatives.find(other => !art.get(other).headOnly) ?? key
}

function ageLooks(mention: Mention): string[] {
  if (isPerson(mention) || mention.age === undefined) return []
  if (mention.age === 'elder') return ['old']
  return mention.size === undefined ? ['young'] : []
}

/** Returns the colour in which a thing is painted. Undefined for people, whose colours mean skin,
 *  and for a colour that the drawing already has ("red fox"). */
function colourOf(mention: Mention, { find }: SubjectContext): Colour | undefined {
  const colour = mention.colours[0] ?? gemColour(mention)
  const match = mention.match
  if (!colour || !match || isPerson(mention)) return undefined
  if (naturalColours[match.noun]?.includes(colour.name)) return undefined
  if (!match.entry.key.startsWith('noto:')) return colour
  const whole = find(`${colour.name} ${match.entry.noun}`, 'en')
  const isNatural =
    !match.noun.startsWith(`${colour.name} `) && whole?.entry.key === match.entry.key && (whole.via === 'name' || whole.via === 'label')
  return isNatural && whole.word.includes(' ') ? undefined : colour
}

/** Returns the colour that a noun such as "ruby" or "poppy" implies. Needed for gems and some
 *  flowers, which share one drawing. */
function gemColour({ match }: Mention): Colour | undefined {
  const isShared = match?.entry.key === 'noto:gem-stone' || (match?.entry.category === 'flower' && match.entry.noun !== match.word)
  return isShared ? colourWords.get(gems[match.word.toLowerCase()] ?? '') : undefined
}

const gems: Record<string, string> = {
  ruby: 'red',
  rubies: 'red',
  emerald: 'green',
  amethyst: 'purple',
  topaz: 'yellow',
  garnet: 'red',
  amber: 'orange',
  daffodil: 'yellow',
  buttercup: 'yellow',
  dandelion: 'yellow',
  marigold: 'orange',
  poppy: 'red',
  bluebell: 'blue',
  iris: 'purple',
  crocus: 'purple',
  cornflower: 'blue',
}

const naturalColours: Record<string, readonly string[]> = {
  fox: ['red', 'orange'],
  cat: ['orange', 'ginger'],
  tiger: ['orange'],
  lion: ['gold', 'yellow'],
  apple: ['red'],
  strawberry: ['red'],
  tomato: ['red'],
  banana: ['yellow'],
  lemon: ['yellow'],
  carrot: ['orange'],
  pumpkin: ['orange'],
  frog: ['green'],
  elephant: ['grey'],
  pig: ['pink'],
  flamingo: ['pink'],
  snowman: ['white'],
  crow: ['black'],
  swan: ['white'],
  tree: ['green'],
  grass: ['green'],
  bear: ['brown'],
  rose: ['red'],
  'fire truck': ['red'],
  'fire engine': ['red'],
  sunflower: ['yellow'],
  goldfish: ['gold', 'orange'],
  squirrel: ['red', 'brown'],
  monkey: ['brown'],
  deer: ['brown'],
}

function relationsOf(mention: Mention, { ids }: SubjectContext): Relation[] {
  const relations: Relation[] = []
  for (const relation of mention.relations) {
    const of = ids.get(relation.target)
    const and = relation.and ? ids.get(relation.and) : undefined
    if (of === undefined || relation.target === mention) continue
    if (relations.some(other => other.kind === relation.kind && other.of === of)) continue
    relations.push({ kind: relation.kind, of, ...(relation.part ? { part: relation.part } : {}), ...(and === undefined ? {} : { and }) })
  }
  // The relation `beside` says nothing new when the same two things have another relation.
  return relations.filter(
    relation => relation.kind !== 'beside' || !relations.some(other => other !== relation && other.of === relation.of),
  )
}

function habitatOf(mention: Mention, setting: Setting): Habitat {
  const entry = mention.match?.entry
  if (!entry) return 'ground'
  const hangs = mention.relations.some(
    ({ kind, target }) => target.match?.entry.noun === 'wall' && (kind === 'printed-on' || (kind === 'on' && !isAnimate(mention))),
  )
  if (hangs) return 'wall'
  // A being that is dressed or holds something stands on the ground, even if its kind usually flies
  // or hangs.
  if (entry.habitat === 'air' && entry.category === 'animal' && mention.pose !== 'flying' && actsUpright(mention)) return 'ground'
  if (mention.pose === 'flying' && isAnimate(mention) && setting.kind !== 'underwater') return 'air'
  if (
    setting.kind === 'underwater' &&
    (entry.category === 'fish' || mention.pose === 'swimming' || entry.habitat === 'water-surface') &&
    entry.category !== 'watercraft'
  )
    return 'underwater'
  if (entry.category === 'aircraft' && entry.habitat === 'sky' && setting.details.includes('runway') && mention.pose !== 'flying')
    return 'ground'
  if (setting.kind === 'underwater' && mention.details.includes('sunken')) return 'ground'
  if ((mention.pose === 'swimming' || mention.looks.includes('in water')) && entry.habitat === 'ground') return 'water-surface'
  return entry.habitat
}

function actsUpright({ clothes, wears, relations, role }: Mention): boolean {
  return clothes.length + wears.length > 0 || role !== undefined || relations.some(({ kind }) => kind === 'holding')
}

/** True for far-away things, and for scenery beside a main subject. Such scenery is not near and
 *  has no relation to other things, and it is terrain, a thing in the sky, weather, or a group. */
function isBackground(mention: Mention, { mentions }: SubjectContext): boolean {
  if (mention.place?.depth === 'far') return true
  const category = mention.match?.entry.category ?? ''
  if (!scenery.has(category) || mention.place?.depth === 'near') return false
  const isRelated = mention.relations.length > 0 || mentions.some(other => other.relations.some(relation => relation.target === mention))
  const hasMain = mentions.some(other => other !== mention && !scenery.has(other.match?.entry.category ?? ''))
  return hasMain && !isRelated && (countOf(mention) > 1 || category === 'terrain' || category === 'celestial' || category === 'weather')
}

const nearKinds: ReadonlySet<string> = new Set(words('animal, bird, fish, insect, flower, tree, fruit, vegetable, person, plant, creature'))

/** Reports the words about a mention that its drawing does not show. */
function noteLosses(mention: Mention, { draft, ids }: SubjectContext, from: Mention | undefined): void {
  const { match } = mention
  const text = phraseOf(mention)
  if (!match) {
    if (mention !== from && mention.setting === undefined && (mention.garment ?? mention.worn) !== undefined) note(draft, text)
    return
  }
  if (!ids.has(mention)) return
  if (famousLooks.has(match.noun)) {
    note(draft, `${text} (drawn as ${famousLooks.get(match.noun)?.base})`)
    return
  }
  const [costume] = mention.compound
  if (costume !== undefined && costume === text) {
    note(draft, `${costume} (drawn as ${match.entry.noun})`)
    return
  }
  const lost = mention.compound.filter(word => !isSilentCompound(word, mention))
  const isFar = match.via === 'hypernym' && !nearKinds.has(match.entry.category)
  if (lost.length > 0 && isAdjectival(mention)) for (const word of lost) note(draft, word)
  else if (lost.length > 0)
    note(
      draft,
      `${[...lost.filter(word => !word.startsWith('of ')), match.word, ...lost.filter(word => word.startsWith('of '))].join(' ')} (drawn as ${match.entry.noun})`,
    )
  else if (isFar) note(draft, `${match.word} (drawn as ${match.entry.noun})`)
}

/** True when the word before the noun is an adjective that was taken for a noun ("zany"). */
function isAdjectival(mention: Mention): boolean {
  const via = mention.compoundMatch?.via
  return via === 'hypernym' || via === 'synonym' || via === 'tag'
}

function isSilentCompound(word: string, mention: Mention): boolean {
  return (
    isPerson(mention) ||
    mention.setting !== undefined ||
    /robot|toy|house|baby|pet|mother|father|dad|mom|male|female|wood|metal|stone|paper|glass|garden|city|park|farm|family/.test(
      word.toLowerCase(),
    )
  )
}
