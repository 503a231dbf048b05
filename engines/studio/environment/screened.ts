import type { SKRSContext2D } from '@napi-rs/canvas'

/** Paints light: what is painted brightens what is there. */
export function screened(context: SKRSContext2D, paint: () => void): void {
  context.save()
  context.globalCompositeOperation = 'screen'
  paint()
  context.restore()
}
