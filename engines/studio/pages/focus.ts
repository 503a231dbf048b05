import type { Pixels } from '../style/pixels.ts'

/** Number of sample points in each row and each column. */
const looks = 48

/** Returns the point, in pixels, around which an opaque picture differs most from the mean colour
 *  of its border: the mean position of its pixels, weighted by the squared differences. The subject
 *  is usually there. For a picture of one colour, returns the middle of the picture. */
export function focusOf({ data, width, height }: Pixels): { x: number; y: number } {
  const at = (column: number, row: number) =>
    (Math.min(height - 1, Math.floor(((row + 0.5) * height) / looks)) * width +
      Math.min(width - 1, Math.floor(((column + 0.5) * width) / looks))) *
    4
  const border: [number, number, number] = [0, 0, 0]
  for (let k = 0; k < looks; k++)
    for (const i of [at(k, 0), at(k, looks - 1), at(0, k), at(looks - 1, k)])
      for (const part of [0, 1, 2] as const) border[part] += (data[i + part] ?? 0) / (4 * looks)
  let [x, y, whole] = [0, 0, 0]
  for (let row = 0; row < looks; row++)
    for (let column = 0; column < looks; column++) {
      const i = at(column, row)
      // The difference is squared, so that a few pixels with a very different colour count for more
      // than many pixels of a gentle gradient.
      const weight = border.reduce((sum, value, part) => sum + (value - (data[i + part] ?? 0)) ** 2, 1)
      x += weight * (column + 0.5)
      y += weight * (row + 0.5)
      whole += weight
    }
  return { x: (x / whole / looks) * width, y: (y / whole / looks) * height }
}
