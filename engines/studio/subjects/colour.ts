import { byte, mix, parseHex } from '../colour.ts'
import type { Rgb } from '../drawing.ts'

/** Hue in degrees (0 to 360), saturation and lightness 0 to 1. */
export interface Hsl {
  h: number
  s: number
  l: number
}

export function toHex(colour: Rgb): string {
  const value = (byte(colour.r) << 16) | (byte(colour.g) << 8) | byte(colour.b)
  return `#${value.toString(16).padStart(6, '0')}`
}

export function css(colour: Rgb, alpha = 1): string {
  return `rgba(${byte(colour.r)},${byte(colour.g)},${byte(colour.b)},${alpha.toFixed(4)})`
}

export function rgbToHsl({ r, g, b }: Rgb): Hsl {
  const max = Math.max(r, g, b) / 255
  const min = Math.min(r, g, b) / 255
  const l = (max + min) / 2
  const d = max - min
  if (d === 0) return { h: 0, s: 0, l }
  const s = d / (1 - Math.abs(2 * l - 1))
  const [red, green, blue] = [r / 255, g / 255, b / 255]
  const sector = max === red ? (green - blue) / d + (green < blue ? 6 : 0) : max === green ? (blue - red) / d + 2 : (red - green) / d + 4
  return { h: sector * 60, s: Math.min(1, s), l }
}

export function hslToRgb({ h, s, l }: Hsl): Rgb {
  const a = s * Math.min(l, 1 - l)
  const channel = (n: number) => {
    const k = (n + h / 30) % 12
    return (l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}

/** Lightens (positive `amount`) or darkens (negative `amount`) a hex colour. As in paintings,
 *  darker tones become bluer and lighter ones more yellow. */
export function shade(hex: string, amount: number): string {
  const target = amount < 0 ? { r: 28, g: 18, b: 58 } : { r: 255, g: 246, b: 226 }
  return toHex(mix(parseHex(hex), target, Math.min(1, Math.abs(amount))))
}

/** Returns the perceived brightness, 0 to 1. */
export function luma({ r, g, b }: Rgb): number {
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255
}
