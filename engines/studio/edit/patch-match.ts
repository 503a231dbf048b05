import type { Random } from '../drawing.ts'
import { createRaster, type Raster } from '../style/pixels.ts'
import { resizeRaster } from '../style/resize.ts'

/** Where the pixels of the hole take their colours from. `from` holds, for each pixel of the
 *  hole, the index of a pixel outside the hole, and -1 for every other pixel. */
export interface Sources {
  from: Int32Array
  width: number
  height: number
  /** The reduced picture with its hole filled. */
  filled: Raster
  /** For each hole pixel, how badly its surroundings match those of its source: the mean squared
   *  difference of the colours (summed over the three channels) per compared pixel. 0 is a
   *  perfect match. */
  misfit: Float32Array
}

const reach = 3

/** Finds for every hole pixel (1 in `hole`) a pixel outside the hole with similar surroundings, by
 *  PatchMatch on an image pyramid (Barnes et al., 2009). Sources are searched in nearby rows, and
 *  the coarsest level starts from a horizontal blend between the left and right sides of the hole.
 *  For this reason a hole in the sky is filled from the sky, and one on the ground from the ground.
 *  Throws RangeError when no patch lies completely outside the hole. */
export function matchPatches(raster: Raster, hole: Uint8Array, random: Random): Sources {
  const levels = pyramid(raster, hole)
  let sources = startLevel(levels[levels.length - 1]!, random)
  for (let k = levels.length - 1; k >= 0; k--) {
    const level = levels[k]!
    if (k < levels.length - 1) sources = enlarge(sources, level, random)
    const rounds = k === 0 ? 2 : 4
    for (let round = 0; round < rounds; round++) {
      search(level, sources, random)
      vote(level, sources)
    }
  }
  return sources
}

interface Level {
  known: Raster
  hole: Uint8Array
  /** Indices of the hole pixels, row by row. */
  list: Int32Array
  width: number
  height: number
  /** Largest distance, in rows, between a hole pixel and its source. */
  band: number
  /** 1 for each pixel whose whole patch (the square of pixels around it) lies inside the picture
   *  and outside the hole. */
  usable: Uint8Array
}

function pyramid(raster: Raster, hole: Uint8Array): Level[] {
  const levels = [makeLevel(raster, hole)]
  while (Math.min(levels[levels.length - 1]!.width, levels[levels.length - 1]!.height) > 44 && levels.length < 5) {
    const last = levels[levels.length - 1]!
    const width = Math.max(8, last.width >> 1)
    const height = Math.max(8, last.height >> 1)
    const smaller = new Uint8Array(width * height)
    for (const i of last.list) {
      const x = Math.min(width - 1, (i % last.width) >> 1)
      const y = Math.min(height - 1, Math.floor(i / last.width) >> 1)
      smaller[y * width + x] = 1
    }
    const next = makeLevel(resizeRaster(last.known, width, height), smaller)
    // On each coarser level, fewer patches lie completely outside a large hole. A level without any
    // such patch is not added.
    if (!next.usable.includes(1)) break
    levels.push(next)
  }
  return levels
}

function makeLevel(known: Raster, hole: Uint8Array): Level {
  const { width, height } = known
  const list: number[] = []
  const usable = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      if (hole[i]) list.push(i)
      usable[i] = isClear(hole, { x, y, width, height }) ? 1 : 0
    }
  }
  return { known, hole, list: Int32Array.from(list), width, height, band: Math.max(2, Math.round(height * 0.06)), usable }
}

function isClear(hole: Uint8Array, at: { x: number; y: number; width: number; height: number }): boolean {
  if (at.x < reach || at.y < reach || at.x >= at.width - reach || at.y >= at.height - reach) return false
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) if (hole[(at.y + dy) * at.width + at.x + dx]) return false
  }
  return true
}

function startLevel(level: Level, random: Random): Sources {
  const filled = blendAcross(level)
  const from = new Int32Array(level.width * level.height).fill(-1)
  for (const i of level.list) from[i] = anySource(level, Math.floor(i / level.width), random)
  return { from, width: level.width, height: level.height, filled, misfit: new Float32Array(from.length) }
}

