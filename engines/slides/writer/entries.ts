/** The facts about a subject, and functions that read entries of the dictionary. */
import type { Synset } from './wordnet.ts'

export interface WordFacts {
  /** The word as found in the dictionary, usually in the singular. */
  word: string
  /** The word as the title has it, in the singular or plural. */
  titleForm: string
  /** Name of the subject in a sentence, with its article: `the French Revolution`. */
  called: string
  synset: Synset
  /** Number of senses of the word. */
  senses: number
  definition: string
  /** The full definition with the parts after its first semicolon, but without long texts in
   *  brackets. */
  whole: string
  alsoCalled: string[]
  /** Classes to which the subject belongs, from the nearest to the most general. */
  classes: NamedKind[]
  kinds: NamedKind[]
  parts: NamedKind[]
  substances: NamedKind[]
  /** Members, when the subject is a group or a family of living things. */
  members: NamedKind[]
  /** Instances of the subject that have proper names, such as single rivers. */
  instances: NamedKind[]
  /** Technical terms, when the subject is a field. */
  terms: NamedKind[]
  isInstance: boolean
  /** Relatives of the subject: the other kinds of the subject's nearest class. */
  siblings: NamedKind[]
  /** Parts that the subject's classes have, grouped by class. */
  inherited: { of: string; parts: NamedKind[] }[]
  /** Parts of the subject's own parts, grouped by part; the part with the most parts comes
   *  first. */
  inside: { of: string; parts: NamedKind[] }[]
  mentions: Mention[]
}

export interface NamedKind {
  name: string
  definition: string
  /** Number of the kinds of this entry, of their kinds, and so on. */
  below: number
}

export interface Mention {
  name: string
  definition: string
  /** The full definition with the parts after its first semicolon. */
  whole: string
  group: 'people' | 'places' | 'events' | 'words'
  /** True when the slides about the subject already name this entry (as a kind, a part ...). Such
   *  an entry is used only for its years. */
  isListed: boolean
}

/** True when an entry may be shown; false for insults and vulgar words, which are recognised by
 *  words in their definitions. */
export function isFitForAll({ definition, lexicalFile, words }: Synset): boolean {
  const isMarked =
    /\b(?:slur|slang|fuck|offensive|derogat|disparag|obscen|vulgar|taboo|insult|contempt|pejorative|informal term|prostitut|sexual|genital|pornograph)/i
  return !isMarked.test(definition) && !(lexicalFile === 18 && words.some(word => /^(?:whore|slave|slut)/i.test(word)))
}

/** Returns the definition without the subject field in brackets at its start, such as `(music)`.
 *  The parts after the first semicolon are left out, unless less than 31 characters would
 *  remain. */
export function tidy(definition: string): string {
  const plain = definition
    .replace(/^\([^)]*\)\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [first = ''] = plain.split(/;\s*/)
  return first.length > 30 ? first : plain
}

/** Returns the name of an entry. For a person whose first name in the entry is a single word, such
 *  as the surname, returns the shortest full name that contains this word (`Edmund Hillary`), if
 *  the entry has one. */
export function fullName({ words, lexicalFile }: Synset): string {
  const [name = ''] = words
  if (lexicalFile !== 18 || !/^\p{Lu}/u.test(name) || name.includes(' ')) return name
  const full = words.filter(
    word => word.includes(name) && /^\p{Lu}\S+ \p{Lu}/u.test(word) && !/^(?:Sir|Lord|Lady|Baron|Saint|St\.) /.test(word),
  )
  return full.sort((a, b) => a.length - b.length)[0] ?? name
}
