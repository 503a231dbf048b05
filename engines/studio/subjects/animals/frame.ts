import type { Pose } from '../../scene.ts'
import type { Point } from '../artwork.ts'
import { between } from '../brush.ts'
import type { Species } from './anatomy.ts'

type AnimalPose = 'standing' | 'walking' | 'running' | 'sitting' | 'lying' | 'sleeping' | 'rearing' | 'flying'

export interface Leg {
  hip: Point
  knee: Point
  foot: Point
  isFront: boolean
  isFar: boolean
}

/** Positions of the body parts of an animal that faces right with its feet on the ground. */
export interface Frame {
  pose: AnimalPose
  species: Species
  /** Middle of the trunk, and its tilt in degrees (negative when the chest is raised). */
  body: Point
  tilt: number
  legs: Leg[]
  neckBase: Point
  head: Point
  tailBase: Point
  /** Height of the whole animal above the ground, during a leap. */
  lift: number
}

/** Poses in which a dog or a cat sits down, but a horse remains standing. */
const seatedPoses: ReadonlySet<Pose> = new Set(['reading', 'looking', 'fishing', 'eating', 'singing', 'painting', 'cooking', 'hugging'])

/** Returns the animal pose that shows a pose of the scene best: a reading cat sits, a dancing
 *  cat rears up. `sits` is false for horses, elephants and similar animals: where a dog would
 *  sit, they stand, unless the pose of the scene is `sitting` itself. */
export function animalPose(
  pose: Pose | undefined,
  { isFlier = false, sits = true }: { isFlier?: boolean; sits?: boolean } = {},
): AnimalPose {
  if (!sits && pose !== 'sitting' && seatedPoses.has(pose ?? 'standing')) return 'standing'
  switch (pose) {
    case 'walking':
    case 'pushing':
    case 'working':
    case 'climbing':
      return 'walking'
    case 'running':
    case 'jumping':
    case 'playing':
    case 'swimming':
      return 'running'
    case 'flying':
      return isFlier ? 'flying' : 'running'
    case 'hugging':
    case 'sitting':
    case 'reading':
    case 'looking':
    case 'fishing':
    case 'eating':
    case 'singing':
    case 'painting':
    case 'cooking':
      return 'sitting'
    case 'lying':
      return 'lying'
    case 'sleeping':
      return 'sleeping'
    case 'dancing':
    case 'fighting':
    case 'waving':
      return 'rearing'
    default:
      return 'standing'
  }
}

/** Returns the positions of the body parts. `phase` is the moment within one cycle of the gait, 0
 *  to 1; without it, the moment that suits a still picture. */
export function frameOf(species: Species, pose: AnimalPose, phase?: number): Frame {
  switch (pose) {
    case 'sitting':
    case 'rearing':
      return seated(species, pose)
    case 'lying':
    case 'sleeping':
      return lying(species, pose)
    default:
      return upright(species, pose, phase === undefined ? gaitOf(species, pose) : gaitAt(species, pose, phase))
  }
}

interface Gait {
  /** Positions of the feet: near front, far front, near hind, far hind. `x` is measured from the
   *  point below the hip, `y` upwards from the ground. */
  feet: readonly [Point, Point, Point, Point]
  lift: number
  tilt: number
  neckLean: number
}

function gaitOf(species: Species, pose: AnimalPose): Gait {
  const s = species.legs
  const still: Gait = { feet: [point(1, 0), point(s * 0.16, 0), point(-s * 0.06, 0), point(s * 0.1, 0)], lift: 0, tilt: 0, neckLean: 0 }
  if (pose === 'walking')
    return { ...still, feet: [point(s * 0.42, 0), point(-s * 0.26, s * 0.06), point(-s * 0.42, 0), point(s * 0.3, s * 0.02)], neckLean: 4 }
  if (pose === 'running')
    return {
      feet: [point(s * 0.98, s * 0.42), point(s * 0.62, s * 0.2), point(-s * 0.98, s * 0.3), point(-s * 0.6, s * 0.08)],
      lift: s * 0.3,
      tilt: -4,
      neckLean: 14,
    }
  if (pose === 'flying')
    return {
      feet: [point(s * 0.6, s * 0.5), point(s * 0.3, s * 0.38), point(-s * 0.7, s * 0.3), point(-s * 0.4, s * 0.2)],
      lift: s * 0.5,
      tilt: -12,
      neckLean: 4,
    }
  return still
}

/** Returns the gait (feet, lift of the body, tilt, lean of the neck) at one moment of a gallop
 *  or a walk; for other poses, that of the still picture. A foot is on the ground while it moves
 *  back, and lifted while it moves forward. */
function gaitAt(species: Species, pose: AnimalPose, phase: number): Gait {
  const s = species.legs
  const turn = (shift: number) => (phase + shift) * Math.PI * 2
  const swing = (shift: number, reach: number, height: number): Point =>
    point(Math.cos(turn(shift)) * reach * s, Math.max(0, -Math.sin(turn(shift))) * height * s)
  if (pose === 'walking')
    return {
      feet: [swing(0.25, 0.44, 0.2), swing(0.75, 0.44, 0.2), swing(0, 0.44, 0.18), swing(0.5, 0.44, 0.18)],
      lift: s * 0.03 * (1 + Math.cos(turn(0) * 2)),
      tilt: Math.sin(turn(0.1) * 2),
      neckLean: 4 + 3 * Math.sin(turn(0) * 2),
    }
  if (pose !== 'running') return gaitOf(species, pose)
  return {
    feet: [swing(0, 0.95, 0.5), swing(0.12, 0.9, 0.46), swing(0.52, 0.95, 0.46), swing(0.62, 0.9, 0.42)],
    lift: s * (0.2 + 0.16 * Math.sin(turn(0.05))),
    tilt: -1 + 6 * Math.cos(turn(0.1)),
    neckLean: 13 - 5 * Math.cos(turn(0.1)),
  }
}

