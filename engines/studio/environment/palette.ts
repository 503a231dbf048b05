import type { Rgb } from '../drawing.ts'
import type { Scene, TimeOfDay } from '../scene.ts'
import { luma, mix, rgb, saturate, scale } from './colour.ts'

/** The colours for a time of day and weather. Surface colours are multiplied by `shade` in shadow
 *  and by `key` in full light; 255 means a factor of 1, and larger values are allowed. */
export interface Palette {
  /** Sky colours, from the zenith to the horizon. */
  sky: readonly [Rgb, Rgb, Rgb, Rgb]
  sun: Rgb
  /** Colour of the glow around the sun. */
  glow: Rgb
  glowStrength: number
  cloudLit: Rgb
  cloudShade: Rgb
  shade: Rgb
  key: Rgb
  haze: Rgb
  /** How much things at a great distance fade into the haze, 0 to 1. */
  hazeStrength: number
  /** Height of sun or moon, 0 at the horizon to 1 overhead. */
  lightHeight: number
  /** Hardness of the light: 0 (overcast, without shadows) to 1 (hard shadows). */
  sharpness: number
  /** Share of the sky under clouds, 0 to 1. */
  cover: number
  isNight: boolean
  isDim: boolean
}

type Row = readonly [string, string, string, string, string, string, string, string, string, string, string]
// Columns: zenith, upper sky, lower sky, horizon, sun, glow, lit cloud, shaded cloud, shade, key,
// haze.
const rows: Record<TimeOfDay, Row> = {
  dawn: ['#46599a', '#8f88bf', '#efb3a6', '#fddcae', '#ffe3b0', '#ffc48a', '#ffdccb', '#8d83b3', '#6f6d93', '#ffd9b8', '#e3bdb9'],
  morning: ['#4486c9', '#7db2e0', '#bcdcee', '#fdf0d6', '#fff3cc', '#ffe9b8', '#fffaf0', '#9fb2d2', '#7f92ad', '#fff3d8', '#d5e3e8'],
  day: ['#2a6dbb', '#5499d8', '#96c6ec', '#dceff6', '#fff8e0', '#fff4d0', '#ffffff', '#9db5d3', '#7c92b0', '#fffaea', '#bfd9ea'],
  afternoon: ['#3878ba', '#6da6d6', '#b4d3e2', '#f8e8c6', '#ffedb8', '#ffdf9a', '#fff6e4', '#a3b1c9', '#7f8aa3', '#fff0cc', '#d9dfd6'],
  sunset: ['#2d3b78', '#7f5796', '#ec8364', '#ffc66c', '#ffe6ae', '#ff9a50', '#ffb37c', '#7d5688', '#5f5078', '#ffc596', '#e6a288'],
  dusk: ['#1c2553', '#41468a', '#9570a3', '#eaa792', '#ffcfa8', '#f09a86', '#cf90a2', '#413f72', '#3d426f', '#a890b4', '#8478a6'],
  night: ['#070d26', '#0f1c44', '#1d3163', '#3a5788', '#eef3ff', '#a9c3f2', '#5d7099', '#141e3e', '#161f42', '#667cb0', '#2b3f6e'],
}
const heights: Record<TimeOfDay, number> = { dawn: 0.12, morning: 0.42, day: 0.75, afternoon: 0.5, sunset: 0.1, dusk: 0.06, night: 0.6 }

/** Returns the colours for the scene's time of day and weather. */
export function paletteOf(scene: Scene): Palette {
  const [zenith, upper, lower, horizon, sun, glow, cloudLit, cloudShade, shade, key, haze] = rows[scene.time].map(rgb) as Twelve
  const isLow = scene.time === 'dawn' || scene.time === 'sunset'
  const clear: Palette = {
    sky: [zenith, upper, lower, horizon],
    sun,
    glow,
    glowStrength: isLow ? 1 : scene.time === 'night' ? 0.35 : scene.time === 'dusk' ? 0.6 : 0.55,
    cloudLit,
    cloudShade,
    shade,
    key,
    haze,
    hazeStrength: 0.8,
    lightHeight: heights[scene.time],
    sharpness: scene.time === 'dusk' ? 0.35 : scene.time === 'night' ? 0.5 : 1,
    cover: scene.time === 'night' ? 0.2 : 0.42,
    isNight: scene.time === 'night',
    isDim: scene.time === 'night' || scene.time === 'dusk',
  }
  return scene.weather.reduce(withWeather, clear)
}
// Each row above has eleven colours. The type of `map()` does not keep this number, so it is stated
// here.
type Twelve = [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb, Rgb, Rgb, Rgb, Rgb, Rgb]

