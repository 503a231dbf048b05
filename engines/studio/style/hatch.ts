import type { Random } from '../drawing.ts'
import { keptTile } from './noise.ts'
import { createPlane, type Plane } from './pixels.ts'

/** Size of a hatching tile in pixels, and number and shape of its strokes. */
interface HatchOptions {
  size: number
  /** Direction of the strokes in radians. */
  angle: number
  strokes: number
  length: number
  width: number
  /** Largest random deviation of a stroke's direction, in radians. */
  sway: number
}

/** Returns a square tile of hatching whose opposite edges fit together. Each pixel is the darkness
 *  of the strokes, 0 to 1. */
export function hatchTile(random: Random, options: HatchOptions): Plane {
  return keptTile(`hatch ${JSON.stringify(options)} ${random.integer(1, 2)}`, own => makeHatch(own, options))
}

function makeHatch(random: Random, options: HatchOptions): Plane {
  const tile = createPlane(options.size, options.size)
  for (let k = 0; k < options.strokes; k++) {
    drawStroke(tile, {
      x: random.next() * options.size,
      y: random.next() * options.size,
      heading: options.angle + random.between(-options.sway, options.sway) * 0.5,
      bend: random.between(-options.sway, options.sway) / options.length,
      length: options.length * random.between(0.5, 1.2),
      width: options.width * random.between(0.7, 1.25),
      dark: random.between(0.45, 1),
    })
  }
  return tile
}

interface HatchStroke {
  x: number
  y: number
  heading: number
  bend: number
  length: number
  width: number
  dark: number
}

function drawStroke(tile: Plane, stroke: HatchStroke): void {
  const size = tile.width
  const reach = Math.ceil(stroke.width)
  let { x, y, heading } = stroke
  for (let step = 0; step < stroke.length; step++) {
    x += Math.cos(heading)
    y += Math.sin(heading)
    heading += stroke.bend
    const along = step / stroke.length
    const pressure = stroke.dark * Math.min(1, along * 6) * Math.min(1, (1 - along) * 2.5)
    const px = Math.floor(x)
    const py = Math.floor(y)
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const away = Math.hypot(px + dx + 0.5 - x, py + dy + 0.5 - y)
        const dark = pressure * Math.min(1, Math.max(0, stroke.width * 0.5 + 0.5 - away))
        if (dark <= 0) continue
        const i = ((py + dy + size * 4) % size) * size + ((px + dx + size * 4) % size)
        const value = tile.data[i]!
        tile.data[i] = value + (1 - value) * dark
      }
    }
  }
}