/** Returns a random usable source in a row near row `y`. After 60 tries without success, returns
 *  the first usable pixel of the level. Throws `RangeError` when the level has none. */
function anySource(level: Level, y: number, random: Random): number {
  for (let tries = 0; tries < 60; tries++) {
    const band = level.band * (1 + tries / 10)
    const row = Math.round(y + random.between(-band, band))
    if (row < 0 || row >= level.height) continue
    const i = row * level.width + random.integer(0, level.width - 1)
    if (level.usable[i]) return i
  }
  const first = level.usable.indexOf(1)
  if (first < 0) throw new RangeError('The hole leaves no room to copy from.')
  return first
}

/** Returns the level with each row of the hole filled by a gradient between the pixels left and
 *  right of the hole. A row that is a hole over the whole width is copied from the row above. */
function blendAcross(level: Level): Raster {
  const out = createRaster(level.width, level.height)
  out.data.set(level.known.data)
  const { width, height, hole } = level
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!hole[y * width + x]) continue
      let left = x
      let right = x
      while (left >= 0 && hole[y * width + left]) left--
      while (right < width && hole[y * width + right]) right++
      const t = left < 0 ? 1 : right >= width ? 0 : (x - left) / (right - left)
      const column = left < 0 || right >= width ? columnEnds(level, x, y) : []
      for (let k = 0; k < 3; k++) {
        const a = left >= 0 ? level.known.data[(y * width + left) * 4 + k]! : 0
        const b = right < width ? level.known.data[(y * width + right) * 4 + k]! : 0
        const open = left < 0 && right >= width
        const own = open ? out.data[(Math.max(0, y - 1) * width + x) * 4 + k]! : a * (1 - t) + b * t
        // Where the hole reaches the left or right border of the picture, at most one end of the
        // row is known. The pixels above and below the hole are mixed in, so that the colour of one
        // end does not fill the whole row.
        const others = column.map(i => level.known.data[i * 4 + k]!)
        out.data[(y * width + x) * 4 + k] = (own + others.reduce((sum, value) => sum + value, 0)) / (1 + others.length)
      }
    }
  }
  return out
}

/** Returns the indices of the nearest pixels outside the hole directly above and below a hole
 *  pixel, if there are any. */
function columnEnds({ hole, width, height }: Level, x: number, y: number): number[] {
  let [above, below] = [y, y]
  while (above >= 0 && hole[above * width + x]) above--
  while (below < height && hole[below * width + x]) below++
  return [...(above >= 0 ? [above * width + x] : []), ...(below < height ? [below * width + x] : [])]
}

function enlarge(sources: Sources, level: Level, random: Random): Sources {
  const from = new Int32Array(level.width * level.height).fill(-1)
  const filled = createRaster(level.width, level.height)
  filled.data.set(level.known.data)
  for (const i of level.list) {
    const x = i % level.width
    const y = Math.floor(i / level.width)
    const low = Math.min(sources.height - 1, y >> 1) * sources.width + Math.min(sources.width - 1, x >> 1)
    const source = sources.from[low]!
    const sx = (source % sources.width) * 2 + (x & 1)
    const sy = Math.floor(source / sources.width) * 2 + (y & 1)
    const place = source >= 0 && sx < level.width && sy < level.height ? sy * level.width + sx : -1
    from[i] = place >= 0 && level.usable[place] ? place : anySource(level, y, random)
    // Each hole pixel starts with the colour of its source. With an enlarged copy of the coarser
    // level instead, the filled area would be blurred, and the search would match it with blurred
    // areas only.
    filled.data.set(level.known.data.subarray(from[i]! * 4, from[i]! * 4 + 4), i * 4)
  }
  return { from, width: level.width, height: level.height, filled, misfit: new Float32Array(from.length) }
}

