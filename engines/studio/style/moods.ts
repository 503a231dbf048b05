import type { Random } from '../drawing.ts'
import { type Grade, grade } from './grade.ts'
import { clamp, type Raster, shortSide } from './pixels.ts'

/** The colour grade for each mood word. */
export const moodGrades: Readonly<Record<string, Grade>> = {
  dark: { exposure: -0.5, contrast: 0.2, saturation: -0.08, vignette: 0.6 },
  bright: { exposure: 0.45, contrast: 0.08, saturation: 0.1, bloom: 0.15 },
  dreamy: { exposure: 0.18, contrast: -0.28, saturation: -0.04, bloom: 0.75, highlights: { r: 255, g: 190, b: 225, strength: 0.3 } },
  warm: { temperature: 0.5, highlights: { r: 255, g: 190, b: 90, strength: 0.2 } },
  cold: { temperature: -0.55, saturation: -0.08, shadows: { r: 30, g: 80, b: 150, strength: 0.25 } },
  vivid: { saturation: 0.34, contrast: 0.14, clarity: 0.16 },
  muted: { saturation: -0.45, contrast: -0.16, fade: 0.4 },
  magical: {
    exposure: 0.04,
    saturation: 0.12,
    bloom: 0.6,
    shadows: { r: 96, g: 30, b: 190, strength: 0.45 },
    highlights: { r: 255, g: 214, b: 120, strength: 0.3 },
  },
  spooky: {
    exposure: -0.4,
    contrast: 0.25,
    saturation: -0.35,
    temperature: -0.2,
    shadows: { r: 20, g: 120, b: 70, strength: 0.4 },
    vignette: 1,
  },
  cheerful: { exposure: 0.2, saturation: 0.3, temperature: 0.22, contrast: 0.05 },
  gloomy: { exposure: -0.3, saturation: -0.4, temperature: -0.25, vignette: 0.4 },
  calm: { contrast: -0.16, saturation: -0.16, exposure: 0.06 },
  dramatic: { contrast: 0.34, saturation: 0.12, clarity: 0.3, vignette: 0.5 },
  festive: { exposure: 0.1, saturation: 0.3, temperature: 0.18, bloom: 0.4 },
}

/** Applies the colour grade of each mood word to a raster, in place and in order; `magical` and
 *  `festive` also add sparkles. Words without a grade are skipped. */
export function applyMoods(raster: Raster, moods: readonly string[], random: Random): void {
  for (const mood of moods) {
    const wanted = moodGrades[mood]
    if (!wanted) continue
    grade(raster, wanted, random)
    if (mood === 'magical') addSparkles(raster, random.fork('magical'), 34)
    if (mood === 'festive') addSparkles(raster, random.fork('festive'), 16)
  }
}

/** Adds small sparkles with four points, in place. Small ones are more frequent than large ones. */
function addSparkles(raster: Raster, random: Random, count: number): void {
  const unit = shortSide(raster)
  const many = Math.min(count * 8, Math.round((count * raster.width * raster.height) / (unit * unit)))
  for (let k = 0; k < many; k++) {
    const size = unit * (0.006 + 0.022 * random.next() ** 3)
    drawSparkle(raster, { x: random.next() * raster.width, y: random.next() * raster.height * 0.85, size, light: random.between(0.5, 1) })
  }
}

function drawSparkle(raster: Raster, spark: { x: number; y: number; size: number; light: number }): void {
  const { data, width, height } = raster
  const reach = Math.ceil(spark.size)
  for (let y = Math.max(0, Math.floor(spark.y - reach)); y <= Math.min(height - 1, spark.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(spark.x - reach)); x <= Math.min(width - 1, spark.x + reach); x++) {
      const dx = Math.abs(x - spark.x) / spark.size
      const dy = Math.abs(y - spark.y) / spark.size
      const rays = clamp(1 - (dx + dy + dx * dy * 40), 0, 1)
      const halo = clamp(1 - Math.hypot(dx, dy), 0, 1) ** 3 * 0.5
      const share = Math.min(1, (rays + halo) * spark.light)
      const j = (y * width + x) * 4
      data[j] = data[j]! + (255 - data[j]!) * share
      data[j + 1] = data[j + 1]! + (246 - data[j + 1]!) * share
      data[j + 2] = data[j + 2]! + (205 - data[j + 2]!) * share
    }
  }
}
