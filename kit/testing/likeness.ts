/** Decides whether two pictures show the same scene. Compares only properties that remain similar
 *  when the camera moves or a figure has another pose. */

/** An opaque picture in RGBA, 0 to 255, row by row. */
export interface RgbaImage {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
}

interface Likeness {
  /** Share of pixels that are black, 0 to 1. */
  black: number
  /** Mean colours of six bands of rows from top to bottom, 0 to 255. */
  rows: number[][]
  /** Share of the picture's height, 0 to 1, along which a vertical edge of a one-colour rectangle
   *  runs. */
  box: number
}

const blocks = 6

function likenessOf(picture: RgbaImage): Likeness {
  return { black: blackShare(picture), rows: rowColours(picture), box: boxHeight(picture) }
}

/** Largest allowed difference of each measure. `black` and `box` may be larger than in the source
 *  by this value, but also any amount smaller. Colours may differ by it in both directions. */
interface Tolerance {
  black?: number
  rows: number
  box?: number
}

/** Returns the differences between a picture and its source, as sentences; empty when there are
 *  none. */
export function differencesBetween(picture: RgbaImage, source: RgbaImage, { black = 0.1, rows, box = 0.08 }: Tolerance): string[] {
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

function blackShare({ data }: RgbaImage): number {
  let count = 0
  for (let i = 0; i < data.length; i += 4) if (Math.max(data[i]!, data[i + 1]!, data[i + 2]!) < 14) count++
  return count / (data.length / 4)
}

function rowColours({ data, width, height }: RgbaImage): number[][] {
  return Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [Math.floor((block * height) / blocks), Math.floor(((block + 1) * height) / blocks)]
    const sum = [0, 0, 0]
    for (let i = from * width * 4; i < to * width * 4; i++) if (i % 4 !== 3) sum[i % 4]! += data[i]!
    return sum.map(value => value / Math.max(1, (to - from) * width))
  })
}

/** Returns the height of the tallest vertical edge as a share of the picture's height. A vertical
 *  edge is a run of rows in which one colour begins or ends at the same column, next to another
 *  colour. */
function boxHeight(picture: RgbaImage): number {
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

/** Returns the columns of a row at which a run of at least `least` pixels of one colour begins,
 *  counted from the left or, with `isMirrored`, from the right. Runs at the edge of the picture are
 *  left out. */
function startsOf({ data, width }: RgbaImage, y: number, { least, isMirrored }: { least: number; isMirrored: boolean }): number[] {
  const at = (x: number) => (y * width + (isMirrored ? width - 1 - x : x)) * 4
  const apart = (a: number, b: number) => Math.max(...[0, 1, 2].map(k => Math.abs(data[at(a) + k]! - data[at(b) + k]!)))
  const starts: number[] = []
  for (let x = 2; x + least < width; x++) {
    // Compression may blend the colours of the one pixel at an edge, so the comparison skips it: x
    // is compared with x - 2.
    if (apart(x, x - 2) < 24) continue
    let length = 1
    while (length < least && apart(x, x + length) <= 6) length++
    if (length === least) starts.push(x)
  }
  return starts
}
