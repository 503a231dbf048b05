import type { Pose, Relation, Scene, Subject } from '../../scene.ts'
import { cabinOf } from '../cabins.ts'
import { type Grip, gripOf } from './grips.ts'

/** What a person sits on: another subject, a chair drawn with the person, a seat behind a
 *  window, the open back of a truck, or nothing; a board is stood on. */
export type Seat = 'host' | 'chair' | 'cabin' | 'bed' | 'board' | 'none'

/** What the scene around a person says of how they sit, hold and turn. */
interface Posture {
  seat: Seat
  /** How the thing in the hands is held, where it is a thing with a hold of its own. */
  grip?: Grip
  /** The prop of a game that somebody else's hands hold in the scene. */
  tool?: string
  /** Seen from behind. */
  isBack: boolean
  /** Turned to somebody or something beside. */
  isFacing: boolean
}

export function postureOf(subject: Subject, scene: Scene): Posture {
  const held = subject.relations.filter(({ kind }) => kind === 'holding' || kind === 'carrying').map(({ of }) => find(scene, of))
  const grip = held.map(thing => thing && gripOf(thing, subject.pose, subject.looks)).find(one => one !== undefined)
  const isBack = isFromBehind(subject, scene)
  const tool = toolOf(subject, scene)
  return {
    seat: seatOf(subject, scene),
    ...(grip ? { grip } : {}),
    ...(tool ? { tool } : {}),
    isBack,
    isFacing: !isBack && isTurned(subject, scene),
  }
}

/** Two who play tennis with one racket between them in the words have one each. */
function toolOf(subject: Subject, scene: Scene): string | undefined {
  const thing = subject.relations.find(({ kind }) => kind === 'holding')?.of
  const art = find(scene, thing ?? '')?.art ?? ''
  if (art === 'drawn:bubbles') return 'bubble-wand'
  if (subject.pose === 'pouring' && /cup|mug|glass|:tea|bowl/.test(art) && !/teapot/.test(art)) return 'teapot'
  const first = scene.subjects.find(other => other.relations.some(({ kind, of }) => kind === 'holding' && of === thing))
  if (thing === undefined || first === subject) return undefined
  return tools.find(([words]) => words.test(art))?.[1]
}

const tools: readonly [RegExp, string][] = [
  [/tennis|badminton|squash|ping-pong/, 'racket'],
  [/cricket|baseball/, 'bat'],
  [/guitar|banjo/, 'guitar'],
  [/violin/, 'violin'],
  [/drum/, 'drum'],
  [/saxophone|trumpet/, 'saxophone'],
]

function find({ subjects }: Scene, id: string): Subject | undefined {
  return subjects.find(subject => subject.id === id)
}

function seatOf(subject: Subject, scene: Scene): Seat {
  for (const { kind, of, part } of subject.relations) {
    const host = find(scene, of)
    const cabin = host && cabinOf(host, kind, subject)
    if (cabin) return cabin.isBed ? 'bed' : 'cabin'
    if (part !== undefined) return 'host'
    if (host && kind === 'in' && isTub(host)) return 'bed'
    if (host && (kind === 'on' || kind === 'riding') && isBoard(host)) return 'board'
    if (host && staysUpright(subject, host, kind)) return 'none'
    if (kind === 'on' || kind === 'riding' || (kind === 'in' && host && (host.habitat === 'water-surface' || host.heightMetres < 2.5)))
      return 'host'
  }
  if (subject.looks.includes('in water')) return 'bed'
  return isAtTable(subject, scene) ? 'chair' : 'none'
}

/** What hides who is in it up to the breast. */
export function isTub({ art }: Pick<Subject, 'art'>): boolean {
  return /bathtub|barrel|hot-tub|cauldron|trash-can|cardboard-box|drawn:box|wooden-crate/.test(art)
}

/** What one rides standing. */
export function isBoard({ art }: Pick<Subject, 'art'>): boolean {
  return /skateboard|surfboard|snowboard|drawn:wave|:ski|scooter|hoverboard/.test(art) && !/motor-scooter/.test(art)
}

const upright: ReadonlySet<Pose | undefined> = new Set<Pose | undefined>([
  'standing',
  'jumping',
  'dancing',
  'running',
  'walking',
  'climbing',
  'waving',
  'singing',
  'speaking',
])

