/** Types of spoken text: a text is cut into chunks that a voice speaks one after another. */

/** Accent of English: American or British. */
export type Accent = 'us' | 'gb'

/** One stretch of speech. */
export interface Chunk {
  /** The spoken words of the chunk: numbers, symbols and abbreviations are written out. */
  text: string
  /** Phonemes in Kokoro's alphabet: every character is in its vocabulary; 1 to `longestChunk` of
   *  them. */
  phonemes: string
  /** Silence after the chunk, at the usual speed. */
  pauseMs: number
  /** Phonemes of the same utterance before and after the chunk, where it is a part of one: no pause
   *  separates them. Together with the chunk's own at most `longestChunk`. */
  before?: string
  after?: string
}

/** A text to be cut and read. */
export interface SpokenText {
  text: string
  /** One of `spokenLanguages`. */
  language: SpokenLanguage
  /** Accent of English texts; other languages ignore it. */
  accent: Accent
  /** Phonemes of the first chunk, for early sound; each later chunk is longer by about a third.
   *  Absent: whole sentences from the beginning. */
  firstChars?: number
  /** Most phonemes of later chunks; absent: 240. */
  mostChars?: number
  /** True when chunks inside a sentence are parts of an utterance and know the rest of it; absent:
   *  each is a separate utterance. */
  isInParts?: boolean
  /** Words (as written in the text, case counts) with another pronunciation: `say` is a text, or
   *  IPA between slashes (`/təmˈɑːtəʊ/`). */
  pronunciations?: readonly { word: string; say: string }[]
}

/** Languages by their ISO 639-1 codes. */
export const spokenLanguages = ['en', 'es', 'fr', 'hi', 'it', 'pt', 'zh'] as const
export type SpokenLanguage = (typeof spokenLanguages)[number]

/** Most phonemes that Kokoro accepts at once. */
export const longestChunk = 510
