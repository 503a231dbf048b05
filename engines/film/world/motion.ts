/** The motion that a subject has by itself, derived from its drawing, its pose and its place. */

import type { SubjectLayer } from '@generation-gateway/studio/layers.ts'
import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Scene, Subject } from '@generation-gateway/studio/scene.ts'

export interface Motion {
  /** Speed in widths of the subject per second, in the direction in which the subject looks; 0 for
   *  a subject that stays at its place. */
  speed: number
  /** Cycles of the gait per second. */
  gait: number
  /** Returns how far the subject is displaced and deformed at this second, compared with the scene;
   *  its travel by `speed` is not included. Lengths are shares of the subject's height. */
  at(seconds: number): Moment
  /** True for flames, which are drawn row by row. */
  isFire: boolean
}

interface Moment {
  x: number
  y: number
  /** Rotation, radians. */
  turn: number
  scaleX: number
  scaleY: number
  /** Sideways shear about the feet. */
  lean: number
}

const still: Moment = { x: 0, y: 0, turn: 0, scaleX: 1, scaleY: 1, lean: 0 }
const fires = /campfire|bonfire|(^|:)fire|flame|torch|candle|brazier/
const vehicles =
  /car$|automobile|minibus|lorry|limousine|suv|utility-vehicle|truck|bus|taxi|van|motor|scooter|bicycle|bike|train|tram|tractor|locomotive|rocket|sled|wagon|police|ambulance|fire-engine|jeep|convertible/
const craft = /plane|helicopter|ufo|airship|zeppelin|dragon|bat|butterfly|bee|kite|balloon|drone|saucer/

/** Returns the motion of one copy of a subject. The same scene with the same seed gives the same
 *  motion. */
export function motionOf(layer: SubjectLayer, scene: Scene): Motion {
  const { subject, placed, moments, body, isLuminous } = layer
  const phase = createRandom(`${scene.seed}/motion/${placed.subject}/${placed.copy}`).next() * Math.PI * 2
  const wave: Wave = (t, period, shift = 0) => Math.sin((t / period) * Math.PI * 2 + phase + shift)
  const isStormy = scene.weather.some(each => each === 'storm' || each === 'wind')
  const mover: Mover = { subject, scene, phase, wave, isStormy }
  const { art } = subject
  if (fires.test(art) && (isLuminous || art.startsWith('drawn:'))) return { ...plain, isFire: true, at: () => still }
  if (placed.lane === 'water') return afloat(mover)
  if (placed.lane === 'underwater') return swimming(mover)
  if (placed.lane === 'sky') return resting
  if (moments.length > 0)
    return {
      ...plain,
      ...gaitOf(subject, body.width / Math.max(1, body.height)),
      at: t => (placed.lane === 'air' ? { ...still, y: wave(t, 2.7) * 0.06, turn: wave(t, 3.9) * 0.04 } : still),
    }
  if (placed.lane === 'air' || subject.pose === 'flying') return airborne(mover)
  return byPose(mover) ?? byKind(mover)
}

type Wave = (seconds: number, period: number, shift?: number) => number

interface Mover {
  subject: Subject
  scene: Scene
  /** Phase of the periodic movements at the start, in radians. */
  phase: number
  wave: Wave
  isStormy: boolean
}

const plain = { speed: 0, gait: 0, isFire: false }
const resting: Motion = { ...plain, at: () => still }

function afloat({ subject, wave, isStormy }: Mover): Motion {
  const rough = isStormy ? 2.2 : 1
  const sails = /boat|ship|yacht|canoe|kayak|ferry|raft|gondola/.test(subject.art)
  return {
    ...plain,
    speed: sails ? 0.055 : 0.03,
    at: t => ({
      ...still,
      y: wave(t, 3.4) * 0.014 * rough + wave(t, 1.9, 1) * 0.006 * rough,
      turn: wave(t, 4.1, 0.8) * 0.032 * rough + wave(t, 2.3) * 0.01 * rough,
    }),
  }
}

function swimming({ wave }: Mover): Motion {
  return {
    ...plain,
    speed: 0.14,
    at: t => ({ ...still, y: wave(t, 3.2) * 0.06, turn: wave(t, 2.6, 1) * 0.05, scaleX: 1 + wave(t, 0.7) * 0.025 }),
  }
}

