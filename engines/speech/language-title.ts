/** Returns the English name of a language by its code (BCP 47); for an invalid code, its beginning
 *  in quotes. */
export function languageTitle(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  } catch {
    return JSON.stringify(language.slice(0, 40))
  }
}
