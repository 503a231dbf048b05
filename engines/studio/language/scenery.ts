import type { Scene, Setting, Subject } from '../scene.ts'
import { countCandles } from './candles.ts'
import { indoors } from './indoors.ts'

/** Matches nouns of mountains and hills, with or without snow. */
const range = /^((snow-capped|snow-covered|snowy) )?(mountain|hill)$/

/** Things that the painting of a place already shows. As subjects, they would appear twice. */
const partsOfPlaces: { place: Setting['kind'][]; noun: RegExp }[] = [
  {
    place: ['village', 'mountains', 'hills', 'snowfield', 'lake', 'river', 'meadow', 'field', 'farm', 'road', 'railway'],
    noun: range,
  },
  { place: ['street', 'village', 'city', 'castle-grounds'], noun: /^window$/ },
]

/** Things that the drawing of another thing already shows: the drawing of a birthday cake has
 *  candles. */
const includedIn: { noun: RegExp; within: RegExp }[] = [{ noun: /^candle$/, within: /^birthday cake$/ }]

const petsAndPlay = /^(ball|dog|cat|puppy|kitten|frisbee)$/

/** Returns the scene, corrected where the place does not suit the subjects. A few trees alone
 *  are shown in the open and not in a forest; a ball or a pet alone does not make the place a
 *  stadium; subjects that the place or another drawing already shows are removed. */
export function settleScenery(scene: Scene): Scene {
  const setting = settledPlace(scene)
  const counted = countCandles(crewed(scene))
  const subjects = counted.filter(subject => !isShownAnyway(subject, { ...scene, setting, subjects: counted }))
  const kept = new Set(subjects.map(subject => subject.id))
  return {
    ...scene,
    setting,
    subjects: subjects.map(subject => ({ ...subject, relations: subject.relations.filter(relation => kept.has(relation.of)) })),
  }
}

/** Puts people into the boat when the scene is on open water that the prompt does not name,
 *  because nobody can stand on the water. People who swim, dive, surf or fly, or who have a
 *  relation to another subject, stay where they are. */
function crewed({ setting, subjects }: Scene): Subject[] {
  const boat = subjects.find(subject => subject.habitat === 'water-surface' && subject.heightMetres > 1)
  const isOpen = setting.kind === 'sea' || setting.kind === 'lake' || setting.kind === 'river'
  if (!boat || !isOpen || setting.words !== '') return subjects
  const joined = (subject: Subject) =>
    staysDry(subject) && subject.relations.length === 0 && !subjects.some(({ relations }) => relations.some(({ of }) => of === subject.id))
  return subjects.map(subject => (joined(subject) ? { ...subject, relations: [{ kind: 'on' as const, of: boat.id }] } : subject))
}

/** True for a person who neither swims, dives, surfs nor flies. */
function staysDry({ person, pose }: Subject): boolean {
  return person !== undefined && pose !== 'swimming' && pose !== 'flying' && !/^(diver|swimmer|surfer)$/.test(person.role ?? '')
}

function settledPlace({ setting, subjects, season }: Scene): Setting {
  // Autumn hills without a subject are painted as a lake with a wood in autumn colours behind it.
  if (setting.kind === 'hills' && season === 'autumn' && subjects.length === 0) return { ...setting, kind: 'lake' }
  if (setting.kind === 'sea' && standsAshore(subjects)) return { ...setting, kind: 'beach' }
  // A forest would hide mountains that the prompt names, so the mountains become the place.
  if (setting.kind === 'forest' && subjects.some(({ noun, colour, place }) => range.test(noun) && !colour && !place))
    return { ...setting, kind: 'mountains' }
  if (setting.words !== '') return setting
  if (setting.kind === 'sky' && subjects.some(subject => staysDry(subject) && subject.relations.every(({ kind }) => kind === 'holding')))
    return { ...setting, kind: 'meadow' }
  if (setting.kind === 'underwater' && subjects.some(staysDry)) return { ...setting, kind: 'beach', details: [...setting.details, 'sea'] }
  const hasTree = subjects.some(subject => subject.art.startsWith('tree:') && subject.noun.endsWith('tree') && subject.count <= 3)
  if (hasTree && (setting.kind === 'forest' || indoors.has(setting.kind))) return { ...setting, kind: 'meadow' }
  const isPlay = subjects.length > 0 && subjects.every(subject => petsAndPlay.test(subject.noun))
  if (setting.kind === 'stadium' && isPlay) return { ...setting, kind: 'park' }
  return setting
}

/** Nouns of vehicles with wheels, which cannot be on the sea. */
const onWheels =
  /^(car|racing car|sports car|truck|pickup truck|fire engine|ambulance|police car|taxi|bus|van|minibus|tractor|bicycle|motorcycle|scooter|motor scooter|train|steam train|locomotive|tram)$/

/** True when the scene is on the shore and not on the open sea: nothing is in or on the water,
 *  and there is a vehicle with wheels, or there are people who all stand, walk, sit or look and
 *  none of whom is on another thing. */
function standsAshore(subjects: readonly Subject[]): boolean {
  const people = subjects.filter(subject => subject.person)
  const isAfloat = subjects.some(subject => subject.habitat === 'water-surface' || subject.habitat === 'underwater')
  const stands = (subject: Subject) => subject.pose === undefined || ashorePoses.has(subject.pose)
  if (!isAfloat && subjects.some(({ noun }) => onWheels.test(noun))) return true
  return (
    people.length > 0 &&
    !isAfloat &&
    people.every(person => stands(person) && person.relations.every(({ kind }) => kind !== 'riding' && kind !== 'on'))
  )
}

const ashorePoses: ReadonlySet<Subject['pose']> = new Set<Subject['pose']>([
  'standing',
  'looking',
  'walking',
  'running',
  'sitting',
  'waving',
  'holding',
  'dancing',
  'playing',
])

function isShownAnyway(subject: Subject, scene: Scene): boolean {
  if (scene.setting.details.includes('hallway') && /^door$/.test(subject.noun)) return true
  if (scene.setting.details.includes('church') && /^(pew|altar)s?$/.test(subject.noun)) return true
  const isPart = partsOfPlaces.some(({ place, noun }) => place.includes(scene.setting.kind) && noun.test(subject.noun))
  // A part of the place is kept as a subject when it has a colour or a position, or when another
  // thing is related to it.
  if (isPart)
    return !subject.colour && !subject.place && !scene.subjects.some(other => other.relations.some(relation => relation.of === subject.id))
  return includedIn.some(
    ({ noun, within }) =>
      noun.test(subject.noun) &&
      subject.relations.some(({ of }) => {
        const whole = scene.subjects.find(({ id }) => id === of)
        return whole !== undefined && whole.art !== 'drawn:bare-cake' && within.test(whole.noun)
      }),
  )
}
