import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizePrompt, type PromptToken, tokenizePrompt } from './prompt-text.ts'

/** A phrase of the lexicon. Phrases are grouped by their first word, so the first word is not
 *  stored here. */
export interface Phrase {
  /** The words after the first one, in order; `?` stands for any one word. */
  readonly rest: readonly string[]
  /** The concept that the phrase names. Undefined for a harmless phrase such as "naked forest": no
   *  word of this phrase then counts, although "naked" alone would name a concept. */
  readonly concept: string | undefined
  /** True when the phrase is harmless only if no word for a person stands directly before it:
   *  "naked forest" is harmless, but in "woman naked forest" the word "naked" counts. */
  readonly isVoidAfterPerson: boolean
}

/** The phrases that start with the same word, grouped by their next words. */
interface PhraseGroup {
  /** Phrases that consist of the first word only. */
  readonly alone: Phrase[]
  readonly bySecond: Map<string, Phrase[]>
  /** Phrases whose second word is `?`, grouped by their third word. */
  readonly byThird: Map<string, Phrase[]>
}

/** The lexicon, prepared for matching. `phrases` is keyed by the first word or Chinese character of
 *  a phrase. */
export interface Lexicon {
  readonly phrases: ReadonlyMap<string, PhraseGroup>
  readonly simplified: ReadonlyMap<string, string>
  readonly negations: ReadonlySet<string>
  readonly negationFillers: ReadonlySet<string>
  readonly functionWords: ReadonlySet<string>
}

const listNames = new Set([
  'negation',
  'negation-filler',
  'harmless',
  'bare',
  'bare-cosmetic',
  'bare-scenery',
  'function-word',
  'simplified',
])

/** Reads the lexicon file; throws when a section is missing. */
export function readLexicon(): Lexicon {
  const path = join(import.meta.dirname, 'prompt-lexicon.txt')
  const sections = readSections(path)
  const section = (name: string): readonly string[] => {
    const entries = sections.get(name)
    if (entries === undefined) throw new Error(`${path} has no section [${name}].`)
    return entries
  }
  const simplified = new Map(section('simplified').flatMap(line => line.split(' ').map((pair): [string, string] => [pair[0]!, pair[1]!])))
  const concepts = [...sections.keys()].filter(name => !listNames.has(name))
  const entries: Entry[] = concepts.flatMap(concept => section(concept).map((text): Entry => ({ text, concept, isVoidAfterPerson: false })))
  for (const text of section('harmless')) entries.push({ text, concept: undefined, isVoidAfterPerson: false })
  for (const [tails, isVoidAfterPerson] of [
    [section('bare-cosmetic'), false],
    [section('bare-scenery'), true],
  ] as const) {
    for (const tail of tails) {
      for (const head of section('bare')) {
        entries.push(
          { text: `${head} ${tail}`, concept: undefined, isVoidAfterPerson },
          { text: `${head} ? ${tail}`, concept: undefined, isVoidAfterPerson },
        )
      }
    }
  }
  return {
    phrases: indexPhrases(entries, simplified),
    simplified,
    negations: new Set(section('negation')),
    negationFillers: new Set(section('negation-filler')),
    functionWords: new Set(section('function-word')),
  }
}

interface Entry {
  readonly text: string
  readonly concept: string | undefined
  readonly isVoidAfterPerson: boolean
}

function readSections(path: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let entries: string[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = /^\[([a-z-]+)\]$/.exec(line)?.[1]
    if (name === undefined) {
      entries.push(
        ...line
          .split(',')
          .map(entry => entry.trim())
          .filter(entry => entry !== ''),
      )
      continue
    }
    entries = []
    sections.set(name, entries)
  }
  return sections
}

function indexPhrases(entries: readonly Entry[], simplified: ReadonlyMap<string, string>): Map<string, PhraseGroup> {
  const groups = new Map<string, PhraseGroup>()
  for (const { text, concept, isVoidAfterPerson } of entries) {
    const [first, ...rest] = splitEntry(text, simplified)
    if (first === undefined) throw new Error(`The lexicon entry "${text}" holds no word.`)
    const group = groups.get(first) ?? { alone: [], bySecond: new Map(), byThird: new Map() }
    groups.set(first, group)
    listFor(group, rest).push({ rest, concept, isVoidAfterPerson })
  }
  return groups
}

function listFor({ alone, bySecond, byThird }: PhraseGroup, [second, third]: readonly string[]): Phrase[] {
  if (second === undefined) return alone
  const [lists, word] = second === '?' && third !== undefined ? [byThird, third] : [bySecond, second]
  const list = lists.get(word) ?? []
  lists.set(word, list)
  return list
}

/** Splits an entry of the lexicon into words. It uses the same functions that split prompts, so
 *  that the words of entries and prompts are spelled alike. */
function splitEntry(text: string, simplified: ReadonlyMap<string, string>): string[] {
  return text.split(' ').flatMap(word => (word === '?' ? ['?'] : tokenizePrompt(normalizePrompt(word, simplified)).map(firstForm)))
}

function firstForm({ forms }: PromptToken): string {
  return forms[0] ?? ''
}
