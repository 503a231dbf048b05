import { blurPlane } from '../style/blur.ts'
import { contrastPlane, gradientPlane } from '../style/edges.ts'
import { createPlane, type Plane, type Raster } from '../style/pixels.ts'
import { resizeRaster } from '../style/resize.ts'
import { stretch } from '../style/stretch.ts'
import { colourCost, fitColours } from './colour-model.ts'
import type { Rectangle } from './geometry.ts'
import { fitMask, maskRows } from './guided.ts'
import { hullOf } from './hull.ts'
import { findSaliency } from './saliency.ts'

/** A connected part of the subject of a picture. Positions are in pixels of the full-size
 *  picture. */
export interface Piece {
  /** Number of the piece in `Separation.pieceOf`, from 1. */
  id: number
  box: Rectangle
  /** Share of the picture's area. */
  area: number
  /** Mean colour of the piece. */
  colour: { r: number; g: number; b: number }
}

/** A picture separated into subject and background. */
export interface Separation {
  pieces: Piece[]
  /** The mask of the subject on the grid of a reduced picture: 0 (background) to 1 (subject). */
  mask: Plane
  /** Number of the piece in each grid cell; 0 for background. */
  pieceOf: Uint8Array
  /** Set when the separation is unreliable: the reason, as part of a sentence for the user. */
  doubt?: string
}

const gridLong = 288
/** Assumed probability that a cell inside a group's convex hull belongs to the group. This value
 *  gave the best results on 32 composed pictures. */
const hullPrior = 0.3

/** Separates a picture into subject and background. The first mask comes from the saliency of
 *  superpixels; it is then refined twice by colour models of subject and background and by
 *  smoothing along the picture's edges. */
export function separate(raster: Raster): Separation {
  const scale = Math.min(1, gridLong / Math.max(raster.width, raster.height))
  const small = resizeRaster(raster, Math.max(8, Math.round(raster.width * scale)), Math.max(8, Math.round(raster.height * scale)))
  const { regions, subject, isClear } = findSaliency(small)
  let mask = createPlane(regions.width, regions.height)
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = subject[regions.label[i]!]!
  const prior = withHulls(mask)
  for (let round = 0; round < 2; round++) mask = refine(small, mask, prior)
  const { pieceOf, pieces } = findPieces(small, mask, raster)
  for (let i = 0; i < mask.data.length; i++) if (pieceOf[i] === 0) mask.data[i] = Math.min(mask.data[i]!, 0.08)
  const doubt = isClear ? findDoubt(small, mask, pieces) : 'no single subject stands out clearly from the background'
  return doubt === undefined ? { pieces, mask, pieceOf } : { pieces, mask, pieceOf, doubt }
}

/** Returns the mask (0 to 1, in the size of the picture) of the pieces with these ids, by
 *  default of all pieces. Its outline is fitted to the contours that the picture shows. */
export function pieceMask(raster: Raster, separation: Separation, ids?: readonly number[]): Plane {
  const { mask, pieceOf } = separation
  const wanted = createPlane(mask.width, mask.height)
  for (let i = 0; i < wanted.data.length; i++) {
    const piece = pieceOf[i]!
    wanted.data[i] = piece > 0 && (!ids || ids.includes(piece)) ? Math.max(0.55, mask.data[i]!) : 0
  }
  const near = blurPlane(wanted, 2.5)
  const small = resizeRaster(raster, mask.width, mask.height)
  const read = maskRows(fitMask(small, wanted, { radius: 3, smooth: 0.0006 }), raster)
  const readLimit = stretch(near, raster.width, raster.height)
  const limit = new Float32Array(raster.width)
  const out = createPlane(raster.width, raster.height)
  for (let y = 0; y < raster.height; y++) {
    const row = out.data.subarray(y * raster.width, (y + 1) * raster.width)
    read(y, row)
    readLimit(y, limit)
    // Limits the mask to the neighbourhood of the mask on the grid: it is 0 far outside the grid's
    // mask and 1 well inside it.
    for (let x = 0; x < row.length; x++) {
      const t = limit[x]!
      row[x] = t < 0.04 ? 0 : t > 0.97 ? 1 : Math.min(row[x]!, t * 5)
    }
  }
  return out
}

