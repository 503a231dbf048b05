/** Aspect ratios that people ask for and services name, width first. 21:9 stays 21:9. */
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
