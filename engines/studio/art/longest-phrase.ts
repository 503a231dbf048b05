import type { ArtLanguage, ArtMatch, PhraseMatch } from './entry.ts'

const mostWords = 4
const mostCharacters = 8

type Find = (word: string, language: ArtLanguage) => ArtMatch[]

/** See `ArtCatalogue.longestPhrase`. */
export function longestPhrase(find: Find, text: string, from: number, language: ArtLanguage): PhraseMatch | undefined {
  for (const { length, words } of language === 'en' ? englishPhrases(text, from) : chinesePhrases(text, from)) {
    const matches = find(text.slice(from, from + length), language)
    if (matches.length > 0) return { length, words, matches }
  }
  return undefined
}

interface Phrase {
  length: number
  words: number
}

/** Returns the phrases of 4 down to 1 words that start at `from`, which must be the start of a
 *  word. Between two words stands one space or hyphen. */
function englishPhrases(text: string, from: number): Phrase[] {
  const phrases: Phrase[] = []
  const word = /[\p{Script=Latin}\d]+(?:['’][\p{Script=Latin}]+)*/uy
  let at = from
  while (phrases.length < mostWords) {
    word.lastIndex = at
    const match = word.exec(text)
    if (!match) break
    at += match[0].length
    phrases.unshift({ length: at - from, words: phrases.length + 1 })
    if (!/[ -]/.test(text.charAt(at))) break
    at += 1
  }
  return phrases
}

/** Returns the phrases of 8 down to 1 Han characters that start at `from`. Latin letters and digits
 *  may be among the characters, as in T恤 (T-shirt). */
function chinesePhrases(text: string, from: number): Phrase[] {
  const run = /^[\p{Script=Han}A-Za-z\d]+/u.exec(text.slice(from, from + mostCharacters))?.[0] ?? ''
  return Array.from({ length: run.length }, (_, i) => ({ length: run.length - i, words: run.length - i }))
}
