/** Lets the seed choose everything that a prompt does not mention. The pictures of one batch differ
 *  in these choices, and agree in everything that the prompt says. */

import type { Draft } from '../language/draft.ts'
import { indoors } from '../language/indoors.ts'
import type { Sense } from '../language/lexicon/senses.ts'
import { finder, type ParseOptions, readDraft, sceneOf } from '../language/parse.ts'
import { tokenise } from '../language/tokens.ts'
import { createRandom } from '../random.ts'
import type { Camera, Pose, Scene, Season, SettingKind, Subject, TimeOfDay, Weather } from '../scene.ts'
import { isAnimal } from '../subjects/animals/animal.ts'
import { species } from '../subjects/animals/species.ts'
import { rigOf } from '../subjects/artworks.ts'
import { studioArt } from '../subjects/drawable.ts'

/** Returns the scene of a prompt. The seed chooses time of day, weather, season, palette,
 *  camera, setting and poses where the prompt does not mention them, and successive seeds choose
 *  differently. The seed never changes what the prompt or the negative prompt determines. Never
 *  throws, whatever the prompt is. */
export function parseVaried(prompt: string, options: ParseOptions): Scene {
  return vary(parseOpen(prompt, options), { seed: options.seed, prompt })
}

/** A scene, and everything that the prompt says about it (`said`). Whatever the prompt does not say
 *  is a default in the scene, and the seed may change it. */
export interface OpenScene {
  scene: Scene
  said: Draft
  /** Meanings of the words for what the prompt or the negative prompt excludes. */
  unwanted: readonly Sense[]
}

/** Interprets a prompt without choosing anything by the seed. Properties that the prompt does not
 *  mention, such as the time of day, have the defaults of `parsePrompt`. */
export function parseOpen(prompt: string, options: ParseOptions): OpenScene {
  const art = options.art ?? studioArt()
  const find = options.find ?? finder(art)
  const draft = readDraft(prompt, find)
  // `sceneOf` removes excluded times, weather, moods and seasons from the draft, so `said` keeps a
  // copy of these lists.
  const said = { ...draft, times: [...draft.times], weather: [...draft.weather], moods: [...draft.moods], seasons: [...draft.seasons] }
  const scene = sceneOf(prompt, draft, { ...options, art, find })
  const unwanted = [...draft.negated, ...tokenise(options.negativePrompt ?? '', find)].flatMap(({ senses }) => senses)
  return { scene, said, unwanted }
}

/** Chooses an element of a list by the seed. The order of the choices depends on the prompt and on
 *  `name`. With n elements, n successive seeds choose each element once. */
type Pick = <T>(name: string, list: readonly T[]) => T

function deck(seed: string, prompt: string): Pick {
  return (name, list) => {
    const random = createRandom(`${name}/${prompt}`)
    const order = list.map(item => ({ item, key: random.next() })).sort((a, b) => a.key - b.key)
    const length = BigInt(list.length)
    const at = ((BigInt(seed) % length) + length) % length
    const chosen = order[Number(at)]
    if (!chosen) throw new RangeError(`nothing to choose from for ${name}`)
    return chosen.item
  }
}

interface Choice extends OpenScene {
  pick: Pick
  /** True for a picture of a series. The setting of such a picture may vary even when the prompt
   *  names several things, but season and palette do not vary, because all pictures share them. */
  isOfSeries: boolean
}

interface VaryOptions {
  seed: string
  /** The prompt. The order in which successive seeds choose depends on it, so that different
   *  prompts vary differently. */
  prompt: string
  isOfSeries?: boolean
}

/** Returns the scene with the properties that the prompt does not mention (time, weather, setting,
 *  poses and others) chosen by the seed. */
export function vary(open: OpenScene, { seed, prompt, isOfSeries = false }: VaryOptions): Scene {
  const choice = { ...open, pick: deck(seed, prompt), isOfSeries }
  const { scene } = choice
  if (scene.setting.kind === 'abstract') return scene
  const setting = settingOf(choice)
  const placed = { ...choice, scene: { ...scene, setting } }
  const camera = cameraOf(placed)
  const framed = { ...placed, scene: { ...placed.scene, camera } }
  return {
    ...framed.scene,
    time: timeOf(framed),
    season: seasonOf(framed),
    weather: weatherOf(framed),
    moods: moodsOf(framed),
    subjects: subjectsOf(framed),
  }
}

