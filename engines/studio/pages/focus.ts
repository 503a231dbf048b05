import type { Pixels } from '../style/pixels.ts'

/** Number of samples along each side. */
const looks = 48

/** Returns the centre of the pixels that differ from the border of an opaque picture, in pixels:
 *  about the place of its subject. For a picture that is alike everywhere, its centre. */
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
      // Squared, so that colours far from the border's count for more than a gentle slope of light.
      const weight = border.reduce((sum, value, part) => sum + (value - (data[i + part] ?? 0)) ** 2, 1)
      x += weight * (column + 0.5)
      y += weight * (row + 0.5)
      whole += weight
    }
  return { x: (x / whole / looks) * width, y: (y / whole / looks) * height }
}
