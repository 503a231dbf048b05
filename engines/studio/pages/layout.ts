/** Where the pictures of a page go: rows and columns of cells that have nearly the shapes of the
 *  pictures. */
import type { Rectangle } from '../edit/geometry.ts'

/** A box that is cut into rows and columns, with the ratio (width / height) at which every
 *  picture in it keeps its shape. */
type Cut = { ratio: number } & ({ picture: number } | { isRow: boolean; parts: readonly [Cut, Cut] })

/** Cuts of a run of pictures that are kept: enough to fit any page, few enough for fourteen
 *  pictures. */
const mostCuts = 14
/** A cell is this much longer than wide, at most; a longer picture is cropped or keeps a margin. */
const longestCell = 4

/** A cell for each picture, in the order of `ratios` (width / height), `gap` pixels apart, that
 *  fill `box`. `choice`: 0 for the best layout, 1 for the next best one, and so on. */
export function layPictures(ratios: readonly number[], box: Rectangle, { gap, choice = 0 }: { gap: number; choice?: number }): Rectangle[] {
  const wanted = box.width / box.height
  const cuts = cutsOf(ratios.map(ratio => Math.min(longestCell, Math.max(1 / longestCell, ratio))))
  const ranked = cuts.toSorted((a, b) => costOf(a, wanted) - costOf(b, wanted))
  const cells: Rectangle[] = []
  // What comes far behind the best layout is none that anyone would choose.
  const good = ranked.filter(cut => costOf(cut, wanted) < costOf(ranked[0] ?? cut, wanted) + 0.4)
  const cut = good[choice % Math.max(1, good.length)]
  if (cut) place(cut, blockIn(box, cut.ratio), { gap, cells })
  return cells
}

/** All cells together, in the middle of the box: where they would have to be cropped too much to
 *  fill it, the margin gets wider, not the gaps. */
function blockIn(box: Rectangle, ratio: number): Rectangle {
  return shownIn(box, Math.min(longestCell, Math.max(1 / longestCell, ratio)))
}

/** Cuts of all pictures; they stay in order. */
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

/** The most even cut of each ratio, about. */
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

/** 0 for pictures of one size on a page of their own shape. */
function costOf(cut: Cut, wanted: number): number {
  return 1.6 * Math.abs(Math.log(cut.ratio / wanted)) + unevennessOf(cut)
}

/** How far the areas of the pictures are apart. */
function unevennessOf(cut: Cut): number {
  const shares = [...sharesOf(cut, 1)].map(share => Math.log(share))
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length)
}

/** Shares of the area. */
function* sharesOf(cut: Cut, whole: number): Generator<number> {
  if ('picture' in cut) return yield whole
  const [first, second] = cut.parts
  const share = firstShare(cut)
  yield* sharesOf(first, whole * share)
  yield* sharesOf(second, whole * (1 - share))
}

/** Share of the first part of the width of a row, or of the height of a column. */
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

/** Share of a picture's length that may be cut off; the rest of the cell stays empty. Panoramas
 *  lose more of what is alike. */
const mostCropped = { usual: 0.26, panorama: 0.45 }

/** Where a picture of this ratio is shown in its cell: all over it where little is cut off for
 *  that, else in the middle. */
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