/** Returns the mask (full size, 1 or 0) of the area to fill when pieces are removed: the slightly
 *  extended convex hulls of these pieces, without the cells of other pieces. */
export function pieceHulls(raster: Raster, separation: Separation, ids: readonly number[]): Plane {
  const { mask, pieceOf } = separation
  const grid = new Uint8Array(pieceOf.length)
  for (const id of ids) {
    const cells = [...pieceOf.keys()].filter(i => pieceOf[i] === id)
    const hull = hullOf(cells, mask, 1.5 + Math.sqrt(cells.length) * 0.05)
    for (let i = 0; i < grid.length; i++) if (hull[i] && (pieceOf[i] === 0 || ids.includes(pieceOf[i]!))) grid[i] = 1
  }
  const out = createPlane(raster.width, raster.height)
  for (let y = 0; y < raster.height; y++) {
    const row = Math.min(mask.height - 1, Math.floor((y * mask.height) / raster.height)) * mask.width
    for (let x = 0; x < raster.width; x++)
      out.data[y * raster.width + x] = grid[row + Math.min(mask.width - 1, Math.floor((x * mask.width) / raster.width))]!
  }
  return out
}

/** Returns the mask with the cells inside the convex hull of each group raised to `hullPrior`. Such
 *  cells (wheels, feet) often belong to the group; `refine` then decides by their colours. */
function withHulls(mask: Plane): Plane {
  const out = { ...mask, data: mask.data.slice() }
  const mark = new Int32Array(mask.data.length)
  for (let i = 0; i < mark.length; i++) {
    if (mark[i] !== 0 || mask.data[i]! < 0.5) continue
    const group = flood(mask, mark, i, 1)
    const hull = hullOf(group, mask, Math.sqrt(group.length) * 0.05)
    for (let j = 0; j < hull.length; j++) if (hull[j]) out.data[j] = Math.max(out.data[j]!, hullPrior)
  }
  return out
}

function refine(small: Raster, mask: Plane, prior: Plane): Plane {
  const inverse = createPlane(mask.width, mask.height)
  for (let i = 0; i < inverse.data.length; i++) inverse.data[i] = prior.data[i]! > 0.1 ? 0 : 1 - mask.data[i]!
  const subject = fitColours(small, mask, 7)
  const background = fitColours(small, inverse, 9)
  if (!subject || !background) return mask
  const out = createPlane(mask.width, mask.height)
  for (let i = 0; i < out.data.length; i++) {
    const [r, g, b] = [small.data[i * 4]!, small.data[i * 4 + 1]!, small.data[i * 4 + 2]!]
    const odds = Math.max(-4, Math.min(4, colourCost(background, r, g, b) - colourCost(subject, r, g, b)))
    const believed = Math.log((prior.data[i]! * 0.96 + 0.02) / (1 - prior.data[i]! * 0.96 - 0.02))
    out.data[i] = 1 / (1 + Math.exp(-(odds * 0.42 + believed * 1.2)))
  }
  const rows = maskRows(fitMask(small, out, { radius: 5, smooth: 0.0015 }), small)
  for (let y = 0; y < out.height; y++) rows(y, out.data.subarray(y * out.width, (y + 1) * out.width))
  return out
}

/** Returns the connected parts of the mask above 0.5 as pieces, largest first, at most 40. Parts
 *  smaller than 24 cells or than a twentieth of the largest part are dropped. Holes of the mask are
 *  filled in place. */
