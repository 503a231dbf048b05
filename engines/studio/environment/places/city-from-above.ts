import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../../drawing.ts'
import { css, mix, rgb, shift } from '../colour.ts'
import { paintSky } from '../sky.ts'
import { type Box, type Cell, drawBox, fillRects, frontPlane, levelPlane, type Shine, sidePlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { hazeLine } from './coast.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'

const walls = ['#c9b7a0', '#a8b4bf', '#b98a72', '#8fa1b0', '#d9cdbb', '#9a8f88', '#7f95a6', '#c7a58a'].map(rgb)
const cars = ['#e0392f', '#f2f0ea', '#f2c02e', '#2f5f9a', '#2b2e35'].map(rgb)

/** Sizes of the city in units of the camera's height above the ground. The camera is above all
 *  roofs. */
const share = { block: 0.34, street: 0.1, lowest: 0.07, highest: 0.42 }

/** Paints a city seen from above: blocks of houses and parks in a grid of streets. */
export const cityFromAbove: PlacePainter = stage => ({
  floor: 'asphalt',
  paintBack: context => {
    paintSky(context, stage)
    paintStreets(context, stage)
    hazeLine(context, stage, stage.view.horizonY)
    stage.part(context, 'ground')
    const random = stage.random.fork('blocks')
    for (const block of blocksOf(stage)) paintBlock(context, stage, block, random)
  },
})

interface Block {
  x: number
  z: number
  size: number
}

/** Returns all blocks in view: far rows first, and in each row from the sides to the middle, so
 *  that nearer blocks are drawn over farther ones. */
function blocksOf({ view, width, height }: Stage): Block[] {
  const size = share.block * view.eye
  const pitch = size + share.street * view.eye
  const nearest = view.depth(height * 1.25)
  const blocks: Block[] = []
  for (let row = 26; row >= 0; row--) {
    const z = nearest + row * pitch
    const reach = Math.ceil(((width / 2) * (z + size)) / view.focal / pitch) + 1
    const columns = Array.from({ length: reach * 2 + 1 }, (_, i) => i - reach).sort((a, b) => Math.abs(b) - Math.abs(a))
    for (const column of columns) blocks.push({ x: column * pitch + share.street * view.eye * 0.5, z, size })
  }
  return blocks
}

function paintStreets(context: SKRSContext2D, stage: Stage): void {
  const { view, width, height } = stage
  const top = Math.max(0, view.horizonY)
  const slope = context.createLinearGradient(0, top, 0, height)
  // Behind the last blocks there is only haze, which gets as bright as the sky above it.
  slope.addColorStop(0, css(mix(stage.palette.sky[3], stage.palette.haze, 0.5)))
  slope.addColorStop(0.09, css(mix(outdoorShine(stage).tone(rgb('#8a8c90'), 0.7), stage.palette.haze, 0.75)))
  slope.addColorStop(0.35, css(outdoorShine(stage).tone(rgb('#63656b'), 0.6)))
  slope.addColorStop(1, css(outdoorShine(stage).tone(rgb('#54565c'), 0.6)))
  context.fillStyle = slope
  context.fillRect(0, top, width, height - top)
}

function paintBlock(context: SKRSContext2D, stage: Stage, block: Block, random: Random): void {
  const { view, palette } = stage
  const { x, z, size } = block
  const shine = hazy(stage, z)
  fillRects(context, levelPlane(view, 0), [[x, z, x + size, z + size]], css(shine.tone(rgb('#a9a59c'), 0.7)))
  paintCars(context, stage, block, random)
  if (random.next() < 0.1) {
    paintGreen(context, stage, block, random)
    return
  }
  const lots = random.next() < 0.4 ? 1 : 2
  const lot = size / lots
  const order = x + size / 2 > 0 ? [...Array(lots).keys()].reverse() : [...Array(lots).keys()]
  for (let row = lots - 1; row >= 0; row--)
    for (const column of order) {
      const gap = lot * random.between(0.05, 0.12)
      const tall = random.next() < 0.22 ? share.highest : share.highest * 0.42
      const box: Box = {
        x: [x + column * lot + gap, x + (column + 1) * lot - gap],
        y: [0, view.eye * random.between(share.lowest, tall)],
        z: [z + row * lot + gap, z + (row + 1) * lot - gap],
        colour: random.pick(walls),
      }
      drawBox(context, view, box, shine)
      paintRoof(context, stage, box, shine, random)
      if (z < view.eye * 9) paintWindows(context, stage, box, { shine, isLit: palette.isDim, random })
    }
}

/** Returns the light for roads and walls at a distance of `z` metres; the farther away they are,
 *  the more they fade into the haze. */
function hazy(stage: Stage, z: number): Shine {
  return outdoorShine(stage, z, stage.view.eye * 9)
}

function paintRoof(context: SKRSContext2D, stage: Stage, box: Box, shine: Shine, random: Random): void {
  const top = levelPlane(stage.view, box.y[1])
  const inset = (box.x[1] - box.x[0]) * 0.06
  const colour: Rgb = mix(box.colour, rgb(random.pick(['#8f8a84', '#b5b0a8', '#7d7f83', '#a86a52'])), 0.7)
  fillRects(
    context,
    top,
    [[box.x[0] + inset, box.z[0] + inset, box.x[1] - inset, box.z[1] - inset]],
    css(shine.tone(shift(colour, -0.08), 0.85)),
  )
  const [wide, deep] = [box.x[1] - box.x[0], box.z[1] - box.z[0]]
  for (let i = 0; i < 2; i++) {
    const [u, w] = [box.x[0] + wide * random.between(0.15, 0.6), box.z[0] + deep * random.between(0.15, 0.6)]
    const unit: Box = { x: [u, u + wide * 0.2], y: [box.y[1], box.y[1] + wide * 0.12], z: [w, w + deep * 0.2], colour: shift(colour, 0.12) }
    drawBox(context, stage.view, unit, shine)
  }
}

/** Draws rows of windows on the visible sides of a building; in the evening, some are lit. */
function paintWindows(context: SKRSContext2D, stage: Stage, box: Box, look: { shine: Shine; isLit: boolean; random: Random }): void {
  const { view } = stage
  const step = view.eye * 0.026
  const cellsOf = (from: number, to: number): Cell[] => {
    const list: Cell[] = []
    for (let v = step * 0.5; v < box.y[1] - step * 0.6; v += step)
      for (let u = from + step * 0.3; u < to - step * 0.6; u += step * 0.95) list.push([u, v, u + step * 0.5, v + step * 0.58])
    return list
  }
  const side = box.x[0] > 0 ? box.x[0] : box.x[1] < 0 ? box.x[1] : undefined
  const faces = [
    { plane: frontPlane(view, box.z[0]), cells: cellsOf(box.x[0], box.x[1]) },
    ...(side === undefined ? [] : [{ plane: sidePlane(view, side), cells: cellsOf(box.z[0], box.z[1]) }]),
  ]
  const glass = css(mix(look.shine.tone(rgb('#3d4f60'), 0.6), stage.palette.sky[1], 0.2))
  for (const { plane, cells } of faces) {
    const lit = look.isLit ? cells.filter(() => look.random.next() < 0.4) : []
    fillRects(context, plane, cells, glass)
    fillRects(context, plane, lit, '#ffd27a')
  }
}

function paintGreen(context: SKRSContext2D, stage: Stage, { x, z, size }: Block, random: Random): void {
  const { view } = stage
  const shine = hazy(stage, z)
  fillRects(context, levelPlane(view, 0), [[x, z, x + size, z + size]], css(shine.tone(rgb('#6f9a4c'), 0.7)))
  const trees = Array.from({ length: 22 }, () => ({ u: x + size * random.between(0.06, 0.94), w: z + size * random.between(0.06, 0.94) }))
  for (const { u, w } of trees.sort((a, b) => b.w - a.w)) {
    const radius = (size * 0.075 * view.focal) / w
    const [column, row] = [view.column(u, w), view.row(size * 0.07, w)]
    for (const [dx, dy, part, amount] of [
      [0, 0.3, 1, 0.3],
      [0, 0, 0.95, 0.55],
      [-0.25, -0.25, 0.55, 0.85],
    ] as const) {
      context.fillStyle = css(shine.tone(rgb('#4f8a3e'), amount))
      context.beginPath()
      context.arc(column + dx * radius, row + dy * radius, radius * part, 0, 7)
      context.fill()
    }
  }
}

/** Draws cars in the streets on the left side and on the near side of a block. */
function paintCars(context: SKRSContext2D, stage: Stage, { x, z, size }: Block, random: Random): void {
  const { view } = stage
  if (z > view.eye * 7) return
  const [wide, long] = [view.eye * 0.016, view.eye * 0.036]
  const shine = hazy(stage, z)
  const lane = share.street * view.eye
  const road = levelPlane(view, 0)
  const dashes = Array.from(
    { length: 7 },
    (_, i): Cell => [x - lane / 2 - wide * 0.08, z + (i * size) / 7, x - lane / 2 + wide * 0.08, z + ((i + 0.5) * size) / 7],
  )
  fillRects(context, road, dashes, css(shine.tone(rgb('#e8e4d8'), 0.8)))
  for (let i = 0; i < 4; i++) {
    const isAlong = random.next() < 0.6
    const at = random.between(0, size * 0.85)
    const off = (random.next() < 0.5 ? 0.27 : 0.73) * lane
    const [u, w] = isAlong ? [x - lane + off - wide / 2, z + at] : [x + at, z - lane + off]
    const box: Box = {
      x: [u, u + (isAlong ? wide : long)],
      y: [0, wide * 0.8],
      z: [w, w + (isAlong ? long : wide)],
      colour: random.pick(cars),
    }
    drawBox(context, view, box, shine)
  }
}
