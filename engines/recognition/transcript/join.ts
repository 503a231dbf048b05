/** Joins what two windows heard where they overlap. */
import type { SpokenSegment, SpokenWord } from './words.ts'

/** How far around the seam both windows have heard the same. */
const overlapSeconds = 1
/** The same word of two windows lies this near. */
const nearSeconds = 0.6

/** The segments of both windows with each word once: the seam is laid behind a word that both have, nearest to the middle of what both have heard. */
export function joined(
  before: readonly SpokenSegment[],
  after: readonly SpokenSegment[],
  seam: number,
): [SpokenSegment[], SpokenSegment[]] {
  const heardBefore = before.flatMap(({ words }) => words)
  const heardAfter = after.flatMap(({ words }) => words)
  const pair = sharedWord(heardBefore, heardAfter, seam)
  const keptBefore = pair
    ? new Set(heardBefore.slice(0, heardBefore.indexOf(pair[0]) + 1))
    : new Set(heardBefore.filter(word => middle(word) < seam))
  const keptAfter = pair
    ? new Set(heardAfter.slice(heardAfter.indexOf(pair[1]) + 1))
    : new Set(heardAfter.filter(word => middle(word) >= seam))
  return [only(before, keptBefore), only(after, keptAfter)]
}

function sharedWord(before: readonly SpokenWord[], after: readonly SpokenWord[], seam: number): [SpokenWord, SpokenWord] | undefined {
  const isNear = (word: SpokenWord): boolean => word.endSeconds > seam - overlapSeconds && word.startSeconds < seam + overlapSeconds
  const pairs = before
    .filter(isNear)
    .flatMap(first =>
      after
        .filter(second => isNear(second) && plain(first) === plain(second) && Math.abs(middle(first) - middle(second)) <= nearSeconds)
        .map(second => [first, second] as [SpokenWord, SpokenWord]),
    )
  return pairs.toSorted((a, b) => Math.abs(middle(a[0]) - seam) - Math.abs(middle(b[0]) - seam))[0]
}

function only(segments: readonly SpokenSegment[], kept: ReadonlySet<SpokenWord>): SpokenSegment[] {
  return segments
    .map(segment => ({ ...segment, words: segment.words.filter(word => kept.has(word)) }))
    .filter(({ words }) => words.length > 0)
}

function middle({ startSeconds, endSeconds }: SpokenWord): number {
  return (startSeconds + endSeconds) / 2
}

/** Without case and punctuation. */
export function plain({ text }: Pick<SpokenWord, 'text'>): string {
  return text.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, '')
}
