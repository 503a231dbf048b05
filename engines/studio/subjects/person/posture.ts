import type { Pose, Scene, Subject } from '../../scene.ts'
import { type Grip, gripOf } from './grips.ts'

/** What the scene around a person says of how they sit, hold and turn. */
export interface Posture {
  /** What the person sits on: another subject, a chair drawn with the person, or nothing. */
  seat: 'host' | 'chair' | 'none'
  /** How the thing in the hands is held, where it is a thing with a hold of its own. */
  grip?: Grip
  /** Seen from behind. */
  isBack: boolean
  /** Turned to somebody or something beside. */
  isFacing: boolean
}

export function postureOf(subject: Subject, scene: Scene): Posture {
  const held = subject.relations.filter(({ kind }) => kind === 'holding' || kind === 'carrying').map(({ of }) => find(scene, of))
  const grip = held.map(thing => thing && gripOf(thing, subject.pose, subject.looks)).find(one => one !== undefined)
  const isBack = isFromBehind(subject, scene)
  return {
    seat: isOnHost(subject, scene) ? 'host' : isAtTable(subject, scene) ? 'chair' : 'none',
    ...(grip ? { grip } : {}),
    isBack,
    isFacing: !isBack && isTurned(subject, scene),
  }
}

function find({ subjects }: Scene, id: string): Subject | undefined {
  return subjects.find(subject => subject.id === id)
}

function isOnHost(subject: Subject, scene: Scene): boolean {
  return subject.relations.some(({ kind, of, part }) => {
    const host = find(scene, of)
    if (part !== undefined) return part !== 'back' || subject.art === 'rig:person'
    return (
      (kind === 'on' && !onFoot.has(subject.pose)) ||
      kind === 'riding' ||
      (kind === 'in' && host !== undefined && (host.habitat === 'water-surface' || host.heightMetres < 2.5))
    )
  })
}

/** Poses that nobody takes sitting: who stands on a rock does not sit on it. */
export const onFoot: ReadonlySet<Pose | undefined> = new Set<Pose | undefined>(['standing', 'walking', 'running', 'jumping', 'dancing'])

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
export function isTableArt(art: string): boolean {
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

/** Looks at what is behind the picture's people: the land, the sky, a sight much larger than they are. */
function isFromBehind(subject: Subject, scene: Scene): boolean {
  if (scene.camera.side === 'back') return true
  if (subject.pose !== 'looking') return false
  const seen = subject.relations.filter(({ kind }) => kind === 'facing').map(({ of }) => find(scene, of))
  if (seen.length > 0)
    return seen.some(other => other !== undefined && (other.isBackground || other.habitat === 'sky' || other.habitat === 'space'))
  return scene.setting.words !== '' && vistas.has(scene.setting.kind) && subject.relations.length === 0
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

const turning: ReadonlySet<Pose | undefined> = new Set<Pose | undefined>(['looking', 'speaking', 'hugging', 'giving', 'reaching'])

/** Two people who look or talk are turned to each other; one is turned to what is faced. */
function isTurned(subject: Subject, scene: Scene): boolean {
  const faces = subject.relations.some(({ kind }) => kind === 'facing')
  const isFaced = scene.subjects.some(other =>
    other.relations.some(({ kind, of }) => kind === 'facing' && of === subject.id && other.art === 'rig:person'),
  )
  return faces || isFaced || (subject.count === 2 && turning.has(subject.pose) && subject.relations.every(({ kind }) => kind !== 'holding'))
}
