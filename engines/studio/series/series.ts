/** Makes the scenes of a series: one scene for each step of the prompt's story, all with the same
 *  subjects. */
import { finder, type ParseOptions } from '../language/parse.ts'
import { readSeries } from '../language/series.ts'
import { fromScene, type Relation, type RelationKind, type Scene, type Subject } from '../scene.ts'
import { isAnimal } from '../subjects/animals/animal.ts'
import { isBird } from '../subjects/animals/birds.ts'
import { isCreature } from '../subjects/animals/creatures.ts'
import { rigOf } from '../subjects/artworks.ts'
import { studioArt } from '../subjects/drawable.ts'
import { type OpenScene, parseOpen, vary } from '../variety/vary.ts'

interface SeriesOptions {
  /** Seed of the request. Every scene has this seed, so that a subject looks the same in all
   *  pictures. */
  seed: string
  /** Largest number of pictures. */
  most: number
  /** When true, the series has exactly `most` pictures, whatever the prompt says. */
  isExact?: boolean
  negativePrompt?: string
  /** An existing scene whose subjects, style and setting the series keeps. */
  from?: Scene
}

interface Series {
  scenes: Scene[]
  /** Steps for which there is no picture, in the words of the prompt. */
  leftOut: string[]
}

/** Number of pictures in a series whose prompt names neither a number nor steps
 *  (docs/interface/pictures.md#f3). */
const usualCount = 4

/** Returns the scenes of a series. With `isExact`, their number is `most`. Otherwise it is the
 *  number that the prompt names, else the number of its steps ("first ..., then ..."), else
 *  four, and at most `most`. Never throws, whatever the prompt is. */
export function seriesScenes(prompt: string, options: SeriesOptions): Series {
  const { shared, steps, count } = readSeries(prompt)
  const wanted = countOf({ steps, count }, options)
  const teller = createTeller(shared, options)
  // If there are more pictures than steps, the additional pictures show the last step.
  const scenes = Array.from({ length: wanted }, (_, index) => teller(steps[index] ?? steps.at(-1), index))
  return { scenes: inOneStyle(scenes), leftOut: steps.slice(wanted) }
}

/** Returns the number of pictures in the series that a prompt asks for, at most `most`. */
export function countOfSeries(prompt: string, options: Pick<SeriesOptions, 'most' | 'isExact'>): number {
  return countOf(readSeries(prompt), options)
}

function countOf(
  { steps, count }: { steps: readonly string[]; count?: number | undefined },
  { most, isExact = false }: Pick<SeriesOptions, 'most' | 'isExact'>,
): number {
  if (isExact) return most
  return Math.min(most, count ?? (steps.length > 0 ? steps.length : usualCount))
}

/** Subjects, place, time and other properties of the earlier pictures of a series, which the later
 *  pictures must repeat. */
interface Story {
  /** Each subject as it was first described, by its noun. The subject keeps this look in all later
   *  pictures. */
  known: Map<string, Subject>
  /** Nouns of the main subjects. */
  heroes: string[]
  /** Things that a main subject wears or carries in every picture. */
  belongings: { owner: string; kind: RelationKind; noun: string }[]
  said: Partial<Pick<Scene, 'setting' | 'time' | 'season' | 'weather' | 'moods' | 'camera'>>
  nextId: number
}

function createTeller(shared: string, { seed, negativePrompt, from }: SeriesOptions): (step: string | undefined, index: number) => Scene {
  const options = { seed, find: finder(studioArt()), ...(negativePrompt ? { negativePrompt } : {}) }
  const story: Story = { known: new Map(), heroes: [], belongings: [], said: {}, nextId: 1 }
  const opened = shared === '' ? undefined : parseOpen(shared, options)
  if (from) {
    remember(
      story,
      from.subjects.map(subject => fromScene(subject, from)),
    )
    story.said.setting = from.setting
  }
  if (opened) {
    remember(story, opened.scene.subjects)
    carry(story, opened)
  }
  return (step, index) => {
    const open = step === undefined && opened ? opened : parseOpen(step === undefined ? shared : stepText(step, story, options), options)
    const cast = castOf(open.scene, story)
    const places = carry(story, open)
    const choices = String(BigInt.asIntN(64, BigInt(seed) + BigInt(index)))
    const staged = { ...open, ...places, scene: { ...open.scene, ...places.scene, subjects: cast } }
    const drawn = vary(staged, { seed: choices, prompt: shared, isOfSeries: true })
    return { ...drawn, seed, style: styleOf([open, opened]) ?? from?.style ?? drawn.style }
  }
}

