/** The languages that speech recognition supports, and how codes of languages and locales map to
 *  them. */

/** English names of languages by primary BCP 47 code. Codes and names are those of Whisper, except
 *  that Whisper's code `jw` is `jv` here. */
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

/** Codes that stand for another code: old or alternative codes, and languages that the recognizer
 *  treats as another language (Cantonese as Chinese). */
const sameAs: ReadonlyMap<string, string> = new Map(
  Object.entries({ jw: 'jv', iw: 'he', in: 'id', ji: 'yi', nb: 'no', fil: 'tl', cmn: 'zh', yue: 'zh', arb: 'ar', prs: 'fa', mo: 'ro' }),
)

/** The languages, sorted by the amount of data with which the recognizer was trained, most
 *  first. */
export const spokenLanguages: readonly string[] = [...names.keys()]

/** Returns the primary language of a tag: `en` for `en-IN`, `no` for `nb-NO`, `en` for `English`;
 *  undefined for an unsupported language. */
export function spokenLanguage(tag: string): string | undefined {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/)
  const code = sameAs.get(primary) ?? primary
  if (names.has(code)) return code
  const name = tag.trim().toLowerCase()
  return spokenLanguages.find(each => names.get(each) === name)
}

/** Returns the English name in lower case, as in `verbose_json`: `english` for `en` or `en-IN`;
 *  undefined for an unsupported language. */
export function languageName(tag: string): string | undefined {
  const code = spokenLanguage(tag)
  return code === undefined ? undefined : names.get(code)
}

/** Returns the candidate spelled like `language`, ignoring case; else the first candidate with the
 *  same primary language; undefined when there is none. Candidates are locales such as `en-US`. */
export function localeOf(language: string, candidates: readonly string[]): string | undefined {
  const exact = candidates.find(each => each.toLowerCase() === language.toLowerCase())
  const code = spokenLanguage(language)
  return exact ?? (code === undefined ? undefined : candidates.find(each => spokenLanguage(each) === code))
}
