import type { Random } from '../drawing.ts'
import { moonOf } from './celestial.ts'
import { clamp, smooth } from './colour.ts'
import type { Pixel, Shader } from './field.ts'
import { gridded, type Noise } from './noise.ts'
import type { Stage } from './stage.ts'

/** Returns a shader that gives the colour of the clouds at each point of the sky. `horizon` is the
 *  pixel row of the horizon. In overcast weather, clouds cover the whole sky; otherwise there are
 *  cumulus clouds, and thin streaks above them. */
export function cloudShader(stage: Stage, horizon: number): Shader {
  if (stage.palette.cover >= 0.95) return deckShader(stage, horizon)
  const high = streakShader(stage, horizon)
  const heaps = heapShader(stage, horizon)
  return (x, y, out) => {
    heaps(x, y, out)
    const alpha = out[3]!
    if (alpha >= 254) return
    const [r, g, b] = [out[0]!, out[1]!, out[2]!]
    high(x, y, out)
    const below = (out[3]! * (255 - alpha)) / 255
    const sum = alpha + below
    if (sum < 0.5) {
      out[3] = 0
      return
    }
    out[0] = (r * alpha + out[0]! * below) / sum
    out[1] = (g * alpha + out[1]! * below) / sum
    out[2] = (b * alpha + out[2]! * below) / sum
    out[3] = sum
  }
}

/** Returns a shader of thin, high ice clouds that get narrower towards the horizon. */
function streakShader(stage: Stage, horizon: number): Shader {
  const { palette, unit, view } = stage
  const noise = stage.noise('streaks')
  const tone = palette.cloudLit
  return (x, y, out) => {
    const e = Math.max(0, (horizon - y) / unit)
    const q = 1 / (e + 0.2)
    const u = ((x - view.centreX) / unit) * q
    const bend = noise.at(u * 0.5 + 9, q * 0.9) * 0.8
    const v = noise.fbm(u * 0.6 + bend, q * 3.4 + bend * 1.5, 4)
    out[0] = tone.r
    out[1] = tone.g
    out[2] = tone.b
    out[3] = 255 * 0.5 * smooth(0.02, 0.62, v + palette.cover * 0.16) * smooth(0.02, 0.3, e)
  }
}

interface Heap {
  x: number
  base: number
  halfWidth: number
  height: number
  seed: number
}

/** Returns a shader of cumulus clouds: rounded shapes with a flat base and edges roughened by
 *  noise, lit from the side of the sun. */
function heapShader(stage: Stage, horizon: number): Shader {
  const { palette, unit, sun } = stage
  const noise = stage.noise('heaps')
  const heaps = placeHeaps(stage, horizon, stage.random.fork('heaps')).filter(heap => !hidesMoon(stage, heap))
  const { cloudLit, cloudShade } = palette
  const horizonTone = palette.sky[3]
  return (x, y, out) => {
    let best = -1
    let found: Heap | undefined
    for (const heap of heaps) {
      const u = (x - heap.x) / heap.halfWidth
      if (u > 1.25 || u < -1.25) continue
      const v = (heap.base - y) / heap.height
      if (v > 1.5 || v < -0.32) continue
      const shape = heapShape(noise, heap, u, v)
      if (shape > best) {
        best = shape
        found = heap
      }
    }
    out[3] = 0
    if (found === undefined || best <= 0) return
    shadeHeap(noise, found, { x, y, shape: best, toSunX: (sun.x - x) / unit, toSunY: (sun.y - y) / unit }, out)
    const far = 0.55 * smooth(0.4 * unit, 0.02 * unit, horizon - y)
    const light = out[0]!
    out[0] = cloudShade.r + (cloudLit.r - cloudShade.r) * light
    out[1] = cloudShade.g + (cloudLit.g - cloudShade.g) * light
    out[2] = cloudShade.b + (cloudLit.b - cloudShade.b) * light
    out[0] = out[0]! + (horizonTone.r - out[0]!) * far
    out[1] = out[1]! + (horizonTone.g - out[1]!) * far
    out[2] = out[2]! + (horizonTone.b - out[2]!) * far
    out[3] = 255 * smooth(0, 0.2, best) * 0.97
  }
}

/** True for a cloud in front of a moon that the prompt names. */
function hidesMoon(stage: Stage, { x, base, halfWidth, height }: Heap): boolean {
  if (!stage.has('moon')) return false
  const moon = moonOf(stage)
  return Math.abs(x - moon.x) < halfWidth + moon.radius && moon.y > base - height * 1.2 - moon.radius && moon.y < base + moon.radius
}

