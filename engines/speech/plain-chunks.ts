import type { Chunk } from './language/index.ts'

/** Largest number of characters of a chunk. */
const most = 300
const pauseMs = 250
const shortPauseMs = 60
/** Matches text with letters or digits; other text cannot be spoken. */
const isSaid = /[\p{L}\p{N}]/u

/** Yields the chunks of a text for programs that analyse text themselves (Flite, eSpeak):
 *  sentences, with long ones split between words. */
export function* plainChunks(text: string): Generator<Chunk> {
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    let rest = segment.trim()
    while (rest.length > most) {
      const space = rest.lastIndexOf(' ', most)
      const end = space > 0 ? space : most
      const part = rest.slice(0, end)
      if (isSaid.test(part)) yield { text: part, phonemes: '', pauseMs: shortPauseMs }
      rest = rest.slice(end).trim()
    }
    if (isSaid.test(rest)) yield { text: rest, phonemes: '', pauseMs }
  }
}
