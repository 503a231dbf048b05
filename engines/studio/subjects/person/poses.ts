import type { PersonLook, Pose } from '../../scene.ts'
import type { Point } from '../artwork.ts'
import { reach, turned } from '../brush.ts'

/** Lengths of the parts of a body. The unit is a hundredth of the standing height. */
export interface Build {
  headHeight: number
  headWidth: number
  neck: number
  torso: number
  shoulder: number
  hip: number
  upperArm: number
  foreArm: number
  thigh: number
  shin: number
  /** Radius of the upper arm, from which the radii of the other limbs are derived. */
  arm: number
  leg: number
}

/** The pose of a body: angles in degrees from straight down, positive towards the side that the
 *  person faces. */
export interface Stance {
  /** Direction of view: 0 (front) to 1 (side). */
  turn: number
  /** Forward lean of the upper body. */
  lean: number
  /** Angles of upper arm and forearm, of the far arm (a) and the near arm (b). */
  armA: readonly [number, number]
  armB: readonly [number, number]
  /** Angles of thigh and shin, of the far leg (a) and the near leg (b). */
  legA: readonly [number, number]
  legB: readonly [number, number]
  headTilt: number
  /** Height of the feet above the ground during a jump, in hundredths of the standing height. */
  lift: number
  /** Rotation of the whole body, for lying and flying. */
  roll: number
  mouth: 'smile' | 'open' | 'laugh' | 'calm' | 'frown'
  /** Slant of the eyebrows: positive is angry, negative is sad. */
  brows: number
  eyes: 'open' | 'closed' | 'down'
  hasTears: boolean
  /** True when the head is drawn in profile. */
  isProfile: boolean
  /** True when the body is seen from behind. */
  isBack: boolean
}

export interface Skeleton {
  stance: Stance
  build: Build
  hips: Point
  chest: Point
  head: Point
  shoulderA: Point
  elbowA: Point
  handA: Point
  shoulderB: Point
  elbowB: Point
  handB: Point
  hipA: Point
  kneeA: Point
  footA: Point
  hipB: Point
  kneeB: Point
  footB: Point
}

/** Poses of the scene, and those of people on a seat (`seated`, `seated-reading`) or on a board
 *  (`balancing`). */
export type PersonPose = Pose | 'seated' | 'seated-reading' | 'balancing'

const builds: Record<PersonLook['age'], Build> = {
  adult: {
    headHeight: 18.5,
    headWidth: 15.6,
    neck: 2.6,
    torso: 30,
    shoulder: 10.6,
    hip: 6.4,
    upperArm: 15.5,
    foreArm: 14,
    thigh: 22.5,
    shin: 22.5,
    arm: 3.1,
    leg: 4.6,
  },
  elder: {
    headHeight: 19,
    headWidth: 16,
    neck: 2,
    torso: 30,
    shoulder: 10.2,
    hip: 7.2,
    upperArm: 15,
    foreArm: 13.5,
    thigh: 21.5,
    shin: 21.5,
    arm: 3.2,
    leg: 4.6,
  },
  child: {
    headHeight: 26,
    headWidth: 23.4,
    neck: 1.8,
    torso: 28,
    shoulder: 9.8,
    hip: 7.2,
    upperArm: 13,
    foreArm: 11.5,
    thigh: 18.5,
    shin: 18.5,
    arm: 3.4,
    leg: 4.7,
  },
  baby: {
    headHeight: 37,
    headWidth: 34,
    neck: 0.6,
    torso: 28,
    shoulder: 11,
    hip: 9.5,
    upperArm: 11,
    foreArm: 9,
    thigh: 14,
    shin: 13,
    arm: 4.6,
    leg: 6.2,
  },
}

const base: Stance = {
  turn: 0.25,
  lean: 0,
  armA: [-13, -7],
  armB: [14, 8],
  legA: [-4, -1],
  legB: [4, 2],
  headTilt: 0,
  lift: 0,
  roll: 0,
  mouth: 'smile',
  brows: 0,
  eyes: 'open',
  hasTears: false,
  isProfile: false,
  isBack: false,
}

