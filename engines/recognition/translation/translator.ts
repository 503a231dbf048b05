/** Translates texts of one language into others. `openTranslator` (`apertium.ts`) creates one. */
export interface Translator {
  /** True when texts can be translated in this direction now, directly or through other languages.
   *  `from` and `to` are BCP 47 tags. */
  canTranslate(from: string, to: string): boolean
  /** Returns the translations by language, as spelled in `to`; each list has as many entries as
   *  `texts`. Languages are BCP 47 tags. Texts that are already in the target language, and unknown
   *  words, stay unchanged. Throws `capability_unavailable` for an unsupported direction, with the
   *  way to support it. */
  translate(texts: readonly string[], languages: { from: string; to: readonly string[] }, turn: TranslationTurn): Promise<Translations>
}

/** The account that owns a translation, and the signal that cancels it. */
export interface TranslationTurn {
  account?: string | undefined
  signal: AbortSignal
}

/** Texts by language. */
export type Translations = { [language: string]: string[] }
