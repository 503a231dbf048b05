import type { Pose, Subject } from '../../scene.ts'
import type { Point } from '../artwork.ts'
import type { Skeleton, Stance } from './poses.ts'

/** How a person holds one kind of object: the position of the arms and head, and the place and size
 *  of the object. */
export interface Grip extends Partial<Pick<Stance, 'armA' | 'armB' | 'legB' | 'headTilt' | 'eyes' | 'mouth' | 'turn'>> {
  /** Returns the centre of the held object, in the coordinates of the drawn person (an adult is 100
   *  high). */
  at(bones: Skeleton): Point
  /** Length of the longer side of the held object, in the same coordinates (an adult is 100
   *  high). */
  size: number
  /** True when the drawing must be mirrored for a person who faces right. */
  isMirrored?: boolean
}

const chest =
  (x: number, y: number): Grip['at'] =>
  ({ hips, build }) => ({ x: hips.x + x, y: hips.y - build.torso * y })
const hand =
  (x: number, y: number): Grip['at'] =>
  ({ handB }) => ({ x: handB.x + x, y: handB.y + y })
const mouth: Grip['at'] = ({ head, build, stance }) => ({
  x: head.x + build.headWidth * (0.42 + stance.turn * 0.3),
  y: head.y + build.headHeight * 0.32,
})

const strum: Grip = { armA: [-34, 64], armB: [52, 112], turn: 0.3, at: chest(3, 0.3), size: 56 }
const bowed: Grip = { armA: [22, 112], armB: [66, 118], turn: 0.45, headTilt: 6, at: chest(9, 0.98), size: 36 }
const blown: Grip = { armA: [46, 128], armB: [44, 132], turn: 0.6, at: mouth, size: 34 }
const before: Grip = { armA: [22, 70], armB: [20, 66], turn: 0.4, at: chest(8, 0.34), size: 38 }
const cradled: Grip = { armA: [8, 72], armB: [20, 78], turn: 0.35, headTilt: 8, at: chest(5, 0.52), size: 40 }
const shown: Grip = { armA: [-34, 42], armB: [34, -42], turn: 0.05, at: chest(0, 0.42), size: 46 }
const atEyes: Grip = {
  armA: [46, 150],
  armB: [48, 152],
  turn: 0.55,
  at: ({ head, build, stance }) => ({ x: head.x + build.headWidth * (0.16 + stance.turn * 0.36), y: head.y + build.headHeight * 0.04 }),
  size: 17,
}
const onHand: Grip = { armA: [-50, -132], armB: [50, 132], turn: 0.1, at: hand(3, -10), size: 30 }
const glanced: Grip = {
  armB: [22, 124],
  armA: [-12, -4],
  turn: 0.45,
  headTilt: 8,
  eyes: 'down',
  mouth: 'calm',
  at: hand(1.5, -4),
  size: 13,
}
const sung: Grip = { armB: [28, 150], at: hand(1, -3), size: 20, isMirrored: true }
const raised: Grip = { armA: [-40, -20], armB: [104, 136], turn: 0.5, at: hand(7, -9), size: 22 }
const swung: Grip = { armA: [40, 74], armB: [84, 118], turn: 0.6, at: hand(7, -9), size: 36 }
const kicked: Grip = {
  legB: [46, 30],
  armA: [-44, -30],
  armB: [50, 70],
  turn: 0.7,
  at: ({ footB }) => ({ x: footB.x + 11, y: footB.y - 4 }),
  size: 17,
}
const lifted: Grip = {
  armA: [-140, -172],
  armB: [140, 172],
  turn: 0.05,
  at: ({ head, build }) => ({ x: head.x, y: head.y - build.headHeight * 0.95 }),
  size: 84,
}
const carried: Grip = { armA: [34, 84], armB: [30, 80], turn: 0.5, at: hand(4, -8), size: 34 }

const overhead: Grip = {
  armA: [-150, -172],
  armB: [150, 172],
  turn: 0.05,
  at: ({ handA, handB, build }) => ({ x: (handA.x + handB.x) / 2, y: Math.min(handA.y, handB.y) - build.headHeight * 0.42 }),
  size: 26,
}

/** The grips for things with their own drawing. A thing has the grip of the first row whose
 *  `art` matches the key of its drawing and whose `poses`, if given, include the pose of the
 *  person. */
