/** The languages that speech is recognised in, and how codes of languages and locales belong together. */

/** BCP 47 primary language -> English name, both as Whisper's family of recognisers gives them (its `jw` is `jv` here). */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ en: 'english', zh: 'chinese', de: 'german', es: 'spanish', ru: 'russian', ko: 'korean', fr: 'french', ja: 'japanese' },
    ...{ pt: 'portuguese', tr: 'turkish', pl: 'polish', ca: 'catalan', nl: 'dutch', ar: 'arabic', sv: 'swedish', it: 'italian' },
    ...{ id: 'indonesian', hi: 'hindi', fi: 'finnish', vi: 'vietnamese', he: 'hebrew', uk: 'ukrainian', el: 'greek', ms: 'malay' },
    ...{ cs: 'czech', ro: 'romanian', da: 'danish', hu: 'hungarian', ta: 'tamil', no: 'norwegian', th: 'thai', ur: 'urdu' },
    ...{ hr: 'croatian', bg: 'bulgarian', lt: 'lithuanian', la: 'latin', mi: 'maori', ml: 'malayalam', cy: 'welsh', sk: 'slovak' },
    ...{ te: 'telugu', fa: 'persian', lv: 'latvian', bn: 'bengali', sr: 'serbian', az: 'azerbaijani', sl: 'slovenian', kn: 'kannada' },
    ...{ et: 'estonian', mk: 'macedonian', br: 'breton', eu: 'basque', is: 'icelandic', hy: 'armenian', ne: 'nepali', mn: 'mongolian' },
    ...{ bs: 'bosnian', kk: 'kazakh', sq: 'albanian', sw: 'swahili', gl: 'galician', mr: 'marathi', pa: 'punjabi', si: 'sinhala' },
    ...{ km: 'khmer', sn: 'shona', yo: 'yoruba', so: 'somali', af: 'afrikaans', oc: 'occitan', ka: 'georgian', be: 'belarusian' },
    ...{ tg: 'tajik', sd: 'sindhi', gu: 'gujarati', am: 'amharic', yi: 'yiddish', lo: 'lao', uz: 'uzbek', fo: 'faroese' },
    ...{ ht: 'haitian creole', ps: 'pashto', tk: 'turkmen', nn: 'nynorsk', mt: 'maltese', sa: 'sanskrit', lb: 'luxembourgish' },
    ...{ my: 'myanmar', bo: 'tibetan', tl: 'tagalog', mg: 'malagasy', as: 'assamese', tt: 'tatar', haw: 'hawaiian', ln: 'lingala' },
    ...{ ha: 'hausa', ba: 'bashkir', jv: 'javanese', su: 'sundanese' },
  }),
)

/** Other codes, and languages that are recognised as one with another. */
const sameAs: ReadonlyMap<string, string> = new Map(
  Object.entries({ jw: 'jv', iw: 'he', in: 'id', ji: 'yi', nb: 'no', fil: 'tl', cmn: 'zh', yue: 'zh', arb: 'ar', prs: 'fa', mo: 'ro' }),
)

/** The languages, most spoken in the recogniser's training first. */
export const spokenLanguages: readonly string[] = [...names.keys()]

/** `en` for `en-IN`, `no` for `nb-NO`, `en` for `English`; undefined for what is none of the languages. */
export function spokenLanguage(tag: string): string | undefined {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/)
  const code = sameAs.get(primary) ?? primary
  if (names.has(code)) return code
  const name = tag.trim().toLowerCase()
  return spokenLanguages.find(each => names.get(each) === name)
}

/** `english` for `en` or `en-IN`, as `verbose_json` has it; undefined for what is none of the languages. */
export function languageName(tag: string): string | undefined {
  const code = spokenLanguage(tag)
  return code === undefined ? undefined : names.get(code)
}

/** The first candidate that is of the language; of several its own spelling. Undefined where none is. */
export function localeOf(language: string, candidates: readonly string[]): string | undefined {
  const exact = candidates.find(each => each.toLowerCase() === language.toLowerCase())
  const code = spokenLanguage(language)
  return exact ?? (code === undefined ? undefined : candidates.find(each => spokenLanguage(each) === code))
}
