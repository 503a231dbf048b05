/** Particles that rise from a thing (embers, smoke, steam) or that feet kick up. Lengths are in
 *  pixels of the pen, whose scale already corresponds to the distance of the thing. */

import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Canvas } from '@napi-rs/canvas'
import type { Box, Pen } from '../raster/pen.ts'
import { softDisc } from './soft-disc.ts'

interface Source {
  x: number
  y: number
  /** Size of the thing from which the plume rises. */
  width: number
  height: number
}

export type Plume = (pen: Pen, source: Source, seconds: number) => void

interface Spark {
  start: number
  life: number
  side: number
  drift: number
  size: number
}

function sparksOf(count: number, seed: string): Spark[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => ({
    start: random.next(),
    life: random.between(1.1, 2.6),
    side: random.next() - 0.5,
    drift: random.next() - 0.5,
    size: random.next(),
  }))
}

/** Returns the age of a particle as a share of its life, 0 to 1. At the end of its life, the
 *  particle starts again. */
function ageOf({ start, life }: Spark, seconds: number): number {
  const age = seconds / life + start
  return age - Math.floor(age)
}

export function embers(seed: string): Plume {
  const all = sparksOf(34, `${seed}/embers`)
  const glow = softDisc(24, '255,176,72')
  return (pen, { x, y, width, height }, seconds) => {
    pen.save()
    pen.mode = 'lighter'
    for (const spark of all) {
      const age = ageOf(spark, seconds)
      const up = age ** 0.85 * height * (1.5 + spark.size * 1.3)
      const sway = Math.sin(age * 7 + spark.start * 40) * width * 0.12 * age
      const size = height * (0.012 + 0.02 * spark.size) * (1 - age * 0.6) * (0.8 + 0.4 * Math.sin(seconds * 23 + spark.start * 60))
      pen.alpha = Math.max(0, 1 - age) ** 1.2
      const at = { x: x + spark.side * width * 0.45 + spark.drift * width * 1.1 * age + sway, y: y - height * 0.35 - up }
      pen.image(glow, square(at.x, at.y, size))
    }
    pen.restore()
  }
}

export function smoke(seed: string, { colour, strength, rise = 1.6 }: { colour: string; strength: number; rise?: number }): Plume {
  const all = sparksOf(14, `${seed}/smoke`).map(spark => ({ ...spark, life: spark.life * 2.2 }))
  const puff = softDisc(64, colour)
  return (pen, { x, y, width, height }, seconds) => {
    pen.save()
    for (const spark of all) {
      const age = ageOf(spark, seconds)
      const size = width * (0.14 + 0.42 * age) * (0.7 + spark.size * 0.6)
      const sway = Math.sin(age * 4 + spark.start * 30) * width * 0.16 * age
      pen.alpha = strength * Math.sin(Math.PI * Math.min(1, age * 1.15)) * (1 - age * 0.4)
      pen.image(puff, square(x + spark.side * width * 0.2 + sway + age * width * 0.3, y - age * height * rise, size))
    }
    pen.restore()
  }
}

/** Returns the snow, sand or dust that running feet kick up behind them. `direction` is the
 *  direction of running: 1 right, -1 left. */
export function kicks(seed: string, colour: string, direction: number): Plume {
  const all = sparksOf(26, `${seed}/kicks`).map(spark => ({ ...spark, life: 0.35 + spark.life * 0.18 }))
  const puff: Canvas = softDisc(32, colour)
  return (pen, { x, y, width, height }, seconds) => {
    pen.save()
    for (const spark of all) {
      const age = ageOf(spark, seconds)
      const back = -direction * (0.1 + age * (0.35 + spark.size * 0.4)) * width
      const up = Math.sin(age * Math.PI) * height * (0.04 + 0.12 * spark.size)
      const size = height * (0.018 + 0.05 * age * (0.5 + spark.size))
      pen.alpha = (1 - age) * 0.75
      pen.image(puff, square(x + spark.side * width * 0.75 + back, y - up + size * 0.4, size))
    }
    pen.restore()
  }
}

/** Returns the square box around a centre. */
function square(x: number, y: number, half: number): Box {
  return { x: x - half, y: y - half, width: half * 2, height: half * 2 }
}
