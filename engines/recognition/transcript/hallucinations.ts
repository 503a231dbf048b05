/** Removes text that the recogniser invents: repeated phrases and notes about sounds. */
import { gzipSync } from 'node:zlib'
import { plain } from './join.ts'
import type { SpokenSegment, SpokenWord } from './words.ts'

/** A phrase that occurs this many times in a row, or more, is an error of the recogniser. Fewer
 *  occurrences are kept, because people do say "no, no, no". */
const errorRepeats = 4
const longestPhrase = 12
/** Limits of a believable segment. Below this mean log probability, Whisper was guessing. Above
 *  this compression ratio (Whisper's own threshold), it was repeating itself; the ratio is computed
 *  for texts of at least `leastBytes` only. */
const leastLogprob = -1.3
const mostCompression = 2.4
const leastBytes = 64

/** Returns the segments without words that the recogniser invented. */
export function withoutHallucinations(segments: readonly SpokenSegment[]): SpokenSegment[] {
  return segments
    .map(segment => ({ ...segment, words: withoutEchoes(withoutNotes(segment.words)) }))
    .filter(({ words }) => words.some(word => plain(word) !== '') && !isGuess(words))
}

/** Returns the bytes of the text divided by the bytes of the compressed text. */
export function compressionRatio(text: string): number {
  return Buffer.byteLength(text) / gzipSync(text).length
}

/** Returns the mean log probability of the tokens. */
export function averageLogprob(words: readonly SpokenWord[]): number {
  const tokens = words.flatMap(word => word.tokens)
  return tokens.reduce((sum, { logprob }) => sum + logprob, 0) / Math.max(1, tokens.length)
}

function isGuess(words: readonly SpokenWord[]): boolean {
  if (averageLogprob(words) < leastLogprob) return true
  const text = textOf(words)
  return Buffer.byteLength(text) >= leastBytes && compressionRatio(text) > mostCompression
}

export function textOf(words: readonly SpokenWord[]): string {
  return words.map(({ text }) => text).join('')
}

/** Removes `[Music]`, `(applause)`, `*laughs*` and musical notes, which are descriptions and not
 *  speech. */
function withoutNotes(words: readonly SpokenWord[]): SpokenWord[] {
  const text = textOf(words)
  const noted = [...text.matchAll(/\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+[^♪♫]*[♪♫]*/gu)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  let at = 0
  return words.filter(word => {
    const from = at
    at += word.text.length
    const to = at
    return !noted.some(([start, end]) => from + 1 >= start && to <= end + 1)
  })
}

function withoutEchoes(words: readonly SpokenWord[]): SpokenWord[] {
  const said = words.map(plain)
  for (let length = 1; length <= longestPhrase; length++) {
    for (let at = 0; at + length * errorRepeats <= words.length; at++) {
      let repeats = 1
      while (said.slice(at, at + length).every((word, index) => said[at + repeats * length + index] === word)) repeats += 1
      if (repeats >= errorRepeats) return withoutEchoes([...words.slice(0, at + length), ...words.slice(at + repeats * length)])
    }
  }
  return [...words]
}
