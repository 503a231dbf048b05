import type { Canvas } from '@napi-rs/canvas'
import type { Lettering } from '../scene.ts'
import { drawLayout, fitText } from '../style/lettering.ts'
import { type Artwork, boundsHeight, boundsWidth } from './artwork.ts'

/** Writes a text on the panel of a thing (the board of a sign, the chest of a shirt), or on the
 *  middle of a thing without a panel. Draws onto the thing's picture. */
export function writeOn(
  sprite: Canvas,
  artwork: Artwork,
  lettering: Lettering,
  { isFlipped, isCaption }: { isFlipped: boolean; isCaption: boolean },
): void {
  const { bounds, anchors } = artwork
  const whole = anchors.panel ?? {
    x: (bounds.left + bounds.right) / 2,
    y: (bounds.top + bounds.bottom) / 2,
    width: boundsWidth(bounds) * 0.62,
    height: boundsHeight(bounds) * 0.26,
  }
  const panel = isCaption ? { ...whole, y: whole.y + whole.height * 0.33, height: whole.height * 0.32 } : whole
  const pixels = sprite.height / boundsHeight(bounds)
  const along = isFlipped ? bounds.right - panel.x : panel.x - bounds.left
  const at = { x: along * pixels, y: (panel.y - bounds.top) * pixels }
  const box = { width: panel.width * pixels, height: panel.height * pixels }
  if (box.height < 4) return
  const context = sprite.getContext('2d')
  const colour = lettering.colour?.hex ?? (isDark(sprite, at, box) ? '#fbf8ee' : '#33221a')
  drawLayout(context, fitText(lettering.text, box, { smallest: Math.max(3, box.height * 0.12), largest: box.height * 0.86 }), {
    ...at,
    colour,
  })
}

/** True when the panel is dark on average. A single dark spot, such as a button of a robot, does
 *  not count. */
function isDark(sprite: Canvas, at: { x: number; y: number }, box: { width: number; height: number }): boolean {
  const x = Math.max(0, Math.min(sprite.width - 3, Math.round(at.x - box.width / 2)))
  const y = Math.max(0, Math.min(sprite.height - 3, Math.round(at.y - box.height / 2)))
  const width = Math.max(3, Math.min(sprite.width - x, Math.round(box.width)))
  const height = Math.max(3, Math.min(sprite.height - y, Math.round(box.height)))
  const { data } = sprite.getContext('2d').getImageData(x, y, width, height)
  let [sum, count] = [0, 0]
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i + 3] ?? 0) < 128) continue
    sum += 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0)
    count++
  }
  return count > 0 && sum / count < 128
}
