/** Splits lines of lyrics into syllables with their pronunciation. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { WordSyllable } from '../arrange/words-rhythm.ts'
import { phonesOfWords } from './dictionary.ts'
import { hangulPhones } from './hangul.ts'
import { kanaMorae } from './kana.ts'
import { mandarinPhones } from './mandarin.ts'
import { isVowel } from './phones.ts'
import { syllablesOfWord } from './syllables.ts'
import { isForeign, unreadable, wordsOf } from './writing.ts'

/** Pronunciation of small words and interjections, used in place of that in the dictionary. */
const weakForms = new Map<string, readonly string[]>(
  Object.entries({
    a: ['ax'],
    the: ['dh', 'ax'],
    to: ['t', 'ax'],
    of: ['ah', 'v'],
    and: ['ae', 'n', 'd'],
    i: ['ay'],
    oh: ['ow'],
    ooh: ['uw'],
    ah: ['aa'],
    aah: ['aa'],
    la: ['l', 'aa'],
    na: ['n', 'aa'],
    yeah: ['y', 'ae'],
    hey: ['hh', 'ey'],
    mm: ['m', 'ax', 'm'],
    hm: ['hh', 'ah', 'm'],
    hmm: ['hh', 'ah', 'm'],
    sh: ['sh', 'ax'],
    shh: ['sh', 'ax'],
    woah: ['w', 'ow'],
    da: ['d', 'aa'],
    ba: ['b', 'aa'],
    doo: ['d', 'uw'],
  }),
)

/** Returns a function that gives the syllables of each line; none for a line without letters.
 *  English words are looked up in the dictionary of the voice. Chinese, Korean and Japanese kana
 *  are converted to the nearest English sounds. Other languages in Latin letters are read as
 *  English. Throws `invalid_request` for a script that cannot be read, and names the first such
 *  word. */
export async function pronounceLines(lines: readonly string[]): Promise<(line: string) => readonly WordSyllable[]> {
  const words = new Map(lines.map(line => [line, wordsOf(line).map(asSaid)]))
  const wanted = [...new Set([...words.values()].flat())].filter(word => !weakForms.has(word) && !isForeign(word))
  const phones = await phonesOfWords(wanted)
  const said = new Map(weakForms)
  wanted.forEach((word, index) => {
    said.set(word, phones[index] ?? [])
  })
  const read = (word: string) => (isForeign(word) ? foreignSyllables(word) : syllablesOfWord(word, said.get(word) ?? []))
  const syllables = new Map([...words].map(([line, all]) => [line, all.flatMap(read)]))
  return line => syllables.get(line) ?? []
}

/** Returns a word with drawn-out letters in a shorter spelling: `ooooh`, `nooo`, `sooooon`. */
function asSaid(word: string): string {
  if (!/([a-z])\1\1/.test(word)) return word
  const twice = word.replace(/([a-z])\1{2,}/g, '$1$1')
  if (weakForms.has(twice)) return twice
  return word.replace(/([a-z])\1{2,}/g, (run: string, letter: string, at: number) =>
    // In the middle of a word, a drawn-out e or o becomes double, because English often doubles
    // them.
    /[eo]/.test(letter) && at + run.length < word.length ? letter + letter : letter,
  )
}

/** Returns the syllables of a word in a script in which each character or mora is one syllable. */
function foreignSyllables(word: string): WordSyllable[] {
  const syllables = phonesOfForeign(word)
  if (!syllables) throw new GatewayError('invalid_request', about('lyrics', unreadable(word)), { field: 'lyrics' })
  return syllables.map((phones, index) => ({
    phones: phones.map(phone => (isVowel(phone) ? `${phone}1` : phone)),
    stress: index % 2 === 0 ? 2 : 1,
    isFirst: index === 0,
  }))
}

function phonesOfForeign(word: string): string[][] | undefined {
  if (/^[\u3040-\u30ff]+$/.test(word)) return kanaMorae(word)
  const all = /^\p{Script=Han}+$/u.test(word) ? mandarinPhones(word) : [...word].map(hangulPhones)
  const known = all.filter(phones => phones !== undefined)
  return known.length === all.length ? known : undefined
}
