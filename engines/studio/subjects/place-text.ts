import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Environment } from '../drawing.ts'
import type { Lettering, Scene } from '../scene.ts'
import { drawLayout, fitText, madeOf } from '../style/lettering.ts'

type Ground = Pick<Environment, 'floor' | 'ground' | 'horizonY'>

/** Writes a text on the background of a scene: upright on the wall of a room or in the sky; in all
 *  other scenes on the ground, where it gets narrower and flatter with distance. */
export function writeOnPlace(context: SKRSContext2D, scene: Scene, environment: Ground, lettering: Lettering): void {
  const { width, height } = context.canvas
  const isWall = scene.setting.kind === 'wall' || environment.floor === 'wood' || environment.floor === 'tile'
  if (isWall || scene.setting.kind === 'sky') {
    const isBare = scene.setting.kind !== 'wall' || scene.subjects.length > 0
    const box = { width: width * 0.82, height: height * (isBare ? 0.24 : 0.5) }
    writeFlat(context, lettering, { ...box, x: width / 2, y: height * (isBare ? 0.2 : 0.42) })
    return
  }
  writeOnGround(context, environment, lettering)
}

function writeFlat(context: SKRSContext2D, lettering: Lettering, box: { x: number; y: number; width: number; height: number }): void {
  const layout = fitText(lettering.text, box, { smallest: box.height * 0.1, largest: box.height * 0.9 })
  const area = { x: box.x - layout.width / 2, y: box.y - layout.height / 2, width: layout.width, height: layout.height }
  drawLayout(context, layout, { x: box.x, y: box.y, colour: inkOn(context, area, lettering), ...madeOf(lettering) })
}

/** For a text on the ground: the width of its far edge divided by that of its near edge, and the
 *  factor by which its height is reduced because the ground is seen at a flat angle. */
const farWidth = 0.62
const flatness = 0.62

function writeOnGround(context: SKRSContext2D, environment: Ground, lettering: Lettering): void {
  const { width, height } = context.canvas
  const near = Math.min(height * 0.95, environment.ground.nearY + height * 0.02)
  const depth = Math.max(height * 0.12, Math.min(height * 0.3, near - Math.max(0, environment.horizonY) - height * 0.06))
  const size = { width: Math.ceil(width * 0.84), height: Math.ceil(depth / flatness) }
  const layout = fitText(lettering.text, size, { smallest: size.height * 0.1, largest: size.height * 0.9 })
  const area = { x: width * 0.1, y: near - depth, width: width * 0.8, height: depth }
  const flat = createCanvas(size.width, size.height)
  // On sand and snow, a text without its own colour and material is drawn as furrows.
  const made =
    lettering.made || lettering.colour || !/^(sand|snow)$/.test(environment.floor)
      ? madeOf(lettering)
      : madeOf({ made: 'carved', colour: { name: 'furrow', hex: environment.floor === 'sand' ? '#8a6238' : '#8fa6c4' } })
  drawLayout(flat.getContext('2d'), layout, { x: size.width / 2, y: size.height / 2, colour: inkOn(context, area, lettering), ...made })
  context.save()
  context.globalAlpha = 0.88
  context.imageSmoothingQuality = 'high'
  const rows = Math.ceil(depth)
  for (let row = 0; row < rows; row++) {
    const t = row / rows
    const wide = size.width * (farWidth + (1 - farWidth) * t)
    const from = t ** 1.15 * size.height
    const to = ((row + 1) / rows) ** 1.15 * size.height
    context.drawImage(flat, 0, from, size.width, Math.max(0.5, to - from), (width - wide) / 2, near - depth + row, wide, 1.2)
  }
  context.restore()
}

/** Returns the requested colour of a text, else one with contrast: light on dark ground, dark on
 *  light ground. */
function inkOn(context: SKRSContext2D, area: { x: number; y: number; width: number; height: number }, lettering: Lettering): string {
  if (lettering.colour) return lettering.colour.hex
  const x = Math.max(0, Math.floor(area.x))
  const y = Math.max(0, Math.floor(area.y))
  const data = context.getImageData(x, y, Math.max(1, Math.floor(area.width)), Math.max(1, Math.floor(area.height))).data
  let sum = 0
  for (let i = 0; i < data.length; i += 4 * 97) sum += 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0)
  return sum / Math.max(1, Math.ceil(data.length / (4 * 97))) < 140 ? '#f6f3ea' : '#3a2a20'
}
