import { hueDistance, parseHex } from '../colour.ts'
import type { Rgb } from '../drawing.ts'
import type { Colour } from '../scene.ts'
import { type Hsl, hslToRgb, rgbToHsl } from './colour.ts'

const hueReach = 34
/** Saturation below which a pixel counts as grey, white or black. */
const greyLimit = 0.16

/** The dominant colour of a drawing: one hue, or no hue at all. */
interface Cluster {
  isNeutral: boolean
  hue: number
  saturation: number
  lightness: number
}

/** Recolours RGBA pixels in place. The dominant hue of the drawing (or its greys, when it is mostly
 *  grey) becomes the wanted colour. Differences in lightness are kept, and pixels of other hues do
 *  not change. */
export function recolour(pixels: Uint8ClampedArray, colour: Colour): void {
  const target = rgbToHsl(parseHex(colour.hex))
  const cluster = dominantCluster(pixels)
  const cache = new Map<number, number>()
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] === 0) continue
    // The cache key has six bits for each of red, green and blue: fine enough for smooth gradients,
    // and coarse enough that many pixels share an entry.
    const key = ((pixels[i] ?? 0) >> 2) | (((pixels[i + 1] ?? 0) >> 2) << 6) | (((pixels[i + 2] ?? 0) >> 2) << 12)
    let value = cache.get(key)
    if (value === undefined) {
      value = recolourOne(pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0, cluster, target)
      cache.set(key, value)
    }
    pixels[i] = value >> 16
    pixels[i + 1] = (value >> 8) & 255
    pixels[i + 2] = value & 255
  }
}

/** Returns the hue (degrees) that most of the painted pixels have; undefined when the drawing is
 *  mostly grey, white or black. */
export function dominantHue(pixels: Uint8ClampedArray): number | undefined {
  const cluster = dominantCluster(pixels)
  return cluster.isNeutral ? undefined : cluster.hue
}

/** Returns a function that says how much (0 to 1) a colour belongs to the dominant colour of the
 *  drawing. */
export function dominantMask(pixels: Uint8ClampedArray): (colour: Rgb) => number {
  const cluster = dominantCluster(pixels)
  return colour => membership(rgbToHsl(colour), cluster)
}

function dominantCluster(pixels: Uint8ClampedArray): Cluster {
  const weights = new Float64Array(72)
  const step = Math.max(4, Math.floor(pixels.length / 4 / 40000) * 4)
  let total = 0
  let neutral = 0
  const samples: Hsl[] = []
  for (let i = 0; i < pixels.length; i += step) {
    if ((pixels[i + 3] ?? 0) < 128) continue
    const hsl = rgbToHsl({ r: pixels[i] ?? 0, g: pixels[i + 1] ?? 0, b: pixels[i + 2] ?? 0 })
    samples.push(hsl)
    total++
    if (isGrey(hsl)) neutral++
    else weights[Math.floor(hsl.h / 5) % 72] = (weights[Math.floor(hsl.h / 5) % 72] ?? 0) + 0.3 + hsl.s * 0.7
  }
  const hue = peak(weights)
  const members = samples.filter(hsl => !isGrey(hsl) && hueDistance(hsl.h, hue) <= hueReach)
  const isNeutral = total === 0 || members.length < total * 0.2 ? neutral >= members.length : false
  const chosen = isNeutral ? samples.filter(hsl => isGrey(hsl) && hsl.l > 0.12) : members
  const mean = (pick: (hsl: Hsl) => number) => chosen.reduce((sum, hsl) => sum + pick(hsl), 0) / Math.max(1, chosen.length)
  const lightness = isNeutral ? mode(chosen.map(hsl => hsl.l)) : mean(hsl => hsl.l)
  return { isNeutral, hue, saturation: mean(hsl => hsl.s), lightness }
}

/** Returns the mean of the most frequent range of lightness: for a white ball with black patches,
 *  that of the white parts. */
function mode(values: readonly number[]): number {
  const bins = new Float64Array(10)
  for (const value of values) bins[Math.min(9, Math.floor(value * 10))] = (bins[Math.min(9, Math.floor(value * 10))] ?? 0) + 1
  const best = bins.indexOf(Math.max(...bins))
  const inside = values.filter(value => Math.min(9, Math.floor(value * 10)) === best)
  return inside.reduce((sum, value) => sum + value, 0) / Math.max(1, inside.length)
}

function isGrey(hsl: Hsl): boolean {
  return hsl.s < greyLimit || hsl.l < 0.08 || hsl.l > 0.965
}

/** Returns the middle of the 35-degree range of hues with the largest weight. */
function peak(weights: Float64Array): number {
  const at = (index: number) => weights[(index + 72) % 72] ?? 0
  let best = 0
  let bestSum = -1
  for (let i = 0; i < 72; i++) {
    let sum = 0
    for (let d = -3; d <= 3; d++) sum += at(i + d)
    if (sum > bestSum) {
      bestSum = sum
      best = i
    }
  }
  let offset = 0
  for (let d = -3; d <= 3; d++) offset += (d * at(best + d)) / Math.max(1e-9, bestSum)
  return ((((best + offset) * 5 + 2.5) % 360) + 360) % 360
}

function recolourOne(r: number, g: number, b: number, cluster: Cluster, target: Hsl): number {
  const hsl = rgbToHsl({ r, g, b })
  const amount = membership(hsl, cluster)
  if (amount <= 0) return (r << 16) | (g << 8) | b
  const spread = hsl.l - cluster.lightness
  // A black target reduces the differences in lightness, because in black cloth the many fine folds
  // would look like noise. Other targets keep nearly all of them.
  const contrast = target.l < 0.2 ? 0.7 : 0.95
  const l = Math.min(0.98, Math.max(0.03, target.l + spread * contrast))
  const relative = cluster.isNeutral ? 1 : Math.min(1.25, hsl.s / Math.max(0.05, cluster.saturation))
  const s = target.s < 0.08 ? target.s : Math.min(1, target.s * (0.4 + 0.6 * relative))
  const out = hslToRgb({ h: target.h, s, l })
  const blend = (from: number, to: number) => Math.max(0, Math.min(255, Math.round(from + (to - from) * amount)))
  return (blend(r, out.r) << 16) | (blend(g, out.g) << 8) | blend(b, out.b)
}

/** Returns how much a colour of the drawing changes: 0 (not at all) to 1 (fully recoloured).
 *  Colours close to the limit change in part; a hard limit would give anti-aliased edges a coloured
 *  fringe. */
function membership(hsl: Hsl, cluster: Cluster): number {
  if (cluster.isNeutral) {
    const grey = 1 - Math.min(1, Math.max(0, (hsl.s - greyLimit) / 0.14))
    const dark = Math.min(1, Math.max(0, (hsl.l - 0.1) / 0.14))
    return cluster.lightness < 0.3 ? grey : grey * dark
  }
  const near = 1 - Math.min(1, Math.max(0, (hueDistance(hsl.h, cluster.hue) - hueReach) / 12))
  const vivid = Math.min(1, Math.max(0, (hsl.s - 0.08) / 0.12))
  return near * vivid
}
