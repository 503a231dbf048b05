import type { Random } from '../drawing.ts'
import { createRandom } from '../random.ts'
import type { StyleKind } from '../scene.ts'
import { blueprint } from './blueprint.ts'
import { clay, neon, paperCut, pastel } from './craft.ts'
import { crayon } from './crayon.ts'
import { crossStitch } from './cross-stitch.ts'
import { cubist } from './cubist.ts'
import { cinematicGrade, graded, illustrationGrade, noir, photo, vintage } from './film.ts'
import { fresco } from './fresco.ts'
import { mosaic, stainedGlass } from './glass.ts'
import { inkWash } from './ink.ts'
import { lineArt } from './line-art.ts'
import { lowPoly } from './low-poly.ts'
import { applyMoods } from './moods.ts'
import { impressionist, oil } from './painterly.ts'
import { papyrus } from './papyrus.ts'
import { pixelArt } from './pixel-art.ts'
import { flatten, type Pixels, type Raster } from './pixels.ts'
import { pointillism } from './pointillism.ts'
import { resizeRaster } from './resize.ts'
import { chalk, sketch } from './sketch.ts'
import { synthwave } from './synthwave.ts'
import { tapestry } from './tapestry.ts'
import { anime, comic, flat, popArt } from './toon.ts'
import { ukiyoE } from './ukiyo-e.ts'
import { watercolor } from './watercolor.ts'
import { woodcut } from './woodcut.ts'

interface StyleOptions {
  /** Seed of the random numbers. Equal pixels, style, moods and seed give equal bytes. */
  seed: string
  /** Mood words (`dark`, `dreamy`, `magical`, ...). The picture is graded by them before the style
   *  is drawn. Unknown words have no effect. */
  moods?: readonly string[]
}

interface StyleDrawing {
  /** Returns the picture drawn in the style. Some styles overwrite the given raster. */
  draw: (raster: Raster, random: Random) => Raster
  /** True for styles that need little memory. Such styles are drawn at full size even for large
   *  pictures. */
  anySize?: boolean
}

const drawings: Readonly<Record<StyleKind, StyleDrawing>> = {
  illustration: { draw: (raster, random) => graded(raster, illustrationGrade, random), anySize: true },
  cinematic: { draw: (raster, random) => graded(raster, cinematicGrade, random), anySize: true },
  photo: { draw: photo, anySize: true },
  vintage: { draw: vintage, anySize: true },
  noir: { draw: noir, anySize: true },
  pixel: { draw: pixelArt, anySize: true },
  mosaic: { draw: mosaic, anySize: true },
  'low-poly': { draw: lowPoly, anySize: true },
  watercolor: { draw: watercolor },
  oil: { draw: oil },
  impressionist: { draw: impressionist },
  sketch: { draw: sketch },
  chalk: { draw: chalk },
  ink: { draw: inkWash },
  anime: { draw: anime },
  comic: { draw: comic },
  'pop-art': { draw: popArt },
  flat: { draw: flat },
  clay: { draw: clay },
  cubist: { draw: cubist },
  'cross-stitch': { draw: crossStitch, anySize: true },
  blueprint: { draw: blueprint },
  papyrus: { draw: papyrus },
  crayon: { draw: crayon },
  'line-art': { draw: lineArt },
  'ukiyo-e': { draw: ukiyoE },
  pointillism: { draw: pointillism },
  synthwave: { draw: synthwave },
  fresco: { draw: fresco },
  tapestry: { draw: tapestry },
  'paper-cut': { draw: paperCut },
  neon: { draw: neon },
  pastel: { draw: pastel },
  woodcut: { draw: woodcut },
  'stained-glass': { draw: stainedGlass },
}

/** Largest number of pixels at which a style without `anySize` draws. A larger picture is
 *  reduced to this number, drawn, and enlarged again. */
const mostDrawnPixels = 4_400_000

/** Returns the picture drawn in another style. The result has the same size and is opaque;
 *  transparent parts are drawn over white. The input is unchanged. All lengths are relative to the
 *  short side, so that pictures of 512 and of 2048 pixels look alike. Throws RangeError when the
 *  data does not fit the size. */
export function applyStyle(pixels: Pixels, style: StyleKind, options: StyleOptions): Pixels {
  const random = createRandom(`${options.seed}/style`)
  const raster = flatten(pixels)
  applyMoods(raster, options.moods ?? [], random.fork('moods'))
  const drawing = drawings[style]
  if (drawing.anySize) return drawing.draw(raster, random.fork(style))
  const share = Math.sqrt(mostDrawnPixels / (raster.width * raster.height))
  if (share >= 1) return drawing.draw(raster, random.fork(style))
  const small = resizeRaster(raster, Math.max(1, Math.round(raster.width * share)), Math.max(1, Math.round(raster.height * share)))
  return resizeRaster(drawing.draw(small, random.fork(style)), raster.width, raster.height)
}