interface Veil {
  /** The grey that this weather mixes into the colours of sky and light. */
  grey: string
  /** Part of the grey in the mixture, 0 to 1. The mixture is then multiplied by `dim`, which
   *  darkens it. */
  share: number
  dim: number
  cover: number
  sharpness: number
  haze: number
}
const veils: Partial<Record<Scene['weather'][number], Veil>> = {
  cloudy: { grey: '#b9c6d2', share: 0.12, dim: 0.98, cover: 0.72, sharpness: 0.75, haze: 0.8 },
  overcast: { grey: '#aab4be', share: 0.72, dim: 0.93, cover: 1, sharpness: 0.15, haze: 0.85 },
  rain: { grey: '#7f8e9c', share: 0.72, dim: 0.82, cover: 1, sharpness: 0.1, haze: 0.92 },
  storm: { grey: '#566273', share: 0.8, dim: 0.62, cover: 1, sharpness: 0.15, haze: 0.85 },
  lightning: { grey: '#4c5675', share: 0.6, dim: 0.66, cover: 1, sharpness: 0.2, haze: 0.8 },
  snow: { grey: '#c3ccd6', share: 0.6, dim: 0.97, cover: 1, sharpness: 0.25, haze: 0.95 },
  fog: { grey: '#c9ced2', share: 0.8, dim: 0.98, cover: 1, sharpness: 0.08, haze: 1 },
  rainbow: { grey: '#a7b9c9', share: 0.18, dim: 0.97, cover: 0.6, sharpness: 0.85, haze: 0.8 },
}

function withWeather(p: Palette, weather: Scene['weather'][number]): Palette {
  const veil = veils[weather]
  if (veil === undefined) return p
  const tint = (c: Rgb, share = veil.share) => {
    const grey = rgb(veil.grey)
    const target = scale(grey, Math.max(0.22, (0.45 * luma(c) + 0.55 * luma(p.sky[2])) / luma(grey)))
    return scale(mix(c, p.isNight ? mix(target, c, 0.35) : target, share), veil.dim)
  }
  const soften = (1 - veil.sharpness) * 0.55
  return {
    ...p,
    sky: [tint(p.sky[0]), tint(p.sky[1]), tint(p.sky[2]), tint(p.sky[3])],
    glowStrength: p.glowStrength * veil.sharpness,
    cloudLit: tint(p.cloudLit, veil.share * 0.8),
    cloudShade: tint(p.cloudShade, veil.share * 0.8),
    shade: scale(saturate(mix(p.shade, p.key, soften * 0.7), 1 - veil.share * 0.5), veil.dim),
    key: scale(saturate(mix(p.key, p.shade, soften), 1 - veil.share * 0.5), veil.dim),
    haze: tint(p.haze),
    hazeStrength: Math.max(p.hazeStrength, veil.haze),
    sharpness: Math.min(p.sharpness, veil.sharpness),
    cover: Math.max(p.cover, veil.cover),
    isDim: p.isDim || weather === 'storm' || weather === 'lightning',
  }
}

/** Returns a surface colour as it looks in the palette's light: `amount` is 0 (full shadow) to 1
 *  (full light). */
export function lit(p: Palette, base: Rgb, amount: number): Rgb {
  return {
    r: (base.r * (p.shade.r + (p.key.r - p.shade.r) * amount)) / 255,
    g: (base.g * (p.shade.g + (p.key.g - p.shade.g) * amount)) / 255,
    b: (base.b * (p.shade.b + (p.key.b - p.shade.b) * amount)) / 255,
  }
}
