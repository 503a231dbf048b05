/** Lines of lyrics as syllables. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { WordSyllable } from '../arrange/words-rhythm.ts'
import { phonesOfWords } from './flite.ts'
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

/** Syllables of every line, by its text; lines that are only signs have none. Throws `invalid_request` for writing that the voice cannot read, naming the first such word. */
export async function pronounceLines(lines: readonly string[]): Promise<(line: string) => readonly WordSyllable[]> {
  const words = new Map(lines.map(line => [line, wordsOf(line)]))
  const wanted = [...new Set([...words.values()].flat())].filter(word => !(word in weakForms))
  const foreign = wanted.find(word => /[^\p{ASCII}]/u.test(word))
  if (foreign !== undefined)
    throw new GatewayError('invalid_request', about('lyrics', `“${foreign}” cannot be sung: the voice reads Latin letters.`), {
      field: 'lyrics',
    })
  const phones = await phonesOfWords(wanted)
  const said = new Map<string, readonly string[]>(Object.entries(weakForms))
  wanted.forEach((word, index) => {
    said.set(word, phones[index] ?? [])
  })
  const syllables = new Map([...words].map(([line, all]) => [line, all.flatMap(word => syllablesOfWord(word, said.get(word) ?? []))]))
  return line => syllables.get(line) ?? []
}

/** Words as the voice reads them: lower case, without signs and accents. */
function wordsOf(line: string): string[] {
  const plain = line
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/giu, '')
    .normalize('NFC')
    .replace(/[’‘`]/g, "'")
    .toLowerCase()
  return [...plain.matchAll(/[\p{L}\p{N}]+(?:'\p{L}+)*/gu)].map(([word]) => word)
}