function airborne({ subject: { art, pose }, phase, wave }: Mover): Motion {
  const floats = /balloon|kite|zeppelin|airship/.test(art)
  const flaps = /bird|dove|eagle|parrot|owl|bat|butterfly|dragon|duck|swan|goose|flamingo|bee/.test(art)
  const isCraft = craft.test(art) || /flying/.test(pose ?? '')
  return {
    ...plain,
    speed: floats ? 0.05 : isCraft || flaps ? 0.6 : 0.1,
    at: t => ({
      ...still,
      y: wave(t, floats ? 5 : 2.6) * 0.07,
      turn: wave(t, 3.7) * 0.05,
      scaleY: flaps ? 1 + Math.sin(t * 15 + phase) * 0.16 : 1,
    }),
  }
}

/** Returns the motion that the pose implies; undefined for a pose without motion. */
function byPose({ subject: { pose }, phase, wave }: Mover): Motion | undefined {
  if (pose === 'running' || pose === 'jumping' || pose === 'playing' || pose === 'swimming') {
    const beat = pose === 'running' ? 2.4 : 1.5
    const at = (t: number): Moment => {
      const hop = Math.abs(Math.sin(t * Math.PI * beat + phase))
      return {
        ...still,
        y: -hop * (pose === 'running' ? 0.09 : 0.16),
        turn: Math.cos(t * Math.PI * beat * 2 + phase) * 0.05,
        scaleY: 0.97 + hop * 0.05,
        scaleX: 1.02 - hop * 0.03,
      }
    }
    return { ...plain, speed: pose === 'running' ? 1.5 : 0, at }
  }
  if (pose === 'walking')
    return { ...plain, speed: 0.45, at: t => ({ ...still, y: -Math.abs(wave(t, 1.1)) * 0.03, turn: wave(t, 1.1) * 0.03 }) }
  if (pose === 'dancing' || pose === 'waving')
    return { ...plain, at: t => ({ ...still, turn: wave(t, 1) * 0.07, y: -Math.abs(wave(t, 1)) * 0.04 }) }
  return undefined
}

/** Returns the motion that follows from the kind of subject. Vehicles drive if the prompt says so;
 *  plants sway; living beings breathe. */
function byKind({ subject, scene, wave, isStormy }: Mover): Motion {
  const { art, pose } = subject
  const drives = /\b(?:driv|speed|rac|rush|rid|roll|travel|depart|arriv|pass|launch|chug|cross)|开|行驶|飞驰|奔驰|驶/iu.test(scene.prompt)
  if (drives && vehicles.test(art)) return { ...plain, speed: 0.7, at: t => ({ ...still, y: wave(t, 0.28) * 0.006 }) }
  if (art.startsWith('tree:') || /palm|flower|sunflower|tulip|rose|grass|bamboo|flag|banner|wheat|plant|lantern/.test(art)) {
    const strength = isStormy ? 0.06 : 0.014
    return { ...plain, at: t => ({ ...still, lean: (wave(t, 3.3) + 0.5 * wave(t, 1.7, 2) + (isStormy ? 1 : 0)) * strength }) }
  }
  const breathes = subject.person !== undefined || /^rig:/.test(art) || /animal|cat|dog|owl|rabbit|bear/.test(art)
  if (!breathes) return resting
  return { ...plain, at: t => ({ ...still, scaleY: 1 + wave(t, pose === 'sleeping' ? 4 : 3) * 0.008, lean: wave(t, 5.3, 1) * 0.006 }) }
}

/** Returns the motion of an animal or a vehicle that somebody rides. */
export function mountMotion(layer: SubjectLayer, scene: Scene): Motion {
  const { subject } = layer
  const isAnimal =
    /^rig:/.test(subject.art) ||
    /horse|camel|elephant|donkey|llama|dragon|unicorn|ostrich|zebra|bull|ox|deer|cow|tiger|lion|bear|dinosaur|sauropod|rex|pig/.test(
      subject.art,
    )
  if (layer.placed.lane !== 'ground') return motionOf(layer, scene)
  if (isAnimal) return motionOf({ ...layer, subject: { ...subject, pose: 'running' } }, scene)
  return { speed: 0.7, gait: 0, isFire: false, at: t => ({ ...still, y: Math.sin(t * 21) * 0.004 }) }
}

function gaitOf({ pose, art }: Subject, shape: number): Pick<Motion, 'speed' | 'gait'> {
  if (/bird|gull/.test(art) || pose === 'flying') return { speed: 0.9, gait: 2.6 }
  if (pose === 'running') return { speed: 2.1 / Math.max(0.6, shape), gait: 2.1 }
  if (pose === 'walking') return { speed: 0.75 / Math.max(0.5, shape), gait: 1 }
  return { speed: 0, gait: 1 }
}