/** For the default setting of a thing, the settings that the seed may choose when the prompt names
 *  the thing but no setting. */
const likePlaces: Readonly<Partial<Record<SettingKind, readonly SettingKind[]>>> = {
  meadow: ['meadow', 'park', 'garden', 'hills', 'village'],
  park: ['park', 'street', 'city'],
  street: ['street', 'city', 'village', 'road'],
  road: ['road', 'street', 'city'],
  forest: ['forest', 'meadow'],
  garden: ['garden', 'park', 'meadow'],
  mountains: ['mountains', 'hills'],
  farm: ['farm', 'field', 'meadow', 'hills'],
  lake: ['lake', 'river'],
  laboratory: ['laboratory', 'workshop', 'street', 'city'],
  table: ['table', 'window-table'],
}

function settingOf({ scene, said, unwanted, pick, isOfSeries }: Choice): Scene['setting'] {
  const { setting } = scene
  if (setting.words !== '' || setting.details.length > 0 || setting.colour || said.background || said.wantsBackdrop) return setting
  // Several things together ("a man on a bench") imply more about the setting than one thing does,
  // so the default setting is kept.
  if (said.mentions.length !== 1 && !isOfSeries) return setting
  if (said.mentions.some(mention => mention.setting !== undefined)) return setting
  if (scene.subjects.some(({ habitat }) => habitat === 'water-surface')) return setting
  const barred = unwanted.flatMap(sense => (sense.kind === 'setting' ? sense.setting : []))
  const free = (likePlaces[setting.kind] ?? []).filter(kind => !barred.includes(kind))
  return free.length > 0 ? { ...setting, kind: pick('setting', free) } : setting
}

const noDaylight: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'space',
  'moon',
  'planet',
  'underwater',
  'cave',
  'backdrop',
  'table',
  'shelf',
])

/** Settings that are busy only by day. In the evening they would have to be empty, so they are
 *  shown by day. */
const byDay: ReadonlySet<SettingKind> = new Set<SettingKind>(['market', 'playground', 'stadium'])

function isOutdoors({ setting }: Scene): boolean {
  return !indoors.has(setting.kind) && !noDaylight.has(setting.kind)
}

function timeOf({ scene, said, unwanted, pick }: Choice): TimeOfDay {
  const skyColour = said.mentions.some(mention => mention.setting?.setting === 'sky' && mention.colours.length > 0)
  if (said.times.length > 0 || scene.time !== 'day' || !isOutdoors(scene) || skyColour) return scene.time
  const barred = unwanted.flatMap(sense => (sense.kind === 'time' ? sense.time : []))
  // The coloured light of a sunset or dawn would change the colour that the prompt gives to a
  // thing, so only daylight is chosen.
  const isColoured = scene.subjects.some(({ colour, isBackground }) => colour !== undefined && !isBackground)
  // `byDay` lists places that are busy only by day.
  const isLit = said.weather.length > 0 || said.palette.length > 0 || isColoured || byDay.has(scene.setting.kind)
  const all: TimeOfDay[] = isLit ? ['morning', 'day', 'afternoon'] : ['day', 'sunset', 'morning', 'dawn', 'afternoon', 'dusk']
  return among(pick, { name: 'time', all, barred, now: scene.time })
}

const temperate: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'meadow',
  'field',
  'farm',
  'garden',
  'park',
  'forest',
  'hills',
  'village',
  'street',
  'road',
  'lake',
  'river',
  'mountains',
])

function seasonOf({ scene, said, unwanted, pick, isOfSeries }: Choice): Season {
  if (isOfSeries) return scene.season
  const isOpen = said.seasons.length === 0 && scene.season === 'summer' && temperate.has(scene.setting.kind) && !scene.setting.colour
  if (!isOpen || scene.setting.details.length > 0 || said.weather.length > 0) return scene.season
  const barred = unwanted.flatMap(sense => (sense.kind === 'season' ? sense.season : []))
  return among(pick, { name: 'season', all: ['summer', 'spring', 'autumn'], barred, now: scene.season })
}

