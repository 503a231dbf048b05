import { hueDistance } from '../colour.ts'
import type { Rgb } from '../drawing.ts'
import { createPlane, type Plane, type Raster, smoothstep } from '../style/pixels.ts'
import { fromHsl, toHsl } from './colour.ts'

/** One of the main colours in a masked area. */
interface Cluster {
  /** Hue in degrees; not used for a neutral (grey) cluster. */
  hue: number
  isNeutral: boolean
  lightness: number
  saturation: number
}

/** Changes the main colour of the masked area, in place. Light and shade are kept, and areas of
 *  other hues (eyes, spots, trimmings) are not changed. Returns the share of the masked area that
 *  changed, 0 to 1. */
export function recolourArea(raster: Raster, mask: Plane, colour: Rgb): number {
  const cluster = dominantCluster(raster, mask)
  const target = toHsl(colour.r, colour.g, colour.b)
  const { data } = raster
  let changed = 0
  let all = 0
  for (let i = 0, j = 0; i < mask.data.length; i++, j += 4) {
    const cover = mask.data[i]!
    if (cover < 0.02) continue
    const own = toHsl(data[j]!, data[j + 1]!, data[j + 2]!)
    const share = cover * belongs(cluster, own)
    all += cover
    changed += share
    if (share < 0.02) continue
    const depth = Math.min(1.3, 0.55 + 0.45 * (own.s / Math.max(0.12, cluster.saturation)))
    const wanted = fromHsl({
      h: target.h,
      s: Math.min(1, target.s * (cluster.isNeutral ? 0.92 : depth)),
      l: Math.min(0.97, Math.max(0.02, own.l + (target.l - cluster.lightness) * lightShift(own.l))),
    })
    data[j] = data[j]! + (wanted.r - data[j]!) * share
    data[j + 1] = data[j + 1]! + (wanted.g - data[j + 1]!) * share
    data[j + 2] = data[j + 2]! + (wanted.b - data[j + 2]!) * share
  }
  return all > 0 ? changed / all : 0
}

/** Returns the mask of the pixels close to a named colour, 0 to 1. */
export function colourMask(raster: Raster, colour: Rgb): Plane {
  const wanted = toHsl(colour.r, colour.g, colour.b)
  const out = createPlane(raster.width, raster.height)
  const { data } = raster
  for (let i = 0, j = 0; i < out.data.length; i++, j += 4) out.data[i] = likeness(wanted, toHsl(data[j]!, data[j + 1]!, data[j + 2]!))
  return out
}

/** Returns the similarity of a colour to a named colour, 0 to 1. */
function likeness(wanted: { h: number; s: number; l: number }, own: { h: number; s: number; l: number }): number {
  const light = 1 - smoothstep(0.25, 0.5, Math.abs(own.l - wanted.l))
  if (wanted.s < 0.15)
    return (1 - smoothstep(0.14, 0.32, own.s * (1 - Math.abs(2 * own.l - 1)))) * (1 - smoothstep(0.12, 0.34, Math.abs(own.l - wanted.l)))
  return (1 - smoothstep(20, 42, hueDistance(wanted.h, own.h))) * smoothstep(0.16, 0.34, own.s) * light
}

/** Returns the share of the change of lightness that is applied to a pixel with this lightness
 *  (0 to 1): the largest share for midtones, less for dark pixels and highlights. */
function lightShift(lightness: number): number {
  return 0.85 * smoothstep(0.02, 0.22, lightness) * (1 - smoothstep(0.86, 1, lightness) * 0.7)
}

function belongs(cluster: Cluster, own: { h: number; s: number; l: number }): number {
  const colourful = own.s * (1 - Math.abs(2 * own.l - 1))
  if (cluster.isNeutral) return 1 - smoothstep(0.2, 0.4, colourful)
  return (1 - smoothstep(28, 52, hueDistance(cluster.hue, own.h))) * smoothstep(0.04, 0.12, colourful)
}

function dominantCluster(raster: Raster, mask: Plane): Cluster {
  const { data } = raster
  const hues = new Float64Array(36)
  let neutral = 0
  let coloured = 0
  const step = Math.max(1, Math.floor(mask.data.length / 200_000))
  for (let i = 0; i < mask.data.length; i += step) {
    const cover = mask.data[i]!
    if (cover < 0.5) continue
    const { h, s, l } = toHsl(data[i * 4]!, data[i * 4 + 1]!, data[i * 4 + 2]!)
    const colourful = s * (1 - Math.abs(2 * l - 1))
    if (colourful < 0.12) {
      neutral += 1
      continue
    }
    coloured += 1
    hues[Math.floor(h / 10) % 36]! += 0.3 + colourful
  }
  let best = 0
  for (let k = 1; k < 36; k++) if (near(hues, k) > near(hues, best)) best = k
  const isNeutral = coloured < neutral * 0.5
  return { hue: best * 10 + 5, isNeutral, ...levels(raster, mask, { hue: best * 10 + 5, isNeutral, lightness: 0, saturation: 0 }) }
}

function near(hues: Float64Array, k: number): number {
  return hues[k]! + (hues[(k + 1) % 36]! + hues[(k + 35) % 36]!) * 0.7
}

function levels(raster: Raster, mask: Plane, cluster: Cluster): { lightness: number; saturation: number } {
  const { data } = raster
  let [l, s, n] = [0, 0, 0]
  const step = Math.max(1, Math.floor(mask.data.length / 200_000))
  for (let i = 0; i < mask.data.length; i += step) {
    if (mask.data[i]! < 0.5) continue
    const own = toHsl(data[i * 4]!, data[i * 4 + 1]!, data[i * 4 + 2]!)
    const share = belongs(cluster, own)
    l += own.l * share
    s += own.s * share
    n += share
  }
  return n > 0 ? { lightness: l / n, saturation: s / n } : { lightness: 0.5, saturation: 0.5 }
}