/** Stances by pose. `sitting` is on the ground, `seated` on a seat. */
const stances: Record<PersonPose, Partial<Stance>> = {
  standing: {},
  looking: { turn: 0.4, armB: [24, -18], headTilt: -5, mouth: 'calm' },
  speaking: { turn: 0.3, armA: [-24, 22], armB: [40, 112], mouth: 'open' },
  giving: { turn: 0.8, lean: 3, armA: [-8, 12], armB: [56, 82], legA: [-12, -14], legB: [12, 4] },
  reaching: { turn: 0.8, lean: 4, armA: [-8, 10], armB: [66, 84], legA: [-12, -14], legB: [12, 4] },
  pushing: { turn: 0.85, lean: 14, armA: [58, 86], armB: [50, 82], legA: [-26, -40], legB: [24, 2] },
  throwing: { turn: 0.6, lean: -4, armA: [58, 76], armB: [126, 158], legA: [-22, -32], legB: [28, 6], mouth: 'laugh' },
  kicking: { turn: 0.8, lean: -8, armA: [-50, -30], armB: [58, 80], legA: [-4, -12], legB: [60, 40], mouth: 'laugh' },
  leaning: { turn: 0.35, lean: -8, armA: [4, 76], armB: [-8, 62], legA: [10, 4], legB: [20, -16] },
  pouring: { turn: 0.55, armA: [22, 74], armB: [40, 108], headTilt: 6, mouth: 'calm' },
  hugging: { turn: 0.7, lean: 2, armA: [44, 80], armB: [50, 92], headTilt: 4, eyes: 'closed' },
  fighting: { turn: 0.75, lean: 8, armA: [52, 112], armB: [98, 146], legA: [-34, -46], legB: [44, 4], mouth: 'frown', brows: 0.9 },
  waving: { armB: [138, 168], headTilt: 4 },
  holding: { turn: 0.35, armB: [30, 96], armA: [-16, -4] },
  working: { turn: 0.7, lean: 14, armA: [34, 66], armB: [22, 78], legA: [-10, -12], legB: [16, 4] },
  walking: { turn: 0.8, lean: 3, armA: [26, 42], armB: [-26, -4], legA: [-20, -40], legB: [24, 6] },
  running: { turn: 0.9, lean: 13, armA: [44, 128], armB: [-58, 26], legA: [-26, -86], legB: [62, 2], lift: 3, mouth: 'laugh' },
  jumping: { turn: 0.3, armA: [-146, -164], armB: [146, 164], legA: [-32, -74], legB: [26, -42], lift: 20, mouth: 'laugh' },
  dancing: { turn: 0.35, lean: -5, armA: [-128, -160], armB: [76, 118], legA: [-4, 0], legB: [38, -34], headTilt: -7, mouth: 'laugh' },
  playing: { turn: 0.45, lean: 4, armA: [-70, -112], armB: [58, 112], legA: [-14, -22], legB: [22, 2], mouth: 'laugh' },
  climbing: { turn: 0.6, lean: 6, armA: [128, 160], armB: [152, 172], legA: [-6, -12], legB: [78, -8], headTilt: -10 },
  sitting: { turn: 0.7, lean: -4, armA: [12, 62], armB: [-14, 34], legA: [127, 33], legB: [118, 44] },
  balancing: { turn: 0.5, lean: 6, armA: [-74, -60], armB: [72, 60], legA: [-38, 4], legB: [42, 2], mouth: 'laugh' },
  seated: { turn: 0.7, lean: 0, armA: [18, 74], armB: [14, 68], legA: [84, 2], legB: [88, 6] },
  'seated-reading': {
    turn: 0.6,
    lean: 2,
    armA: [24, 112],
    armB: [16, 106],
    legA: [84, 2],
    legB: [88, 6],
    headTilt: 9,
    eyes: 'down',
    mouth: 'calm',
  },
  reading: {
    turn: 0.6,
    lean: 2,
    armA: [24, 112],
    armB: [16, 106],
    legA: [127, 33],
    legB: [118, 44],
    headTilt: 9,
    eyes: 'down',
    mouth: 'calm',
  },
  riding: { turn: 0.8, lean: 3, armA: [42, 78], armB: [34, 74], legA: [62, -6], legB: [58, -10] },
  kneeling: { turn: 0.7, lean: 2, armA: [20, 70], armB: [16, 74], legA: [6, -86], legB: [84, -2] },
  fishing: { turn: 0.8, lean: -3, armA: [36, 84], armB: [28, 88], legA: [-8, -6], legB: [10, 4], mouth: 'calm' },
  cooking: { turn: 0.3, armA: [-26, 52], armB: [28, 82], headTilt: 4 },
  painting: { turn: 0.65, armA: [14, 74], armB: [58, 106], legA: [-6, -4], legB: [10, 4], mouth: 'calm' },
  singing: { turn: 0.3, armA: [-58, -88], armB: [30, 158], headTilt: -6, mouth: 'open', eyes: 'closed' },
  eating: { turn: 0.4, armB: [34, 146], armA: [-10, 42] },
  swimming: { turn: 0.8, lean: 16, armA: [96, 118], armB: [126, 96], legA: [-14, -30], legB: [10, -20] },
  flying: { turn: 0.7, lean: 0, armA: [-24, -10], armB: [172, 178], legA: [-6, -16], legB: [8, -4], roll: 62, lift: 6 },
  lying: { turn: 0.6, armA: [10, 30], armB: [-8, 14], legA: [8, -14], legB: [16, -24], roll: -82 },
  sleeping: { turn: 0.6, armA: [10, 60], armB: [-6, 22], legA: [10, -18], legB: [20, -30], roll: -82, eyes: 'closed', mouth: 'calm' },
}

export function buildOf(look: PersonLook): Build {
  const build = { ...builds[look.age] }
  if (look.age === 'baby' || look.age === 'child') return build
  if (look.gender === 'woman')
    return {
      ...build,
      shoulder: build.shoulder * 0.87,
      arm: build.arm * 0.86,
      leg: build.leg * 0.92,
      hip: build.hip * 1.04,
      headWidth: build.headWidth * 0.97,
    }
  return build
}

