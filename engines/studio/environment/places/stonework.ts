import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { pairs } from '../../pairs.ts'
import { clamp, css, rgb, shift } from '../colour.ts'
import { greensOf } from '../season.ts'
import { type Corner, cells, drawBox, fillPolygon, fillRects, frontPlane, outline, placed, placedCells, type Spot } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { outdoorShine } from './outdoor-things.ts'

/** Draws a worn block of stonework: its top edge is lit, and lines separate the rows of stones. */
export function stoneBlock(
  context: SKRSContext2D,
  stage: Stage,
  box: { x: readonly [number, number]; y: readonly [number, number]; z: number; deep: number; colour?: string },
): void {
  const shine = outdoorShine(stage, box.z, 500)
  const base = rgb(box.colour ?? '#b3a999')
  drawBox(context, stage.view, { x: box.x, y: box.y, z: [box.z, box.z + box.deep], colour: base }, shine)
  const plane = frontPlane(stage.view, box.z)
  const lines: (readonly [number, number, number, number])[] = []
  let row = 0
  for (let v = box.y[0]; v < box.y[1]; v += 0.42) {
    lines.push([box.x[0], v, box.x[1], v + 0.03])
    for (let u = box.x[0] + (row % 2) * 0.35; u < box.x[1]; u += 0.75)
      lines.push([u, v, Math.min(box.x[1], u + 0.03), Math.min(box.y[1], v + 0.42)])
    row++
  }
  fillRects(context, plane, lines, css(shift(shine.tone(base, 0.5), -0.35), 0.45))
}

/** Draws a column with vertical grooves that is broken off at its height, with an uneven upper
 *  end. */
export function column(
  context: SKRSContext2D,
  stage: Stage,
  at: { x: number; z: number; height: number; radius: number },
  random: Random,
): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const base = rgb('#cfc4b0')
  const { x, height, radius } = at
  const flutes = 9
  const broken = Array.from({ length: flutes + 1 }, () => random.between(-0.5, 0.35) * radius * 1.6)
  for (let i = 0; i < flutes; i++) {
    const a = Math.sin(((i / flutes) * 2 - 1) * 1.57) * radius
    const b = Math.sin((((i + 1) / flutes) * 2 - 1) * 1.57) * radius
    const facing = (a + b) / 2 / radius
    const light = clamp(0.55 + facing * stage.sun.side * 0.7 - (i % 2) * 0.13, 0, 1)
    fillPolygon(
      context,
      plane,
      pairs([x + a, 0, x + b, 0, x + b, height + broken[i + 1]!, x + a, height + broken[i]!]),
      css(shine.tone(base, light)),
    )
  }
  drawBox(
    context,
    stage.view,
    { x: [x - radius * 1.3, x + radius * 1.3], y: [0, radius * 0.7], z: [at.z - radius * 0.3, at.z + radius], colour: base },
    shine,
  )
}

export function arch(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; size: number }): void {
  const { x, z, size } = at
  for (const u of [-0.75, 0.45])
    stoneBlock(context, stage, { x: [x + u * size, x + (u + 0.3) * size], y: [0, size * 1.25], z, deep: size * 0.3 })
  const plane = frontPlane(stage.view, z)
  const shine = outdoorShine(stage, z, 500)
  const outer = Array.from(
    { length: 13 },
    (_, i) => [x + Math.cos((i / 12) * Math.PI) * size * 0.75, size * 1.25 + Math.sin((i / 12) * Math.PI) * size * 0.62] as const,
  )
  const inner = Array.from(
    { length: 13 },
    (_, i) => [x + Math.cos((i / 12) * Math.PI) * size * 0.45, size * 1.25 + Math.sin((i / 12) * Math.PI) * size * 0.36] as const,
  )
  for (let i = 0; i < 12; i++)
    fillPolygon(
      context,
      plane,
      [outer[i]!, outer[i + 1]!, inner[i + 1]!, inner[i]!],
      css(shine.tone(rgb(i % 2 === 0 ? '#b9ae9c' : '#a99e8d'), 0.6)),
    )
}

