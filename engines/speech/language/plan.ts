/** Types of spoken text: a text is divided into chunks that a voice speaks one after another. */

/** Accent of English: American or British. */
export type Accent = 'us' | 'gb'

/** A piece of a text for which the sound is made in one run of the voice. */
export interface Chunk {
  /** The spoken words of the chunk: numbers, symbols and abbreviations are written out. */
  text: string
  /** The phonemes: 1 to `longestChunk` characters of Kokoro's alphabet. */
  phonemes: string
  /** Silence after the chunk in ms, at normal speed. */
  pauseMs: number
  /** The phonemes before and after the chunk in the same utterance. Set when the chunk is a part of
   *  a longer utterance, so no pause is between them. All three texts together have at most
   *  `longestChunk` characters. */
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
  /** Limit for the phonemes in the first chunk; default `mostChars`. A small number makes the
   *  first sound come early; the limit for each later chunk is about a third above the length of
   *  the chunk before it. */
  firstChars?: number
  /** Limit for the phonemes in later chunks; default 240. A chunk may have up to a quarter more
   *  when that completes its sentence. */
  mostChars?: number
  /** True when a sentence that is divided into several chunks is one utterance: each of its
   *  chunks has the rest of the sentence (at most about 240 phonemes) as context. When absent,
   *  each chunk is an utterance of its own. */
  isInParts?: boolean
  /** Words (case-sensitive) with a special pronunciation: `say` is a text, or IPA between slashes
   *  (`/təmˈɑːtəʊ/`). */
  pronunciations?: readonly { word: string; say: string }[]
}

/** Languages whose texts the engine converts to phonemes, as ISO 639-1 codes. */
export const spokenLanguages = ['en', 'es', 'fr', 'hi', 'it', 'pt', 'zh'] as const
export type SpokenLanguage = (typeof spokenLanguages)[number]

/** Largest number of phonemes that Kokoro accepts in one call. */
export const longestChunk = 510