function heapShape(noise: Noise, heap: Heap, u: number, v: number): number {
  const aspect = heap.halfWidth / heap.height
  const body = noise.billow(u * aspect * 0.95 + heap.seed, v * 0.95 + heap.seed * 0.37, 5)
  const lobes = noise.at(u * aspect * 0.55 + heap.seed * 1.7, heap.seed)
  const foot = v < 0.06 ? (0.06 - v) * 4.5 : 0
  const lift = v > 0 ? v * v * (1.1 - lobes * 0.9) : 0
  return 0.62 - u * u * 0.75 - lift - foot + (body - 0.18) * (0.5 + 0.22 * Math.min(1, Math.max(0, v * 2)))
}

/** Computes how strongly a point of a cumulus cloud is lit, 0 to 1, and writes it into the first
 *  channel of `out`. */
function shadeHeap(
  noise: Noise,
  heap: Heap,
  at: { x: number; y: number; shape: number; toSunX: number; toSunY: number },
  out: Pixel,
): void {
  const far = Math.sqrt(at.toSunX * at.toSunX + at.toSunY * at.toSunY) + 0.05
  const step = 0.16 * heap.height
  const x = at.x + (at.toSunX / far) * step
  const y = at.y + (at.toSunY / far) * step - step * 0.55
  const toward = heapShape(noise, heap, (x - heap.x) / heap.halfWidth, (heap.base - y) / heap.height)
  const v = (heap.base - at.y) / heap.height
  const silver = Math.exp(-far * 2.6) * 0.35
  out[0] = clamp(0.4 + (at.shape - toward) * 1.35 + v * 0.42 + silver - at.shape * 0.08, 0, 1)
}

function placeHeaps(stage: Stage, horizon: number, random: Random): Heap[] {
  const { unit, width, palette } = stage
  const span = Math.min(horizon, unit * 2.4)
  const count = Math.min(
    60,
    Math.round(((width / unit) * (palette.cover - 0.1) * 15 * Math.min(1.6, Math.max(0.5, span / unit / 0.5))) ** 0.95),
  )
  return Array.from({ length: count }, (_, i) => {
    const t = 0.1 + 0.86 * random.next() ** 1.3
    const size = unit * (0.06 + 0.26 * t) * random.between(0.6, 1.15)
    return {
      x: ((i + random.between(-0.4, 1.4)) / count) * width,
      base: horizon - t * span,
      halfWidth: size * random.between(0.8, 1.35),
      height: size * random.between(0.42, 0.62),
      seed: i * 17.3 + random.between(0, 5),
    }
  })
}

/** Returns a shader of an overcast or stormy sky: a closed layer of clouds with lighter and darker
 *  parts. */
function deckShader(stage: Stage, horizon: number): Shader {
  const { palette, unit, sun, view } = stage
  const noise = stage.noise('clouds')
  const densityAt = (x: number, y: number): number => {
    const e = Math.max(0, (horizon - y) / unit)
    const q = 1 / (e + 0.24)
    const cx = ((x - view.centreX) / unit) * q * 0.85
    const cz = q * 2.1
    return noise.fbm(cx * 0.62 + 7, cz * 0.72, 2) * 0.9 + 0.42 * noise.billow(cx * 1.35, cz * 1.55, 4)
  }
  // The density of each point is needed several times: for the point itself and for the points that
  // it shades. The density is therefore computed once, on a grid.
  const reach = 0.12 * unit
  const area = { left: -reach, top: -reach, right: stage.width + reach, bottom: Math.max(0, horizon) + reach }
  const density = gridded(densityAt, area, unit / 240)
  const { cloudLit, cloudShade } = palette
  const dark = stage.weather('storm', 'lightning') ? 1.35 : 1
  return (x, y, out) => {
    const d = density(x, y)
    const alpha = smooth(-0.3, 0.3, d)
    const dx = sun.x - x
    const dy = sun.y - y
    const far = Math.sqrt(dx * dx + dy * dy) + 1e-6
    const step = 0.075 * unit
    const toSun = density(x + (dx / far) * step, y + (dy / far) * step - step * 0.5)
    const l = clamp(0.55 + (d - toSun) * 1.3 - d * 0.34 * dark, 0, 1)
    out[0] = cloudShade.r + (cloudLit.r - cloudShade.r) * l
    out[1] = cloudShade.g + (cloudLit.g - cloudShade.g) * l
    out[2] = cloudShade.b + (cloudLit.b - cloudShade.b) * l
    out[3] = 255 * alpha * smooth(-0.01, 0.16, (horizon - y) / unit) * 0.94
  }
}