/** Returns the style that the descriptions name; undefined when none names one. The first
 *  description with a style decides. Callers list the description of the step before that of the
 *  whole series. */
function styleOf(opens: readonly (OpenScene | undefined)[]): Scene['style'] | undefined {
  return opens.find(open => open && open.said.styles.length > 0)?.scene.style
}

/** Returns the scenes in one style: if a step names a style, the scenes without one get it, too. */
function inOneStyle(scenes: Scene[]): Scene[] {
  const said = scenes.find(({ style }) => style !== 'illustration')?.style
  return said === undefined ? scenes : scenes.map(scene => (scene.style === 'illustration' ? { ...scene, style: said } : scene))
}

const pronoun = /\b(?:it|he|she|they)\b(?!')|[它他她](?:们)?/i
const possessive = /\b(?:its|his|their)\b|[它他她](?:们)?的/gi

/** Matches "reads" when no quotation follows. Somebody is then reading; with a quotation, the word
 *  introduces lettering ("a sign reads ..."). */
const reads = /\breads?\b(?! ?["“'])/gi

/** Returns the text of a step with the main subjects named: "it sleeps" becomes "the red fox
 *  sleeps", and "at noon" becomes "the red fox at noon". Without the names, the step could not be
 *  parsed as a prompt of its own. */
function stepText(step: string, story: Story, options: ParseOptions): string {
  const heroes = story.heroes.flatMap(noun => story.known.get(noun) ?? [])
  if (heroes.length === 0) return step
  const isChinese = /\p{Script=Han}/u.test(step)
  const isMany = /\bthey\b|[它他她]们/i.test(step)
  const meant = isMany ? heroes : heroes.slice(0, 1)
  const plain = isChinese ? step.replace(possessive, '') : step.replace(possessive, 'the').replace(reads, 'reading')
  if (pronoun.test(plain)) return plain.replace(pronoun, () => nameOf(meant, isChinese))
  const { subjects } = parseOpen(plain, options).scene
  const acts = subjects.some(subject => isBeing(subject) || story.heroes.includes(subject.noun))
  if (acts) return plain
  return isChinese ? `${nameOf(heroes, true)}${plain}` : `${nameOf(heroes, false)} ${plain}`
}

function nameOf(subjects: readonly Subject[], isChinese: boolean): string {
  const names = subjects.map(({ words, noun }) => (words === '' ? noun : words))
  return isChinese ? names.join('和') : names.map(name => (/\p{Script=Han}/u.test(name) ? name : `the ${name}`)).join(' and ')
}

function isBeing({ art, person }: Subject): boolean {
  const name = art.slice(art.indexOf(':') + 1)
  return person !== undefined || isAnimal(name) || isBird(name) || isCreature(name)
}

/** Returns the subjects of a picture with the looks that they had earlier in the series, and with
 *  the things that they wear and carry. Their ids are unique in the series. */
function castOf(scene: Scene, story: Story): Subject[] {
  remember(story, scene.subjects)
  const ids = new Map(scene.subjects.map(subject => [subject.id, story.known.get(subject.noun)?.id ?? subject.id]))
  const taken = new Set<string>()
  const cast = scene.subjects.map(subject => {
    const own = ids.get(subject.id) ?? subject.id
    // Two subjects with the same noun in one picture need different ids.
    const id = taken.has(own) ? `s${story.nextId++}` : own
    taken.add(id)
    return { ...alike(subject, story.known.get(subject.noun)), id, relations: subject.relations.map(relation => renamed(relation, ids)) }
  })
  for (const { owner, kind, noun } of story.belongings) {
    const bearer = cast.find(subject => subject.noun === owner)
    const thing = story.known.get(noun)
    if (!bearer || !thing || cast.some(subject => subject.noun === noun)) continue
    if (kind !== 'wearing' && handless.has(bearer.pose ?? '')) continue
    bearer.relations = [...bearer.relations, { kind, of: thing.id }]
    cast.push({ ...thing, relations: [] })
  }
  return cast
}

/** Poses in which a subject cannot hold or carry anything. */
const handless: ReadonlySet<string> = new Set(['sleeping', 'lying', 'swimming', 'riding', 'climbing', 'reading'])

function renamed(relation: Relation, ids: ReadonlyMap<string, string>): Relation {
  const of = ids.get(relation.of) ?? relation.of
  return { ...relation, of, ...(relation.and === undefined ? {} : { and: ids.get(relation.and) ?? relation.and }) }
}

/** Returns the subject with the look that it had when it was first described. Details that this
 *  step adds are kept. */
function alike(subject: Subject, known: Subject | undefined): Subject {
  if (!known) return subject
  const { colour = known.colour, person = known.person, size } = subject
  const look = person && {
    ...known.person,
    ...person,
    clothes: either(person.clothes, known.person?.clothes),
    wears: either(person.wears, known.person?.wears),
  }
  return {
    ...subject,
    art: known.art,
    ...(known.origin ? { origin: known.origin } : {}),
    looks: [...new Set([...known.looks, ...subject.looks])],
    size: size === 'normal' ? known.size : size,
    ...(colour ? { colour } : {}),
    ...(look ? { person: look } : {}),
  }
}

function either<T>(own: readonly T[], known: readonly T[] = []): T[] {
  return own.length > 0 ? [...own] : [...known]
}

/** Stores subjects that the story has not mentioned before. From the subjects of the first
 *  description in the story, the people and animals become the main subjects; if there are none,
 *  the first thing does. */
function remember(story: Story, subjects: readonly Subject[]): void {
  const names = new Map(subjects.map(({ id, noun }) => [id, noun]))
  const isOpening = story.heroes.length === 0
  for (const subject of subjects) {
    if (story.known.has(subject.noun)) continue
    // The rig of an animal is used in all pictures, if there is one: the emoji has only one pose,
    // and looks like another animal beside it.
    const known = { ...subject, id: `s${story.nextId++}`, art: rigOf(subject) ?? subject.art }
    story.known.set(subject.noun, known)
    for (const { kind, of } of subject.relations) {
      const noun = names.get(of)
      if (noun && (kind === 'wearing' || kind === 'holding' || kind === 'carrying'))
        story.belongings.push({ owner: subject.noun, kind, noun })
    }
  }
  if (!isOpening) return
  const main = subjects.filter(subject => !subject.isBackground && !story.belongings.some(({ noun }) => noun === subject.noun))
  const beings = main.filter(isBeing)
  const heroes = beings.length > 0 ? beings : main.slice(0, 1)
  story.heroes = heroes.map(({ noun }) => noun)
}

/** Returns place, time, season, weather and mood for a picture. A property that the step does
 *  not name is taken from the earlier pictures. When no earlier picture names the property
 *  either, it stays undefined, and the seed decides. */
function carry(story: Story, open: OpenScene): Pick<OpenScene, 'said'> & { scene: Partial<Scene> } {
  const { scene, said } = open
  const reported = story.said
  if (scene.setting.words !== '' || said.background || said.wantsBackdrop) {
    // When the place changes, the weather of the earlier place is forgotten.
    if (reported.setting && reported.setting.kind !== scene.setting.kind) delete reported.weather
    reported.setting = scene.setting
  }
  if (said.times.length > 0) reported.time = scene.time
  if (said.seasons.length > 0) reported.season = scene.season
  if (said.weather.length > 0) reported.weather = scene.weather
  if (said.moods.length > 0) reported.moods = scene.moods
  return {
    scene: reported,
    said: {
      ...said,
      times: reported.time ? [reported.time] : said.times,
      seasons: reported.season ? [reported.season] : said.seasons,
      weather: reported.weather ?? said.weather,
      moods: reported.moods ?? said.moods,
    },
  }
}
