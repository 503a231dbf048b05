import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { clamp } from './colour.ts'
import { ditherOf, fieldScale, type Pixel } from './field.ts'
import type { Stage } from './stage.ts'

/** A point of the ground for which a surface computes the colour. The surface can change
 *  `light`. */
export interface GroundPoint {
  /** Position in the world, in metres. */
  x: number
  z: number
  height: number
  /** Light at this point: 0 (shadow) to 1 (full light). */
  light: number
  /** Slope of the ground in metres of rise per metre; 0 on flat ground. */
  steep: number
}

export interface Terrain {
  /** Returns the height of the ground in metres at a position; subjects stand at height 0. */
  height(x: number, z: number): number
  /** Writes the surface colour (0 to 255) of a point, before lighting. */
  paint(point: GroundPoint, out: Pixel): void
  /** Distance in metres to the farthest ground. */
  far: number
  /** Distance in metres at which the fading into the haze reaches about 63 % of `hazeStrength`. */
  clearness: number
  /** How strongly slopes that face away from the light are darkened. */
  relief?: number
  /** Largest step from one sampled distance to the next farther one, as a share of the distance;
   *  default 0.014. */
  finest?: number
}

/** Draws hilly ground in perspective over the sky that is already painted. Each column is drawn
 *  from near to far, so that nearer ground hides what lies behind it. At the edges, the colour is
 *  mixed according to the covered part of the pixel. */
export function paintLand(context: SKRSContext2D, stage: Stage, terrain: Terrain, detail = 1): void {
  const scale = fieldScale(stage.width, stage.height, detail)
  const columns = Math.max(1, Math.round(stage.width * scale))
  const rows = Math.max(1, Math.round(stage.height * scale))
  const canvas = createCanvas(columns, rows)
  const ink = canvas.getContext('2d')
  const sums = new Float32Array(columns * rows * 4)
  const march = createMarch(stage, terrain, { columns, rows, sums })
  for (let column = 0; column < columns; column++) march(column)
  const image = ink.createImageData(columns, rows)
  const data = image.data
  for (let i = 0, n = columns * rows; i < n; i++) {
    const cover = sums[i * 4 + 3]!
    if (cover <= 0) continue
    const dither = ditherOf(i % columns, (i / columns) | 0)
    data[i * 4] = sums[i * 4]! / cover + dither
    data[i * 4 + 1] = sums[i * 4 + 1]! / cover + dither
    data[i * 4 + 2] = sums[i * 4 + 2]! / cover + dither
    data[i * 4 + 3] = cover * 255
  }
  ink.putImageData(image, 0, 0)
  context.drawImage(canvas, 0, 0, stage.width, stage.height)
}

interface Target {
  columns: number
  rows: number
  sums: Float32Array
}

function createMarch(stage: Stage, terrain: Terrain, target: Target): (column: number) => void {
  const { view } = stage
  const rowScale = target.rows / stage.height
  const horizon = view.horizonY * rowScale
  const focal = view.focal * rowScale
  const steps = stepsOf(stage, terrain, target.rows)
  const heights = createHeights(stage, terrain, { steps, columns: target.columns })
  const colourPoint = createShading(stage, terrain)
  const out: Pixel = new Float64Array(4)
  const point: GroundPoint = { x: 0, z: 0, height: 0, light: 0, steep: 0 }
  const slope = { x: 0, z: 0 }
  return column => {
    const screenX = ((column + 0.5) / target.columns) * stage.width
    const span: Span = { from: 0, to: target.rows, red: 0, green: 0, blue: 0, far: out }
    let seen = false
    for (let i = 0; i < steps.length; i++) {
      const z = steps[i]!
      const height = heights.at(column, i)
      const row = horizon + ((view.eye - height) * focal) / z
      if (row >= span.to) {
        seen = false
        continue
      }
      point.x = ((screenX - view.centreX) / view.focal) * z
      point.z = z
      point.height = height
      heights.slope(column, i, slope)
      colourPoint(point, slope, screenX, out)
      if (!seen) rememberColour(span, out)
      span.from = Math.max(0, row)
      fillSpan(target, column, span)
      rememberColour(span, out)
      seen = true
      span.to = row
      if (row <= 0) return
    }
  }
}

interface Heights {
  /** Returns the height in metres of the ground in a pixel column, at the distance with this index
   *  in `steps`. */
  at(column: number, index: number): number
  /** Writes the slope of the ground at the same position (metres of rise per metre): `x` to the
   *  right, `z` away from the viewer. */
  slope(column: number, index: number, out: { x: number; z: number }): void
}

/** Heights are computed for every second pixel column; those between are interpolated. */
const columnStep = 2

/** Computes the heights for every second pixel column. Other heights are interpolated, and slopes
 *  are computed from the differences of heights. */
