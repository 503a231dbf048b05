import type { Random } from '../drawing.ts'
import { blurPlane } from './blur.ts'
import { contrastPlane } from './edges.ts'
import { createPlane, type Plane, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'

/** The directions of brush strokes over a picture, along the picture's edges. Directions are angles
 *  in radians. The directions are computed on a coarse grid. */
export interface Flow {
  /** Returns the direction at a position given in shares (0 to 1) of width and height. */
  at(u: number, v: number): number
  /** Returns how clear the edge at a position is: 0 where the picture has no edge, to 1. */
  strength(u: number, v: number): number
}

interface FlowOptions {
  /** Number of whirls that strokes form in areas without edges. */
  whirls: number
  /** Weight of random whirls and waves relative to the picture's own edges, 0 to 1. */
  turbulence: number
}

const gridShort = 160

/** Returns the directions of brush strokes for a picture: along its edges where it has edges;
 *  elsewhere along distant edges and, with `turbulence`, along random waves and whirls. */
export function edgeFlow(raster: Raster, random: Random, options: FlowOptions): Flow {
  const scale = gridShort / shortSide(raster)
  const width = Math.max(4, Math.min(1600, Math.round(raster.width * Math.min(1, scale))))
  const height = Math.max(4, Math.min(1600, Math.round(raster.height * Math.min(1, scale))))
  const plane = blurPlane(contrastPlane(resizeRaster(raster, width, height)), 1)
  const tensor = doubledAngles(plane)
  const fine = { c: blurPlane(tensor.c, 2), s: blurPlane(tensor.s, 2) }
  const broad = { c: blurPlane(tensor.c, 14), s: blurPlane(tensor.s, 14) }
  const strength = createPlane(width, height)
  for (let i = 0; i < strength.data.length; i++) {
    strength.data[i] = Math.hypot(fine.c.data[i]!, fine.s.data[i]!)
    const pull = 60 + strength.data[i]!
    fine.c.data[i] = fine.c.data[i]! / pull + broad.c.data[i]! * 0.0006
    fine.s.data[i] = fine.s.data[i]! / pull + broad.s.data[i]! * 0.0006
    strength.data[i] = Math.min(1, strength.data[i]! / 500)
  }
  if (options.turbulence > 0) addWhirls(fine, random, options)
  const read = (plane: Plane, u: number, v: number) => {
    const x = Math.min(width - 1, Math.max(0, Math.floor(u * width)))
    const y = Math.min(height - 1, Math.max(0, Math.floor(v * height)))
    return plane.data[y * width + x]!
  }
  return {
    at: (u, v) => Math.atan2(read(fine.s, u, v), read(fine.c, u, v)) / 2,
    strength: (u, v) => read(strength, u, v),
  }
}

interface DoubledAngle {
  c: Plane
  s: Plane
}

/** Returns for each pixel a vector in the direction of the edge with its angle doubled. An edge has
 *  no forward direction: angles a and a + pi mean the same. With doubled angles, their vectors are
 *  equal and add up; otherwise they would cancel. */
function doubledAngles(plane: Plane): DoubledAngle {
  const { width, height, data } = plane
  const c = createPlane(width, height)
  const s = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const dx = data[y * width + Math.min(width - 1, x + 1)]! - data[y * width + Math.max(0, x - 1)]!
      const dy = data[Math.min(height - 1, y + 1) * width + x]! - data[Math.max(0, y - 1) * width + x]!
      c.data[y * width + x] = dy * dy - dx * dx
      s.data[y * width + x] = -2 * dx * dy
    }
  }
  return { c, s }
}

function addWhirls(flow: DoubledAngle, random: Random, options: FlowOptions): void {
  const { width, height } = flow.c
  const unit = shortSide(flow.c)
  const whirls = Array.from({ length: options.whirls }, () => ({
    x: random.next() * width,
    y: random.next() * height * 0.6,
    reach: unit * random.between(0.12, 0.3),
    twist: random.between(-0.35, 0.35),
  }))
  const phase = random.between(0, 6.28)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const wave = 0.3 * Math.sin((x / unit) * 5 + phase + Math.sin((y / unit) * 4) * 1.4) + 0.18 * Math.sin((y / unit) * 9 + phase)
      let c = Math.cos(wave * 2) * 0.35
      let s = Math.sin(wave * 2) * 0.35
      for (const whirl of whirls) {
        const dx = x - whirl.x
        const dy = y - whirl.y
        const near = Math.exp(-(dx * dx + dy * dy) / (whirl.reach * whirl.reach))
        const angle = (Math.atan2(dy, dx) + Math.PI / 2 + whirl.twist) * 2
        c += Math.cos(angle) * near * 1.6
        s += Math.sin(angle) * near * 1.6
      }
      const own = Math.hypot(flow.c.data[i]!, flow.s.data[i]!)
      const weight = options.turbulence * (1 - Math.min(0.9, own * 1.6))
      flow.c.data[i] = flow.c.data[i]! + c * weight
      flow.s.data[i] = flow.s.data[i]! + s * weight
    }
  }
}
