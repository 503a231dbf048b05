import type { Random } from '../drawing.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { type Plane, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'

/** Returns a function that writes row `y` of a paper's surface into `out`: about -1 in a pit to 1
 *  on a peak. The size of the paper's grain is `grain` times the short side. */
export function paperRows(random: Random, size: { width: number; height: number }, grain: number): (y: number, out: Float32Array) => void {
  const unit = shortSide(size)
  const fine = repeat(grainTile(random.fork('fine'), 256, 1), size.width, Math.max(0.6, (unit * grain) / 3))
  const coarse = repeat(grainTile(random.fork('coarse'), 192, 2), size.width, Math.max(0.8, (unit * grain) / 1.6))
  const other = new Float32Array(size.width)
  return (y, out) => {
    fine(y, out)
    coarse(y, other)
    for (let x = 0; x < out.length; x++) out[x] = out[x]! * 0.55 + other[x]! * 0.6
  }
}

/** Returns a function that writes for each pixel of row `y` whether it lies inside an uneven
 *  border: 0 outside, on blank paper, to 1 inside. `margin`, `rough` and `soft` (width of the
 *  border, its unevenness and its blur) are shares of the short side. */
export function tornBorder(
  random: Random,
  size: { width: number; height: number },
  shape: { margin: number; rough: number; soft: number },
): (y: number, out: Float32Array) => void {
  const { width, height } = size
  const unit = shortSide(size)
  const grid = { width: Math.ceil((width / unit) * 160), height: Math.ceil((height / unit) * 160) }
  const broad = stretch(fractalNoise(random, grid, 15, 4), width, height)
  const noise = new Float32Array(width)
  const soft = shape.soft * unit
  return (y, out) => {
    broad(y, noise)
    const toEdgeY = Math.min(y, height - 1 - y)
    for (let x = 0; x < width; x++) {
      const edge = Math.min(toEdgeY, x, width - 1 - x)
      const inside = edge - (shape.margin + (noise[x]! - 0.5) * 2 * shape.rough) * unit
      out[x] = smoothstep(-soft, soft, inside)
    }
  }
}

/** Returns a plane of this size with the fibres of handmade paper drawn into it: 0 without a fibre
 *  to 1. */
export function fibres(random: Random, size: { width: number; height: number }, count: number): Plane {
  const plane: Plane = { data: new Float32Array(size.width * size.height), width: size.width, height: size.height }
  for (let k = 0; k < count; k++) {
    let x = random.next() * size.width
    let y = random.next() * size.height
    let heading = random.between(0, 6.28)
    const bend = random.between(-0.06, 0.06)
    const strength = random.between(0.15, 0.7)
    const steps = random.integer(8, 60)
    for (let step = 0; step < steps; step++) {
      x += Math.cos(heading)
      y += Math.sin(heading)
      heading += bend
      const px = Math.floor(x)
      const py = Math.floor(y)
      if (px < 0 || py < 0 || px >= size.width || py >= size.height) break
      const i = py * size.width + px
      plane.data[i] = Math.max(plane.data[i]!, strength)
    }
  }
  return plane
}
