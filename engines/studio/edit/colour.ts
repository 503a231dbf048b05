import type { Rgb } from '../drawing.ts'

interface Hsl {
  /** Hue in degrees, 0 to 360. */
  h: number
  /** Saturation (`s`) and lightness (`l`), 0 to 1 each. */
  s: number
  l: number
}

export function toHsl(r: number, g: number, b: number): Hsl {
  const top = Math.max(r, g, b)
  const low = Math.min(r, g, b)
  const range = top - low
  const l = (top + low) / 510
  if (range === 0) return { h: 0, s: 0, l }
  const s = range / 255 / (1 - Math.abs(2 * l - 1))
  const h = top === r ? ((g - b) / range + 6) % 6 : top === g ? (b - r) / range + 2 : (r - g) / range + 4
  return { h: h * 60, s: Math.min(1, s), l }
}

export function fromHsl({ h, s, l }: Hsl): Rgb {
  const chroma = (1 - Math.abs(2 * l - 1)) * s
  const sector = ((h % 360) + 360) / 60
  const channel = (shift: number) => {
    const k = (sector + shift) % 6
    return (l - chroma / 2 + chroma * Math.max(0, Math.min(1, Math.abs(k - 3) - 1))) * 255
  }
  return { r: channel(0), g: channel(4), b: channel(2) }
}
