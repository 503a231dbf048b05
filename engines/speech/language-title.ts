/** Returns the English name of a language for its BCP 47 code; for an invalid code, the start of
 *  the code in quotes. */
export function languageTitle(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  } catch {
    return JSON.stringify(language.slice(0, 40))
  }
}
