/** Colours as all parts of the studio read and mix them; channels are 0 to 255, sRGB. */
import type { Rgb } from './drawing.ts'

/** Parses `#rgb` or `#rrggbb`. Throws `RangeError` for anything else. */
export function parseHex(hex: string): Rgb {
  const match = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(hex)
  const digits = match?.[1]
  if (digits === undefined) throw new RangeError(`not a colour: ${hex}`)
  const full = digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits
  const value = Number.parseInt(full, 16)
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 }
}

/** `amount` 0 gives `a`, 1 gives `b`, linear in sRGB. */
export function mix(a: Rgb, b: Rgb, amount: number): Rgb {
  return { r: a.r + (b.r - a.r) * amount, g: a.g + (b.g - a.g) * amount, b: a.b + (b.b - a.b) * amount }
}

/** A channel as a whole number of 0 to 255. */
export function byte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}

/** The short way round between two hues, 0 to 180 degrees. */
export function hueDistance(a: number, b: number): number {
  const away = Math.abs(a - b) % 360
  return away > 180 ? 360 - away : away
}
