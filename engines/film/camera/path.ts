/** Computes the pose of the camera at each time of a clip. The camera steps of the request are
 *  joined to one smooth path. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { createRandom } from '@generation-gateway/studio/random.ts'

/** A camera pose, as the difference from the resting pose. */
export interface CameraPose {
  /** Movement to the right (`truck`, in picture widths) and up (`lift`, in picture heights). The
   *  values apply to the nearest things; farther things move less in the picture. */
  truck: number
  lift: number
  /** Forward movement: natural logarithm of the factor by which the nearest things grow. */
  dolly: number
  /** Rotation to the side (`pan`, in picture widths) and up (`tilt`, in picture heights). */
  pan: number
  tilt: number
  /** Roll, radians, clockwise. */
  roll: number
  /** Natural logarithm of the magnification. */
  zoom: number
}

export type CameraPath = (seconds: number) => CameraPose

/** Change of the pose when a camera step has the amount 10, the largest one. */
const full: Record<keyof CameraPose, number> = { truck: 1.1, lift: 0.5, dolly: 0.9, pan: 0.7, tilt: 0.45, roll: 0.42, zoom: -0.75 }
const moveOf: Record<keyof CameraPose, Exclude<keyof CameraMove, 'follow' | 'shake'>> = {
  truck: 'horizontal',
  lift: 'vertical',
  dolly: 'depth',
  pan: 'pan',
  tilt: 'tilt',
  roll: 'roll',
  zoom: 'zoom',
}
const parts: readonly (keyof CameraPose)[] = ['truck', 'lift', 'dolly', 'pan', 'tilt', 'roll', 'zoom']

/** Returns the path of the steps, which all have the same length. Pan, tilt and truck are
 *  shifted so that their ranges are centred on the resting pose. Zoom and dolly are shifted so
 *  that their lowest values are those of the resting pose, in which the camera shows exactly the
 *  whole picture. Lift and roll are not shifted. */
export function cameraPath(steps: readonly CameraMove[], { seconds, seed }: { seconds: number; seed: string }): CameraPath {
  const shake = shakeOf(steps, { seconds, seed })
  const plain = (t: number): CameraPose => {
    const pose: CameraPose = { truck: 0, lift: 0, dolly: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 }
    steps.forEach((step, index) => {
      const share = eased(clamp((t / seconds) * steps.length - index))
      for (const part of parts) pose[part] += ((step[moveOf[part]] ?? 0) / 10) * full[part] * share
    })
    return pose
  }
  const range = rangeOf(plain, seconds)
  const middle = (part: keyof CameraPose) => (range.low[part] + range.high[part]) / 2
  return t => {
    const pose = plain(t)
    pose.pan -= middle('pan')
    pose.tilt -= middle('tilt')
    pose.truck -= middle('truck')
    pose.zoom -= range.low.zoom
    pose.dolly -= range.low.dolly
    const [x, y, turn] = shake(t)
    return { ...pose, pan: pose.pan + x, tilt: pose.tilt + y, roll: pose.roll + turn }
  }
}

/** Returns the lowest and the highest value of each component of the pose along the path. */
export function rangeOf(path: CameraPath, seconds: number): { low: CameraPose; high: CameraPose } {
  const low = path(0)
  const high = { ...low }
  for (let i = 1; i <= 48; i++) {
    const pose = path((seconds * i) / 48)
    for (const part of parts) {
      low[part] = Math.min(low[part], pose[part])
      high[part] = Math.max(high[part], pose[part])
    }
  }
  return { low, high }
}

/** Returns the smoothed progress, 0 to 1, for a linear progress `t`: it starts and ends softly and
 *  has a constant speed in between. */
function eased(t: number): number {
  const ramp = 0.18
  const speed = 1 / (1 - ramp)
  if (t < ramp) return (speed * t * t) / (2 * ramp)
  if (t > 1 - ramp) return 1 - (speed * (1 - t) ** 2) / (2 * ramp)
  return speed * (t - ramp / 2)
}

function shakeOf(
  steps: readonly CameraMove[],
  { seconds, seed }: { seconds: number; seed: string },
): (t: number) => [number, number, number] {
  if (!steps.some(step => step.shake)) return () => [0, 0, 0]
  const random = createRandom(`${seed}/shake`)
  const waves = Array.from({ length: 12 }, () => ({ speed: random.between(2, 9), phase: random.between(0, 7) }))
  const sum = (from: number, t: number) =>
    waves.slice(from, from + 4).reduce((all, { speed, phase }) => all + Math.sin(t * speed * 2 + phase), 0) / 4
  return t => {
    const at = Math.min(steps.length - 1, Math.floor((t / seconds) * steps.length))
    const amount = (steps[at]?.shake ?? 0) / 10
    return [sum(0, t) * 0.028 * amount, sum(4, t) * 0.028 * amount, sum(8, t) * 0.03 * amount]
  }
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value))
}
