/** Common aspect ratios, width first. 21:9 is not reduced to 7:3. */
export const usualRatios: readonly (readonly [wide: number, high: number])[] = [
  [1, 1],
  [4, 3],
  [3, 4],
  [3, 2],
  [2, 3],
  [16, 9],
  [9, 16],
  [5, 4],
  [4, 5],
  [2, 1],
  [1, 2],
  [21, 9],
  [9, 21],
]
