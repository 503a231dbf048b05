import type { ArtCategory } from '../entry.ts'
import type { WordTable } from '../pack.ts'
import { normaliseWord } from '../words.ts'
import type { IconFacts } from './art-facts.ts'
import { keptTags } from './art-kept-tags.ts'
import type { ReadSource } from './art-sources.ts'

interface Emoji {
  label: string
  hexcode: string
  tags?: string[]
}

/** Categories whose drawings are found only by their own words and labels, not by emojibase tags.
 *  The tags of symbols, faces and body parts are feelings and gestures, which cannot be drawn as
 *  things. */
const untagged: ReadonlySet<ArtCategory> = new Set(['symbol', 'face', 'body', 'person'])

interface Vocabulary {
  english: WordTable
  chinese: WordTable
  /** Chinese label of each icon, by icon name. */
  labelsZh: Map<string, string>
}

/** Returns the words that lead to each icon, from the tables and from emojibase; an icon has the
 *  same index in `facts` and in the pack. */
export function buildVocabulary(facts: readonly IconFacts[], read: ReadSource): Vocabulary {
  const english = emojiByIcon(read, 'en')
  const chinese = emojiByIcon(read, 'zh')
  const labelsZh = new Map<string, string>()
  const englishTable = new Table()
  const chineseTable = new Table()
  facts.forEach((fact, index) => {
    const isBlocked = (word: string) => fact.blocked.includes(word)
    for (const word of [fact.noun, ...fact.words]) englishTable.add(normaliseWord(word), index, 'n')
    for (const word of fact.wordsZh) chineseTable.add(word, index, 'n')
    const emoji = english.get(fact.icon)
    const emojiZh = chinese.get(fact.icon)
    if (emoji && !isBlocked(normaliseWord(emoji.label))) englishTable.add(normaliseWord(emoji.label), index, 'l')
    if (emojiZh) {
      if (!isBlocked(emojiZh.label)) chineseTable.add(emojiZh.label, index, 'l')
      labelsZh.set(fact.icon, emojiZh.label)
    }
    if (untagged.has(fact.category) || fact.look.isHead) return
    for (const tag of emoji?.tags ?? []) {
      const word = normaliseWord(tag)
      if (keptTags.en.has(word)) englishTable.add(word, index, 't')
    }
    for (const tag of emojiZh?.tags ?? []) if (keptTags.zh.has(tag)) chineseTable.add(tag, index, 't')
  })
  return { english: englishTable.finish(), chinese: chineseTable.finish(), labelsZh }
}

type Rank = 'n' | 'l' | 't'

class Table {
  #words = new Map<string, Map<number, Rank>>()

  /** Adds a word for an icon. The first rank added for a word and an icon is kept, so callers add
   *  words in order of rank, best first. */
  add(word: string, index: number, rank: Rank): void {
    const owners = this.#words.get(word) ?? new Map<number, Rank>()
    if (!owners.has(index)) owners.set(index, rank)
    this.#words.set(word, owners)
  }

  finish(): WordTable {
    const sorted = [...this.#words].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([word, owners]) => [word, [...owners].map(([index, rank]) => `${index}${rank}`).join(' ')]))
  }
}

function emojiByIcon(read: ReadSource, language: 'en' | 'zh'): Map<string, Emoji> {
  const characters: Record<string, string> = JSON.parse(read('@iconify-json/noto', 'chars.json'))
  const iconOf = new Map(Object.entries(characters).map(([code, icon]) => [plainCode(code), icon]))
  const emojis: Emoji[] = JSON.parse(read('emojibase-data', `${language}/data.json`))
  return new Map(
    emojis.flatMap((emoji): [string, Emoji][] => {
      const icon = iconOf.get(plainCode(emoji.hexcode))
      return icon === undefined ? [] : [[icon, emoji]]
    }),
  )
}

/** Returns the code points of an emoji without the variation selector (FE0F), because one source
 *  writes it and the other does not. */
function plainCode(code: string): string {
  return code
    .toLowerCase()
    .split('-')
    .filter(part => part !== 'fe0f')
    .join('-')
}