function weatherOf({ scene, said, unwanted, pick }: Choice): Weather[] {
  const isOpen = said.weather.length === 0 && said.details.length === 0 && scene.time !== 'night' && isOutdoors(scene)
  if (!isOpen || scene.weather.join() !== 'clear') return scene.weather
  const barred = unwanted.flatMap(sense => (sense.kind === 'weather' ? sense.weather : []))
  return [among(pick, { name: 'weather', all: ['clear', 'cloudy', 'clear', 'wind', 'cloudy'], barred, now: 'clear' })]
}

function moodsOf({ scene, said, unwanted, pick, isOfSeries }: Choice): string[] {
  const isFixed = isOfSeries || said.moods.length > 0 || said.palette.length > 0 || ['noir', 'sketch', 'ink', 'photo'].includes(scene.style)
  if (isFixed || scene.time === 'night') return scene.moods
  const barred = unwanted.flatMap(sense => (sense.kind === 'mood' ? sense.mood : []))
  // A mood that changes hues would change the colours that the prompt names, so only moods that
  // keep hues are chosen.
  const isColoured = scene.setting.colour !== undefined || scene.subjects.some(({ colour }) => colour !== undefined)
  const all = isColoured ? ['', 'vivid', 'bright'] : ['', 'vivid', 'warm', 'bright', 'cold']
  const mood = among(pick, { name: 'palette', all, barred, now: '' })
  return mood === '' ? scene.moods : [...scene.moods, mood]
}

function among<T>(pick: Pick, { name, all, barred, now }: { name: string; all: readonly T[]; barred: readonly T[]; now: T }): T {
  const free = all.filter(item => !barred.includes(item))
  return free.length > 0 ? pick(name, free) : now
}

function cameraOf({ scene, said, pick }: Choice): Camera {
  const { camera } = scene
  const heroes = heroesOf(scene)
  const isAlone = heroes.length === 1 && isFree(scene, heroes[0])
  // In a nearer framing, a person is shown only down to the chest. The clothes, feet or
  // surroundings that the prompt names would not be visible.
  const isPortrait = heroes.some(hero => hero.person !== undefined)
  const isNamed = scene.setting.words !== ''
  // In a nearer framing, an animal is shown only as a face, or upright like a person. The prompt
  // asks for neither.
  const isAnimalAlone = heroes.some(({ art }) => /^(animal|bird|creature)$/.test(studioArt().categoryOf(art)))
  // A wide framing is used only when the prompt names a setting. Otherwise the picture is about the
  // thing, which would be too small.
  const framings: Camera['framing'][] = isNamed
    ? ['full', 'wide', 'full']
    : isAlone && !isPortrait && !isAnimalAlone
      ? ['full', 'medium', 'full', 'full']
      : ['full']
  // A prompt that names a feature of the face needs the near framing that `parsePrompt` chose.
  const isFace = isPortrait && camera.framing === 'medium'
  const framing = said.camera.framing === undefined && heroes.length > 0 && !isFace ? pick('framing', framings) : camera.framing
  const isLevel = ['sky', 'space', 'underwater', 'backdrop'].includes(scene.setting.kind)
  const angle = said.camera.angle === undefined && !isLevel ? pick('angle', ['eye', 'low', 'eye', 'high', 'eye'] as const) : camera.angle
  return { ...camera, framing, angle }
}

function heroesOf(scene: Scene): Subject[] {
  return scene.subjects.filter(({ isBackground, habitat }) => !isBackground && habitat !== 'sky' && habitat !== 'wall')
}

/** True for a subject with a single copy whose position the prompt determines neither directly nor
 *  by a relation. */
function isFree(scene: Scene, subject: Subject | undefined): boolean {
  if (subject?.count !== 1 || subject.place || subject.relations.length > 0) return false
  return scene.subjects.every(({ relations }) => relations.every(({ of, and }) => of !== subject.id && and !== subject.id))
}

