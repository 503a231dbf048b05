/** Detects the language of a title from its script and its short common words. */

const smallWords: Readonly<Record<string, ReadonlySet<string>>> = {
  de: wordSet('der die das und für von im den dem ein eine wie mit zur zum ist'),
  fr: wordSet('le la les des du de une et pour dans sur comment pourquoi aux'),
  es: wordSet('el la los las del de una y para cómo por en qué con'),
  it: wordSet('il lo gli della delle dei una e per come di nel'),
  pt: wordSet('o os as da do das dos de uma e para como em não'),
  nl: wordSet('de het een en van voor hoe met op'),
  en: wordSet('the a an and of for in to how what why on with is are vs our'),
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

const scripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['zh', /\p{sc=Han}/u],
  ['ko', /\p{sc=Hangul}/u],
  ['ru', /\p{sc=Cyrillic}/u],
  ['el', /\p{sc=Greek}/u],
  ['ar', /\p{sc=Arabic}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['hi', /\p{sc=Devanagari}/u],
  ['th', /\p{sc=Thai}/u],
]

/** Returns the language (BCP 47 primary subtag) of the script in which most words are written. A
 *  text in Latin letters counts as English, unless it has short common words of another
 *  language. */
export function languageOfText(text: string): string {
  const found = scripts.map(([language, letters]) => ({ language, size: wordsIn(text, letters) })).filter(({ size }) => size > 0)
  // Chinese characters in a text that also has kana count as Japanese.
  const japanese = found.find(({ language }) => language === 'ja')
  const chinese = found.find(({ language }) => language === 'zh')
  if (japanese && chinese) japanese.size += chinese.size
  const [script] = found.sort((a, b) => b.size - a.size)
  if (script && script.size >= wordsIn(text, /\p{sc=Latin}/u)) return script.language
  const written = text.toLowerCase().match(/\p{L}+/gu) ?? []
  // A single letter such as `y`, `o` or `e` may be a symbol instead of a word, so it counts less
  // than a longer word.
  const scores = Object.entries(smallWords).map(([language, words]) => ({
    language,
    score: written.reduce((sum, word) => sum + (words.has(word) ? (word.length > 1 ? 1 : 0.4) : 0), 0) + (language === 'en' ? 0.5 : 0),
  }))
  const [best] = scores.sort((a, b) => b.score - a.score)
  return best?.language ?? 'en'
}

/** Returns the amount of text in a script: for Chinese and Japanese the number of characters, for
 *  other scripts the number of runs of letters. */
function wordsIn(text: string, letters: RegExp): number {
  if (/Han|Hiragana/.test(letters.source)) return (text.match(new RegExp(letters, 'gu')) ?? []).length
  return (text.match(new RegExp(`(?:${letters.source}[\\p{M}]*)+`, 'gu')) ?? []).length
}

/** Returns the primary subtag of a language tag: `zh` for `zh-Hans-CN`. */
export function primaryOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? tag
}