export function tower(
  context: SKRSContext2D,
  stage: Stage,
  at: { x: number; z: number; radius: number; height: number; roof: boolean },
): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z, 500)
  const { x, radius, height } = at
  const slices = 14
  for (let i = 0; i < slices; i++) {
    const a = Math.sin(((i / slices) * 2 - 1) * 1.57) * radius
    const b = Math.sin((((i + 1) / slices) * 2 - 1) * 1.57) * radius
    const light = clamp(0.52 + ((a + b) / 2 / radius) * stage.sun.side * 0.75, 0, 1)
    fillRects(context, plane, [[x + a, 0, x + b + 0.01, height]], css(shine.tone(rgb('#b8ad9c'), light)))
    if (!at.roof && i % 3 !== 2)
      fillRects(context, plane, [[x + a * 1.12, height, x + b * 1.12, height + radius * 0.4]], css(shine.tone(rgb('#b8ad9c'), light)))
  }
  fillRects(context, plane, [[x - radius * 1.1, height - radius * 0.22, x + radius * 1.1, height]], css(shine.tone(rgb('#a99e8d'), 0.5)))
  const glow = stage.palette.isDim ? '#ffcf78' : css(shine.tone(rgb('#332a26'), 0.4))
  fillRects(context, plane, [[x - radius * 0.13, height * 0.62, x + radius * 0.13, height * 0.78]], glow)
  if (!at.roof) return
  const snow = greensOf(stage).snow > 0.6
  for (let i = 0; i < slices; i++) {
    const a = Math.sin(((i / slices) * 2 - 1) * 1.57) * radius * 1.25
    const b = Math.sin((((i + 1) / slices) * 2 - 1) * 1.57) * radius * 1.25
    fillPolygon(
      context,
      plane,
      pairs([x + a, height, x + b, height, x, height + radius * 2.6]),
      css(shine.tone(rgb(snow ? '#eef3fb' : '#7a4a52'), clamp(0.5 + ((a + b) / 2 / radius) * stage.sun.side * 0.6, 0, 1))),
    )
  }
}

const round = (rise: number): Corner[] => [
  [0.5, 0],
  ...Array.from({ length: 9 }, (_, i): Corner => [Math.cos((i / 8) * Math.PI) * 0.5, 1.05 + Math.sin((i / 8) * Math.PI) * rise]),
  [-0.5, 0],
]
const cross = outline('-.14 0, .14 0, .14 1.1, .5 1.1, .5 1.4, .14 1.4, .14 1.9, -.14 1.9, -.14 1.4, -.5 1.4, -.5 1.1, -.14 1.1')
/** Outlines of gravestones in units of their width, with the colour of the stone. */
const gravestones = [
  { shape: round(0.5), stone: rgb('#9a9a98'), isCross: false },
  { shape: cross, stone: rgb('#85878a'), isCross: true },
  { shape: round(0.2), stone: rgb('#a59f94'), isCross: false },
  { shape: round(0.5), stone: rgb('#8f9490'), isCross: false },
]
const writing = cells('-.28 .85 .28 .91, -.22 .68 .22 .73, -.25 .52 .25 .57')

/** Draws a gravestone that is `s` metres wide; `kind` is 0 to 3. */
export function gravestone(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; s: number; kind: number }): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z, 160)
  const { shape, stone, isCross } = gravestones[at.kind % gravestones.length]!
  const spot: Spot = { u: at.x, v: 0, width: at.s, height: at.s }
  fillPolygon(context, plane, placed(shape, { ...spot, u: at.x - Math.sign(at.x) * at.s * 0.12 }), css(shine.tone(stone, 0.2)))
  fillPolygon(context, plane, placed(shape, spot), css(shine.tone(stone, 0.65)))
  if (!isCross) fillRects(context, plane, placedCells(writing, spot), css(shine.tone(shift(stone, -0.4), 0.4), 0.7))
}