function findPieces(small: Raster, mask: Plane, full: Raster): { pieceOf: Uint8Array; pieces: Piece[] } {
  const { width, height } = mask
  fillHoles(mask)
  const mark = new Int32Array(width * height)
  const groups: number[][] = []
  for (let i = 0; i < mark.length; i++) {
    if (mark[i] !== 0 || mask.data[i]! < 0.5) continue
    groups.push(flood(mask, mark, i, groups.length + 1))
  }
  groups.sort((a, b) => b.length - a.length)
  const kept = groups.filter(group => group.length >= Math.max(24, (groups[0]?.length ?? 0) / 20)).slice(0, 40)
  const pieceOf = new Uint8Array(width * height)
  const scaleX = full.width / width
  const scaleY = full.height / height
  const pieces = kept.map((group, k) => {
    for (const i of group) pieceOf[i] = k + 1
    return describePiece(small, group, { id: k + 1, scaleX, scaleY, total: width * height })
  })
  return { pieceOf, pieces }
}

function describePiece(small: Raster, group: number[], at: { id: number; scaleX: number; scaleY: number; total: number }): Piece {
  const { width } = small
  let [left, right, top, bottom] = [width, 0, small.height, 0]
  const colour = { r: 0, g: 0, b: 0 }
  for (const i of group) {
    const x = i % width
    const y = Math.floor(i / width)
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
    colour.r += small.data[i * 4]! / group.length
    colour.g += small.data[i * 4 + 1]! / group.length
    colour.b += small.data[i * 4 + 2]! / group.length
  }
  const box = {
    x: Math.round(left * at.scaleX),
    y: Math.round(top * at.scaleY),
    width: Math.round((right - left + 1) * at.scaleX),
    height: Math.round((bottom - top + 1) * at.scaleY),
  }
  return { id: at.id, box, area: group.length / at.total, colour }
}

function flood(mask: Plane, mark: Int32Array, start: number, id: number): number[] {
  const { width, height, data } = mask
  const group = [start]
  mark[start] = id
  for (let k = 0; k < group.length; k++) {
    const i = group[k]!
    const x = i % width
    for (const j of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
      if (j < 0 || j >= width * height || mark[j] !== 0 || data[j]! < 0.5) continue
      mark[j] = id
      group.push(j)
    }
  }
  return group
}

/** Adds background areas that the subject encloses to the subject, if they cover less than 1.2 % of
 *  the picture and do not reach its border. */
function fillHoles(mask: Plane): void {
  const { width, height } = mask
  const inverse = createPlane(width, height)
  for (let i = 0; i < inverse.data.length; i++) inverse.data[i] = 1 - mask.data[i]!
  const mark = new Int32Array(width * height)
  for (let i = 0; i < mark.length; i++) {
    if (mark[i] !== 0 || inverse.data[i]! < 0.5) continue
    const group = flood(inverse, mark, i, 1)
    const touches = group.some(j => j % width === 0 || j % width === width - 1 || j < width || j >= width * (height - 1))
    if (!touches && group.length < width * height * 0.012) for (const j of group) mask.data[j] = 0.9
  }
}

function findDoubt(small: Raster, mask: Plane, pieces: Piece[]): string | undefined {
  const area = pieces.reduce((sum, piece) => sum + piece.area, 0)
  if (area < 0.008) return 'no subject stands out from the background'
  if (area > 0.72) return 'the subject fills nearly the whole picture'
  const edges = gradientPlane(blurPlane(contrastPlane(small), 0.8))
  let onBorder = 0
  let count = 0
  let all = 0
  let undecided = 0
  for (let y = 1; y < mask.height - 1; y++) {
    for (let x = 1; x < mask.width - 1; x++) {
      const i = y * mask.width + x
      all += edges.data[i]!
      if (Math.abs(mask.data[i]! - 0.5) < 0.25) undecided++
      if (mask.data[i]! < 0.5 === mask.data[i + 1]! < 0.5 && mask.data[i]! < 0.5 === mask.data[i + mask.width]! < 0.5) continue
      onBorder += edges.data[i]!
      count++
    }
  }
  const strength = count === 0 ? 0 : onBorder / count
  if (strength < 7 || strength < (all / mask.data.length) * 1.15) return 'the subject does not stand out clearly from the background'
  if (undecided / mask.data.length > Math.max(0.16, area * 0.8)) return 'the border between subject and background is not clear'
  return undefined
}
