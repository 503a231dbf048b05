import type { Random } from '../drawing.ts'
import { softRows } from './blur.ts'
import { type Grade, grade } from './grade.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { clamp, type Raster, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'

/** Grades the colours of a picture in place, without any other change to the drawing, and
 *  returns it. */
export function graded(raster: Raster, wanted: Grade, random: Random): Raster {
  grade(raster, wanted, random)
  return raster
}

export const illustrationGrade: Grade = { contrast: 0.08, saturation: 0.06, bloom: 0.12, vignette: 0.1 }

export const cinematicGrade: Grade = {
  exposure: -0.14,
  contrast: 0.42,
  saturation: -0.06,
  shadows: { r: 0, g: 92, b: 128, strength: 0.5 },
  highlights: { r: 255, g: 150, b: 60, strength: 0.5 },
  bloom: 0.35,
  clarity: 0.3,
  vignette: 0.6,
  grain: 0.22,
}

/** Imitates a photograph: the tones of film, more local contrast, slight blur at the top and at
 *  the edges, a fine texture on all surfaces, darker corners, and grain. */
export function photo(raster: Raster, random: Random): Raster {
  shallowFocus(raster)
  addMicroTexture(raster, random.fork('texture'))
  grade(
    raster,
    {
      exposure: -0.05,
      contrast: 0.28,
      saturation: -0.03,
      temperature: 0.04,
      clarity: 0.45,
      bloom: 0.22,
      highlights: { r: 255, g: 214, b: 160, strength: 0.25 },
      shadows: { r: 40, g: 60, b: 110, strength: 0.25 },
      vignette: 0.34,
      grain: 0.12,
    },
    random,
  )
  return raster
}

/** Imitates old colour film: greyish blacks, yellow highlights, cyan shadows, a spot of stray
 *  light, dust and scratches. */
export function vintage(raster: Raster, random: Random): Raster {
  grade(
    raster,
    {
      exposure: 0.06,
      contrast: 0.06,
      saturation: -0.28,
      temperature: 0.26,
      fade: 0.7,
      shadows: { r: 20, g: 70, b: 90, strength: 0.45 },
      highlights: { r: 255, g: 190, b: 90, strength: 0.5 },
      bloom: 0.2,
      vignette: 0.75,
      grain: 0.34,
    },
    random,
  )
  addLightLeak(raster, random.fork('leak'))
  addDust(raster, random.fork('dust'))
  return raster
}

/** Returns the picture in black and white with deep shadows, grain, and a glow around lamps. */
export function noir(raster: Raster, random: Random): Raster {
  const { data } = raster
  for (let i = 0; i < data.length; i += 4) {
    const luma = data[i]! * 0.42 + data[i + 1]! * 0.44 + data[i + 2]! * 0.14
    data[i] = data[i + 1] = data[i + 2] = luma
  }
  grade(raster, { exposure: -0.3, contrast: 0.85, clarity: 0.7, bloom: 0.4, vignette: 0.95, grain: 0.4 }, random)
  return raster
}

/** Blurs the upper third, the sides and the lower edge of the picture, in place, as a lens
 *  focused on the subject does. The blur fades towards the middle, which stays sharp. */
function shallowFocus(raster: Raster): Raster {
  const { data, width, height } = raster
  const read = softRows(raster, Math.max(1, shortSide(raster) / 240))
  const soft = new Uint8Array(width * 4)
  const across = new Float32Array(width)
  for (let x = 0; x < width; x++) across[x] = smoothstep(0.62, 1.05, Math.abs(((x + 0.5) / width) * 2 - 1))
  for (let y = 0; y < height; y++) {
    const v = (y + 0.5) / height
    read(y, soft)
    const down = Math.max(1 - smoothstep(0, 0.36, v), smoothstep(0.88, 1.02, v))
    for (let x = 0; x < width; x++) {
      const share = clamp(down + across[x]! * 0.7, 0, 1)
      const i = (y * width + x) * 4
      const k = x * 4
      data[i] = data[i]! + (soft[k]! - data[i]!) * share
      data[i + 1] = data[i + 1]! + (soft[k + 1]! - data[i + 1]!) * share
      data[i + 2] = data[i + 2]! + (soft[k + 2]! - data[i + 2]!) * share
    }
  }
  return raster
}

/** Adds fine irregularities to all surfaces, in place, because drawn areas are perfectly uniform
 *  and photographed ones never are. */
function addMicroTexture(raster: Raster, random: Random): void {
  const { data, width, height } = raster
  const unit = shortSide(raster)
  const fine = repeat(grainTile(random.fork('fine'), 256, 2), width, Math.max(0.5, unit / 900))
  const broad = stretch(fractalNoise(random.fork('broad'), { width: 192, height: 192 }, 24, 4), width, height)
  const a = new Float32Array(width)
  const b = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    fine(y, a)
    broad(y, b)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4
      const gain = 1 + a[x]! * 0.03 + (b[x]! - 0.5) * 0.14
      data[i] = data[i]! * gain
      data[i + 1] = data[i + 1]! * gain
      data[i + 2] = data[i + 2]! * gain
    }
  }
}

function addLightLeak(raster: Raster, random: Random): void {
  const { data, width, height } = raster
  const fromLeft = random.next() < 0.5
  const reach = random.between(0.22, 0.34)
  const centre = random.between(0.15, 0.7)
  const noise = stretch(fractalNoise(random, { width: 48, height: 48 }, 16, 2), width, height)
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    noise(y, row)
    const band = Math.exp(-(((y / height - centre) / 0.42) ** 2))
    for (let x = 0; x < width; x++) {
      const u = fromLeft ? x / width : 1 - x / width
      const light = Math.max(0, 1 - u / (reach * (0.5 + row[x]!))) ** 2 * band * 0.62
      if (light <= 0) continue
      const i = (y * width + x) * 4
      data[i] = data[i]! + (255 - data[i]!) * light
      data[i + 1] = data[i + 1]! + (150 - data[i + 1]! * 0.6) * light * 0.6
      data[i + 2] = data[i + 2]! + (70 - data[i + 2]! * 0.5) * light * 0.5
    }
  }
}

function addDust(raster: Raster, random: Random): void {
  const { data, width, height } = raster
  const unit = shortSide(raster)
  for (let k = 0; k < 30; k++) {
    const size = Math.max(0.6, unit * random.between(0.0006, 0.0018))
    const length = random.next() < 0.25 ? unit * random.between(0.008, 0.03) : size
    const angle = random.between(0, 6.28)
    let x = random.next() * width
    let y = random.next() * height
    const bend = random.between(-0.08, 0.08)
    const light = random.next() < 0.75
    for (let step = 0, heading = angle; step < length; step += 0.7, heading += bend / Math.max(1, size)) {
      x += Math.cos(heading) * 0.7
      y += Math.sin(heading) * 0.7
      spot(data, { width, height, x, y, size, light })
    }
  }
}

function spot(data: Uint8ClampedArray, at: { width: number; height: number; x: number; y: number; size: number; light: boolean }): void {
  const reach = Math.ceil(at.size)
  for (let y = Math.floor(at.y) - reach; y <= at.y + reach; y++) {
    for (let x = Math.floor(at.x) - reach; x <= at.x + reach; x++) {
      if (x < 0 || y < 0 || x >= at.width || y >= at.height) continue
      const share = clamp(at.size - Math.hypot(x - at.x, y - at.y) + 0.5, 0, 1) * 0.3
      const i = (y * at.width + x) * 4
      for (let k = i; k < i + 3; k++) data[k] = data[k]! + ((at.light ? 240 : 30) - data[k]!) * share
    }
  }
}
