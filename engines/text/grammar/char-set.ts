/** Sets of Unicode characters as sorted, disjoint ranges of code points, both ends included. */
export type CharSet = readonly (readonly [from: number, to: number])[]

const lastCodePoint = 0x10ffff

/** Every character that an answer may contain: tab, line ends and all printable characters; no
 *  other control characters and no surrogates. */
export const anyChar: CharSet = [
  [0x09, 0x0a],
  [0x0d, 0x0d],
  [0x20, 0x7e],
  [0xa0, 0xd7ff],
  [0xe000, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, lastCodePoint],
]

export function charSetOf(ranges: CharSet): CharSet {
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Returns the characters of `set` that are not in `without`. */
export function subtract(set: CharSet, without: CharSet): CharSet {
  const kept: [number, number][] = []
  for (const [from, to] of set) {
    let next = from
    for (const [cutFrom, cutTo] of without) {
      if (cutTo < next || cutFrom > to) continue
      if (cutFrom > next) kept.push([next, cutFrom - 1])
      next = cutTo + 1
    }
    if (next <= to) kept.push([next, to])
  }
  return kept
}

export function intersect(set: CharSet, other: CharSet): CharSet {
  return subtract(set, subtract([[0, lastCodePoint]], other))
}

export function hasChar(set: CharSet, code: number): boolean {
  return set.some(([from, to]) => from <= code && code <= to)
}

export function charSetFrom(text: string): CharSet {
  return charSetOf([...text].map(char => [codeOf(char), codeOf(char)] as const))
}

export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}