/** Who stands, walks or dances on something does not sit on it. */
export function staysUpright({ pose }: Subject, host: Subject, kind: Relation['kind']): boolean {
  return kind === 'on' && upright.has(pose) && host.habitat !== 'water-surface'
}

/** Poses that are taken sitting where there is a table, a desk or a piano. */
const tablePoses: ReadonlySet<Pose | undefined> = new Set<Pose | undefined>([
  'sitting',
  'reading',
  'eating',
  'playing',
  'working',
  'looking',
  'speaking',
  'painting',
  'holding',
])

/** True for the art of what one sits at. */
function isTableArt(art: string): boolean {
  return /^drawn:(table|desk|chess-table|round-table)$|piano|computer|laptop/.test(art)
}

/** The table a person sits at, if any. */
export function tableOf(subject: Subject, scene: Pick<Scene, 'subjects'>): Subject | undefined {
  if (!subject.person || !tablePoses.has(subject.pose)) return undefined
  for (const { kind, of } of subject.relations) {
    const host = scene.subjects.find(other => other.id === of)
    const isNear =
      kind === 'beside' || kind === 'around' || kind === 'behind' || kind === 'facing' || kind === 'in-front-of' || kind === 'in'
    if (host && isNear && isTableArt(host.art)) return host
  }
  return undefined
}

function isAtTable(subject: Subject, scene: Scene): boolean {
  const isLap = scene.subjects.some(({ relations }) => relations.some(({ of, part }) => of === subject.id && part === 'lap'))
  return isLap || tableOf(subject, scene) !== undefined
}

/** Looks at what is behind the picture's people: the land, the sky, a sight much larger than
 *  they are. */
function isFromBehind(subject: Subject, scene: Scene): boolean {
  if (scene.camera.side === 'back' || isAudience(subject, scene)) return true
  if (subject.pose !== 'looking') return false
  const seen = subject.relations.filter(({ kind }) => kind === 'facing').map(({ of }) => find(scene, of))
  if (seen.length > 0) return seen.some(other => other !== undefined && (other.isBackground || far.has(other.habitat)))
  return scene.setting.words !== '' && vistas.has(scene.setting.kind) && subject.relations.length === 0
}

const far: ReadonlySet<Subject['habitat']> = new Set<Subject['habitat']>(['sky', 'space', 'underwater', 'water-surface'])

/** People who somebody performs for are seen over their shoulders. */
export function isAudience({ id, art, count }: Subject, { subjects }: Pick<Scene, 'subjects'>): boolean {
  return (
    art === 'rig:person' &&
    count > 2 &&
    subjects.some(
      other => isPerformer(other) && other.relations.some(({ kind, of }) => of === id && (kind === 'in-front-of' || kind === 'facing')),
    )
  )
}

function isPerformer({ person, pose }: Subject): boolean {
  return (
    /^(band|singer|musician|dancer|magician|clown|actor)$/.test(person?.role ?? '') ||
    pose === 'singing' ||
    pose === 'speaking' ||
    pose === 'playing' ||
    pose === 'dancing'
  )
}

const vistas: ReadonlySet<Scene['setting']['kind']> = new Set([
  'sea',
  'beach',
  'lake',
  'mountains',
  'hills',
  'city',
  'desert',
  'waterfall',
  'volcano',
])

const turning: ReadonlySet<Pose | undefined> = new Set<Pose | undefined>([
  'looking',
  'speaking',
  'hugging',
  'giving',
  'reaching',
  'fighting',
  'dancing',
])

/** Two people who look or talk are turned to each other; one is turned to what is faced. */
function isTurned(subject: Subject, scene: Scene): boolean {
  const faces = subject.relations.some(({ kind }) => kind === 'facing')
  const isFaced = scene.subjects.some(other =>
    other.relations.some(({ kind, of }) => kind === 'facing' && of === subject.id && other.art === 'rig:person'),
  )
  const bears = scene.subjects.some(({ relations }) => relations.some(({ of, part }) => of === subject.id && part === 'back'))
  return (
    bears ||
    subject.looks.includes('back to back') ||
    faces ||
    isFaced ||
    (subject.count === 2 && turning.has(subject.pose) && subject.relations.every(({ kind }) => kind !== 'holding'))
  )
}