function subjectsOf({ scene, pick }: Choice): Subject[] {
  const heroes = heroesOf(scene)
  const free = heroes.filter(hero => isFree(scene, hero) && ['ground', 'surface', 'water-surface'].includes(hero.habitat))
  const sides = sidesOf({ scene, heroes, free, pick })
  return scene.subjects.map(subject => {
    const side = sides.get(subject.id)
    const pose = poseOf(scene, subject, pick)
    return { ...subject, ...(side ? { place: { horizontal: side } } : {}), ...(pose ? { pose } : {}) }
  })
}

interface SceneStatus {
  scene: Scene
  heroes: readonly Subject[]
  free: readonly Subject[]
  pick: Pick
}

/** Returns the side for each main subject that is moved to one. A single subject stands left, right
 *  or in the middle. Two subjects exchange sides for some seeds. */
function sidesOf({ scene, heroes, free, pick }: SceneStatus): Map<string, 'left' | 'right'> {
  const [first, second] = free
  if (!first || free.length !== heroes.length || scene.letterings.length > 0 || scene.setting.details.includes('diagram')) return new Map()
  const isNear = scene.camera.framing === 'close-up' || scene.camera.framing === 'medium'
  // On a plain backdrop, a single thing at the side would leave half of the picture empty.
  const side = isNear || (scene.setting.kind === 'backdrop' && !second) ? undefined : pick('side', ['left', undefined, 'right'] as const)
  if (!second) return new Map(side ? [[first.id, side]] : [])
  if (heroes.length !== 2 || side !== 'right') return new Map()
  return new Map([
    [first.id, 'right'],
    [second.id, 'left'],
  ])
}

const animalPoses: readonly Pose[] = ['standing', 'sitting', 'walking', 'standing', 'lying']
/** Poses of animals with hooves or long legs, whose drawings look odd when they sit or lie. */
const hoofedPoses: readonly Pose[] = ['standing', 'walking', 'standing']
const personPoses: readonly Pose[] = ['standing', 'walking', 'waving', 'sitting']
const roadPoses: readonly Pose[] = ['standing', 'walking', 'waving']

/** True for a setting with a road, where nobody sits down. */
function isRoad({ setting }: Scene): boolean {
  return setting.kind === 'street' || setting.kind === 'city' || setting.kind === 'road'
}

/** Returns a pose for a subject that can take poses and for which the prompt names none; undefined
 *  when the subject keeps its default pose. */
function poseOf(scene: Scene, subject: Subject, pick: Pick): Pose | undefined {
  if (subject.pose || !isFree(scene, { ...subject, count: 1 }) || subject.habitat !== 'ground' || subject.isBackground) return undefined
  // A creature that counts as a person but has hooves takes the poses of hoofed animals. People
  // with an occupation keep the stance of that occupation; in a portrait, a pose would not be
  // visible.
  if (subject.person && subject.art !== 'rig:person' && hasHooves(subject)) return pick(`pose-${subject.id}`, hoofedPoses)
  if (subject.person)
    return subject.person.role || scene.camera.framing === 'medium' || subject.person.age === 'baby'
      ? undefined
      : pick(`pose-${subject.id}`, isRoad(scene) ? roadPoses : personPoses)
  return canPose(subject) ? pick(`pose-${subject.id}`, hasHooves(subject) ? hoofedPoses : animalPoses) : undefined
}

/** True for an animal that can take poses, which only rigs can. An animal with an emoji is drawn by
 *  a rig only when the prompt names its colour. Otherwise the emoji stays, because the rig may show
 *  another breed. */
function canPose(subject: Subject): boolean {
  return isAnimal(subject.art.slice(subject.art.indexOf(':') + 1)) || (rigOf(subject) !== undefined && subject.colour !== undefined)
}

function hasHooves(subject: Subject): boolean {
  const key = (rigOf(subject) ?? subject.art).replace(/^[a-z]+:/, '')
  return species[key]?.hoof !== undefined || key === 'elephant' || species[key]?.head === 'giraffe'
}
