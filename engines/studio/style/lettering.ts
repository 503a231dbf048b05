import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { FramePlace, Lettering, LetterMake } from '../scene.ts'
import { prepareFont } from './fonts.ts'
import { drawMadeLetters } from './made-letters.ts'
import { flatten, type Pixels, type Raster, shortSide } from './pixels.ts'

/** A text broken into lines to fit a box. Sizes are in pixels. */
interface TextLayout {
  lines: string[]
  /** Font family for the canvas. */
  family: string
  size: number
  lineHeight: number
  width: number
  height: number
}

const weight = 700
/** Sets the weight of a variable font. On a font that was registered under a family name of its
 *  own, the usual weight in the canvas's `font` has no effect. */
const variation = `'wght' ${weight}`
const measuring = createCanvas(1, 1).getContext('2d')

/** Returns the largest layout of a text that fits a box (pixels), with a font size between
 *  `smallest` and `largest`. Lines break between words, or between any two Chinese characters. With
 *  the smallest font, a long text may exceed the box. */
export function fitText(text: string, box: { width: number; height: number }, sizes: { smallest: number; largest: number }): TextLayout {
  const clean = text.replace(/\s+/g, ' ').trim()
  const { family } = prepareFont(clean)
  let size = Math.max(sizes.smallest, sizes.largest)
  const single = setText({ text: clean, family, size }, Number.POSITIVE_INFINITY)
  const share = Math.min(1, box.width / single.width, box.height / single.height) * 0.995
  // If the text fits on one line at two thirds of the largest font size, one line is used: it is
  // easier to read than two lines in a larger font.
  if (share > 0.66) return setText({ text: clean, family, size: Math.max(sizes.smallest, size * share) }, Number.POSITIVE_INFINITY)
  let layout = setText({ text: clean, family, size }, box.width)
  while (size > sizes.smallest && (layout.width > box.width || layout.height > box.height)) {
    size = Math.max(sizes.smallest, size * 0.92)
    layout = setText({ text: clean, family, size }, box.width)
  }
  return layout
}

/** Draws a text layout with its centre at (`x`, `y`): in plain letters, with an outline of the
 *  colour `outline` if it is given; or in letters of a material (`made`), which ignore `colour`
 *  and `outline`. */
export function drawLayout(
  context: SKRSContext2D,
  layout: TextLayout,
  at: { x: number; y: number; colour: string; outline?: string; made?: { make: LetterMake; colour?: string | undefined } },
): void {
  if (at.made) {
    drawMadeLetters(context, { ...layout, x: at.x, y: at.y, ...(at.made.colour ? { colour: at.made.colour } : {}) }, at.made.make)
    return
  }
  context.save()
  context.font = `${weight} ${layout.size}px ${layout.family}`
  context.fontVariationSettings = variation
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = layout.size * 0.16
  layout.lines.forEach((line, k) => {
    const y = at.y + (k - (layout.lines.length - 1) / 2) * layout.lineHeight
    if (at.outline) {
      context.strokeStyle = at.outline
      context.strokeText(line, at.x, y)
    }
    context.fillStyle = at.colour
    context.fillText(line, at.x, y)
  })
  context.restore()
}

/** Returns the picture with the text drawn on it at the named place, by default at the bottom. The
 *  text has a margin to the edges, and an outline that separates it from the background. Without a
 *  requested colour, it is light on a dark background and dark on a light one. `within` (a box in
 *  pixels) replaces the place: the text is fitted to that box. The input is unchanged. */
export function drawLettering(pixels: Pixels, lettering: Pick<Lettering, 'text' | 'place' | 'colour' | 'made'>, within?: Box): Raster {
  const raster = flatten(pixels)
  const unit = shortSide(raster)
  const corner = lettering.place?.horizontal !== undefined && lettering.place.horizontal !== 'center'
  const layout = fitText(lettering.text, within ?? { width: raster.width * (corner ? 0.46 : 0.88), height: raster.height * 0.4 }, {
    smallest: Math.max(7, unit * (within ? 0.012 : 0.03)),
    largest: unit * (corner ? 0.085 : within ? (lettering.made ? 0.28 : 0.2) : 0.11),
  })
  const pad = Math.ceil(layout.size * (lettering.made ? 0.9 : 0.35))
  const size = { width: Math.ceil(layout.width) + pad * 2, height: Math.ceil(layout.height) + pad }
  const box = within ? centreBox(raster, size, within) : placeBox(raster, size, lettering.place)
  if (box.width < 1 || box.height < 1) return raster
  const light = meanLuma(raster, box) < 140
  const colour = lettering.colour?.hex ?? (light ? '#fffdf6' : '#1d1b20')
  const outline = lumaOfHex(colour) > 128 ? 'rgba(18,16,22,0.82)' : 'rgba(255,253,246,0.88)'
  paintBox(raster, box, context => {
    drawLayout(context, layout, { x: box.width / 2, y: box.height / 2, colour, outline, ...madeOf(lettering) })
  })
  return raster
}

