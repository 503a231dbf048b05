/** Changes the time of day, the weather or the season of a picture that the studio did not draw, in
 *  place: the light of the whole picture, the colours of the sky, and rain or snow drawn on top. */
import type { Random } from '../drawing.ts'
import type { Season, TimeOfDay, Weather } from '../scene.ts'
import { type Grade, grade } from '../style/grade.ts'
import { type Plane, type Raster, smoothstep } from '../style/pixels.ts'
import { evenTones } from '../style/tones.ts'
import { fromHsl, toHsl } from './colour.ts'
import { findSky } from './sky.ts'
import { drawAurora, drawClouds, drawFlakes, drawFog, drawLightning, drawRain, drawRainbow, drawStars } from './weather-overlays.ts'

const timeGrades: Readonly<Record<TimeOfDay, Grade>> = {
  dawn: {
    exposure: -0.12,
    temperature: 0.1,
    contrast: -0.12,
    shadows: { r: 90, g: 80, b: 170, strength: 0.35 },
    highlights: { r: 255, g: 170, b: 160, strength: 0.4 },
  },
  morning: { exposure: 0.12, temperature: 0.16, highlights: { r: 255, g: 230, b: 170, strength: 0.25 } },
  day: { exposure: 0.16, saturation: 0.1 },
  afternoon: { exposure: 0.05, temperature: 0.26, highlights: { r: 255, g: 205, b: 110, strength: 0.25 } },
  sunset: {
    exposure: -0.2,
    temperature: 0.42,
    saturation: 0.12,
    contrast: 0.1,
    shadows: { r: 96, g: 40, b: 120, strength: 0.5 },
    highlights: { r: 255, g: 140, b: 50, strength: 0.6 },
  },
  dusk: {
    exposure: -0.62,
    temperature: -0.22,
    saturation: -0.1,
    shadows: { r: 60, g: 40, b: 130, strength: 0.5 },
    highlights: { r: 255, g: 150, b: 150, strength: 0.2 },
    vignette: 0.3,
  },
  night: {
    exposure: -1.25,
    temperature: -0.6,
    saturation: -0.32,
    contrast: -0.08,
    shadows: { r: 16, g: 30, b: 110, strength: 0.5 },
    vignette: 0.5,
  },
}

/** Colours that the sky takes, listed from the top of the picture to the horizon (red, green, blue:
 *  0 to 255). */
const skies: Partial<Record<TimeOfDay, readonly (readonly [number, number, number])[]>> = {
  dawn: [
    [120, 130, 190],
    [240, 180, 180],
    [255, 214, 170],
  ],
  day: [
    [62, 130, 214],
    [130, 186, 238],
    [206, 230, 248],
  ],
  sunset: [
    [86, 58, 128],
    [222, 96, 84],
    [255, 186, 92],
  ],
  dusk: [
    [28, 30, 72],
    [78, 60, 120],
    [178, 110, 130],
  ],
  night: [
    [7, 11, 32],
    [14, 24, 60],
    [34, 48, 92],
  ],
}

export function setTime(raster: Raster, time: TimeOfDay, random: Random): void {
  const sky = findSky(raster)
  if (time === 'day' || time === 'morning' || time === 'afternoon') evenTones(raster, 128, 0.8)
  grade(raster, timeGrades[time], random)
  const colours = skies[time]
  if (sky && colours) tintSky(raster, sky, { colours, strength: time === 'day' ? 0.4 : 0.72 })
  if (time === 'night' && sky) drawStars(raster, sky, random.fork('stars'))
}

export function setWeather(raster: Raster, weather: readonly Weather[], random: Random): void {
  const sky = findSky(raster)
  for (const kind of weather) applyWeather(raster, kind, { sky, random: random.fork(kind) })
}

/** Changes a picture's season: gives leaves and grass the hues of the season, then the whole
 *  picture its light. In winter, snowflakes are added. */
export function setSeason(raster: Raster, season: Season, random: Random): void {
  const { data } = raster
  for (let i = 0; i < data.length; i += 4) {
    const own = toHsl(data[i]!, data[i + 1]!, data[i + 2]!)
    const colourful = own.s * (1 - Math.abs(2 * own.l - 1))
    const green = smoothstep(52, 72, own.h) * (1 - smoothstep(155, 180, own.h)) * smoothstep(0.06, 0.16, colourful)
    if (green <= 0.01) continue
    const wanted = fromHsl(leafColour(own, season))
    data[i] = data[i]! + (wanted.r - data[i]!) * green
    data[i + 1] = data[i + 1]! + (wanted.g - data[i + 1]!) * green
    data[i + 2] = data[i + 2]! + (wanted.b - data[i + 2]!) * green
  }
  grade(raster, seasonGrades[season], random)
  if (season === 'winter') drawFlakes(raster, random.fork('flakes'), 0.5)
}

