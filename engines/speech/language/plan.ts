/** Types of spoken text: a text is divided into chunks that a voice speaks one after another. */

/** Accent of English: American or British. */
export type Accent = 'us' | 'gb'

/** A chunk of speech that a voice speaks at once. */
export interface Chunk {
  /** The spoken words of the chunk: numbers, symbols and abbreviations are written out. */
  text: string
  /** The phonemes: 1 to `longestChunk` characters of Kokoro's alphabet. */
  phonemes: string
  /** Silence after the chunk in ms, at normal speed. */
  pauseMs: number
  /** Set when the chunk is part of a longer utterance: the phonemes before and after it, without a
   *  pause in between. All three together have at most `longestChunk` characters. */
  before?: string
  after?: string
}

/** A text to be divided into chunks. */
export interface SpokenText {
  text: string
  /** One of `spokenLanguages`. */
  language: SpokenLanguage
  /** Accent of English texts; other languages ignore it. */
  accent: Accent
  /** Number of phonemes in the first chunk, small so that sound comes early; each later chunk is
   *  about a third longer. When absent, the first chunk is a whole sentence. */
  firstChars?: number
  /** Most phonemes in later chunks; default 240. */
  mostChars?: number
  /** True when chunks inside a sentence are parts of one utterance and contain the rest of it as
   *  context; when absent, each chunk is a separate utterance. */
  isInParts?: boolean
  /** Words (case-sensitive) with a special pronunciation: `say` is a text, or IPA between slashes
   *  (`/təmˈɑːtəʊ/`). */
  pronunciations?: readonly { word: string; say: string }[]
}

/** Languages by their ISO 639-1 codes. */
export const spokenLanguages = ['en', 'es', 'fr', 'hi', 'it', 'pt', 'zh'] as const
export type SpokenLanguage = (typeof spokenLanguages)[number]

/** Most phonemes that Kokoro accepts in one call. */
export const longestChunk = 510
