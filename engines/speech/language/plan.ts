/** What a text becomes: chunks that a voice speaks one after another. */

/** American or British English. */
export type Accent = 'us' | 'gb'

/** One stretch of speech. */
export interface Chunk {
  /** Its words as they are said: numbers, symbols and abbreviations are written out. */
  text: string
  /** In Kokoro's alphabet: every character is in its vocabulary; 1 to `longestChunk` of them. */
  phonemes: string
  /** Silence that belongs after it, at the usual speed. */
  pauseMs: number
  /** Phonemes of the same utterance that are spoken before and after it, where it is a part of
   *  one: it goes on without a pause. Together with its own at most `longestChunk`. */
  before?: string
  after?: string
}

/** A text to be cut and read. */
export interface SpokenText {
  text: string
  /** One of `spokenLanguages`. */
  language: SpokenLanguage
  /** Of English; others ignore it. */
  accent: Accent
  /** Characters of phonemes of the first chunk, for early sound; the later ones grow by about a
   *  third each. Absent: whole sentences from the beginning. */
  firstChars?: number
  /** Of the later ones; absent: 240. */
  mostChars?: number
  /** Chunks inside of a sentence are parts of an utterance and know the rest of it; absent: each
   *  is an utterance of its own. */
  isInParts?: boolean
  /** Words (as they stand in the text, case counts) that are said another way: `say` is a text,
   *  or IPA between slashes (`/təmˈɑːtəʊ/`). */
  pronunciations?: readonly { word: string; say: string }[]
}

/** ISO 639-1. */
export const spokenLanguages = ['en', 'es', 'fr', 'hi', 'it', 'pt', 'zh'] as const
export type SpokenLanguage = (typeof spokenLanguages)[number]

/** Kokoro takes no more phonemes at once. */
export const longestChunk = 510
