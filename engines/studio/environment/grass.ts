import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { clamp, css, mix, rgb, shift, smooth } from './colour.ts'
import { createFlowerBrush, type Flower } from './flowers.ts'
import { createMarks, every, type Marks } from './marks.ts'
import type { Noise } from './noise.ts'
import { lit } from './palette.ts'
import { colourOfPlace, greensOf, tinted } from './season.ts'
import type { Stage } from './stage.ts'

/** A thing that stands in the grass. It is drawn after the grass behind it and before the grass in
 *  front of it. */
export interface GrassObject {
  /** Distance in metres. */
  z: number
  draw(): void
}

export interface GrassOptions {
  /** Blade height in metres. */
  height: number
  /** Share of blades, 0 to 1. */
  density: number
  /** Number of flower clumps on a square area whose side is the short side of the picture. */
  flowers: number
  tint?: Rgb
  /** Returns false for a place (metres) where no grass grows. */
  allow?: (x: number, z: number) => boolean
  things?: readonly GrassObject[]
}

interface Row {
  y: number
  size: number
  z: number
}

/** In a film, the grass is divided into this many layers by distance, which move differently. */
const grassBands = 4

/** Draws grass blades, flower clumps and the things that stand in the grass, from far to near. */
export function paintGrass(context: SKRSContext2D, stage: Stage, options: GrassOptions): void {
  const { view, unit, height } = stage
  const random = stage.random.fork('grass')
  const tones = bladeTones(stage, options.tint)
  const noise = stage.noise('grass patches')
  const things = [...(options.things ?? [])].sort((a, b) => b.z - a.z)
  const flowers = options.flowers > 0 ? placeFlowers(stage, options) : []
  const brush = createFlowerBrush(stage, greensOf(stage).flowers, stage.random.fork('flower heads'))
  const perPixel = options.height * (view.metre(view.nearY) / (view.nearY - view.horizonY))
  let y = view.horizonY + (0.0062 * unit) / Math.max(1e-9, perPixel)
  let thing = 0
  let flower = 0
  let band = 1
  for (let row = 0; row < 160; row++) {
    const size = Math.min(options.height * view.metre(y), unit * 0.11)
    const isLast = y >= height + size * 0.4
    for (; thing < things.length && (isLast || view.row(0, things[thing]!.z) <= y); thing++) things[thing]!.draw()
    for (; flower < flowers.length && (isLast || flowers[flower]!.y <= y); flower++) brush.draw(context, flowers[flower]!)
    if (isLast) return
    paintRow(context, stage, { y, size, z: view.depth(y) }, { tones, noise, options, random })
    y += Math.max(size * 0.36, unit * 0.003)
    const near = (y - view.horizonY) / Math.max(1, height - view.horizonY)
    if (near < band / grassBands) continue
    stage.part(context, 'upright', (band - 0.5) / grassBands)
    band++
  }
}

function bladeTones(stage: Stage, tint?: Rgb): Rgb[] {
  const greens = greensOf(stage)
  const [low, high, deep] = tinted(greens, tint ?? colourOfPlace(stage))
  const snowy = (c: Rgb) => (greens.snow > 0.9 ? mix(c, rgb('#dfe8f2'), 0.45) : c)
  const tone = (c: Rgb, amount: number) => lit(stage.palette, snowy(c), amount)
  const warm = mix(high, rgb('#e8d98a'), 0.3)
  return [
    tone(mix(deep, rgb('#1f3a34'), 0.3), 0.3),
    tone(deep, 0.5),
    tone(mix(deep, low, 0.65), 0.68),
    tone(low, 0.86),
    tone(mix(low, high, 0.7), 0.98),
    tone(shift(warm, 0.08), 1.06),
  ]
}

interface Blades {
  tones: Rgb[]
  noise: Noise
  options: GrassOptions
  random: Random
}

/** Draws one row of grass. Blades form tufts, and their tone varies from one patch of ground to the
 *  next. */
