/** Colour functions for all parts of the studio; channels are sRGB, 0 to 255. */
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

/** Returns the colour between two, linear in sRGB: `amount` 0 gives `a`, 1 gives `b`. */
export function mix(a: Rgb, b: Rgb, amount: number): Rgb {
  return { r: a.r + (b.r - a.r) * amount, g: a.g + (b.g - a.g) * amount, b: a.b + (b.b - a.b) * amount }
}

/** Returns a channel rounded and limited to an integer of 0 to 255. */
export function byte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}

/** Returns the smaller angle between two hues, 0 to 180 degrees. */
export function hueDistance(a: number, b: number): number {
  const away = Math.abs(a - b) % 360
  return away > 180 ? 360 - away : away
}
