/** Last touches on every frame: a little bloom, then light, colour, corners and grain in one pass over the pixels. */

import { createRandom } from '@generation-gateway/studio/random.ts'
import type { StyleKind } from '@generation-gateway/studio/scene.ts'
import { cinematicGrade, illustrationGrade } from '@generation-gateway/studio/style/film.ts'
import { type Grade, grade } from '@generation-gateway/studio/style/grade.ts'
import { moodGrades } from '@generation-gateway/studio/style/moods.ts'
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { PictureSize } from '../world/view.ts'
import { type Palette, paletteOf, toPalette } from './palette.ts'

export interface Look {
  style: StyleKind
  moods: readonly string[]
  seed: string
  /** Further grades before those of the style. */
  grades?: readonly Grade[]
  /** Nothing but what is asked: no bloom, no corners. */
  isPlain?: boolean
  /** Colours that the frames take on. */
  palette?: Palette | undefined
}

/** The finished pixels of a canvas, RGBA and opaque; the buffer is used again for the next frame. */
export type Finish = (canvas: Canvas, frame: number) => Uint8Array

const grades: Partial<Record<StyleKind, Grade>> = {
  illustration: illustrationGrade,
  cinematic: cinematicGrade,
  photo: {
    exposure: -0.05,
    contrast: 0.28,
    saturation: -0.03,
    temperature: 0.04,
    vignette: 0.34,
    grain: 0.12,
    highlights: { r: 255, g: 214, b: 160, strength: 0.25 },
    shadows: { r: 40, g: 60, b: 110, strength: 0.25 },
  },
  vintage: {
    exposure: 0.02,
    contrast: 0.1,
    saturation: -0.3,
    temperature: 0.42,
    fade: 0.55,
    vignette: 0.7,
    grain: 0.4,
    shadows: { r: 30, g: 70, b: 80, strength: 0.3 },
  },
  noir: { exposure: -0.25, contrast: 0.8, saturation: -1, vignette: 0.9, grain: 0.4 },
}

