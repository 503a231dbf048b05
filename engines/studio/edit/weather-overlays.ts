/** Draws weather over a picture, in place. The sizes of drops, flakes, stars and clouds follow
 *  the picture's short side; fog, the rainbow and the aurora follow the whole picture. */
import type { Random } from '../drawing.ts'
import { boxPlane } from '../style/box-plane.ts'
import { hatchTile } from '../style/hatch.ts'
import { fractalNoise, repeat } from '../style/noise.ts'
import { clamp, createPlane, type Plane, type Raster, shortSide, smoothstep } from '../style/pixels.ts'
import { resizePlane, stretch } from '../style/stretch.ts'

/** Mixes a colour into the pixel at index `j`, in place; `share` is 0 (unchanged) to 1. */
function mix(data: Uint8ClampedArray, j: number, colour: readonly [number, number, number], share: number): void {
  data[j] = data[j]! + (colour[0] - data[j]!) * share
  data[j + 1] = data[j + 1]! + (colour[1] - data[j + 1]!) * share
  data[j + 2] = data[j + 2]! + (colour[2] - data[j + 2]!) * share
}

export function drawRain(raster: Raster, random: Random, strength: number): void {
  const { width, height, data } = raster
  const scale = Math.max(0.4, shortSide(raster) / 900)
  const make = (name: string, strokes: number, length: number, thick: number) =>
    repeat(hatchTile(random.fork(name), { size: 512, angle: 1.72, strokes, length, width: thick, sway: 0.04 }), width, scale)
  const near = make('near', 150, 74, 1.7)
  const far = make('far', 420, 34, 1)
  const a = new Float32Array(width)
  const b = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    near(y, a)
    far(y, b)
    for (let x = 0; x < width; x++) {
      const share = Math.min(0.7, (a[x]! * 0.8 + b[x]! * 0.45) * strength)
      if (share > 0.01) mix(data, (y * width + x) * 4, [214, 224, 236], share)
    }
  }
}

/** Draws snowflakes of many sizes; `density` is 0 to 1. */
export function drawFlakes(raster: Raster, random: Random, density: number): void {
  const { width, height } = raster
  const unit = shortSide(raster)
  const count = Math.round(520 * density * Math.min(12, (width * height) / (unit * unit)))
  for (let k = 0; k < count; k++) {
    const depth = random.next()
    const size = unit * (0.0016 + 0.0062 * depth ** 3)
    dot(raster, { x: random.next() * width, y: random.next() * height, size, light: 0.5 + depth * 0.45, soft: depth > 0.8 ? 0.9 : 0.5 })
  }
}

function dot(raster: Raster, at: { x: number; y: number; size: number; light: number; soft: number }): void {
  const reach = Math.ceil(at.size * 1.6 + 1)
  for (let y = Math.max(0, Math.floor(at.y) - reach); y <= Math.min(raster.height - 1, at.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(at.x) - reach); x <= Math.min(raster.width - 1, at.x + reach); x++) {
      const away = Math.hypot(x + 0.5 - at.x, y + 0.5 - at.y)
      const share = (1 - smoothstep(at.size * (1 - at.soft), at.size * (1 + at.soft) + 0.7, away)) * at.light
      if (share > 0) mix(raster.data, (y * raster.width + x) * 4, [255, 255, 255], share)
    }
  }
}

export function drawStars(raster: Raster, sky: Plane, random: Random): void {
  const unit = shortSide(raster)
  const count = Math.round(260 * Math.min(12, (raster.width * raster.height) / (unit * unit)))
  for (let k = 0; k < count; k++) {
    const x = random.next() * raster.width
    const y = random.next() * raster.height * 0.8
    const bright = random.next() ** 4
    const size = unit * (0.0007 + 0.0016 * bright)
    if (sky.data[Math.floor(y) * raster.width + Math.floor(x)]! > 0.9) dot(raster, { x, y, size, light: 0.35 + 0.65 * bright, soft: 0.9 })
  }
}

/** Draws patches of mist, densest in the distance (at the top of the picture) and thinnest at the
 *  lower border. */
export function drawFog(raster: Raster, random: Random): void {
  const { width, height, data } = raster
  const read = stretch(fractalNoise(random, { width: 96, height: 64 }, 26, 4), width, height)
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    read(y, row)
    const depth = 0.28 + 0.5 * (1 - smoothstep(0.35, 1, y / height))
    for (let x = 0; x < width; x++) mix(data, (y * width + x) * 4, [222, 226, 230], clamp(depth + (row[x]! - 0.5) * 0.5, 0.12, 0.88))
  }
}

/** Draws clouds where the mask of the sky is set; `tone` is their lightness, 0 to 255. */
export function drawClouds(raster: Raster, sky: Plane, random: Random, cover: number, tone = 205): void {
  const { width, height, data } = raster
  const unit = shortSide(raster)
  const noise = fractalNoise(
    random.fork('clouds'),
    { width: Math.ceil((width / unit) * 120), height: Math.ceil((height / unit) * 260) },
    44,
    5,
  )
  const read = stretch(noise, width, height)
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    read(y, row)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const share = sky.data[i]! * smoothstep(0.72 - cover * 0.5, 0.86 - cover * 0.42, row[x]!) * (0.55 + cover * 0.4)
      if (share <= 0) continue
      const light = tone + (row[x]! - 0.5) * 110
      mix(data, i * 4, [light, light + 2, light + 7], share)
    }
  }
}

