/** Translates texts of one language into others. `openTranslator` (`apertium.ts`) creates one. */
export interface Translator {
  /** True when translate() can do this now, directly or through other languages. Both BCP 47. */
  canTranslate(from: string, to: string): boolean
  /** Returns each text in each language of `to`: lists of the length of `texts`, under the
   *  languages as given. Languages are BCP 47; texts that already are in a language, and unknown
   *  words, stay unchanged. Throws `capability_unavailable` for an unsupported direction, with the
   *  way to support it. */
  translate(texts: readonly string[], languages: { from: string; to: readonly string[] }, turn: TranslationTurn): Promise<Translations>
}

/** The account of a translation, and the signal that cancels it. */
export interface TranslationTurn {
  account?: string | undefined
  signal: AbortSignal
}

/** Texts by language. */
export type Translations = { [language: string]: string[] }
