import { hueDistance, parseHex } from '../colour.ts'
import type { Target } from '../language/edit-types.ts'
import { createPlane, type Plane, type Raster } from '../style/pixels.ts'
import { toHsl } from './colour.ts'
import { colourMask } from './recolour.ts'
import { type Piece, pieceMask, type Separation, separate } from './segment.ts'
import { findSky } from './sky.ts'

/** The result of an edit: the new picture, or a sentence for the user with the reason why there is
 *  none. */
export type Outcome = { raster: Raster } | { reason: string }

/** A picture that is being edited, with the cached results of its analysis. */
export interface EditedRaster {
  raster: Raster
  seed: string
  separation?: Separation
}

/** Returns the current picture separated into subject and background. The result is computed once
 *  and kept until the picture changes. */
export function separationOf(work: EditedRaster): Separation {
  work.separation ??= separate(work.raster)
  return work.separation
}

/** Returns the pieces that an instruction refers to, or the reason why they cannot be
 *  determined. */
export function findPieces(work: EditedRaster, target: Target): { pieces: Piece[] } | { reason: string } {
  const separation = separationOf(work)
  if (separation.doubt !== undefined) {
    return {
      reason: `In this picture ${separation.doubt}, so "${target.words}" could not be found; edits of the whole picture (colour, light, crop, style, text) work.`,
    }
  }
  const placed = separation.pieces.filter(piece => fitsPlace(piece, target, work.raster))
  const fitting = placed.filter(piece => fitsColour(piece, target))
  if (fitting.length === 0) {
    return {
      reason: `Nothing that fits "${target.words}" stands out in this picture; name its colour or its place (left, right, top, bottom), or edit the whole picture.`,
    }
  }
  if (target.all || target.place || target.colour) return { pieces: fitting }
  const largest = fitting[0]!
  // Pieces of similar size are meant together ("the balloons"). Pieces of less than 40 % of the
  // largest piece's area are left out.
  return { pieces: fitting.filter(piece => piece.area > largest.area * 0.4) }
}

/** Returns the mask of a target (0 to 1, full size), or the reason why it cannot be determined.
 *  `background` and `sky` are also targets. */
export function findMask(work: EditedRaster, target: Target): { mask: Plane; pieces: Piece[] } | { reason: string } {
  if (target.noun === 'sky') {
    const sky = findSky(work.raster)
    return sky ? { mask: sky, pieces: [] } : { reason: 'No open sky could be made out in this picture.' }
  }
  if (target.noun === 'background') {
    const separation = separationOf(work)
    if (separation.doubt !== undefined) return { reason: backgroundDoubt(separation.doubt) }
    const mask = pieceMask(work.raster, separation)
    for (let i = 0; i < mask.data.length; i++) mask.data[i] = 1 - mask.data[i]!
    return { mask, pieces: separation.pieces }
  }
  const found = findPieces(work, target)
  if ('pieces' in found) {
    const ids = found.pieces.map(piece => piece.id)
    return { mask: pieceMask(work.raster, separationOf(work), ids), pieces: found.pieces }
  }
  return target.colour ? (maskByColour(work, target, parseHex(target.colour.hex)) ?? found) : found
}

export function backgroundDoubt(doubt: string): string {
  return `The background could not be told from the subject: ${doubt}. Edits of the whole picture (colour, light, blur, crop, style, text) work.`
}

export function unite(masks: Plane[]): Plane {
  const out = createPlane(masks[0]!.width, masks[0]!.height)
  for (const mask of masks) for (let i = 0; i < out.data.length; i++) out.data[i] = Math.max(out.data[i]!, mask.data[i]!)
  return out
}

/** Returns the mask of all pixels in the named colour, without those outside the named half of the
 *  picture. Undefined when they cover less than 0.4 % or more than 30 % of the picture, because the
 *  colour then does not identify a thing. */
function maskByColour(
  work: EditedRaster,
  target: Target,
  colour: { r: number; g: number; b: number },
): { mask: Plane; pieces: Piece[] } | undefined {
  const mask = colourMask(work.raster, colour)
  const { width, height } = work.raster
  let sum = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const { horizontal, vertical } = target.place ?? {}
      if (horizontal === (x < width / 2 ? 'right' : 'left') || vertical === (y < height / 2 ? 'bottom' : 'top')) mask.data[i] = 0
      sum += mask.data[i]!
    }
  }
  const share = sum / mask.data.length
  return share > 0.004 && share < 0.3 ? { mask, pieces: [] } : undefined
}

function fitsPlace(piece: Piece, target: Target, raster: Raster): boolean {
  const u = (piece.box.x + piece.box.width / 2) / raster.width
  const v = (piece.box.y + piece.box.height / 2) / raster.height
  const { horizontal, vertical } = target.place ?? {}
  if (horizontal === 'left' && u > 0.48) return false
  if (horizontal === 'right' && u < 0.52) return false
  if (horizontal === 'center' && (u < 0.3 || u > 0.7)) return false
  if (vertical === 'top' && v > 0.5) return false
  return !(vertical === 'bottom' && v < 0.5)
}

function fitsColour(piece: Piece, target: Target): boolean {
  if (!target.colour) return true
  const { r, g, b } = parseHex(target.colour.hex)
  const wanted = toHsl(r, g, b)
  const own = toHsl(piece.colour.r, piece.colour.g, piece.colour.b)
  if (wanted.s < 0.15) return own.s < 0.35 && Math.abs(own.l - wanted.l) < 0.35
  return own.s > 0.12 && hueDistance(own.h, wanted.h) < 34
}