export function drawRainbow(raster: Raster, sky: Plane | undefined): void {
  const { width, height, data } = raster
  const unit = shortSide(raster)
  const radius = Math.max(width * 0.52, unit * 0.6)
  const band = unit * 0.075
  const cx = width * 0.54
  const cy = height * 0.3 + radius * 0.82
  for (let y = 0; y < Math.min(height, cy); y++) {
    for (let x = 0; x < width; x++) {
      const t = (Math.hypot(x - cx, y - cy) - radius) / band
      if (t < 0 || t > 1) continue
      const over = sky ? 0.25 + 0.75 * sky.data[y * width + x]! : 0.8
      const share = 0.42 * Math.sin(t * Math.PI) ** 0.7 * over * (1 - smoothstep(0.45, 0.75, y / height))
      const hue = (1 - t) * 4.6
      mix(data, (y * width + x) * 4, [wave(hue), wave(hue - 2), wave(hue - 4)], share)
    }
  }
}

/** Returns the red channel (0 to 255) of the fully saturated hue at `position`, where 6 is a
 *  full turn of the hue circle. The same function gives green for `position` - 2 and blue for
 *  `position` - 4. */
function wave(position: number): number {
  const k = ((position % 6) + 6) % 6
  return clamp(2 - Math.min(k, 6 - k), 0, 1) * 255
}

export function drawAurora(raster: Raster, sky: Plane | undefined, random: Random): void {
  const { width, height, data } = raster
  const fold = stretch(fractalNoise(random.fork('fold'), { width: 120, height: 3 }, 26, 4), width, 3)
  const rays = stretch(fractalNoise(random.fork('rays'), { width: 420, height: 2 }, 9, 3), width, 2)
  const base = new Float32Array(width)
  const ray = new Float32Array(width)
  fold(1, base)
  rays(0, ray)
  for (let y = 0; y < height * 0.62; y++) {
    for (let x = 0; x < width; x++) {
      const bottom = height * (0.26 + base[x]! * 0.28)
      const above = (bottom - y) / (height * 0.3)
      if (above < -0.06) continue
      const share =
        Math.min(1, Math.exp(-Math.max(0, above) * 2.2) * smoothstep(-0.06, 0.05, above) * (0.3 + ray[x]! * 1)) *
        (sky ? sky.data[y * width + x]! : 0.7)
      const j = (y * width + x) * 4
      data[j] = data[j]! + 90 * share * Math.min(1, Math.max(0, above))
      data[j + 1] = data[j + 1]! + 190 * share * (1 - Math.min(0.6, Math.max(0, above) * 0.5))
      data[j + 2] = data[j + 2]! + 130 * share
    }
  }
}

/** Draws a forked flash of lightning that glows. */
export function drawLightning(raster: Raster, random: Random): void {
  const scale = Math.min(1, 420 / shortSide(raster))
  const plane = createPlane(Math.ceil(raster.width * scale), Math.ceil(raster.height * scale))
  const start = { x: plane.width * random.between(0.3, 0.7), y: 0 }
  bolt(plane, random, {
    ...start,
    heading: random.between(-0.25, 0.25),
    length: plane.height * random.between(0.5, 0.68),
    thick: Math.max(1, shortSide(plane) / 190),
  })
  const core = resizePlane(plane, raster.width, raster.height)
  const glow = resizePlane(
    boxPlane(boxPlane(plane, Math.ceil(shortSide(plane) / 28)), Math.ceil(shortSide(plane) / 28)),
    raster.width,
    raster.height,
  )
  for (let i = 0; i < core.data.length; i++) {
    mix(raster.data, i * 4, [206, 214, 255], Math.min(0.75, glow.data[i]! * 3.4))
    mix(raster.data, i * 4, [255, 255, 255], Math.min(1, core.data[i]! * 1.5))
  }
}

function bolt(plane: Plane, random: Random, from: { x: number; y: number; heading: number; length: number; thick: number }): void {
  let { x, y } = from
  let turn = from.heading
  for (let step = 0; step < from.length; step++) {
    if (random.next() < 0.12) turn = from.heading + random.between(-0.9, 0.9)
    x += Math.sin(turn)
    y += Math.cos(turn)
    if (x < 0 || y < 0 || x >= plane.width || y >= plane.height) return
    const reach = Math.ceil(from.thick)
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const px = Math.floor(x) + dx
        const py = Math.floor(y) + dy
        if (px < 0 || py < 0 || px >= plane.width || py >= plane.height) continue
        const i = py * plane.width + px
        plane.data[i] = Math.max(plane.data[i]!, clamp(from.thick + 0.4 - Math.hypot(dx, dy), 0, 1))
      }
    }
    if (from.thick > 0.7 && random.next() < 0.014) {
      bolt(plane, random, {
        x,
        y,
        heading: from.heading + random.between(-0.9, 0.9),
        length: from.length * random.between(0.2, 0.4),
        thick: from.thick * 0.6,
      })
    }
  }
}
