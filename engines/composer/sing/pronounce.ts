/** Lines of lyrics as syllables. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { WordSyllable } from '../arrange/words-rhythm.ts'
import { phonesOfWords } from './dictionary.ts'
import { hangulPhones } from './hangul.ts'
import { kanaMorae } from './kana.ts'
import { mandarinPhones } from './mandarin.ts'
import { isVowel } from './phones.ts'
import { syllablesOfWord } from './syllables.ts'

/** Said otherwise in a line than alone. */
const weakForms: Readonly<Record<string, readonly string[]>> = {
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
  mmm: ['m', 'ax', 'm'],
}

/** Syllables of every line, by its text; lines that are only signs have none. English words as its dictionary has them; Chinese, Korean and kana in
 *  the nearest phones of that voice; other languages in Latin letters as if they were English. Throws `invalid_request` for writing that it
 *  cannot read, naming the first such word. */
export async function pronounceLines(lines: readonly string[]): Promise<(line: string) => readonly WordSyllable[]> {
  const words = new Map(lines.map(line => [line, wordsOf(line)]))
  const wanted = [...new Set([...words.values()].flat())].filter(word => !(word in weakForms) && !isForeign(word))
  const phones = await phonesOfWords(wanted)
  const said = new Map<string, readonly string[]>(Object.entries(weakForms))
  wanted.forEach((word, index) => {
    said.set(word, phones[index] ?? [])
  })
  const read = (word: string) => (isForeign(word) ? foreignSyllables(word) : syllablesOfWord(word, said.get(word) ?? []))
  const syllables = new Map([...words].map(([line, all]) => [line, all.flatMap(read)]))
  return line => syllables.get(line) ?? []
}

function isForeign(word: string): boolean {
  return /[^\p{ASCII}]/u.test(word)
}

/** Each sign or mora is a syllable. */
function foreignSyllables(word: string): WordSyllable[] {
  const syllables = phonesOfForeign(word)
  if (!syllables) {
    const says = `“${word}” cannot be sung: the voice reads Latin letters, Chinese, Korean, and Japanese in kana.`
    throw new GatewayError('invalid_request', about('lyrics', says), { field: 'lyrics' })
  }
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

/** Words as the voice reads them: lower case, without signs and accents. Japanese that mixes kana with Han characters stays in one piece: its reading is not known. */
function wordsOf(line: string): string[] {
  const plain = line
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/giu, '')
    .normalize('NFC')
    .replace(/[’‘`]/g, "'")
    .toLowerCase()
  const isMixed = /[\u3040-\u30ff]/.test(plain)
  const parts = isMixed
    ? /[a-z0-9]+(?:'[a-z]+)*|[^\P{L}a-z]+|[\p{L}\p{N}ー]+/gu
    : /[a-z0-9]+(?:'[a-z]+)*|\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu
  return [...plain.matchAll(parts)].map(([word]) => word)
}
