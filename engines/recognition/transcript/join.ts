/** Joins the words of two overlapping windows. */
import type { SpokenSegment, SpokenWord } from './words.ts'

/** Largest difference in time, in seconds, at which a single word that both windows have counts as
 *  the same spoken word. */
const nearSeconds = 0.6
/** The same for a run of several words. Near the edges of a window, the times of words may be wrong
 *  by up to the length of the overlap, two seconds; half a second is added as a reserve. */
const nearRunSeconds = 2.5
/** Largest number of words that both windows can share: the windows overlap by two seconds, and
 *  nobody says more words in two seconds. */
const mostShared = 12

/** Returns the segments of both windows with each shared word only once. The windows are joined in
 *  the middle of their longest common run of words that both have at about the same time. Windows
 *  without such a run are joined at `seam` (seconds of the recording), which is less reliable,
 *  because the times of words are least exact at the edge of a window. */
export function joined(
  before: readonly SpokenSegment[],
  after: readonly SpokenSegment[],
  seam: number,
): [SpokenSegment[], SpokenSegment[]] {
  const heardBefore = before.flatMap(({ words }) => words)
  const heardAfter = after.flatMap(({ words }) => words)
  const { end, start } = meetingOf(heardBefore, heardAfter) ?? bySeam(heardBefore, heardAfter, seam)
  return [only(before, new Set(heardBefore.slice(0, end))), only(after, new Set(heardAfter.slice(start)))]
}

interface WindowSeam {
  /** Number of words of the first window that are kept. */
  end: number
  /** Index of the first word of the second window that is kept. */
  start: number
}

function meetingOf(before: readonly SpokenWord[], after: readonly SpokenWord[]): WindowSeam | undefined {
  const from = Math.max(0, before.length - mostShared)
  let best: (WindowSeam & { length: number }) | undefined
  for (let first = from; first < before.length; first++) {
    for (let second = 0; second < Math.min(mostShared, after.length); second++) {
      const length = runOf(before, after, { first, second })
      if (length === 0 || apart(before[first], after[second]) > (length === 1 ? nearSeconds : nearRunSeconds)) continue
      if (best && best.length >= length) continue
      const half = Math.ceil(length / 2)
      best = { length, end: first + half, start: second + half }
    }
  }
  return best
}

/** Returns the number of consecutive equal words from the two positions on. */
function runOf(before: readonly SpokenWord[], after: readonly SpokenWord[], { first, second }: { first: number; second: number }): number {
  let length = 0
  for (;;) {
    const [one, other] = [before[first + length], after[second + length]]
    if (!one || !other || plain(one) === '' || plain(one) !== plain(other)) return length
    length += 1
  }
}

/** Returns how many seconds lie between the middles of both words. */
function apart(one: SpokenWord | undefined, other: SpokenWord | undefined): number {
  return one && other ? Math.abs(middle(one) - middle(other)) : Number.POSITIVE_INFINITY
}

/** Returns the join at the second `seam` of the recording. At most half of `mostShared` words are
 *  dropped at the start of the second window. */
function bySeam(before: readonly SpokenWord[], after: readonly SpokenWord[], seam: number): WindowSeam {
  const late = before.findIndex(word => middle(word) >= seam)
  const kept = after.findIndex(word => middle(word) >= seam)
  return { end: late < 0 ? before.length : late, start: Math.min(kept < 0 ? after.length : kept, mostShared / 2) }
}

function only(segments: readonly SpokenSegment[], kept: ReadonlySet<SpokenWord>): SpokenSegment[] {
  return segments
    .map(segment => ({ ...segment, words: segment.words.filter(word => kept.has(word)) }))
    .filter(({ words }) => words.length > 0)
}

function middle({ startSeconds, endSeconds }: SpokenWord): number {
  return (startSeconds + endSeconds) / 2
}

/** Returns the word in lower case without spaces and punctuation. */
export function plain({ text }: Pick<SpokenWord, 'text'>): string {
  return text.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, '')
}
