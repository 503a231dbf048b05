import { byte, mix } from '../colour.ts'
import type { Rgb } from '../drawing.ts'

export { mix, parseHex as rgb } from '../colour.ts'

/** Returns a colour as CSS text; channels are limited to 0 to 255. */
export function css(c: Rgb, alpha = 1): string {
  return `rgba(${byte(c.r)},${byte(c.g)},${byte(c.b)},${Math.round(alpha * 1000) / 1000})`
}

/** Returns the colour made lighter (towards white) by a positive amount, darker (towards black) by
 *  a negative one; the amount is -1 to 1. */
export function shift(c: Rgb, amount: number): Rgb {
  return amount >= 0 ? mix(c, { r: 255, g: 255, b: 255 }, amount) : mix(c, { r: 0, g: 0, b: 0 }, -amount)
}

export function scale(c: Rgb, factor: number): Rgb {
  return { r: c.r * factor, g: c.g * factor, b: c.b * factor }
}

/** Returns the perceived lightness, 0 to 255. */
export function luma(c: Rgb): number {
  return 0.299 * c.r + 0.587 * c.g + 0.114 * c.b
}

/** Returns the colour with another saturation: with a factor of 0, grey of the same lightness; with
 *  1, the colour itself; above 1, a more saturated colour. */
export function saturate(c: Rgb, factor: number): Rgb {
  const grey = luma(c)
  return { r: grey + (c.r - grey) * factor, g: grey + (c.g - grey) * factor, b: grey + (c.b - grey) * factor }
}

/** Returns the colour of a hue in degrees, with saturation and lightness of 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const channel = (n: number) => {
    const k = (n + hue / 30 + 120) % 12
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}

/** Returns the hue in degrees (0 to 360), and saturation and lightness of 0 to 1. */
export function toHsl(c: Rgb): { hue: number; saturation: number; lightness: number } {
  const [r, g, b] = [c.r / 255, c.g / 255, c.b / 255]
  const high = Math.max(r, g, b)
  const low = Math.min(r, g, b)
  const lightness = (high + low) / 2
  const spread = high - low
  if (spread < 1e-6) return { hue: 0, saturation: 0, lightness }
  const saturation = spread / (1 - Math.abs(2 * lightness - 1) + 1e-9)
  const raw = high === r ? (g - b) / spread : high === g ? (b - r) / spread + 2 : (r - g) / spread + 4
  return { hue: (raw * 60 + 360) % 360, saturation: Math.min(1, saturation), lightness }
}

/** Returns the colour at position `t` (0 to 1) of a gradient through evenly spaced colours. */
export function ramp(stops: readonly Rgb[], t: number): Rgb {
  const last = stops.length - 1
  const place = Math.max(0, Math.min(1, t)) * last
  const index = Math.min(last - 1, Math.floor(place))
  return mix(stops[index]!, stops[index + 1]!, place - index)
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** Returns 0 up to `low` and 1 from `high` on, with a smooth transition between them. */
export function smooth(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1)
  return t * t * (3 - 2 * t)
}
