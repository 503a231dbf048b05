/** What is known of a subject, and how an entry of the dictionary is read. */
import type { Synset } from './wordnet.ts'

export interface WordFacts {
  /** As the title has it, in the singular where the dictionary has that. */
  word: string
  /** In the singular or the plural, as the title has it. */
  titleForm: string
  /** As a sentence calls it, with its article: `the French Revolution`. */
  called: string
  synset: Synset
  /** Senses that the word has. */
  senses: number
  definition: string
  /** With what follows the first semicolon, and without long brackets. */
  whole: string
  alsoCalled: string[]
  /** From the nearest class to the widest. */
  classes: NamedKind[]
  kinds: NamedKind[]
  parts: NamedKind[]
  substances: NamedKind[]
  /** Members of a group or of a family of living things. */
  members: NamedKind[]
  /** Single ones that have a name of their own. */
  instances: NamedKind[]
  /** Words of a field. */
  terms: NamedKind[]
  isInstance: boolean
  /** Other ones of its nearest class. */
  siblings: NamedKind[]
  /** Parts that its class has, by the class. */
  inherited: { of: string; parts: NamedKind[] }[]
  /** Parts that its parts have, by the part; those with most first. */
  inside: { of: string; parts: NamedKind[] }[]
  mentions: Mention[]
}

export interface NamedKind {
  name: string
  definition: string
  /** How many kinds, and kinds of kinds, it has. */
  below: number
}

export interface Mention {
  name: string
  definition: string
  /** All of the definition, with what follows its first semicolon. */
  whole: string
  group: 'people' | 'places' | 'events' | 'words'
  /** The facts name it already: only its years are new. */
  isListed: boolean
}

/** Whether an entry can stand on a page: the dictionary marks insults, and says of some words
 *  that they are vulgar. */
export function isFitForAll({ definition, lexicalFile, words }: Synset): boolean {
  const isMarked =
    /\b(?:slur|slang|fuck|offensive|derogat|disparag|obscen|vulgar|taboo|insult|contempt|pejorative|informal term|prostitut|sexual|genital|pornograph)/i
  return !isMarked.test(definition) && !(lexicalFile === 18 && words.some(word => /^(?:whore|slave|slut)/i.test(word)))
}

/** Without the field in brackets at its start and without what follows a semicolon, where there
 *  is enough before it. */
export function tidy(definition: string): string {
  const plain = definition
    .replace(/^\([^)]*\)\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [first = ''] = plain.split(/;\s*/)
  return first.length > 30 ? first : plain
}

/** `Edmund Hillary` where the dictionary has it beside `Hillary`. */
export function fullName({ words, lexicalFile }: Synset): string {
  const [name = ''] = words
  if (lexicalFile !== 18 || !/^\p{Lu}/u.test(name) || name.includes(' ')) return name
  const full = words.filter(
    word => word.includes(name) && /^\p{Lu}\S+ \p{Lu}/u.test(word) && !/^(?:Sir|Lord|Lady|Baron|Saint|St\.) /.test(word),
  )
  return full.sort((a, b) => a.length - b.length)[0] ?? name
}
