import type { Rgb } from '../drawing.ts'
import { clamp, mix, rgb, smooth } from './colour.ts'
import type { Pixel } from './field.ts'
import type { GroundPoint } from './land.ts'
import type { Noise } from './noise.ts'
import { colourOfPlace, greensOf, tinted } from './season.ts'
import type { Stage } from './stage.ts'

export type Surface = (point: GroundPoint, out: Pixel) => void

/** Returns a surface that shows `over` on top of `base`. `share` returns how much of `over` is
 *  visible at each point, 0 to 1. */
export function overlay(base: Surface, over: Surface, share: (point: GroundPoint) => number): Surface {
  const kept = new Float64Array(4)
  return (point, out) => {
    base(point, out)
    const t = share(point)
    if (t <= 0) return
    kept.set(out)
    over(point, out)
    for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * t
  }
}

/** Returns a surface whose colour is computed only where the water is less than 0.25 m deep;
 *  elsewhere it has a fixed colour, which saves time. For a film, it is computed everywhere,
 *  because the ground moves below the edge of the water. `depth` returns the depth of the water
 *  in metres. */
export function dryOnly({ isFilm }: Pick<Stage, 'isFilm'>, surface: Surface, depth: (x: number, z: number) => number): Surface {
  return (point, out) => {
    if (isFilm || depth(point.x, point.z) < 0.25) return surface(point, out)
    out[0] = 90
    out[1] = 96
    out[2] = 92
  }
}

function write(out: Pixel, a: Rgb, b: Rgb, t: number): void {
  out[0] = a.r + (b.r - a.r) * t
  out[1] = a.g + (b.g - a.g) * t
  out[2] = a.b + (b.b - a.b) * t
}

function blend(out: Pixel, c: Rgb, t: number): void {
  out[0] = out[0]! + (c.r - out[0]!) * t
  out[1] = out[1]! + (c.g - out[1]!) * t
  out[2] = out[2]! + (c.b - out[2]!) * t
}

/** Returns how visible fine structure is at a distance of `z` metres, 0 to 1. The visibility
 *  decreases with the distance, because structure finer than a pixel would look like noise. */
function closeness(z: number, reach: number): number {
  return reach / (reach + z)
}

/** Returns a surface of grass with patches of different tones and shadows of clouds. The grass has
 *  the colour that the prompt gives to the place, and the snow of the season. */
export function grassSurface(stage: Stage, noise: Noise, tint?: Rgb): Surface {
  const greens = greensOf(stage)
  const own = tint ?? colourOfPlace(stage)
  const [low, high, deep] = tinted(greens, own)
  const warm = mix(high, rgb('#d8c46a'), own === undefined ? 0.55 : 0.15)
  const snow = snowSurface(stage, noise)
  const clear = stage.palette.sharpness > 0.5
  return (point, out) => {
    const { x, z } = point
    const patch = noise.fbm(x * 0.11 + 3, z * 0.07, 3)
    write(out, low, high, smooth(-0.28, 0.42, patch + noise.at(x * 0.9, z * 0.55) * 0.3 * closeness(z, 20)))
    const near = closeness(z, 9)
    const fine = noise.fbm(x * 2.6, z * 1.5, 3) * near
    blend(out, warm, 0.42 * smooth(0.02, 0.4, noise.fbm(x * 0.035 + 71, z * 0.022, 2)))
    blend(out, deep, clamp(0.16 + fine * 0.85 + smooth(-0.1, -0.5, patch) * 0.3, 0, 0.8))
    if (clear) point.light *= 1 - 0.34 * smooth(0.02, 0.3, noise.fbm(x * 0.018 + 31, z * 0.011, 2))
    if (greens.snow > 0) coverWithSnow(point, out, greens.snow, noise, snow)
  }
}

const bufferOf = () => new Float64Array(4)
const snowBuffer = bufferOf()

function coverWithSnow(point: GroundPoint, out: Pixel, amount: number, noise: Noise, snow: Surface): void {
  const cover = smooth(
    1 - amount * 1.5,
    1.25 - amount * 1.25,
    0.5 + 0.6 * noise.fbm(point.x * 0.5 + 90, point.z * 0.34, 3) + 0.25 * closeness(point.z, 60) - 0.25,
  )
  if (cover <= 0) return
  snow(point, snowBuffer)
  out[0] = out[0]! + (snowBuffer[0]! - out[0]!) * cover
  out[1] = out[1]! + (snowBuffer[1]! - out[1]!) * cover
  out[2] = out[2]! + (snowBuffer[2]! - out[2]!) * cover
}

/** Returns snow: nearly white, with bluish hollows and some glitter. */
export function snowSurface(_stage: Stage, noise: Noise): Surface {
  const white = rgb('#fbfcff')
  const blue = rgb('#bcd2ee')
  return (point, out) => {
    point.light = Math.min(1.2, point.light + 0.2)
    const drift = noise.fbm(point.x * 0.3 + 50, point.z * 0.16, 3)
    write(out, white, blue, clamp(0.06 + 0.6 * smooth(0.1, -0.5, drift) + (0.86 - point.light) * 1.1, 0, 1))
    const near = closeness(point.z, 6)
    const grain = noise.at(point.x * 9, point.z * 6) * near * 7
    out[0] = out[0]! + grain
    out[1] = out[1]! + grain
    out[2] = out[2]! + grain
  }
}

/** Returns a surface of sand with ripples of the wind. The sand has the colour that the prompt
 *  gives to the place, as in a red or white desert. */
export function sandSurface(stage: Stage, noise: Noise): Surface {
  const own = colourOfPlace(stage)
  const light = own === undefined ? rgb('#f6e0b0') : mix(rgb('#f6e0b0'), own, 0.75)
  const dark = own === undefined ? rgb('#e3bf86') : mix(rgb('#d0a86c'), own, 0.75)
  const greens = greensOf(stage)
  const snow = snowSurface(stage, noise)
  return (point, out) => {
    const { x, z } = point
    const near = closeness(z, 7)
    const bend = noise.fbm(x * 0.16, z * 0.13, 2) * 5
    const ripple =
      Math.sin((z * 1.3 + x * 0.35) * 7 + bend * 4 + noise.at(x * 1.2, z * 1.2) * 2.2) * smooth(-0.25, 0.35, noise.at(x * 0.4 + 3, z * 0.3))
    const patch = noise.fbm(x * 0.09 + 7, z * 0.06, 3)
    write(out, light, dark, clamp(0.4 - patch * 0.6, 0, 1))
    point.light = clamp(point.light + 0.14 + ripple * 0.13 * near + noise.fbm(x * 7, z * 5, 2) * 0.1 * near, 0, 1.2)
    if (greens.snow > 0.9) coverWithSnow(point, out, greens.snow * 0.8, noise, snow)
  }
}

/** Returns a surface of bare earth, rock or asphalt: a mix of two tones with fine grain. */
export function soilSurface(stage: Stage, noise: Noise, tones: readonly [string, string]): Surface {
  const [light, dark] = [rgb(tones[0]), rgb(tones[1])]
  const greens = greensOf(stage)
  const snow = snowSurface(stage, noise)
  return (point, out) => {
    const { x, z } = point
    const near = closeness(z, 8)
    const patch = noise.fbm(x * 0.22 + 17, z * 0.16, 4)
    write(out, light, dark, clamp(0.5 - patch * 0.8, 0, 1))
    point.light = clamp(point.light + noise.fbm(x * 5, z * 3.4, 3) * 0.4 * near, 0, 1.2)
    if (greens.snow > 0) coverWithSnow(point, out, greens.snow * 0.9, noise, snow)
  }
}
