/** Divides a page into cells, one for each picture. The shape of a cell is nearly that of its
 *  picture. */
import type { Rectangle } from '../edit/geometry.ts'

/** A way to divide a box among pictures: one picture, or a row or column of two smaller divisions.
 *  `ratio` is the width / height of the box in which every picture keeps its shape. */
type Cut = { ratio: number } & ({ picture: number } | { isRow: boolean; parts: readonly [Cut, Cut] })

/** Largest number of divisions that are kept for a sequence of pictures. The number is large enough
 *  that one of the divisions fits any page, and small enough that fourteen pictures are laid out
 *  fast. */
const mostCuts = 14
/** Largest ratio of the long to the short side of a cell. A picture that is longer is cropped or
 *  leaves part of its cell empty. */
const longestCell = 4

/** Returns a cell for each picture, in the order of `ratios` (width / height). The cells are `gap`
 *  pixels apart and together fill most of `box`. `choice`: 0 for the best layout, 1 for the next
 *  best, and so on; after the last good layout, the best one follows again. */
export function layPictures(ratios: readonly number[], box: Rectangle, { gap, choice = 0 }: { gap: number; choice?: number }): Rectangle[] {
  const wanted = box.width / box.height
  const cuts = cutsOf(ratios.map(ratio => Math.min(longestCell, Math.max(1 / longestCell, ratio))))
  const ranked = cuts.toSorted((a, b) => costOf(a, wanted) - costOf(b, wanted))
  const cells: Rectangle[] = []
  // Layouts whose cost exceeds the lowest one by 0.4 or more are not used as alternatives.
  const good = ranked.filter(cut => costOf(cut, wanted) < costOf(ranked[0] ?? cut, wanted) + 0.4)
  const cut = good[choice % Math.max(1, good.length)]
  if (cut) place(cut, blockIn(box, cut.ratio), { gap, cells })
  return cells
}

/** Returns the area that all cells together fill, in the middle of `box`. The area is smaller than
 *  `box` when the layout has another shape than the box and would have to be distorted too much;
 *  the margin around the cells is then larger. */
function blockIn(box: Rectangle, ratio: number): Rectangle {
  return shownIn(box, Math.min(longestCell, Math.max(1 / longestCell, ratio)))
}

/** Returns the divisions that are possible for all pictures. The pictures stay in order. */
function cutsOf(ratios: readonly number[]): Cut[] {
  const known = new Map<string, Cut[]>()
  const between = (from: number, to: number): Cut[] => {
    const key = `${from}-${to}`
    const found = known.get(key)
    if (found) return found
    const cuts = to - from === 1 ? [{ ratio: ratios[from] ?? 1, picture: from }] : varied(joined(between, from, to))
    known.set(key, cuts)
    return cuts
  }
  return ratios.length === 0 ? [] : between(0, ratios.length)
}

function* joined(between: (from: number, to: number) => Cut[], from: number, to: number): Generator<Cut> {
  for (let middle = from + 1; middle < to; middle++)
    for (const first of between(from, middle))
      for (const second of between(middle, to)) {
        const parts = [first, second] as const
        yield { ratio: first.ratio + second.ratio, isRow: true, parts }
        yield { ratio: 1 / (1 / first.ratio + 1 / second.ratio), isRow: false, parts }
      }
}

/** Returns at most `mostCuts` divisions. Among divisions with nearly the same ratio, only the one
 *  with the most similar picture areas is kept. */
function varied(cuts: Iterable<Cut>): Cut[] {
  const best = new Map<number, { cut: Cut; unevenness: number }>()
  for (const cut of cuts) {
    const step = Math.round(Math.log(cut.ratio) * 8)
    const unevenness = unevennessOf(cut)
    const known = best.get(step)
    if (!known || unevenness < known.unevenness) best.set(step, { cut, unevenness })
  }
  const ranked = [...best.values()].sort((a, b) => a.unevenness - b.unevenness)
  return ranked.slice(0, mostCuts).map(({ cut }) => cut)
}

/** Returns the cost of a division: 0 when all pictures have the same area and the division has the
 *  aspect ratio `wanted` (width / height of the page); higher otherwise. */
function costOf(cut: Cut, wanted: number): number {
  return 1.6 * Math.abs(Math.log(cut.ratio / wanted)) + unevennessOf(cut)
}

/** Returns the standard deviation of the logarithms of the picture areas: 0 when all areas are
 *  equal. */
function unevennessOf(cut: Cut): number {
  const shares = [...sharesOf(cut, 1)].map(share => Math.log(share))
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length)
}

/** Yields the area of each picture as a share of the whole division. */
function* sharesOf(cut: Cut, whole: number): Generator<number> {
  if ('picture' in cut) return yield whole
  const [first, second] = cut.parts
  const share = firstShare(cut)
  yield* sharesOf(first, whole * share)
  yield* sharesOf(second, whole * (1 - share))
}

/** Returns the share of the first of the two parts: of the width in a row, of the height in a
 *  column. */
function firstShare({ isRow, parts: [first, second] }: Extract<Cut, { isRow: boolean }>): number {
  return isRow ? first.ratio / (first.ratio + second.ratio) : second.ratio / (first.ratio + second.ratio)
}

function place(cut: Cut, box: Rectangle, { gap, cells }: { gap: number; cells: Rectangle[] }): void {
  if ('picture' in cut) {
    cells[cut.picture] = box
    return
  }
  const { x, y, width, height } = box
  const [first, second] = cut.parts
  const share = firstShare(cut)
  if (cut.isRow) {
    const wide = (width - gap) * share
    place(first, { x, y, width: wide, height }, { gap, cells })
    place(second, { x: x + wide + gap, y, width: width - gap - wide, height }, { gap, cells })
    return
  }
  const high = (height - gap) * share
  place(first, { x, y, width, height: high }, { gap, cells })
  place(second, { x, y: y + high + gap, width, height: height - gap - high }, { gap, cells })
}

/** Largest share of a picture's length that may be cut off to fill its cell. A picture that would
 *  lose more is drawn smaller and leaves part of the cell empty. Panoramas may lose more, because
 *  their parts look alike. */
const mostCropped = { usual: 0.26, panorama: 0.45 }

/** Returns the part of the cell that a picture of this ratio (width / height) fills: the whole cell
 *  when little of the picture must be cut off for this, otherwise a smaller rectangle in the middle
 *  of the cell. */
export function shownIn(cell: Rectangle, ratio: number): Rectangle {
  const crop = Math.max(ratio, 1 / ratio) > longestCell ? mostCropped.panorama : mostCropped.usual
  const own = cell.width / cell.height
  if (ratio > own) {
    const height = cell.width / Math.max(own, ratio * (1 - crop))
    return { ...cell, y: cell.y + (cell.height - height) / 2, height }
  }
  const width = cell.height * Math.min(own, ratio / (1 - crop))
  return { ...cell, x: cell.x + (cell.width - width) / 2, width }
}
