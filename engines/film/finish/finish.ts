/** Finishes the frames: the colours of a look, baked into the pictures where possible; a little
 *  bloom, dark corners and grain on every frame, which is converted to planes for the encoder. */

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
  /** Further grades before those of the style. */
  grades?: readonly Grade[]
  /** True: only the requested grades, no bloom and no dark corners. */
  isPlain?: boolean
  /** Colours to which the frames are shifted. */
  palette?: Palette | undefined
  /** True for frames that the engine did not draw: their colours are changed frame by frame. */
  isForeign?: boolean
}

export interface Finish {
  /** Colour change that drawn pictures get beforehand. */
  tone?: Tone
  /** Returns the planes of the surface of a pen; the next frame overwrites them. */
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

/** Creates the finish of a look. Looks that a style draws are already on the layers; their frames
 *  only get mood and corners. */
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
  // Layers already have a little bloom, each separately; only a strong bloom bleeds over their
  // edges.
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
        // Computed from the first frame, so that later frames keep their own light.
        table = tinted(table, paletteOf(rowsOf(store, pen.surface)), wantedPalette)
        wantedPalette = undefined
      }
      if (table) lookUp(store, pen.surface, table)
      return planes(pen.surface, frame)
    },
  }
}

/** Returns the part of a style's grades that layers get; light and grain are added to whole
 *  frames later. The tone changes the colours of straight pixels and leaves their alpha. */
function toneOf(wanted: readonly Grade[], { seed, hasBloom = false }: { seed: string; hasBloom?: boolean }): Tone {
  const random = createRandom(`${seed}/grade`)
  return pixels => {
    const isLayer = Math.min(pixels.width, pixels.height) >= leastLayer
    for (const { bloom = 0, ...one } of wanted)
      grade(pixels, { ...one, vignette: 0, grain: 0, bloom: hasBloom && isLayer ? bloom : 0, clarity: 0 }, random)
  }
}

/** Shortest side of a layer that gets light; smaller pictures are drops and leaves. */
const leastLayer = 160

/** Returns the new colour for every colour of 18 bits. */
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

/** Applies the table. Its steps are hidden by a pattern that does not move, for the encoder's
 *  sake. */
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
