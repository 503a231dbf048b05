/** Draws the cover of a piece: a motif with colours that suit the style, and the title below it. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { randomOf } from '../random.ts'
import type { Score } from '../score.ts'
import { isMinor, keyName } from '../theory/key.ts'
import { drawable, familiesFor } from './fonts.ts'
import { drawMotif } from './motifs.ts'
import { type Palette, paletteOf } from './palette.ts'
import { coverSize } from './size.ts'

/** Returns the cover as a PNG. `style` is the id of the style. */
export async function drawCover(score: Score, { style, seed }: { style: string; seed: string }): Promise<Buffer> {
  const size = coverSize
  const random = randomOf(`${seed}/cover`)
  const canvas = createCanvas(size, size)
  const context = canvas.getContext('2d')
  const palette = paletteOf({ style, isMinor: isMinor(score.key.mode), random })
  const turn = random.between(-0.5, 0.5)
  const ground = context.createLinearGradient(size * (0.5 - turn), 0, size * (0.5 + turn), size)
  ground.addColorStop(0, palette.ground[0])
  ground.addColorStop(1, palette.ground[1])
  context.fillStyle = ground
  context.fillRect(0, 0, size, size)
  drawMotif(style, { context, size, palette, score, random })
  veil(context, palette, size)
  letters(context, { score, palette, size })
  return canvas.encode('png')
}

/** Covers the lower part of the picture with the background colour, gradually, so that the title is
 *  readable. */
function veil(context: SKRSContext2D, { ground }: Palette, size: number): void {
  const fade = context.createLinearGradient(0, size * 0.52, 0, size * 0.8)
  fade.addColorStop(0, ground[0].replace(')', ' / 0)'))
  fade.addColorStop(1, ground[0].replace(')', ' / 0.93)'))
  context.fillStyle = fade
  context.fillRect(0, size * 0.5, size, size * 0.5)
}

function letters(context: SKRSContext2D, { score, palette, size }: { score: Score; palette: Palette; size: number }): void {
  const below = `${score.style}  ·  ${keyName(score.key)}  ·  ${Math.round(score.bpm)} bpm`
  const title = drawable(score.title) || score.style
  const families = familiesFor(title + below)
  const margin = size * 0.07
  const width = size - 2 * margin
  context.fillStyle = palette.letters
  context.textBaseline = 'alphabetic'
  context.fontVariationSettings = "'wght' 800"
  let height = size * 0.11
  let rows: string[] = []
  for (; height > size * 0.03; height *= 0.92) {
    context.font = `800 ${Math.round(height)}px ${families}`
    rows = broken(context, title, width)
    if (rows.length <= 2 && rows.every(row => context.measureText(row).width <= width)) break
  }
  const bottom = size * 0.885
  rows.forEach((row, index) => {
    context.fillText(row, margin, bottom - (rows.length - 1 - index) * height * 1.08)
  })
  context.fontVariationSettings = "'wght' 450"
  context.font = `400 ${Math.round(size * 0.027)}px ${families}`
  context.globalAlpha = 0.8
  context.fillText(below, margin, size * 0.945)
  context.globalAlpha = 1
}

/** Breaks a text into rows that are as wide as possible. If two rows are needed, they get about
 *  equal widths. */
function broken(context: SKRSContext2D, text: string, width: number): string[] {
  const glue = text.includes(' ') ? ' ' : ''
  const words = text.split(glue)
  const widthOf = (row: string) => context.measureText(row).width
  const rows: string[] = []
  for (const word of words) {
    const last = rows.at(-1)
    if (last !== undefined && widthOf(last + glue + word) <= width) rows[rows.length - 1] = last + glue + word
    else rows.push(word)
  }
  if (rows.length !== 2) return rows
  const halves = words.slice(1).map((_, index) => [words.slice(0, index + 1).join(glue), words.slice(index + 1).join(glue)])
  const widest = ([first = '', second = '']: string[]) => Math.max(widthOf(first), widthOf(second))
  return halves.reduce((best, each) => (widest(each) < widest(best) ? each : best), rows)
}
