/** Converts locales to the language codes of translators. The region is removed (`en-US` becomes
 *  `en`), except where it makes a difference to the translation: there it is kept (`pt-PT`) or
 *  replaced by a script (`zh-CN` becomes `zh-Hans`). */

/** Language codes of the locales whose region makes a difference to the translation. */
const regional: Readonly<Record<string, string>> = {
  'zh-cn': 'zh-Hans',
  'zh-sg': 'zh-Hans',
  'zh-tw': 'zh-Hant',
  'zh-hk': 'zh-Hant',
  'zh-mo': 'zh-Hant',
  'pt-pt': 'pt-PT',
  'fr-ca': 'fr-CA',
}

/** The names of some 600 languages in Unicode's data, to find out whether a code exists. */
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the BCP 47 code of a target language: `en` for `en-US`, `zh-Hans` for `zh-CN`; undefined
 *  for a string that is not the code of a language. */
export function codeOf(target: string): string | undefined {
  const [, language = '', script, rest = ''] = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?((?:[-_][a-z0-9]{2,8}){0,2})$/i.exec(target) ?? []
  if (language === '' || languageNames.of(language) === undefined) return undefined
  if (script !== undefined) return `${language.toLowerCase()}-${script.charAt(0).toUpperCase()}${script.slice(1).toLowerCase()}`
  return regional[`${language}${rest.replaceAll('_', '-')}`.toLowerCase()] ?? language.toLowerCase()
}
