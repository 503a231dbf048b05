/** Which language a text is in: by its letters, and Latin ones by the small words that every sentence has. */

/** Scripts that tell the language, or at least that it is none of those with other letters. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
]

/** The commonest words of each language that the others do not share. */
const smallWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordsOf(
    'the and of to is that it you was for on are with his they at be this have from or had by not but what were we when your said there which she do how their if will',
  ),
  es: wordsOf(
    'el los las y es una por con para su lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también hasta hay donde quien desde todo nos durante estados uno ni contra ese',
  ),
  fr: wordsOf(
    'le les et est une pour dans qui des du pas sur au avec sont il elle ce cette nous vous ils mais ou où leur plus je ne aux été être avoir fait comme tout très',
  ),
  it: wordsOf(
    'il gli è di che e per una con non sono della del dei delle alla nel ha si più come anche ma questo questa molto essere stato hanno perché',
  ),
  pt: wordsOf(
    'o os as e é um uma do da dos das em no na não com para por mais que se foi ao ele ela são você como mas seu sua muito também até isso está',
  ),
  de: wordsOf(
    'der die das und ist nicht ich sie ein eine mit auf für dem den von zu im auch es wir ihr sich wie aber noch nach bei oder wenn über wird sind war hat',
  ),
  nl: wordsOf('het een van en is dat niet ik je op te zijn met voor er maar ook aan hij zij wij om naar dan nog heeft wordt deze'),
  sv: wordsOf('och att det som är en på inte jag med för har den till av ett om var vi kan du från men eller när ska'),
  pl: wordsOf('w i na się nie do to jest że z jak po ale co tak od czy przez był oraz są dla być który'),
  tr: wordsOf('ve bir bu için ile çok değil olarak ama daha gibi en kadar var ben sen o biz mi ne'),
}

/** ISO 639-1; `en` where nothing tells. Looks at the first 4,000 characters. */
export function languageOf(text: string): string {
  const start = text.slice(0, 4000)
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts)
    if ((start.match(script)?.length ?? 0) > letters * (language === 'ja' ? 0.1 : 0.3)) return language
  const words = start.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = Object.entries(smallWords).map(([language, known]) => ({ language, count: words.filter(word => known.has(word)).length }))
  const [best, second] = counts.toSorted((a, b) => b.count - a.count)
  // Of a few words, English is assumed unless they clearly say another.
  return best && second && best.count >= 2 && best.count > second.count ? best.language : languageByLetters(start)
}

function languageByLetters(text: string): string {
  if (/[ñ¿¡]/iu.test(text)) return 'es'
  if (/[ãõ]/iu.test(text)) return 'pt'
  if (/[ß]/iu.test(text)) return 'de'
  return 'en'
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
