/** Returns the pairs of a flat list: [a, b, c, d] becomes [[a, b], [c, d]]. */
export function pairs(list: readonly number[]): [number, number][] {
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index]!, list[2 * index + 1]!])
}

/** Returns the triples of a flat list: [a, b, c, d, e, f] becomes [[a, b, c], [d, e, f]]. */
export function triples(list: readonly number[]): [number, number, number][] {
  return Array.from({ length: list.length / 3 }, (_, index) => [list[3 * index]!, list[3 * index + 1]!, list[3 * index + 2]!])
}
