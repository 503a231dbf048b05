import type { Random } from '../drawing.ts'
import { createRandom } from '../random.ts'
import { createPlane, type Plane } from './pixels.ts'
import { mixFloatRows } from './simd/light-kernels.ts'
import { spreadRow } from './simd/plane-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** Returns fractal value noise between 0 and 1 with a mean of about 0.5. `cell` is the size of its
 *  largest features, in pixels of the plane. */
export function fractalNoise(random: Random, size: { width: number; height: number }, cell: number, octaves: number): Plane {
  const out = createPlane(size.width, size.height)
  let amplitude = 1
  let total = 0
  let spacing = cell
  for (let octave = 0; octave < octaves && (octave === 0 || spacing >= 1); octave++) {
    addLattice(out, random, spacing, amplitude)
    total += amplitude
    amplitude *= 0.5
    spacing /= 2
  }
  for (let i = 0; i < out.data.length; i++) out.data[i]! /= total
  return out
}

/** Returns a square tile of random grain between -1 and 1, blurred by `softness` pixels and scaled
 *  back to this range. Opposite edges of the tile fit together. */
export function grainTile(random: Random, size: number, softness: number): Plane {
  return keptTile(`grain ${size} ${softness} ${random.integer(1, 3)}`, own => makeGrain(own, size, softness))
}

const tiles = new Map<string, Plane>()

/** Returns the tile with this name, made once and kept for the life of the process (about 30 tiles
 *  of half a megabyte). The name is also the seed, so a tile is the same in every process. Tiles
 *  are not made anew for each picture, because making a tile takes longer than using it, and the
 *  tiles of all seeds look alike. */
export function keptTile(name: string, make: (random: Random) => Plane): Plane {
  const known = tiles.get(name)
  if (known) return known
  const made = make(createRandom(name))
  tiles.set(name, made)
  return made
}

function makeGrain(random: Random, size: number, softness: number): Plane {
  const tile = createPlane(size, size)
  for (let i = 0; i < tile.data.length; i++) tile.data[i] = random.next() * 2 - 1
  if (softness <= 0) return tile
  const soft = wrapBlur(wrapBlur(tile, softness, 1), softness, size)
  let square = 0
  for (const value of soft.data) square += value * value
  const scale = 0.5 / Math.sqrt(square / soft.data.length || 1)
  for (let i = 0; i < soft.data.length; i++) soft.data[i] = Math.max(-1, Math.min(1, soft.data[i]! * scale))
  return soft
}

/** Returns a function that writes row `y` of an endlessly repeated tile into `out`. `scale` is the
 *  number of pixels that a pixel of the tile covers. */
export function repeat(tile: Plane, width: number, scale: number): (y: number, out: Float32Array) => void {
  return (y, out) =>
    inRoom(() => {
      const at = repeatedRows(tile, width, scale)(y) / 4
      out.set(views().floats.subarray(at, at + width))
    })
}

/** Like `repeat`, but the function returns the address of the row in the WebAssembly memory of the
 *  filters. A row is valid until the next call, and only inside the `inRoom` call in which it was
 *  read. */
export function repeatedRows({ data, width: size, height }: Plane, width: number, scale: number): (y: number) => number {
  // The number of pixels of the tile that cover the row, and two more for the interpolation.
  const length = Math.ceil(width / scale) + 2
  const du = Math.round(65_536 / scale)
  const groups = (width + 15) >> 4
  const [to, from] = [take(groups * 64), take((length + size) * 4)]
  const [upper, lower, part] = [take(size * 4), take(size * 4), take(4)]
  const rowOf = (row: number) => data.subarray((row % height) * size, ((row % height) + 1) * size)
  return y => {
    const { floats } = views()
    const position = y / scale
    const top = Math.floor(position)
    floats.set(rowOf(top), upper / 4)
    floats.set(rowOf(top + 1), lower / 4)
    floats[part / 4] = position - top
    mixFloatRows(from, upper, lower, (size + 3) >> 2, part)
    const first = from / 4
    for (let x = size; x < length; x += size) floats.copyWithin(first + x, first, first + size)
    spreadRow(to, from, groups, 0, du)
    return to
  }
}

function addLattice(out: Plane, random: Random, spacing: number, amplitude: number): void {
  const columns = Math.ceil(out.width / spacing) + 2
  const rows = Math.ceil(out.height / spacing) + 2
  const lattice = new Float32Array(columns * rows)
  for (let i = 0; i < lattice.length; i++) lattice[i] = random.next() * amplitude
  const left = new Int32Array(out.width)
  const share = new Float32Array(out.width)
  for (let x = 0; x < out.width; x++) {
    left[x] = Math.floor(x / spacing)
    share[x] = ease(x / spacing - left[x]!)
  }
  const mixed = new Float32Array(columns)
  for (let y = 0; y < out.height; y++) {
    const top = Math.floor(y / spacing)
    const t = ease(y / spacing - top)
    for (let i = 0; i < columns; i++) {
      const a = lattice[top * columns + i]!
      mixed[i] = a + (lattice[(top + 1) * columns + i]! - a) * t
    }
    const base = y * out.width
    for (let x = 0; x < out.width; x++) {
      const i = left[x]!
      out.data[base + x]! += mixed[i]! + (mixed[i + 1]! - mixed[i]!) * share[x]!
    }
  }
}

function ease(t: number): number {
  return t * t * (3 - 2 * t)
}

/** Returns for each pixel of a tile the sum of the pixels within `radius` along one axis; the
 *  last pixel of a line is a neighbour of the first. `step` is 1 for rows, and the side length
 *  of the tile for columns. */
function wrapBlur(tile: Plane, radius: number, step: number): Plane {
  const size = tile.width
  const out = createPlane(size, size)
  const across = step === 1 ? size : 1
  for (let line = 0; line < size; line++) {
    for (let i = 0; i < size; i++) {
      let sum = 0
      for (let k = -radius; k <= radius; k++) sum += tile.data[line * across + ((i + k + size) % size) * step]!
      out.data[line * across + i * step] = sum
    }
  }
  return out
}
