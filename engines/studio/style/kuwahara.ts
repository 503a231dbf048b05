import { createRaster, type Raster } from './pixels.ts'
import { inRoom, take, views } from './simd/room.ts'
import { expandRow, mixRow, repeatEdges, shrinkRow, sumAlong, sumDown, weighRow } from './simd/smooth-kernels.ts'

/** Returns a smoothed picture whose edges stay sharp (Kuwahara filter). Every block of 2 x 2 pixels
 *  becomes a weighted mean of the mean colours of eight squares around it; the more uniform a
 *  square is, the more it counts. `radius` (pixels) is the size of the uniform patches in the
 *  result. The cost does not grow with the radius, because the means are running sums. Pixels must
 *  be opaque; alpha is ignored. */
export function kuwahara(raster: Raster, radius: number): Raster {
  const half = Math.max(1, Math.round(radius / 2))
  const colours = Math.round(half / 2 - 0.25)
  const lights = Math.max(1, Math.round(half / 2))
  const far = Math.max(1, Math.round((half + 1) / 2))
  const shape = { colours, lights, far, near: Math.max(1, Math.round(far * 0.75)) }
  return inRoom(() => {
    const blocks = blocksOf(raster)
    const mixed = take((blocks.columns + 4) * 4 * blocks.rows) + 4
    for (let start = 0; start < blocks.rows; start += bandRows)
      smoothBand(raster, { to: mixed, start, end: Math.min(blocks.rows, start + bandRows) }, shape)
    return expandBlocks(blocks, mixed, raster)
  })
}

/** Number of rows of blocks that are smoothed at a time. The data of so many rows fits into the
 *  processor's caches. */
const bandRows = 96

interface Shape {
  /** Radii, in blocks, of the squares over which the mean colour (`colours`) and the uniformity
   *  (`lights`) are computed. */
  colours: number
  lights: number
  /** Distances, in blocks, from a block to the centres of its eight squares: `far` for the
   *  horizontal and vertical ones, `near` across and down for the diagonal ones. */
  far: number
  near: number
}

interface Band {
  /** Address in the filters' memory at which the result begins: one pixel per block. */
  to: number
  /** First row of blocks, and the row after the last one. */
  start: number
  end: number
}

/** Smooths a range of rows. Reads the surrounding rows that the squares need, and writes only this
 *  range. */
function smoothBand(raster: Raster, { to, start, end }: Band, shape: Shape): void {
  inRoom(() => {
    const { colours, lights, far } = shape
    const { columns, rows } = blocksOf(raster)
    const first = Math.max(0, start - far - lights)
    const margin = Math.max(lights + 1, far)
    const count = Math.min(rows, end + far + lights) - first
    const grid: Grid = { columns, rows: count, margin, stride: (columns + margin * 2) * 16 }
    const [blocks, scratch, light] = [takeVectors(grid), takeVectors(grid), takeVectors(grid)]
    shrinkToBlocks(raster, grid, { to: blocks, first })
    sumSquares(grid, { from: blocks, scratch, to: light, radius: lights })
    const colour = colours === lights ? light : takeVectors(grid)
    if (colour !== light) sumSquares(grid, { from: blocks, scratch, to: colour, radius: colours })
    weighBlocks(grid, { to: blocks, colour, light, colours, lights })
    for (let row = start; row < end; row++) mixSquares(grid, { to, row, from: blocks + (row - first) * grid.stride }, shape)
  })
}

/** Rows and columns of vectors of 16 bytes, with a margin on all sides so that neighbours can be
 *  read without testing for the edges. */
interface Grid {
  columns: number
  rows: number
  margin: number
  /** Bytes from one row to the next. */
  stride: number
}

function blocksOf({ width, height }: Raster): { columns: number; rows: number } {
  return { columns: (width + 1) >> 1, rows: (height + 1) >> 1 }
}

/** Allocates memory for a grid and returns the address of its first vector inside the margin. */
function takeVectors({ rows, margin, stride }: Grid): number {
  return take((rows + margin * 2) * stride) + margin * stride + margin * 16
}

function inside(place: number, size: number): number {
  return place < 0 ? 0 : place >= size ? size - 1 : place
}