function paintRow(context: SKRSContext2D, stage: Stage, row: Row, blades: Blades): void {
  const { size, z } = row
  const { tones, noise, options, random } = blades
  const count = Math.min(3600, Math.ceil((stage.width * options.density) / (size * 0.3)))
  const sets = tones.map(() => createMarks(context))
  const perMetre = z / stage.view.focal
  const wind = stage.weather('wind', 'storm') ? 0.55 : 0
  const width = size * 0.034 + stage.unit * 0.00035
  const drawn = every(leastBlade / width)
  for (let i = 0; i < count; i++) {
    const px = random.next() * stage.width
    const a = random.next()
    const b = random.next()
    if (i % drawn !== 0) continue
    const x = (px - stage.view.centreX) * perMetre
    if (options.allow !== undefined && !options.allow(x, z)) continue
    const tuft = noise.at(x * 2.2, z * 1.7)
    if (tuft + a * 0.7 < -0.12) continue
    const patch = noise.at(x * 0.28 + 40, z * 0.2) * 0.34
    const place = clamp(Math.floor((0.42 + patch + tuft * 0.2 + (b - 0.5) * 0.75) * tones.length), 0, tones.length - 1)
    const tall = size * (0.5 + 0.55 * a + 0.35 * tuft)
    const lean = (b - 0.5) * 1.1 + wind + tuft * 0.3
    addBlade(sets[place]!, px, row.y + (a - 0.5) * size * 0.4, {
      height: tall,
      lean: lean * tall * 0.75,
      width: width * drawn,
    })
  }
  const alpha = 0.5 + 0.42 * smooth(0.006, 0.02, size / stage.unit)
  sets.forEach((marks, i) => void marks.fill(css(tones[i]!, alpha)))
}

/** Least half width of a blade in pixels. When blades would be thinner, fewer blades of this width
 *  are drawn instead (see `every` in marks.ts). */
const leastBlade = 0.2

function addBlade(marks: Marks, x: number, y: number, b: { height: number; lean: number; width: number }): void {
  marks.move(x - b.width, y)
  marks.quad(x - b.width * 0.5 + b.lean * 0.12, y - b.height * 0.62, x + b.lean, y - b.height)
  marks.quad(x + b.width * 1.1 + b.lean * 0.22, y - b.height * 0.5, x + b.width, y)
}

function placeFlowers(stage: Stage, options: GrassOptions): Flower[] {
  const { view, unit } = stage
  const random = stage.random.fork('flowers')
  const colours = greensOf(stage).flowers.length
  const top = Math.max(0, view.horizonY) + 0.05 * unit
  const clumps = Math.min(420, Math.round((options.flowers * stage.width * Math.max(0, stage.height - top)) / (unit * unit)))
  const flowers: Flower[] = []
  for (let i = 0; i < clumps; i++) {
    const centreX = random.next() * stage.width
    const centreY = top + random.next() ** 1.35 * (stage.height - top)
    const colour = random.integer(0, colours - 1)
    const metre = view.metre(centreY)
    for (let n = random.integer(5, 16); n > 0; n--) {
      const y = centreY + (random.next() + random.next() - 1) * 0.2 * metre
      const x = centreX + (random.next() + random.next() + random.next() - 1.5) * 0.7 * metre
      const size = Math.min(0.016 * unit, Math.max(0.0014 * unit, metre * random.between(0.013, 0.024)))
      const z = view.depth(y)
      if (options.allow !== undefined && !options.allow(((x - view.centreX) / view.focal) * z, z)) continue
      flowers.push({ x, y, size, colour })
    }
  }
  return flowers.sort((a, b) => a.y - b.y)
}

/** Draws blurred grass along the bottom edge, in front of everything else. */
export function paintNearGrass(context: SKRSContext2D, stage: Stage): void {
  const { unit, width, height } = stage
  const random = stage.random.fork('near grass')
  const scale = Math.min(1, 420 / unit)
  const band = unit * 0.16
  const layer = createCanvas(Math.ceil(width * scale), Math.ceil(band * scale))
  const ink = layer.getContext('2d')
  ink.scale(scale, scale)
  const tones = bladeTones(stage)
    .slice(0, 5)
    .map(c => shift(c, -0.28))
  const count = Math.min(6000, Math.ceil((width / unit) * 120))
  for (const tone of tones) {
    const marks = createMarks(ink)
    for (let i = 0; i < count / 5; i++) {
      const x = random.next() * width
      const edge = Math.abs((x / width) * 2 - 1)
      const tall = unit * (0.022 + 0.03 * random.next() + 0.06 * edge ** 4 * random.next())
      addBlade(marks, x, band + unit * 0.004, { height: tall, lean: random.between(-0.6, 0.6) * tall, width: unit * 0.0028 })
    }
    marks.fill(css(tone, 0.92))
  }
  // The blur is computed at reduced size, which is faster.
  const soft = createCanvas(layer.width, layer.height)
  const brush = soft.getContext('2d')
  brush.filter = `blur(${unit * 0.002 * scale}px)`
  brush.drawImage(layer, 0, 0)
  context.drawImage(soft, 0, height - band, width, band)
}
