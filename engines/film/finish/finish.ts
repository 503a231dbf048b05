/** Applies the look of a film to its frames. Where possible, the colours of drawn pictures are
 *  changed once, before they are drawn; bloom, dark corners and grain are added to every frame.
 *  Then the frame is converted to YUV planes for the encoder. */

import { createRandom } from '@generation-gateway/studio/random.ts'
import type { StyleKind } from '@generation-gateway/studio/scene.ts'
import { cinematicGrade, illustrationGrade } from '@generation-gateway/studio/style/film.ts'
import { type Grade, grade } from '@generation-gateway/studio/style/grade.ts'
import { moodGrades } from '@generation-gateway/studio/style/moods.ts'
import type { Pen } from '../raster/pen.ts'
import type { Store, Surface, Tone } from '../raster/store.ts'
import type { PictureSize } from '../world/view.ts'
import { createBloom } from './bloom.ts'
import { type Palette, paletteOf, toPalette } from './palette.ts'
import { createPixels } from './pixels.ts'
import { createPlanes } from './planes.ts'

interface FinishStyle {
  style: StyleKind
  moods: readonly string[]
  seed: string
  /** Additional colour grades, which are applied before those of the style. */
  grades?: readonly Grade[]
  /** True leaves out the grade of the style and the dark corners that every other film gets. */
  isPlain?: boolean
  /** Target palette. The colours of the frames are shifted towards it. */
  palette?: Palette | undefined
  /** True when the engine did not draw the frames (a base video). Then every frame is
   *  colour-graded, because there are no drawn pictures whose colours could be changed in
   *  advance. */
  isForeign?: boolean
}

export interface Finish {
  /** Colour change that is applied to each picture when it is prepared, before it is drawn. */
  tone?: Tone
  /** Finishes one frame and returns its YUV planes; the next call overwrites them. */
  frame(pen: Pen, frame: number): Uint8Array
}

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

/** Creates the finish of a look. Most drawn styles (such as watercolor) are already part of the
 *  layers and have no grade here; their frames get the further grades (`grades`), those of
 *  the moods, and dark corners. `pixel` frames are also redrawn in large pixels. */
export function createFinish(
  { style, moods, seed, grades: further = [], isPlain = false, palette, isForeign = false }: FinishStyle,
  size: PictureSize,
  store: Store,
): Finish {
  const wanted = [...further, ...moods.flatMap(mood => moodGrades[mood] ?? []), ...(isPlain ? [] : [grades[style] ?? {}])]
  const sum = (name: 'vignette' | 'grain' | 'bloom') => wanted.reduce((all, one) => all + (one[name] ?? 0), 0)
  const planes = createPlanes(store, size, {
    corners: Math.min(1, sum('vignette') + (isPlain ? 0 : 0.28)),
    grain: Math.min(0.5, sum('grain')),
    seed,
  })
  // Each layer has a little bloom of its own. A strong bloom must also spread from one layer to
  // another, so a strong bloom is computed over the whole frame instead.
  const isBleeding = sum('bloom') >= 0.3
  const bloom = isBleeding ? createBloom(store, size, Math.min(0.45, 0.2 + sum('bloom') * 0.25)) : undefined
  const pixelate = style === 'pixel' ? createPixels(size) : undefined
  const isBaked = !palette && !isForeign
  let table = isBaked ? undefined : tableOf(wanted, seed)
  let wantedPalette = palette
  return {
    ...(isBaked ? { tone: toneOf(wanted, { seed, hasBloom: !isBleeding }) } : {}),
    frame: (pen, frame) => {
      bloom?.(pen)
      if (pixelate) pixelate(store, pen.surface)
      if (table && wantedPalette) {
        // The palette of the first frame decides how the colour table is shifted. All later frames
        // use the same table, so that changes of light in the film stay visible.
        table = tinted(table, paletteOf(rowsOf(store, pen.surface)), wantedPalette)
        wantedPalette = undefined
      }
      if (table) lookUp(store, pen.surface, table)
      return planes(pen.surface, frame)
    },
  }
}

/** Returns a function that applies the grades to a layer before the layer is drawn, except for
 *  vignette, grain and clarity; bloom is applied only with `hasBloom` and to large layers. The
 *  function changes the colours of straight-alpha pixels and keeps the alpha. */
function toneOf(wanted: readonly Grade[], { seed, hasBloom = false }: { seed: string; hasBloom?: boolean }): Tone {
  const random = createRandom(`${seed}/grade`)
  return pixels => {
    const isLayer = Math.min(pixels.width, pixels.height) >= leastLayer
    for (const { bloom = 0, ...one } of wanted)
      grade(pixels, { ...one, vignette: 0, grain: 0, bloom: hasBloom && isLayer ? bloom : 0, clarity: 0 }, random)
  }
}

/** Shortest side, in pixels, of a layer that gets bloom. Smaller pictures, such as raindrops and
 *  leaves, get none. */
const leastLayer = 160

/** Returns a lookup table with the graded colour of each 18-bit colour (6 bits per channel). */
function tableOf(wanted: readonly Grade[], seed: string): Uint32Array {
  const raster = { data: new Uint8ClampedArray(64 ** 3 * 4), width: 512, height: 512 }
  for (let i = 0; i < 64 ** 3; i++) raster.data.set([((i >> 12) & 63) * 4.047, ((i >> 6) & 63) * 4.047, (i & 63) * 4.047, 255], i * 4)
  toneOf(wanted, { seed })(raster)
  return new Uint32Array(raster.data.buffer)
}

function tinted(table: Uint32Array, from: Palette, to: Palette): Uint32Array {
  const copy = table.slice()
  toPalette(new Uint8ClampedArray(copy.buffer), from, to, 0.75)
  return copy
}

function rowsOf(store: Store, { at, stride, height }: Surface): Uint8Array {
  return store.bytes().subarray(at, at + stride * height)
}

/** Applies the lookup table to a surface. The table has only 6 bits per channel, which would show
 *  as steps of colour; a dither pattern hides them. The pattern is the same in every frame, because
 *  a changing one would be hard to encode. */
function lookUp(store: Store, { at, stride, width, height }: Surface, table: Uint32Array): void {
  const pixels = new Uint32Array(store.bytes().buffer)
  for (let y = 0; y < height; y++) {
    const row = (at + y * stride) >> 2
    for (let i = row, x = 0; x < width; i++, x++) {
      const pixel = pixels[i]!
      const more = ((x & 1) ^ (y & 1)) * 2
      const r = Math.min(255, (pixel & 255) + more)
      const g = Math.min(255, ((pixel >>> 8) & 255) + more)
      const b = Math.min(255, ((pixel >>> 16) & 255) + more)
      pixels[i] = table[((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2)]!
    }
  }
}