function search(level: Level, sources: Sources, random: Random): void {
  const { width, list } = level
  for (let pass = 0; pass < 3; pass++) {
    const forward = pass % 2 === 0
    const step = forward ? -1 : 1
    for (let n = 0; n < list.length; n++) {
      const i = list[forward ? n : list.length - 1 - n]!
      let best = sources.from[i]!
      let least = patchDistance(level, sources.filled, { at: i, source: best, limit: Number.POSITIVE_INFINITY })
      const consider = (candidate: number) => {
        if (candidate < 0 || candidate >= level.usable.length || !level.usable[candidate]) return
        if (Math.abs(Math.floor(candidate / width) - Math.floor(i / width)) > level.band) return
        const distance = patchDistance(level, sources.filled, { at: i, source: candidate, limit: least })
        if (distance >= least) return
        least = distance
        best = candidate
      }
      const beside = sources.from[i + step] ?? -1
      if (beside >= 0) consider(beside - step)
      const over = sources.from[i + step * width] ?? -1
      if (over >= 0) consider(over - step * width)
      for (let radius = width; radius >= 1; radius /= 2.2) {
        const dy = Math.round(random.between(-1, 1) * Math.min(radius, level.band))
        consider(best + dy * width + Math.round(random.between(-radius, radius)))
      }
      sources.from[i] = best
      sources.misfit[i] = least
    }
  }
}

function patchDistance(level: Level, filled: Raster, pair: { at: number; source: number; limit: number }): number {
  const { width, height } = level
  const a = filled.data
  const b = level.known.data
  const x = pair.at % width
  const y = (pair.at / width) | 0
  // The part of the patch that lies in the picture. This is the innermost loop of the search, so it
  // checks no bounds for single pixels.
  const left = Math.max(-reach, -x)
  const right = Math.min(reach, width - 1 - x)
  const top = Math.max(-reach, -y)
  const bottom = Math.min(reach, height - 1 - y)
  const between = (pair.source - pair.at) * 4
  const limit = pair.limit * 49
  let sum = 0
  for (let dy = top; dy <= bottom; dy += 1) {
    const row = (pair.at + dy * width) * 4
    for (let i = row + left * 4; i <= row + right * 4; i += 4) {
      const r = a[i]! - b[i + between]!
      const g = a[i + 1]! - b[i + between + 1]!
      const blue = a[i + 2]! - b[i + between + 2]!
      sum += r * r + g * g + blue * blue
    }
    if (sum > limit) return pair.limit
  }
  return sum / ((right - left + 1) * (bottom - top + 1))
}

/** Sets every hole pixel to a weighted mean of the colours that the patches around it suggest. Each
 *  patch that covers the pixel suggests the colour at the same position in its source patch.
 *  Patches that match well have more weight; an unweighted mean would be blurred. */
function vote(level: Level, sources: Sources): void {
  const { width, height } = level
  const tolerance = 1 / (2 * usualMisfit(level, sources) + 1)
  const sums = new Float32Array(width * height * 4)
  for (const i of level.list) {
    const source = sources.from[i]!
    const x = i % width
    const y = Math.floor(i / width)
    const trust = Math.exp(-sources.misfit[i]! * tolerance * 4) + 1e-4
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
        const to = i + dy * width + dx
        if (!level.hole[to]) continue
        const j = (source + dy * width + dx) * 4
        const weight = dx === 0 && dy === 0 ? trust * 6 : trust
        sums[to * 4]! += level.known.data[j]! * weight
        sums[to * 4 + 1]! += level.known.data[j + 1]! * weight
        sums[to * 4 + 2]! += level.known.data[j + 2]! * weight
        sums[to * 4 + 3]! += weight
      }
    }
  }
  for (const i of level.list) {
    const n = sums[i * 4 + 3]!
    for (let k = 0; k < 3; k++) sources.filled.data[i * 4 + k] = sums[i * 4 + k]! / n
  }
}

function usualMisfit({ list }: Level, { misfit }: Sources): number {
  let sum = 0
  for (const i of list) sum += misfit[i]!
  return sum / Math.max(1, list.length)
}
