/** Edits of light and colour that apply to the whole picture. Functions without a return value
 *  change the raster in place. */
import { createRandom } from '../random.ts'
import { softBlur, softRows } from '../style/blur.ts'
import { grade } from '../style/grade.ts'
import { type Raster, shortSide } from '../style/pixels.ts'

const still = createRandom('tone')

export function makeGrey(raster: Raster): void {
  const { data } = raster
  for (let i = 0; i < data.length; i += 4) {
    const luma = Math.round(data[i]! * 0.299 + data[i + 1]! * 0.587 + data[i + 2]! * 0.114)
    data[i] = luma
    data[i + 1] = luma
    data[i + 2] = luma
  }
}

export function makeSepia(raster: Raster): void {
  const { data } = raster
  for (let i = 0; i < data.length; i += 4) {
    const luma = data[i]! * 0.299 + data[i + 1]! * 0.587 + data[i + 2]! * 0.114
    const s = luma + (luma - 128) * 0.08
    data[i] = s * 0.94 + 26
    data[i + 1] = s * 0.86 + 10
    data[i + 2] = s * 0.7
  }
}

export function invert(raster: Raster): void {
  const { data } = raster
  for (let i = 0; i < data.length; i += 4) {
    data[i] = 255 - data[i]!
    data[i + 1] = 255 - data[i + 1]!
    data[i + 2] = 255 - data[i + 2]!
  }
}

/** Changes brightness in place; `amount` is -1 to 1. */
export function brighten(raster: Raster, amount: number): void {
  grade(raster, { exposure: amount * 1.1 }, still)
  const { data } = raster
  const lift = amount * 34
  for (let i = 0; i < data.length; i++) if ((i & 3) !== 3) data[i] = data[i]! + lift
}

/** Changes contrast in place; `amount` is -1 to 1. */
export function changeContrast(raster: Raster, amount: number): void {
  grade(raster, amount > 0 ? { contrast: amount * 1.1, clarity: amount * 0.5 } : { contrast: amount }, still)
}

/** Changes saturation in place; `amount` is -1 (grey) to 1. */
export function changeSaturation(raster: Raster, amount: number): void {
  grade(raster, { saturation: amount > 0 ? amount * 1.2 : amount }, still)
}

/** Changes the colour temperature in place; `amount` is -1 (colder) to 1 (warmer). */
export function changeTemperature(raster: Raster, amount: number): void {
  const tint = amount > 0 ? { r: 255, g: 170, b: 60, strength: amount * 0.3 } : { r: 60, g: 130, b: 255, strength: -amount * 0.3 }
  grade(raster, { temperature: amount * 0.95, highlights: tint }, still)
}

/** Returns the blurred picture; `amount` is 0 to 1, and the radius grows with the picture's
 *  size. */
export function blurWhole(raster: Raster, amount: number): Raster {
  return softBlur(raster, blurRadius(raster, amount))
}

/** Returns the blur radius in pixels for an amount of 0 to 1. */
export function blurRadius(raster: Raster, amount: number): number {
  return Math.max(0.8, shortSide(raster) * (0.004 + amount * 0.03))
}

/** Sharpens in place with an unsharp mask at two radii; `amount` is 0 to 1. */
export function sharpen(raster: Raster, amount: number): void {
  const unit = shortSide(raster)
  for (const [radius, gain] of [
    [Math.max(1, unit / 640), 1.6],
    [Math.max(2, unit / 160), 0.5],
  ] as const) {
    unsharp(raster, radius, gain * amount)
  }
}

function unsharp(raster: Raster, radius: number, gain: number): void {
  const { data, width, height } = raster
  const read = softRows(raster, radius)
  const base = new Uint8Array(width * 4)
  for (let y = 0; y < height; y++) {
    read(y, base)
    for (let i = 0, j = y * width * 4; i < base.length; i += 4, j += 4) {
      data[j] = data[j]! + (data[j]! - base[i]!) * gain
      data[j + 1] = data[j + 1]! + (data[j + 1]! - base[i + 1]!) * gain
      data[j + 2] = data[j + 2]! + (data[j + 2]! - base[i + 2]!) * gain
    }
  }
}

/** Tints the whole picture with one colour, in place. Each pixel keeps its lightness. */
export function tintWhole(raster: Raster, colour: { r: number; g: number; b: number }): void {
  const { data } = raster
  const own = Math.max(24, colour.r * 0.299 + colour.g * 0.587 + colour.b * 0.114)
  for (let i = 0; i < data.length; i += 4) {
    const luma = data[i]! * 0.299 + data[i + 1]! * 0.587 + data[i + 2]! * 0.114
    const t = luma / 255
    const toWhite = t * t * 0.55
    const gain = luma / own
    for (let k = 0; k < 3; k++) {
      const wanted = k === 0 ? colour.r : k === 1 ? colour.g : colour.b
      const tinted = Math.min(255, wanted * gain) * (1 - toWhite) + luma * toWhite + (wanted - own) * t * (1 - t)
      data[i + k] = data[i + k]! * 0.22 + tinted * 0.78
    }
  }
}
