/** Reads WordNet's own file format: a sorted index file, and a data file with an entry (synset) at
 *  each byte offset. */
import { readFileSync } from 'node:fs'

export interface Synset {
  offset: number
  /** Number of the WordNet source file with this entry. It serves as a coarse class: 5 animals, 6
   *  artefacts, 13 food, 15 places, 18 people, 20 plants, ... */
  lexicalFile: number
  /** The words of the entry, written with spaces. */
  words: string[]
  /** Related nouns, each with the symbol of its relation. `@`: the entry is a kind of this noun;
   *  `~`: this noun is a kind of the entry; `%p`: this noun is a part of the entry; ... */
  pointers: { sign: string; offset: number }[]
  definition: string
  examples: string[]
}

/** WordNet's nouns, held in memory (20 MB). */
export class WordNet {
  readonly #index: Buffer
  readonly #data: Buffer
  readonly #synsets = new Map<number, Synset>()

  /** Reads WordNet's files `index.noun` and `data.noun`. */
  constructor(paths: { index: string; data: string }) {
    this.#index = readFileSync(paths.index)
    this.#data = readFileSync(paths.data)
  }

  /** Returns the senses of a word or a phrase, the most common one first; empty for an unknown
   *  word. */
  senses(phrase: string): Synset[] {
    const lemma = phrase.trim().toLowerCase().replace(/\s+/g, '_')
    const line = this.#find(lemma)
    if (line === undefined) return []
    const fields = line.trim().split(' ')
    const count = Number(fields[2])
    return fields.slice(-count).map(offset => this.synset(Number(offset)))
  }

  synset(offset: number): Synset {
    const known = this.#synsets.get(offset)
    if (known) return known
    const end = this.#data.indexOf(10, offset)
    const synset = parseSynset(this.#data.toString('utf8', offset, end))
    this.#synsets.set(offset, synset)
    return synset
  }

  related(synset: Synset, ...signs: string[]): Synset[] {
    return synset.pointers.filter(({ sign }) => signs.includes(sign)).map(({ offset }) => this.synset(offset))
  }

  /** Returns up to `most` entries whose definition contains a phrase (case-sensitive, as whole
   *  words or with an ending), in the order of the file. */
  mentions(phrase: string, most: number): Synset[] {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}-])${escaped(phrase)}(?:e?s)?(?![\\p{L}\\p{N}-])`, 'u')
    const found: Synset[] = []
    for (let at = this.#data.indexOf(phrase); at >= 0 && found.length < most; at = this.#data.indexOf(phrase, at)) {
      const start = this.#data.lastIndexOf(10, at) + 1
      at = this.#data.indexOf(10, at)
      // Lines that begin with a space are the licence at the top of the file.
      if (this.#data[start] === 32) continue
      const synset = this.synset(start)
      if (whole.test(synset.definition)) found.push(synset)
    }
    return found
  }

  /** Returns the index line of a word, by binary search: the lines are sorted by their bytes. */
  #find(lemma: string): string | undefined {
    const wanted = Buffer.from(`${lemma} `)
    let low = 0
    let high = this.#index.length
    while (low < high) {
      const middle = (low + high) >> 1
      const start = this.#index.lastIndexOf(10, middle - 1) + 1
      const end = this.#index.indexOf(10, start)
      const head = this.#index.subarray(start, Math.min(start + wanted.length, end))
      const order = Buffer.compare(wanted, head)
      if (order === 0) return this.#index.toString('utf8', start, end)
      if (order < 0) high = start
      else low = end + 1
    }
    return undefined
  }
}

/** Escapes a text for use in a regular expression with the `u` flag, outside of character
 *  classes. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function parseSynset(line: string): Synset {
  const [facts = '', gloss = ''] = line.split(/ \| (.*)/s)
  const fields = facts.split(' ')
  const words = Number.parseInt(fields[3] ?? '0', 16)
  const pointerStart = 4 + words * 2
  const pointers = Number(fields[pointerStart] ?? 0)
  const parts = gloss.trim().split(/;\s*(?=")/)
  return {
    offset: Number(fields[0]),
    lexicalFile: Number(fields[1]),
    words: Array.from({ length: words }, (_word, k) => (fields[4 + k * 2] ?? '').replaceAll('_', ' ')),
    pointers: Array.from({ length: pointers }, (_pointer, k) => fields.slice(pointerStart + 1 + k * 4, pointerStart + 5 + k * 4))
      .filter(([, , type]) => type === 'n')
      .map(([sign = '', offset]) => ({ sign, offset: Number(offset) })),
    definition: (parts[0] ?? '').trim(),
    examples: parts.slice(1).map(part => part.replace(/^"|"$/g, '')),
  }
}