const rows: readonly { art: RegExp; poses?: readonly Pose[]; grip: Grip }[] = [
  { art: /guitar|banjo|ukulele|lute/, poses: ['playing', 'singing', 'standing', 'sitting', 'walking', 'dancing'], grip: strum },
  { art: /violin|fiddle|viola/, poses: ['playing', 'standing', 'sitting'], grip: bowed },
  {
    art: /trumpet|saxophone|flute|clarinet|horn|harmonica|trombone|whistle/,
    poses: ['playing', 'standing', 'sitting', 'walking'],
    grip: blown,
  },
  { art: /drum|accordion|keyboard|bagpipe/, poses: ['playing', 'standing', 'sitting', 'walking'], grip: before },
  { art: /pizza|:dough/, poses: ['throwing'], grip: { ...overhead, size: 40 } },
  {
    art: /cup|mug|glass|:tea|goblet|bowl/,
    poses: ['pouring'],
    grip: { at: ({ handA }) => ({ x: handA.x + 3, y: handA.y - 4 }), size: 13 },
  },
  { art: /:rose|tulip|daisy|flower|bouquet|lily|orchid/, grip: { at: hand(2, -7), size: 26 } },
  { art: /playing-card/, grip: { armA: [16, 104], armB: [22, 118], turn: 0.5, at: hand(2, -7), size: 17 } },
  {
    art: /drawn:bubbles/,
    grip: {
      armB: [34, 138],
      turn: 0.6,
      mouth: 'open',
      at: ({ head, build }) => ({ x: head.x + build.headWidth * 2.1, y: head.y - build.headHeight * 0.25 }),
      size: 52,
    },
  },
  { art: /microphone/, grip: sung },
  { art: /camera|binocular|telescope/, grip: atEyes },
  { art: /phone/, poses: ['reading', 'looking', 'working'], grip: glanced },
  { art: /phone/, poses: ['holding'], grip: { ...glanced, headTilt: 0, eyes: 'open', mouth: 'smile' } },
  { art: /soccer|football:|rugby/, poses: ['playing', 'kicking'], grip: kicked },
  { art: /racket|tennis|badminton|ping-pong|cricket|hockey|lacrosse|baseball-bat|golf/, poses: ['playing'], grip: swung },
  { art: /ball|frisbee|flying-disc|boomerang/, poses: ['playing', 'throwing'], grip: raised },
  { art: /barbell/, grip: lifted },
  { art: /drawn:flag/, grip: { armB: [36, 96], turn: 0.4, at: hand(26, -18), size: 100 } },
  { art: /puppet/, grip: onHand },
  { art: /teddy|doll|rig:person|pillow|rig:cat|rig:dog|:cat$|:dog$|rabbit|puppy|kitten|koala|panda|lamb/, grip: cradled },
  { art: /sign|skateboard-deck|placard|banner|poster|painting|framed|certificate|trophy/, grip: shown },
  { art: /package|box|crate|basket|suitcase|cake|tray|pizza|laptop|gift|present|barrel|pumpkin|watermelon|vase|bowl|pot/, grip: carried },
]

/** Returns how a person in this pose holds the object; undefined for an object that needs no
 *  special grip and is simply held in the hand. */
export function gripOf(held: Pick<Subject, 'art'>, pose: Pose | undefined, looks: readonly string[] = []): Grip | undefined {
  if (looks.includes('overhead')) return overhead
  return rows.find(row => row.art.test(held.art) && (row.poses === undefined || row.poses.includes(pose ?? 'holding')))?.grip
}

/** Returns the part of the stance that a grip sets: arms, head, mouth and turn, and the near leg if
 *  the person does not sit. */
export function stanceOfGrip({ at: _at, size: _size, isMirrored: _isMirrored, legB, ...stance }: Grip, isSeated: boolean): Partial<Stance> {
  return legB && !isSeated ? { ...stance, legB } : stance
}

/** Grips for props: a camera, the instruments of a band and other things that the person rig draws
 *  as a part of the person. */
const propGrips: Record<string, Grip> = {
  racket: swung,
  bat: swung,
  guitar: strum,
  drum: before,
  saxophone: blown,
  violin: bowed,
  microphone: sung,
  camera: atEyes,
  'bubble-wand': { armB: [44, 138], turn: 0.6, mouth: 'open', at: hand(0, 0), size: 12 },
  pipe: { armB: [30, 142], turn: 0.55, mouth: 'calm', at: hand(0, 0), size: 12 },
  mop: { armA: [30, 62], armB: [24, 84], turn: 0.6, at: hand(0, 0), size: 60 },
  basketball: { ...overhead, size: 16 },
  teapot: { armA: [-4, 78], armB: [46, 116], turn: 0.5, headTilt: 6, eyes: 'down', mouth: 'calm', at: hand(0, 0), size: 18 },
  chalk: { armB: [104, 132], armA: [-14, 10], turn: 0.5, at: hand(0, 0), size: 4 },
}

export function gripOfProp(prop: string): Grip | undefined {
  return propGrips[prop]
}
