import type { Pen } from '../raster/pen.ts'
import { emptySprite, type Store } from '../raster/store.ts'
import type { PictureSize } from '../world/view.ts'

/** Creates a bloom effect for opaque surfaces: bright parts spread some of their light over their
 *  surroundings. `strength` is 0 to 1. */
export function createBloom(store: Store, { width, height }: PictureSize, strength: number): (pen: Pen) => void {
  const cell = Math.max(2, Math.round(Math.min(width, height) / 90))
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const sprite = emptySprite(store.take, columns, rows)
  const [light, swap] = [new Float32Array(columns * rows * 3), new Float32Array(columns * rows * 3)]
  // Table of the light that a cell adds in one colour channel. The index is the sum of that channel
  // over four pixels of the cell. Only bright cells glow: when the mean of the four pixels is at
  // most half the full value, the light is 0.
  const bright = Float32Array.from({ length: 1021 }, (_, sum) => 255 * Math.max(0, (sum / 1020 - 0.5) / 0.5) ** 2.5)
  const least = 1 / strength
  const lit: ([number, number] | undefined)[] = []
  return pen => {
    const { at, stride } = pen.surface
    const bytes = store.bytes()
    const [near, far] = [Math.floor(cell / 4), Math.floor((cell * 3) / 4)]
    for (let row = 0, i = 0; row < rows; row++) {
      const upper = at + Math.min(height - 1, row * cell + near) * stride
      const lower = at + Math.min(height - 1, row * cell + far) * stride
      for (let column = 0; column < columns; column++) {
        const left = Math.min(width - 1, column * cell + near) * 4
        const right = Math.min(width - 1, column * cell + far) * 4
        for (let channel = 0; channel < 3; channel++, i++)
          light[i] =
            bright[
              bytes[upper + left + channel]! +
                bytes[upper + right + channel]! +
                bytes[lower + left + channel]! +
                bytes[lower + right + channel]!
            ]!
      }
    }
    for (let round = 0; round < 2; round++) {
      soften(light, swap, { lines: rows, length: columns, along: 3, across: columns * 3 })
      soften(swap, light, { lines: columns, length: rows, along: columns * 3, across: 3 })
    }
    for (let row = 0, i = 0; row < rows; row++) {
      const to = sprite.at + row * sprite.stride
      let first = columns
      let last = 0
      for (let column = 0; column < columns; column++, i += 3) {
        const k = to + column * 4
        bytes[k] = light[i]!
        bytes[k + 1] = light[i + 1]!
        bytes[k + 2] = light[i + 2]!
        if (Math.max(light[i]!, light[i + 1]!, light[i + 2]!) < least) continue
        if (column < first) first = column
        last = column + 1
      }
      lit[row] = first < last ? [first, last] : undefined
    }
    sprite.runs = Array.from({ length: rows + 1 }, (_, row) => together(lit[row - 1], lit[row]))
    pen.save()
    pen.mode = 'screen'
    pen.alpha = strength
    pen.image(sprite, { x: 0, y: 0, width: columns * cell, height: rows * cell })
    pen.restore()
  }
}

/** Returns the runs for a pair of neighbouring rows of the light picture. `a` and `b` are the lit
 *  ranges of the two rows: first cell, and cell after the last one. The result is a single run that
 *  covers both ranges, or no run when neither row has a lit cell. */
function together(a: [number, number] | undefined, b: [number, number] | undefined): number[] {
  if (!a || !b) return a || b ? [...(a ?? b ?? []), 0] : []
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1]), 0]
}

interface Lines {
  lines: number
  length: number
  /** Distance, in array elements, between two neighbouring values of a line. */
  along: number
  across: number
}

/** Blurs lines of values, in each of three channels: writes the mean of five values, which are the
 *  value itself and two on each side of it. */
function soften(from: Float32Array, to: Float32Array, { lines, length, along, across }: Lines): void {
  for (let line = 0; line < lines; line++)
    for (let channel = 0; channel < 3; channel++) {
      const start = line * across + channel
      const last = start + (length - 1) * along
      const at = (i: number) => from[Math.max(start, Math.min(last, start + i * along))]!
      let sum = at(0) * 3 + at(1) + at(2)
      for (let i = 0; i < length; i++) {
        to[start + i * along] = sum / 5
        sum += at(i + 3) - at(i - 2)
      }
    }
}