/** The finish of a look. Looks that a style draws are on the layers already; their frames only get mood and corners. */
export function createFinish({ style, moods, seed, grades: further = [], isPlain = false, palette }: Look, size: PictureSize): Finish {
  const wanted = [...further, ...moods.flatMap(mood => moodGrades[mood] ?? []), ...(isPlain ? [] : [grades[style] ?? {}])]
  let table = tableOf(wanted, seed)
  let wantedPalette = palette
  const sum = (name: 'vignette' | 'grain' | 'bloom') => wanted.reduce((all, one) => all + (one[name] ?? 0), 0)
  const gain = cornersOf(size, Math.min(1, sum('vignette') + (isPlain ? 0 : 0.28)))
  const grain = grainOf(seed, Math.min(0.5, sum('grain')))
  const bloom = isPlain ? undefined : createBloom(size, Math.min(0.45, 0.2 + sum('bloom') * 0.25))
  const pixelate = style === 'pixel' ? createPixels(size) : undefined
  const out = new Uint32Array(size.width * size.height)
  const bytes = new Uint8Array(out.buffer)
  return (canvas, frame) => {
    bloom?.(canvas)
    pixelate?.(canvas)
    const data = canvas.data()
    const pixels = new Uint32Array(data.buffer, data.byteOffset, out.length)
    if (wantedPalette) {
      // By the first frame: the rest keeps its own light.
      table = tinted(table, paletteOf(data), wantedPalette)
      wantedPalette = undefined
    }
    // Another part of the grain for each frame.
    const shift = (Math.imul(frame + 1, 2654435761) >>> 8) & (grain.length - 1)
    const isMoving = grain.isMoving
    const { width, height } = size
    for (let y = 0, i = 0; y < height; y++) {
      const row = ((y & 63) << 6) + (isMoving ? shift : 0)
      for (let x = 0; x < width; x++, i++) {
        const pixel = pixels[i]!
        const light = gain[i]!
        const noise = grain.tile[(row + (x & 63)) & 4095]!
        let r = (((pixel & 255) * light) >> 8) + noise
        let g = ((((pixel >>> 8) & 255) * light) >> 8) + noise
        let b = ((((pixel >>> 16) & 255) * light) >> 8) + noise
        if (r > 255) r = 255
        else if (r < 0) r = 0
        if (g > 255) g = 255
        else if (g < 0) g = 0
        if (b > 255) b = 255
        else if (b < 0) b = 0
        out[i] = table[((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2)]!
      }
    }
    return bytes
  }
}

/** The colour that every colour of 18 bits becomes. */
function tableOf(wanted: readonly Grade[], seed: string): Uint32Array {
  const raster = { data: new Uint8ClampedArray(64 ** 3 * 4), width: 512, height: 512 }
  for (let i = 0; i < 64 ** 3; i++) raster.data.set([((i >> 12) & 63) * 4.047, ((i >> 6) & 63) * 4.047, (i & 63) * 4.047, 255], i * 4)
  const random = createRandom(`${seed}/grade`)
  for (const one of wanted) grade(raster, { ...one, vignette: 0, grain: 0, bloom: 0, clarity: 0 }, random)
  return new Uint32Array(raster.data.buffer)
}

function tinted(table: Uint32Array, from: Palette, to: Palette): Uint32Array {
  const copy = table.slice()
  toPalette(new Uint8ClampedArray(copy.buffer), from, to, 0.75)
  return copy
}

/** 256 in the middle, less in the corners. */
function cornersOf({ width, height }: PictureSize, strength: number): Uint16Array {
  const gain = new Uint16Array(width * height)
  for (let y = 0; y < height; y++) {
    const v = ((y + 0.5) / height) * 2 - 1
    for (let x = 0; x < width; x++) {
      const u = ((x + 0.5) / width) * 2 - 1
      const far = Math.max(0, (u * u + v * v - 0.5) / 1.5)
      gain[y * width + x] = Math.round(256 * (1 - strength * 0.5 * far ** 1.3))
    }
  }
  return gain
}

/** A tile of 64 x 64 that also hides the steps of the table; without grain it stands still, for the encoder's sake. */
function grainOf(seed: string, amount: number): { tile: Int8Array; length: number; isMoving: boolean } {
  const random = createRandom(`${seed}/grain`)
  const tile = new Int8Array(4096)
  for (let i = 0; i < tile.length; i++)
    tile[i] = Math.floor(random.next() * 4) + Math.round((random.next() + random.next() - 1) * amount * 34)
  return { tile, length: tile.length, isMoving: amount > 0 }
}

/** Bright parts bleed a little light. */
function createBloom({ width, height }: PictureSize, strength: number): (canvas: Canvas) => void {
  const scale = Math.min(1, 144 / Math.min(width, height))
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const small = createCanvas(w, h)
  const copy = createCanvas(w, h)
  const soft = createCanvas(w, h)
  const [pen, copier, brush] = [small.getContext('2d'), copy.getContext('2d'), soft.getContext('2d')]
  brush.filter = `blur(${(Math.min(w, h) * 0.025).toFixed(2)}px)`
  return canvas => {
    pen.globalCompositeOperation = 'copy'
    pen.drawImage(canvas, 0, 0, w, h)
    copier.globalCompositeOperation = 'copy'
    copier.drawImage(small, 0, 0)
    pen.globalCompositeOperation = 'multiply'
    for (let i = 0; i < 3; i++) pen.drawImage(copy, 0, 0)
    brush.globalCompositeOperation = 'copy'
    brush.drawImage(small, 0, 0)
    const context = canvas.getContext('2d')
    context.save()
    context.globalCompositeOperation = 'screen'
    context.globalAlpha = strength
    context.drawImage(soft, 0, 0, width, height)
    context.restore()
  }
}

/** Large square pixels, of which the short side has 144. */
function createPixels({ width, height }: PictureSize): (canvas: Canvas) => void {
  const scale = 144 / Math.min(width, height)
  const small = createCanvas(Math.round(width * scale), Math.round(height * scale))
  const pen: SKRSContext2D = small.getContext('2d')
  pen.globalCompositeOperation = 'copy'
  return canvas => {
    pen.drawImage(canvas, 0, 0, small.width, small.height)
    const context = canvas.getContext('2d')
    context.save()
    context.imageSmoothingEnabled = false
    context.drawImage(small, 0, 0, width, height)
    context.restore()
  }
}
