import type { Pose, Relation, Scene, Subject } from '../../scene.ts'
import { cabinOf } from '../cabins.ts'
import { type Grip, gripOf } from './grips.ts'

/** The thing on which a person sits or stands: another subject (`host`), a chair that is drawn
 *  with the person, a seat behind a window (`cabin`), the open back of a truck, the inside of a
 *  tub or water (`bed`), a `board` on which the person stands, or `none`. */
export type Seat = 'host' | 'chair' | 'cabin' | 'bed' | 'board' | 'none'

/** How a person sits, holds things and turns. The posture is derived from the relations of the
 *  scene. */
interface Posture {
  seat: Seat
  /** The grip for the thing in the hands, if things of its kind are held in a special way. */
  grip?: Grip
  /** Kind of a prop that is drawn as a part of this person. Example: two players share one racket
   *  in the prompt; the racket is placed in the hand of the first player, and a second one is drawn
   *  with the other player. */
  tool?: string
  /** True when seen from behind. */
  isBack: boolean
  /** True when turned to somebody or something at the side. */
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

/** Returns the kind of the prop that is drawn as a part of the person: a wand for soap bubbles, a
 *  teapot for pouring, or a second racket or instrument when another person already holds the only
 *  one of the prompt. Undefined for all others. */
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

/** True for bathtubs, barrels, boxes and other containers in which a person is visible only from
 *  the chest up. */
export function isTub({ art }: Pick<Subject, 'art'>): boolean {
  return /bathtub|barrel|hot-tub|cauldron|trash-can|cardboard-box|drawn:box|wooden-crate/.test(art)
}

/** True for things on which a rider stands, such as skateboards and waves. */
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

/** True for a person who stands, walks or dances on something instead of sitting on it. */
export function staysUpright({ pose }: Subject, host: Subject, kind: Relation['kind']): boolean {
  return kind === 'on' && upright.has(pose) && host.habitat !== 'water-surface'
}

/** Poses in which people sit if there is a table, a desk or a piano. */
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

/** True for drawings of things at which people sit. */
function isTableArt(art: string): boolean {
  return /^drawn:(table|desk|chess-table|round-table)$|piano|computer|laptop/.test(art)
}

/** Returns the table, desk or piano at which a person sits; undefined when there is none. */
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

/** True for a person who is seen from behind. This applies when the camera is behind the person,
 *  when the person watches a performance, or when the person looks at something in the distance:
 *  the sky, the water, scenery or a vast landscape. */
function isFromBehind(subject: Subject, scene: Scene): boolean {
  if (scene.camera.side === 'back' || isAudience(subject, scene)) return true
  if (subject.pose !== 'looking') return false
  const seen = subject.relations.filter(({ kind }) => kind === 'facing').map(({ of }) => find(scene, of))
  if (seen.length > 0) return seen.some(other => other !== undefined && (other.isBackground || far.has(other.habitat)))
  return scene.setting.words !== '' && vistas.has(scene.setting.kind) && subject.relations.length === 0
}

const far: ReadonlySet<Subject['habitat']> = new Set<Subject['habitat']>(['sky', 'space', 'underwater', 'water-surface'])

/** True for a group of people in front of whom somebody performs. Such an audience is seen from
 *  behind. */
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

/** True for a person who is turned to the side: somebody who faces a person or a thing, is faced by
 *  a person, carries somebody on the back, or belongs to a pair that talks, hugs, fights or
 *  dances. */
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
