import type { ArtKey } from '../scene.ts'
import type { DrawnEntry } from './drawn-entries.ts'
import type { ArtEntry, ArtLanguage, MatchVia, PersonHint } from './entry.ts'
import type { OpenPack, WordTable } from './pack.ts'
import { personWords } from './person-words.ts'
import { normaliseWord } from './words.ts'

/** A reference from a word to an entry of the catalogue. */
export interface WordReference {
  entry: ArtEntry
  via: MatchVia
  /** English name and height of the thing that the word means. The name is set for people and rare
   *  nouns, the height only for people. */
  noun?: string
  heightMetres?: number
  person?: PersonHint
  /** Decides the order of references with the same `via`; the lower number comes first. */
  order: number
}

export interface WordIndex extends Record<ArtLanguage, Map<string, WordReference[]>> {
  /** Chinese words of things whose drawing function is missing. Each maps to the English noun, with
   *  which a more general thing can be found. */
  undrawn: Map<string, string>
}

const ranks: Record<string, MatchVia> = { n: 'name', l: 'label', t: 'tag' }

/** Values of `WordReference.order`: drawing functions first, then emoji of whole bodies, then
 *  drawing functions with a better emoji (`isSecond`), then emoji with a painted background, then
 *  heads. */
const orders = { drawn: 0, icon: 1, second: 2, background: 3, head: 4 } as const

interface Sources {
  pack: Pick<OpenPack, 'icons' | 'english' | 'chinese'>
  /** All things of the tables in `rows/`, with or without a drawing function. */
  things: readonly DrawnEntry[]
  entries: ReadonlyMap<ArtKey, ArtEntry>
}

/** Returns the words of both languages with their references, in no particular order. */
export function buildWordIndex({ pack, things, entries }: Sources): WordIndex {
  const index: WordIndex = { en: new Map(), zh: new Map(), undrawn: new Map() }
  const icons = pack.icons.flatMap(icon => entries.get(icon.key) ?? [])
  addTable(index.en, pack.english, icons)
  addTable(index.zh, pack.chinese, icons)
  for (const thing of things) addDrawn(index, thing, entries)
  const person = entries.get('rig:person')
  if (person) addPeople(index, person)
  return index
}

function addTable(words: Map<string, WordReference[]>, table: WordTable, icons: readonly ArtEntry[]): void {
  for (const [word, owners] of Object.entries(table)) {
    for (const owner of owners.split(' ')) {
      const entry = icons[Number(owner.slice(0, -1))]
      const via = ranks[owner.slice(-1)]
      if (entry && via) add(words, word, { entry, via, order: iconOrder(entry) })
    }
  }
}

function iconOrder(entry: ArtEntry): number {
  if (entry.headOnly) return orders.head
  return entry.bakedScenery === 'background' ? orders.background : orders.icon
}

/** Adds the words of a thing that has a row in `rows/`. When its drawing function is missing, the
 *  words lead to its emoji instead, ranked below the emoji's own words. */
function addDrawn(index: WordIndex, thing: DrawnEntry, entries: ReadonlyMap<ArtKey, ArtEntry>): void {
  const own = entries.get(thing.key)
  const entry = own ?? (thing.emoji && entries.get(thing.emoji))
  if (!own) for (const word of thing.wordsZh) index.undrawn.set(word, normaliseWord(thing.noun))
  if (!entry) return
  const ownOrder = thing.isSecond ? orders.second : orders.drawn
  const reference: WordReference = { entry, via: 'name', order: own ? ownOrder : orders.second + iconOrder(entry) }
  for (const word of [thing.noun, ...thing.words]) add(index.en, normaliseWord(word), reference)
  for (const word of thing.wordsZh) add(index.zh, word, reference)
}

function addPeople(index: WordIndex, entry: ArtEntry): void {
  for (const { noun, hint, heightMetres, words, wordsZh } of personWords) {
    const reference: WordReference = { entry, via: 'name', heightMetres, person: hint, order: orders.drawn }
    for (const word of [noun, ...words]) add(index.en, normaliseWord(word), { ...reference, noun: word })
    for (const word of wordsZh) add(index.zh, word, { ...reference, noun })
  }
}

function add(words: Map<string, WordReference[]>, word: string, reference: WordReference): void {
  const references = words.get(word)
  if (references) references.push(reference)
  else words.set(word, [reference])
}