/** Writes one vector for each block of 2 x 2 pixels, beginning at row `first` of the blocks. When
 *  the picture has an odd width or height, its last column or row of pixels is counted twice. */
function shrinkToBlocks(
  { data, width, height }: Raster,
  { columns, rows, margin, stride }: Grid,
  { to, first }: { to: number; first: number },
): void {
  const line = columns * 8
  const source = take(line * 2)
  const { bytes } = views()
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < 2; k++) {
      const y = Math.min(height - 1, (first + row) * 2 + k)
      const at = source + k * line
      bytes.set(data.subarray(y * width * 4, (y + 1) * width * 4), at)
      if (width % 2 === 1) bytes.copyWithin(at + width * 4, at + width * 4 - 4, at + width * 4)
    }
    shrinkRow(to + row * stride, source, source + line, columns)
    repeatEdges(to + row * stride, columns, margin)
  }
}

/** Computes for each vector the sum over the square that extends `radius` vectors from it in each
 *  direction. */
function sumSquares(grid: Grid, { from, scratch, to, radius }: { from: number; scratch: number; to: number; radius: number }): void {
  const { columns, rows, stride } = grid
  const taps = radius * 2 + 1
  for (let row = 0; row < rows; row++) sumAlong(scratch + row * stride, from + row * stride - radius * 16, columns, taps)
  const sums = take(columns * 16)
  const rowOf = (row: number) => scratch + inside(row, rows) * stride
  views().bytes.fill(0, sums, sums + columns * 16)
  // The sums for the first row cover `radius` rows on both sides. This loop adds these rows one
  // after the other. What it writes at `to` is not complete yet; the next loop overwrites it.
  const empty = take(columns * 16)
  views().bytes.fill(0, empty, empty + columns * 16)
  for (let k = -radius; k <= radius; k++) sumDown(to, sums, rowOf(k), empty, columns)
  for (let row = 0; row < rows; row++) sumDown(to + row * stride, sums, rowOf(row + radius + 1), rowOf(row - radius), columns)
}

interface Sums {
  to: number
  colour: number
  light: number
  /** Radii, in blocks, of the squares over which the mean colour and the uniformity were summed. */
  colours: number
  lights: number
}

function weighBlocks({ columns, rows, margin, stride }: Grid, { to, colour, light, colours, lights }: Sums): void {
  const shares = take(8)
  views().floats.set([1 / (colours * 2 + 1) ** 2, 1 / (lights * 2 + 1) ** 2], shares / 4)
  for (let row = 0; row < rows; row++) {
    const at = row * stride
    weighRow(to + at, colour + at, light + at, columns, shares)
    repeatEdges(to + at, columns, margin)
  }
  const { bytes } = views()
  const first = to - margin * 16
  const last = first + (rows - 1) * stride
  for (let k = 1; k <= margin; k++) {
    bytes.copyWithin(first - k * stride, first, first + stride)
    bytes.copyWithin(last + k * stride, last, last + stride)
  }
}

/** Computes for each block of a row the weighted mean of eight blocks: four at the distance `far`
 *  (horizontal and vertical) and four at `near` (diagonal). Writes one pixel per block, and repeats
 *  the first and the last pixel once. */
function mixSquares({ columns, stride }: Grid, { to, row, from }: { to: number; row: number; from: number }, { far, near }: Shape): void {
  const at = to + row * (columns + 4) * 4
  mixRow(at, from, columns, far * 16, near * 16, far * stride, near * stride)
  const { bytes } = views()
  bytes.copyWithin(at - 4, at, at + 4)
  bytes.copyWithin(at + columns * 4, at + columns * 4 - 4, at + columns * 4)
}

function expandBlocks({ columns, rows }: { columns: number; rows: number }, blocks: number, { width, height }: Raster): Raster {
  const line = (columns + 4) * 4
  const row = take(columns * 8 + 16)
  const out = createRaster(width, height)
  const { bytes } = views()
  for (let y = 0; y < height; y++) {
    const own = blocks + (y >> 1) * line
    const other = blocks + inside((y >> 1) + ((y & 1) * 2 - 1), rows) * line
    expandRow(row, own, other, (columns + 1) >> 1)
    out.data.set(bytes.subarray(row, row + width * 4), y * width * 4)
  }
  return out
}
