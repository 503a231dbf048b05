/** Converts camera directions to Kling's `camera_control` (docs/vendors/kling.md#field-rules). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../refusal.ts'
import { directionsOf } from './video-request.ts'

/** The vendor's names for movements in several directions; `+` and `-` are the signs of the
 *  amounts. */
const named: Readonly<Record<string, string>> = {
  'vertical- depth-': 'down_back',
  'depth+ tilt+': 'forward_up',
  'depth+ pan+': 'right_turn_forward',
  'depth+ pan-': 'left_turn_forward',
}
const simple = new Set(['horizontal', 'vertical', 'pan', 'tilt', 'roll', 'zoom'])

/** Returns the `camera_control`. Throws a `RefusedError` for a movement that it cannot express. */
export function cameraControl(camera: readonly CameraMove[], who: string): JsonObject {
  const [step = {}, ...others] = camera
  if (others.length > 0) throw refused('camera', `${who} takes one movement, not ${camera.length}.`)
  const directions = directionsOf(step)
  const type = named[directions.map(([direction, amount]) => `${direction}${amount < 0 ? '-' : '+'}`).join(' ')]
  const [only] = directions
  if (!step.follow && type !== undefined) return { type }
  if (!step.follow && only && directions.length === 1 && simple.has(only[0])) return { type: 'simple', config: { [only[0]]: only[1] } }
  throw refused('camera', `${who} takes one direction of ${[...simple].join(', ')}, or one of ${Object.values(named).join(', ')}.`)
}
