/** Whether one picture looks like another of the same scene: measures that a moved camera and another pose leave alone. */

/** Opaque RGBA, 0 to 255, row by row. */
export interface Seen {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
}

interface Likeness {
  /** Share of pixels that are black, 0 to 1. */
  black: number
  /** Mean colours of six blocks of rows from top to bottom, 0 to 255. */
  rows: number[][]
  /** Share of the height along which the side of a rectangle of one colour stands within the picture, 0 to 1. */
  box: number
}

const blocks = 6

function likenessOf(picture: Seen): Likeness {
  return { black: blackShare(picture), rows: rowColours(picture), box: boxHeight(picture) }
}

/** By how much each measure may differ: the shares of black and of a box by more, colours by more or less. */
interface Tolerance {
  black?: number
  rows: number
  box?: number
}

/** What tells a picture from its source, as sentences; empty when nothing does. */
export function unlike(picture: Seen, source: Seen, { black = 0.1, rows, box = 0.08 }: Tolerance): string[] {
  const [own, other] = [likenessOf(picture), likenessOf(source)]
  const apart = own.rows.map((colour, k) => Math.max(...colour.map((value, c) => Math.abs(value - (other.rows[k]?.[c] ?? 0)))))
  const worst = apart.indexOf(Math.max(...apart))
  return [
    ...(own.black - other.black > black ? [`black: ${own.black.toFixed(2)} of it, ${other.black.toFixed(2)} of its source`] : []),
    ...(apart[worst]! > rows
      ? [`colours of block ${worst}: ${own.rows[worst]!.map(Math.round)}, in its source ${other.rows[worst]!.map(Math.round)}`]
      : []),
    ...(own.box - other.box > box
      ? [`a rectangle of one colour: ${own.box.toFixed(2)} of the height, ${other.box.toFixed(2)} in its source`]
      : []),
  ]
}

function blackShare({ data }: Seen): number {
  let count = 0
  for (let i = 0; i < data.length; i += 4) if (Math.max(data[i]!, data[i + 1]!, data[i + 2]!) < 14) count++
  return count / (data.length / 4)
}

function rowColours({ data, width, height }: Seen): number[][] {
  return Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [Math.floor((block * height) / blocks), Math.floor(((block + 1) * height) / blocks)]
    const sum = [0, 0, 0]
    for (let i = from * width * 4; i < to * width * 4; i++) if (i % 4 !== 3) sum[i % 4]! += data[i]!
    return sum.map(value => value / Math.max(1, (to - from) * width))
  })
}

/** Where a row of one colour begins or ends at the same column in row after row, with another colour beside it. */
function boxHeight(picture: Seen): number {
  const { width, height } = picture
  const least = Math.max(4, Math.round(width * 0.05))
  let longest = 0
  for (const isMirrored of [false, true]) {
    let before = new Int32Array(width)
    for (let y = 0; y < height; y++) {
      const tall = new Int32Array(width)
      for (const x of startsOf(picture, y, { least, isMirrored })) {
        tall[x] = 1 + Math.max(before[x - 1] ?? 0, before[x]!, before[x + 1] ?? 0)
        longest = Math.max(longest, tall[x]!)
      }
      before = tall
    }
  }
  return longest / height
}

/** Columns of a row at which at least `least` pixels of one colour begin, from the left, or mirrored from the right; not at the edge of the picture. */
function startsOf({ data, width }: Seen, y: number, { least, isMirrored }: { least: number; isMirrored: boolean }): number[] {
  const at = (x: number) => (y * width + (isMirrored ? width - 1 - x : x)) * 4
  const apart = (a: number, b: number) => Math.max(...[0, 1, 2].map(k => Math.abs(data[at(a) + k]! - data[at(b) + k]!)))
  const starts: number[] = []
  for (let x = 2; x + least < width; x++) {
    // One soft pixel may lie between: frames are compressed.
    if (apart(x, x - 2) < 24) continue
    let length = 1
    while (length < least && apart(x, x + length) <= 6) length++
    if (length === least) starts.push(x)
  }
  return starts
}
