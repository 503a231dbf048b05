import type { SKRSContext2D } from '@napi-rs/canvas'

/** Paints light: the pixels that `paint` draws are added to the picture in screen mode, so they
 *  only brighten it. */
export function screened(context: SKRSContext2D, paint: () => void): void {
  context.save()
  context.globalCompositeOperation = 'screen'
  paint()
  context.restore()
}
