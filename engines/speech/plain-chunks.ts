import type { Chunk } from './language/index.ts'

/** Characters of a chunk at most. */
const most = 300
const pauseMs = 250
const shortPauseMs = 60
/** Marks alone are nothing to say. */
const isSaid = /[\p{L}\p{N}]/u

/** A text for a voice that reads by itself (Flite, eSpeak): sentences, long ones cut between words. */
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