export function stanceOf(pose: PersonPose, isElder: boolean): Stance {
  const stance = { ...base, ...stances[pose] }
  return isElder && stance.roll === 0 ? { ...stance, lean: stance.lean + 4, headTilt: stance.headTilt + 3 } : stance
}

/** Returns the part of the stance that moves, at one moment of a stride, a dance or a wave;
 *  `phase` is 0 to 1. Empty for poses without movement. */
export function strideAt(pose: PersonPose, phase: number): Partial<Stance> {
  const turn = phase * Math.PI * 2
  if (pose === 'dancing') {
    const beat = Math.sin(turn)
    return {
      armA: [-100 - 40 * beat, -135 - 40 * beat],
      armB: [90 + 40 * beat, 130 + 40 * beat],
      lean: 6 * beat,
      headTilt: -7 * beat,
      legB: [24 + 14 * beat, -20 - 14 * beat],
      lift: 1.5 + 1.5 * Math.cos(turn * 2),
    }
  }
  if (pose === 'waving') return { armB: [138, 160 + 24 * Math.sin(turn * 2)] }
  const gait = strides[pose]
  if (!gait) return {}
  const leg = (at: number): readonly [number, number] => {
    const thigh = gait.forward + gait.swing * Math.sin(at)
    return [thigh, thigh - gait.flex - gait.lifted * Math.max(0, Math.cos(at))]
  }
  const arm = (at: number): readonly [number, number] => {
    const upper = -gait.arm * Math.sin(at)
    return [upper, upper + gait.elbow]
  }
  return {
    legA: leg(turn + Math.PI),
    legB: leg(turn),
    armA: arm(turn + Math.PI),
    armB: arm(turn),
    lift: gait.lift * (1 + Math.cos(turn * 2)),
  }
}

/** For each pose with strides: how far the limbs swing, in degrees, and how high the body rises
 *  (`lift`), in units. */
const strides: Partial<
  Record<PersonPose, { forward: number; swing: number; flex: number; lifted: number; arm: number; elbow: number; lift: number }>
> = {
  walking: { forward: 3, swing: 23, flex: 6, lifted: 38, arm: 24, elbow: 16, lift: 0.5 },
  running: { forward: 17, swing: 42, flex: 24, lifted: 66, arm: 48, elbow: 82, lift: 2 },
}

/** Returns the arms and face for a pose of a seated person. */
export function armsOf(pose: Pose | undefined): Partial<Stance> {
  if (pose === undefined || !seatedArms.has(pose)) return {}
  const { armA, armB, headTilt, eyes, mouth } = { ...base, ...stances[pose] }
  return { armA, armB, headTilt, eyes, mouth }
}

const seatedArms: ReadonlySet<Pose> = new Set<Pose>([
  'eating',
  'speaking',
  'waving',
  'singing',
  'painting',
  'holding',
  'giving',
  'pouring',
  'hugging',
  'working',
])

/** Returns the positions of the joints, before `roll` is applied. The lowest of feet, knees and
 *  seat is `lift` + 2.2 above the ground, in hundredths of the standing height. */
export function skeletonOf(build: Build, stance: Stance): Skeleton {
  const raised = { x: 0, y: -(build.thigh + build.shin) }
  const narrow = 1 - 0.62 * stance.turn
  const legs = (hips: Point) => {
    const hipA = { x: hips.x - build.hip * 0.62 * narrow, y: hips.y }
    const hipB = { x: hips.x + build.hip * 0.62 * narrow, y: hips.y }
    const kneeA = reach(hipA, build.thigh, stance.legA[0])
    const kneeB = reach(hipB, build.thigh, stance.legB[0])
    return { hipA, hipB, kneeA, kneeB, footA: reach(kneeA, build.shin, stance.legA[1]), footB: reach(kneeB, build.shin, stance.legB[1]) }
  }
  const probe = legs(raised)
  const lowest = Math.max(probe.footA.y, probe.footB.y, probe.kneeA.y, probe.kneeB.y, raised.y + build.leg * 1.5)
  const hips = { x: 0, y: raised.y - lowest - stance.lift - 2.2 }
  const up = (x: number, y: number) => turned({ x: hips.x + x, y: hips.y - y }, hips, stance.lean)
  const shoulderA = up(-build.shoulder * (1 - 0.5 * stance.turn), build.torso * 0.96 - build.arm * 0.95)
  const shoulderB = up(build.shoulder * (1 - 0.5 * stance.turn), build.torso * 0.96 - build.arm * 0.95)
  const elbowA = reach(shoulderA, build.upperArm, stance.armA[0])
  const elbowB = reach(shoulderB, build.upperArm, stance.armB[0])
  return {
    stance,
    build,
    hips,
    chest: up(0, build.torso),
    head: up(stance.turn * 1.2, build.torso + build.neck + build.headHeight * 0.5),
    shoulderA,
    elbowA,
    handA: reach(elbowA, build.foreArm, stance.armA[1]),
    shoulderB,
    elbowB,
    handB: reach(elbowB, build.foreArm, stance.armB[1]),
    ...legs(hips),
  }
}
