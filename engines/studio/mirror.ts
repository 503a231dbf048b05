import { type Canvas, createCanvas } from '@napi-rs/canvas'

/** The lowest position of the shoreline as a share of the height. Everything below the shoreline is
 *  reflection. */
const shoreShare = 0.6

/** Returns the picture with a reflection in still water; the input is unchanged. The part above row
 *  `feet` (pixels) is kept. If `feet` is below `shoreShare` of the height, this part moves up, and
 *  its top rows are lost, so that the water gets enough room. Below the shoreline, the same part is
 *  repeated upside down, darker and distorted by ripples. The size is the same. */
export function mirrored(picture: Canvas, feet: number): Canvas {
  const { width, height } = picture
  const shore = Math.round(Math.min(feet, height * shoreShare))
  const cut = Math.round(feet) - shore
  const out = createCanvas(width, height)
  const pen = out.getContext('2d')
  pen.drawImage(picture, 0, cut, width, shore, 0, 0, width, shore)
  const reach = height - shore
  const unit = Math.min(width, height)
  for (let row = 0; row < reach; row++) {
    // Ripples get wider and longer towards the viewer.
    const near = row / reach
    const from = Math.max(0, shore - 1 - row * 0.96)
    const swing = Math.sin(row * (0.55 - near * 0.36) + Math.sin(row * 0.11) * 2) * unit * (0.0012 + near * 0.006)
    pen.drawImage(out, 0, from, width, 1, swing - 4, shore + row, width + 8, 1)
  }
  const depth = pen.createLinearGradient(0, shore, 0, height)
  depth.addColorStop(0, 'rgba(20, 40, 58, 0.3)')
  depth.addColorStop(0.12, 'rgba(24, 52, 74, 0.16)')
  depth.addColorStop(1, 'rgba(16, 40, 62, 0.42)')
  pen.fillStyle = depth
  pen.fillRect(0, shore, width, reach)
  pen.fillStyle = 'rgba(255, 255, 255, 0.13)'
  for (let k = 0; k < 26; k++) {
    const near = ((k * 37) % 26) / 26
    const y = shore + reach * (0.06 + near * 0.92)
    const length = width * (0.05 + near * 0.14)
    pen.fillRect(((k * 0.618) % 1) * width - length / 2, y, length, Math.max(1, unit * (0.001 + near * 0.003)))
  }
  const edge = pen.createLinearGradient(0, shore - unit * 0.006, 0, shore + unit * 0.012)
  edge.addColorStop(0, 'rgba(28, 30, 24, 0)')
  edge.addColorStop(0.4, 'rgba(28, 30, 24, 0.5)')
  edge.addColorStop(1, 'rgba(28, 30, 24, 0)')
  pen.fillStyle = edge
  pen.fillRect(0, shore - unit * 0.006, width, unit * 0.018)
  return out
}