const point = (x: number, y: number): Point => ({ x, y })

function upright(species: Species, pose: AnimalPose, gait: Gait): Frame {
  const { length, depth, legs: reach } = species
  const body = { x: 0, y: -(reach + depth * 0.42) - gait.lift }
  const angle = (gait.tilt * Math.PI) / 180
  const at = (x: number, y: number) => ({
    x: body.x + x * Math.cos(angle) - y * Math.sin(angle),
    y: body.y + x * Math.sin(angle) + y * Math.cos(angle),
  })
  const front = at(length * 0.33, depth * 0.12)
  const hind = at(-length * 0.34, depth * 0.06)
  const legs = gait.feet.map((offset, index): Leg => {
    const isFront = index < 2
    const isFar = index % 2 === 1
    const hip = { x: (isFront ? front.x : hind.x) + (isFar ? species.legWidth * (isFront ? 0.5 : 0.6) : 0), y: isFront ? front.y : hind.y }
    const foot = { x: hip.x + offset.x, y: -offset.y - gait.lift * 0.2 * (offset.y > 0 ? 1 : 0) - species.legWidth * 0.2 }
    return { hip, foot, knee: bend(hip, foot, { length: reach + depth * 0.34, back: !isFront }), isFront, isFar }
  })
  const neckBase = at(length * 0.38, -depth * 0.16)
  return {
    pose,
    species,
    body,
    tilt: gait.tilt,
    legs,
    neckBase,
    head: headAt(species, neckBase, gait.neckLean),
    tailBase: at(-length * 0.49, -depth * 0.24),
    lift: gait.lift,
  }
}

function headAt(species: Species, base: Point, extraLean: number): Point {
  const angle = ((species.neckLean + extraLean) * Math.PI) / 180
  return {
    x: base.x + Math.sin(angle) * species.neck,
    y: base.y - Math.cos(angle) * species.neck - (isProfile(species) ? 0 : species.headHeight * 0.3),
  }
}

export function isProfile(species: Species): boolean {
  return ['equine', 'bovine', 'deer', 'sheep', 'giraffe', 'elephant'].includes(species.head)
}

/** Returns the middle joint of a leg: forelegs bend slightly forward, hind legs backward at the
 *  hock. */
function bend(hip: Point, foot: Point, { length, back }: { length: number; back: boolean }): Point {
  const middle = between(hip, foot, 0.52)
  const distance = Math.hypot(foot.x - hip.x, foot.y - hip.y)
  const slack = Math.sqrt(Math.max(0, (length * 0.5) ** 2 - (distance * 0.5) ** 2))
  const push = Math.min(length * 0.24, slack * 0.7 + length * (back ? 0.05 : 0.015))
  const nx = (foot.y - hip.y) / Math.max(1, distance)
  const ny = -(foot.x - hip.x) / Math.max(1, distance)
  return { x: middle.x + nx * push * (back ? -1 : 1), y: middle.y + ny * push * (back ? -1 : 1) }
}

function seated(species: Species, pose: AnimalPose): Frame {
  const { length, depth, legs: reach, legWidth } = species
  const rise = Math.min(length * 0.62, reach + depth * 0.62)
  const hip = { x: -length * 0.2, y: -depth * 0.5 }
  const chest = { x: length * 0.12, y: -rise }
  const body = between(hip, chest, 0.5)
  const raised = pose === 'rearing'
  const legs: Leg[] = [false, true].map((isFar): Leg => {
    const top = { x: chest.x + (isFar ? legWidth * 0.7 : -legWidth * 0.1), y: chest.y + depth * 0.1 }
    const foot = raised
      ? { x: top.x + reach * 0.55 + (isFar ? 4 : 0), y: top.y + reach * (isFar ? -0.1 : 0.14) }
      : { x: top.x + (isFar ? legWidth * 0.5 : 0) + 2, y: -legWidth * 0.2 }
    return { hip: top, knee: between(top, foot, 0.5), foot, isFront: true, isFar }
  })
  const neckBase = { x: chest.x + depth * 0.04, y: chest.y - depth * 0.1 }
  return {
    pose,
    species,
    body,
    tilt: (Math.atan2(chest.y - hip.y, chest.x - hip.x) * 180) / Math.PI,
    legs,
    neckBase,
    head: headAt(species, neckBase, -8),
    tailBase: { x: hip.x - depth * 0.36, y: -depth * 0.16 },
    lift: 0,
  }
}

function lying(species: Species, pose: AnimalPose): Frame {
  const { length, depth } = species
  const body = { x: 0, y: -depth * 0.46 }
  const neckBase = { x: length * 0.36, y: -depth * 0.56 }
  const asleep = pose === 'sleeping'
  const awake = headAt(species, neckBase, 6)
  const rest = { x: neckBase.x + species.headWidth * 0.4, y: -species.headHeight * (isProfile(species) ? 0.6 : 0.47) }
  return {
    pose,
    species,
    body,
    tilt: 0,
    legs: [],
    neckBase,
    head: asleep ? rest : awake,
    tailBase: { x: -length * 0.46, y: -depth * 0.3 },
    lift: 0,
  }
}