function createHeights(stage: Stage, terrain: Terrain, { steps, columns }: { steps: Float64Array; columns: number }): Heights {
  const { view } = stage
  const count = steps.length
  // One more column is computed on each side, because the slope of a column is computed from its
  // neighbours.
  const lines = Math.ceil(columns / columnStep) + 3
  const tangent = (column: number) => (((column + 0.5) / columns) * stage.width - view.centreX) / view.focal
  const known = Array.from({ length: lines }, (_, line) => {
    const across = tangent((line - 1) * columnStep)
    return steps.map(z => terrain.height(across * z, z))
  })
  const between = tangent(columnStep) - tangent(0)
  const ahead = reachesAhead(steps)
  const at = (column: number, index: number): number => {
    const place = column / columnStep + 1
    const line = Math.floor(place)
    const left = known[line]![index]!
    return left + (known[line + 1]![index]! - left) * (place - line)
  }
  return {
    at,
    slope: (column, index, out) => {
      const line = Math.round(column / columnStep) + 1
      const z = steps[index]!
      out.x = (known[line + 1]![index]! - known[line - 1]![index]!) / (2 * between * z)
      const far = ahead[index]!
      const near = far < count ? index : Math.max(0, index - 1)
      const end = Math.min(count - 1, far)
      const depth = steps[end]! - steps[near]!
      // The samples of a column lie along a viewing ray, which also runs sideways. The rise along
      // the ray minus the part that the sideways direction causes is the rise straight ahead.
      out.z = depth > 0 ? (at(column, end) - at(column, near)) / depth - out.x * tangent(column) : 0
    },
  }
}

/** Returns for each sampled distance the index of the next one from which a slope can be measured:
 *  at least 3 cm farther away, and more in the distance. */
function reachesAhead(steps: Float64Array): Int32Array {
  let end = 0
  return Int32Array.from(steps, z => {
    while (end < steps.length && steps[end]! < z + 0.03 + z * 0.006) end++
    return end
  })
}

function rememberColour(span: Span, out: Pixel): void {
  span.red = out[0]!
  span.green = out[1]!
  span.blue = out[2]!
}

interface Span {
  from: number
  to: number
  /** Colour at the near (lower) end of the vertical span of pixels that is drawn; `far` is the
   *  colour at its upper end. */
  red: number
  green: number
  blue: number
  far: Pixel
}

function fillSpan(target: Target, column: number, span: Span): void {
  const { from, to, red, green, blue, far } = span
  const length = to - from
  const last = Math.min(target.rows - 1, Math.ceil(to) - 1)
  for (let row = Math.floor(from); row <= last; row++) {
    const high = row > from ? row : from
    const low = row + 1 < to ? row + 1 : to
    const cover = low - high
    if (cover <= 0) continue
    // A span of more than one pixel is a slope between two samples, so its colour changes from one
    // sample's colour to the other's.
    const t = length < 1 ? 1 : (to - (high + low) / 2) / length
    const i = (row * target.columns + column) * 4
    target.sums[i] = target.sums[i]! + cover * (red + (far[0]! - red) * t)
    target.sums[i + 1] = target.sums[i + 1]! + cover * (green + (far[1]! - green) * t)
    target.sums[i + 2] = target.sums[i + 2]! + cover * (blue + (far[2]! - blue) * t)
    target.sums[i + 3] = target.sums[i + 3]! + cover
  }
}

/** Returns the distances at which the ground is sampled. Each step to the next distance is one
 *  pixel row of flat ground, but at most the share `terrain.finest` (by default 1.4 %) of the
 *  distance. */
function stepsOf(stage: Stage, terrain: Terrain, rows: number): Float64Array {
  const { view } = stage
  const rowPixels = stage.height / rows
  const list: number[] = []
  let z = Math.max(0.05, (view.eye * view.focal) / Math.max(1, stage.height + 2 * rowPixels - view.horizonY))
  for (let i = 0; i < 3000 && z < terrain.far; i++) {
    list.push(z)
    const flat = (z * z * rowPixels) / (view.eye * view.focal)
    z += Math.min(flat, z * (terrain.finest ?? 0.014))
  }
  return Float64Array.from(list)
}

type Shading = (point: GroundPoint, slope: { x: number; z: number }, screenX: number, out: Pixel) => void

function createShading(stage: Stage, terrain: Terrain): Shading {
  const { palette, sun, unit } = stage
  const { shade, key, haze, glow } = palette
  const toward = palette.lightHeight < 0.2 ? 0.35 : -0.25
  const lightX = sun.side * 1.15
  const lightZ = toward
  const relief = (terrain.relief ?? 1) * (0.35 + 0.65 * palette.sharpness)
  return (point, slope, screenX, out) => {
    const distance = point.z
    const steep = Math.sqrt(slope.x * slope.x + slope.z * slope.z)
    const facing = (-slope.x * lightX - slope.z * lightZ) / Math.sqrt(1 + steep * steep)
    point.steep = steep
    point.light = clamp(0.66 + facing * 0.75 * relief, 0, 1)
    terrain.paint(point, out)
    const light = clamp(point.light, 0, 1.25)
    const away = Math.abs(screenX - sun.x) / unit
    const warm = palette.glowStrength * 0.55 * Math.exp(-away * 1.6)
    const fade = palette.hazeStrength * (1 - Math.exp(-distance / terrain.clearness))
    const hazeR = haze.r + (glow.r - haze.r) * warm
    const hazeG = haze.g + (glow.g - haze.g) * warm
    const hazeB = haze.b + (glow.b - haze.b) * warm
    const r = (out[0]! * (shade.r + (key.r - shade.r) * light)) / 255
    const g = (out[1]! * (shade.g + (key.g - shade.g) * light)) / 255
    const b = (out[2]! * (shade.b + (key.b - shade.b) * light)) / 255
    out[0] = r + (hazeR - r) * fade
    out[1] = g + (hazeG - g) * fade
    out[2] = b + (hazeB - b) * fade
  }
}