const seasonGrades: Readonly<Record<Season, Grade>> = {
  spring: { exposure: 0.12, saturation: 0.1, highlights: { r: 255, g: 225, b: 235, strength: 0.2 } },
  summer: { exposure: 0.06, saturation: 0.18, temperature: 0.16, contrast: 0.1 },
  autumn: { temperature: 0.24, exposure: -0.04, saturation: 0.06 },
  winter: { temperature: -0.3, saturation: -0.22, exposure: 0.12 },
}

function leafColour(own: { h: number; s: number; l: number }, season: Season): { h: number; s: number; l: number } {
  switch (season) {
    case 'autumn':
      return { h: 14 + (own.l * 0.8 + ((own.h - 60) / 100) * 0.2) * 42, s: Math.min(1, own.s * 1.15 + 0.12), l: own.l * 1.02 }
    case 'winter':
      return { h: 210, s: own.s * 0.12, l: Math.min(0.97, 0.5 + own.l * 0.62) }
    case 'spring':
      return { h: 84 + (own.h - 90) * 0.4, s: Math.min(1, own.s * 1.1), l: Math.min(1, own.l * 1.12 + 0.02) }
    case 'summer':
      return { h: 104 + (own.h - 100) * 0.5, s: Math.min(1, own.s * 1.12), l: own.l * 0.96 }
  }
}

function applyWeather(raster: Raster, kind: Weather, at: { sky: Plane | undefined; random: Random }): void {
  const { sky, random } = at
  switch (kind) {
    case 'clear':
      grade(raster, { contrast: 0.2, saturation: 0.25, exposure: 0.1, clarity: 0.4 }, random)
      return
    case 'cloudy':
    case 'overcast':
      grade(raster, { saturation: -0.22, contrast: -0.1, exposure: kind === 'overcast' ? -0.16 : -0.04 }, random)
      if (sky) drawClouds(raster, sky, random, kind === 'overcast' ? 0.9 : 0.6)
      return
    case 'rain':
    case 'storm':
    case 'lightning':
      grade(raster, { exposure: kind === 'rain' ? -0.26 : -0.62, saturation: -0.3, temperature: -0.2, contrast: 0.05 }, random)
      if (sky) drawClouds(raster, sky, random, kind === 'rain' ? 0.75 : 0.95, kind === 'rain' ? 128 : 62)
      if (kind !== 'rain') drawLightning(raster, random.fork('bolt'))
      drawRain(raster, random.fork('rain'), kind === 'rain' ? 0.4 : 0.5)
      return
    case 'snow':
      grade(raster, { exposure: 0.1, saturation: -0.28, temperature: -0.24, contrast: -0.08 }, random)
      drawFlakes(raster, random, 1)
      return
    case 'fog':
      drawFog(raster, random)
      return
    case 'rainbow':
      drawRainbow(raster, sky)
      return
    case 'aurora':
      setTime(raster, 'night', random)
      drawAurora(raster, sky, random)
      return
    case 'wind':
      return
  }
}

function tintSky(raster: Raster, sky: Plane, look: { colours: readonly (readonly [number, number, number])[]; strength: number }): void {
  const { data, width, height } = raster
  let lowest = 1
  for (let i = 0; i < sky.data.length; i += 7) if (sky.data[i]! > 0.5) lowest = Math.max(lowest, Math.floor(i / width))
  for (let y = 0; y <= Math.min(height - 1, lowest + 2); y++) {
    const t = Math.min(0.999, y / lowest) * (look.colours.length - 1)
    const from = look.colours[Math.floor(t)]!
    const to = look.colours[Math.floor(t) + 1]!
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const share = sky.data[i]! * look.strength
      if (share <= 0) continue
      // The new colour keeps the brightness of each pixel of the old sky, so that clouds stay
      // visible.
      const luma = data[i * 4]! * 0.299 + data[i * 4 + 1]! * 0.587 + data[i * 4 + 2]! * 0.114
      for (let k = 0; k < 3; k++) {
        const base = from[k]! + (to[k]! - from[k]!) * (t - Math.floor(t))
        data[i * 4 + k] = data[i * 4 + k]! + (base * (0.72 + (luma / 255) * 0.5) - data[i * 4 + k]!) * share
      }
    }
  }
}
