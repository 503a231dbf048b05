/** Hailuo's words for camera movements in prompts (docs/vendors/minimax.md#camera-words). */
import type { CameraWords } from './hailuo-fields.ts'

/** The words for amounts below and above 0. */
const moves: CameraWords['moves'] = {
  horizontal: ['Truck left', 'Truck right'],
  vertical: ['Pedestal down', 'Pedestal up'],
  depth: ['Pull out', 'Push in'],
  pan: ['Pan left', 'Pan right'],
  tilt: ['Tilt down', 'Tilt up'],
  zoom: ['Zoom in', 'Zoom out'],
  shake: ['Shake', 'Shake'],
}

export const hailuoWords: CameraWords = { moves, follow: 'Tracking shot', still: 'Static shot' }
