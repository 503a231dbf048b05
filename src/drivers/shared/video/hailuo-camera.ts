/** Hailuo's words for camera movements in prompts (docs/vendors/minimax.md#camera-words). */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../refusal.ts'
import { directionsOf } from './video-request.ts'

/** Hailuo's two words for each direction: the first for amounts below 0, the second for amounts
 *  above 0. */
const moves: Readonly<Record<string, readonly [below: string, above: string]>> = {
  horizontal: ['Truck left', 'Truck right'],
  vertical: ['Pedestal down', 'Pedestal up'],
  depth: ['Pull out', 'Push in'],
  pan: ['Pan left', 'Pan right'],
  tilt: ['Tilt down', 'Tilt up'],
  zoom: ['Zoom in', 'Zoom out'],
  shake: ['Shake', 'Shake'],
}

/** Returns the movements in the notation of the vendor's prompts: `[Push in, Pan left] [Static
 *  shot]`. Throws a `RefusedError` for a movement for which the vendor has no word. */
export function cameraText(camera: readonly CameraMove[], who: string): string {
  return camera.map(step => `[${wordsOf(step, who).join(', ')}]`).join(' ')
}

function wordsOf(step: CameraMove, who: string): string[] {
  const words = directionsOf(step).map(([direction, amount]) => {
    const pair = moves[direction]
    if (!pair) throw refused('camera', `${who} does not know the movement ${direction}.`)
    return pair[amount < 0 ? 0 : 1]
  })
  if (step.follow) words.push('Tracking shot')
  return words.length > 0 ? words : ['Static shot']
}
