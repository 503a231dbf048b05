import type { SKRSContext2D } from '@napi-rs/canvas'
import { paintAurora, paintLightning, paintMoon, paintRainbow, paintStars, paintSun } from './celestial.ts'
import { cloudShader } from './clouds.ts'
import { clamp, smooth } from './colour.ts'
import { fieldScale, type Pixel, paintField, type Shader } from './field.ts'
import type { Palette } from './palette.ts'
import type { Stage } from './stage.ts'

interface SkyOptions {
  /** Pixel row down to which the sky is painted. */
  bottom: number
  /** Pixel row of the horizon. The colours of the sky change from there upwards. */
  horizon: number
  clouds: boolean
  /** When false, sun, moon, stars, aurora, rainbow and lightning are not drawn. */
  bodies: boolean
  /** Factor for the resolution of the sky. It is below 1 where little of the sky is visible. */
  detail: number
}

/** Paints the sky from the top of the picture to `bottom`. */
export function paintSky(context: SKRSContext2D, stage: Stage, options: Partial<SkyOptions> = {}): void {
  const horizon = options.horizon ?? stage.view.horizonY
  const bottom = Math.min(stage.height, options.bottom ?? horizon + 0.02 * stage.unit)
  if (bottom <= 0) return
  const rect = { x: 0, y: 0, width: stage.width, height: Math.ceil(bottom) }
  const scale = fieldScale(stage.width, stage.height, 0.8 * (options.detail ?? 1))
  const bodies = options.bodies ?? true
  paintField(context, rect, scale, airShader(stage, horizon))
  if (bodies) paintBehindClouds(context, stage, horizon)
  stage.part(context, 'air')
  const isCloudless = stage.scene.setting.details.includes('cloudless')
  if ((options.clouds ?? true) && !isCloudless) paintField(context, rect, scale, cloudShader(stage, horizon))
  stage.part(context, 'clouds')
  if (bodies) paintBeforeClouds(context, stage, horizon)
}

function paintBehindClouds(context: SKRSContext2D, stage: Stage, horizon: number): void {
  const { palette } = stage
  if (palette.isNight && palette.cover < 0.95) paintStars(context, stage, horizon)
  if (stage.weather('aurora')) paintAurora(context, stage, horizon)
  if (palette.sharpness < 0.2) return
  if (palette.isNight) paintMoon(context, stage)
  else if (stage.scene.time !== 'dusk') paintSun(context, stage)
  if (!palette.isNight && stage.has('moon')) paintMoon(context, stage)
}

function paintBeforeClouds(context: SKRSContext2D, stage: Stage, horizon: number): void {
  if (stage.weather('rainbow')) paintRainbow(context, stage, horizon)
  if (!stage.isFilm && stage.weather('lightning', 'storm')) paintLightning(context, stage, horizon)
}

/** Returns 257 sky colours from the horizon to the zenith, as a flat list of red, green and
 *  blue. */
export function skyTable(palette: Palette): Float64Array {
  const table = new Float64Array(257 * 3)
  const [zenith, upper, lower, horizon] = palette.sky
  const stops = [horizon, lower, upper, zenith]
  const places = [0, 0.3, 0.66, 1]
  for (let i = 0; i <= 256; i++) {
    const t = i / 256
    const k = t < places[1]! ? 0 : t < places[2]! ? 1 : 2
    const f = smooth(places[k]! - 0.04, places[k + 1]! + 0.04, t)
    const a = stops[k]!
    const b = stops[k + 1]!
    table[i * 3] = a.r + (b.r - a.r) * f
    table[i * 3 + 1] = a.g + (b.g - a.g) * f
    table[i * 3 + 2] = a.b + (b.b - a.b) * f
  }
  return table
}

/** Returns the height above the horizon, in pixels, at which the sky reaches the colour of the
 *  zenith. */
export function skySpan(stage: Stage, horizon: number): number {
  return stage.unit * clamp(horizon / stage.unit, 0.55, 1.6)
}

function airShader(stage: Stage, horizon: number): Shader {
  const { palette, sun, unit } = stage
  const table = skyTable(palette)
  const span = skySpan(stage, horizon)
  const noise = stage.noise('air')
  const milky = palette.isNight && palette.cover < 0.6
  const isLow = palette.lightHeight < 0.2
  const { glow } = palette
  return (x, y, out) => {
    const t = clamp((horizon - y) / span, 0, 1)
    const soft = noise.at((x / unit) * 1.6, (y / unit) * 2.4) * 0.035
    const place = Math.round(clamp(t + soft, 0, 1) * 256) * 3
    const dx = (x - sun.x) / unit
    const dy = (y - sun.y) / unit
    const distance = Math.sqrt(dx * dx + dy * dy * (isLow ? 2.4 : 1))
    const halo = palette.glowStrength * (0.62 * Math.exp(-distance * 4.6) + 0.3 * Math.exp(-distance * 1.7))
    out[0] = table[place]! + (glow.r - table[place]!) * halo
    out[1] = table[place + 1]! + (glow.g - table[place + 1]!) * halo
    out[2] = table[place + 2]! + (glow.b - table[place + 2]!) * halo
    if (milky) addMilkyWay(noise, x / unit, y / unit, t, out)
  }
}

function addMilkyWay(noise: ReturnType<Stage['noise']>, x: number, y: number, t: number, out: Pixel): void {
  const across = (x - 0.3) * 0.62 + (y - 0.28) * 0.9 + noise.at(x * 1.3 + 9, y * 1.3) * 0.09
  const band = Math.exp(-across * across * 26)
  if (band < 0.02) return
  const dust = smooth(-0.15, 0.55, noise.fbm(x * 4.2, y * 4.2, 4))
  const core = band * (0.3 + 0.7 * dust) * smooth(0.08, 0.5, t)
  out[0] = out[0]! + core * 96
  out[1] = out[1]! + core * 92
  out[2] = out[2]! + core * 118
}
