/** What turns texts of one language into others. `openTranslator` (`apertium.ts`) makes one. */
export interface Translator {
  /** Whether translate() can do this now, directly or by way of other languages. Both BCP 47. */
  canTranslate(from: string, to: string): boolean
  /** Each text in each language of `to`: lists of the length of `texts`, under the languages as
   *  they were given. Languages are BCP 47; texts that already are of a language come back as
   *  they are. Words that it does not know stay as they are. Throws `capability_unavailable`
   *  with what there is to do for a direction that nothing here knows. */
  translate(texts: readonly string[], languages: { from: string; to: readonly string[] }, turn: TranslationTurn): Promise<Translations>
}

/** Whose translation it is, and how long it is wanted. */
export interface TranslationTurn {
  account?: string | undefined
  signal: AbortSignal
}

/** Texts by language. */
export type Translations = { [language: string]: string[] }