/** Returns the material and colour of a text's letters in the form that `drawLayout` takes; empty
 *  for plain letters. */
export function madeOf({ made, colour }: Pick<Lettering, 'made' | 'colour'>): { made?: { make: LetterMake; colour?: string | undefined } } {
  return made ? { made: { make: made, colour: colour?.hex } } : {}
}

function setText({ text, family, size }: { text: string; family: string; size: number }, limit: number): TextLayout {
  measuring.font = `${weight} ${size}px ${family}`
  measuring.fontVariationSettings = variation
  const widthOf = (line: string) => measuring.measureText(line).width
  const lines = breakLines(text, limit, widthOf)
  const lineHeight = size * 1.24
  return { lines, family, size, lineHeight, width: Math.max(0, ...lines.map(widthOf)), height: lines.length * lineHeight }
}

/** Breaks a text into lines of at most `limit` pixels; only a longer word or a Chinese
 *  punctuation mark at the end of a line may exceed the limit. The lines are then made similarly
 *  long: the limit is reduced as long as the number of lines stays the same. */
function breakLines(text: string, limit: number, widthOf: (line: string) => number): string[] {
  const parts = text.match(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s/g) ?? []
  const fill = (width: number) => {
    const lines: string[] = []
    let line = ''
    for (const part of parts) {
      const joined = line + part
      if (line.trim() === '' || widthOf(joined.trimEnd()) <= width || /^[，。！？、；：”’）》]$/.test(part)) {
        line = line === '' ? part.trimStart() : joined
        continue
      }
      lines.push(line.trimEnd())
      line = part.trimStart()
    }
    if (line.trim() !== '') lines.push(line.trimEnd())
    return lines
  }
  let best = fill(limit)
  if (best.length < 2) return best
  for (let width = limit * 0.95; width > limit * 0.4; width -= limit * 0.05) {
    const narrower = fill(width)
    if (narrower.length > best.length || narrower.some(line => widthOf(line) > width)) break
    best = narrower
  }
  return best
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function placeBox(raster: Raster, size: { width: number; height: number }, place: FramePlace | undefined): Box {
  const margin = Math.round(shortSide(raster) * 0.04)
  const along = (word: string | undefined, room: number, fallback: number) =>
    word === 'left' || word === 'top' ? margin : word === 'right' || word === 'bottom' ? room - margin : word ? room / 2 : fallback
  const roomX = raster.width - size.width
  const roomY = raster.height - size.height
  // When the place names only a side (left, right), the text is vertically centred. Without a
  // place, it is at the bottom.
  const x = along(place?.horizontal, roomX, roomX / 2)
  const y = along(place?.vertical, roomY, place?.horizontal && place.horizontal !== 'center' ? roomY / 2 : roomY - margin)
  const left = Math.round(Math.min(Math.max(0, x), Math.max(0, roomX)))
  const top = Math.round(Math.min(Math.max(0, y), Math.max(0, roomY)))
  return { x: left, y: top, width: Math.min(raster.width, size.width), height: Math.min(raster.height, size.height) }
}

function centreBox(raster: Raster, size: { width: number; height: number }, within: Box): Box {
  const width = Math.min(raster.width, size.width)
  const height = Math.min(raster.height, size.height)
  const x = Math.round(Math.min(raster.width - width, Math.max(0, within.x + (within.width - width) / 2)))
  const y = Math.round(Math.min(raster.height - height, Math.max(0, within.y + (within.height - height) / 2)))
  return { x, y, width, height }
}

function meanLuma(raster: Raster, box: Box): number {
  let sum = 0
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const i = (y * raster.width + x) * 4
      sum += raster.data[i]! * 0.299 + raster.data[i + 1]! * 0.587 + raster.data[i + 2]! * 0.114
    }
  }
  return sum / Math.max(1, box.width * box.height)
}

function lumaOfHex(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16)
  return ((value >> 16) & 255) * 0.299 + ((value >> 8) & 255) * 0.587 + (value & 255) * 0.114
}

/** Draws with a canvas on a part of the raster. Only this part is copied to the canvas and back,
 *  because copying a large picture for a line of text would be slow. */
function paintBox(raster: Raster, box: Box, paint: (context: SKRSContext2D) => void): void {
  const canvas = createCanvas(box.width, box.height)
  const context = canvas.getContext('2d')
  const part = context.createImageData(box.width, box.height)
  const stride = box.width * 4
  for (let y = 0; y < box.height; y++) {
    const start = ((box.y + y) * raster.width + box.x) * 4
    part.data.set(raster.data.subarray(start, start + stride), y * stride)
  }
  context.putImageData(part, 0, 0)
  paint(context)
  const painted = context.getImageData(0, 0, box.width, box.height).data
  for (let y = 0; y < box.height; y++) {
    raster.data.set(painted.subarray(y * stride, (y + 1) * stride), ((box.y + y) * raster.width + box.x) * 4)
  }
}
