import type { SKRSContext2D } from '@napi-rs/canvas'

/** Paints light: every pixel that `paint` draws brightens the pixel below it. */
export function screened(context: SKRSContext2D, paint: () => void): void {
  context.save()
  context.globalCompositeOperation = 'screen'
  paint()
  context.restore()
}
