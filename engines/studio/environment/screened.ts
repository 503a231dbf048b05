import type { SKRSContext2D } from '@napi-rs/canvas'

/** Calls `paint` in screen mode, in which drawing only brightens the picture, as light does. */
export function screened(context: SKRSContext2D, paint: () => void): void {
  context.save()
  context.globalCompositeOperation = 'screen'
  paint()
  context.restore()
}
