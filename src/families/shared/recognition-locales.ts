/** Locales in which recordings are recognized (docs/interface/sound.md#r4). */
import type { CallContext } from '../../contract/context.ts'
import type { Rule } from '../../contract/operation.ts'

/** The locales in the interface's list, and three further ones that are added because every
 *  caller expects them (docs/interface/sound.md#r4). */
const locales = [
  ...'ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LY ar-MA ar-OM ar-QA ar-SA ar-SY ar-YE da-DK nl-NL en-AU et-EE fi-FI fr-CA fr-FR'.split(
    ' ',
  ),
  ...'de-DE el-GR gu-IN he-IL hi-IN hu-HU id-ID bn-IN bg-BG ca-ES zh-CN zh-HK zh-TW hr-HR cs-CZ ga-IE it-IT ja-JP kn-IN ml-IN ko-KR'.split(
    ' ',
  ),
  ...'lv-LV lt-LT mt-MT mr-IN nb-NO pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI es-AR es-BO es-CL es-CO es-CR es-CU es-DO es-EC es-SV'.split(
    ' ',
  ),
  ...'es-GQ es-GT es-HN es-MX es-NI es-PA es-PY es-PE es-PR es-ES es-UY es-US es-VE sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN'.split(' '),
  ...['en-US', 'en-GB', 'en-IN'],
]
const byName = new Map(locales.map(locale => [locale.toLowerCase(), locale]))

/** Largest number of candidate locales for one recording
 *  (docs/vendors/azure-speech.md#short-recognition). */
const mostLocales = 10

/** Returns the parts of a comma-separated list, trimmed, each once. */
export function listed(text: string): string[] {
  return [...new Set(text.split(',').map(part => part.trim()))].filter(part => part !== '')
}

/** Returns names as a comma-separated list. A comma within a name is replaced by a semicolon, so
 *  that the name is not split. */
export function listOf(names: readonly string[]): string {
  return names.map(name => name.replaceAll(',', ';')).join(',')
}

/** Returns the locales of a list in the interface's spelling; an unknown one stays unchanged. */
export function localesIn(text: string): string[] {
  return listed(text).map(name => byName.get(name.toLowerCase()) ?? name)
}

/** Lists in `x-gateway-warning` the candidate languages that the model cannot recognize. */
export function warnOfUnknownLocales(context: Pick<CallContext, 'warn'>, unheard: readonly string[] = []): void {
  if (unheard.length > 0) context.warn(`recognitionLanguages: the model does not know ${unheard.join(', ')}.`)
}

/** Rules on the contents of a field `recognitionLanguages`. */
export const localeRules: Rule<{ recognitionLanguages: string }>[] = [
  {
    id: 'locales-known',
    says: `recognitionLanguages are of ${locales.join(', ')}.`,
    field: 'recognitionLanguages',
    holds: ({ recognitionLanguages }) => unknownIn(recognitionLanguages) === undefined,
    explain: ({ recognitionLanguages }) =>
      `recognitionLanguages has ${JSON.stringify(unknownIn(recognitionLanguages)?.slice(0, 40))}; known are ${locales.join(', ')}.`,
  },
  {
    id: 'locales-few',
    says: `recognitionLanguages are 1 to ${mostLocales}.`,
    field: 'recognitionLanguages',
    source: 'ours',
    holds: ({ recognitionLanguages }) => isFew(localesIn(recognitionLanguages), mostLocales),
    explain: ({ recognitionLanguages }) =>
      `recognitionLanguages has ${localesIn(recognitionLanguages).length} locales; from 1 to ${mostLocales}.`,
  },
]

export function isFew({ length }: readonly string[], most: number): boolean {
  return length >= 1 && length <= most
}

function unknownIn(text: string): string | undefined {
  return listed(text).find(name => !byName.has(name.toLowerCase()))
}
