/** The facts about a subject, and functions that read an entry of the dictionary. */
import type { Synset } from './wordnet.ts'

export interface WordFacts {
  /** The word of the title, in the singular if the dictionary has that. */
  word: string
  /** The word in the number of the title. */
  titleForm: string
  /** Name of the subject in a sentence, with its article: `the French Revolution`. */
  called: string
  synset: Synset
  /** Number of senses of the word. */
  senses: number
  definition: string
  /** Definition with the text after the first semicolon, and without long brackets. */
  whole: string
  alsoCalled: string[]
  /** Classes from the nearest to the widest. */
  classes: NamedKind[]
  kinds: NamedKind[]
  parts: NamedKind[]
  substances: NamedKind[]
  /** Members of a group or of a family of living things. */
  members: NamedKind[]
  /** Individual instances with a name of their own. */
  instances: NamedKind[]
  /** Terms of a field. */
  terms: NamedKind[]
  isInstance: boolean
  /** Other kinds of the subject's nearest class. */
  siblings: NamedKind[]
  /** Parts of the subject's class, by the class. */
  inherited: { of: string; parts: NamedKind[] }[]
  /** Parts of the subject's parts, by the part; the parts with most of their own come first. */
  inside: { of: string; parts: NamedKind[] }[]
  mentions: Mention[]
}

export interface NamedKind {
  name: string
  definition: string
  /** Number of the kinds below this one, and of their kinds. */
  below: number
}

export interface Mention {
  name: string
  definition: string
  /** Whole definition, with the text after its first semicolon. */
  whole: string
  group: 'people' | 'places' | 'events' | 'words'
  /** True when the facts already name it, so that only its years are new. */
  isListed: boolean
}

/** True when an entry may stand on a page: the dictionary marks insults and vulgar words. */
export function isFitForAll({ definition, lexicalFile, words }: Synset): boolean {
  const isMarked =
    /\b(?:slur|slang|fuck|offensive|derogat|disparag|obscen|vulgar|taboo|insult|contempt|pejorative|informal term|prostitut|sexual|genital|pornograph)/i
  return !isMarked.test(definition) && !(lexicalFile === 18 && words.some(word => /^(?:whore|slave|slut)/i.test(word)))
}

/** Removes the field in brackets at the start, and the text after a semicolon when there is enough
 *  before it. */
export function tidy(definition: string): string {
  const plain = definition
    .replace(/^\([^)]*\)\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [first = ''] = plain.split(/;\s*/)
  return first.length > 30 ? first : plain
}

/** Returns `Edmund Hillary` when the dictionary has it beside `Hillary`. */
export function fullName({ words, lexicalFile }: Synset): string {
  const [name = ''] = words
  if (lexicalFile !== 18 || !/^\p{Lu}/u.test(name) || name.includes(' ')) return name
  const full = words.filter(
    word => word.includes(name) && /^\p{Lu}\S+ \p{Lu}/u.test(word) && !/^(?:Sir|Lord|Lady|Baron|Saint|St\.) /.test(word),
  )
  return full.sort((a, b) => a.length - b.length)[0] ?? name
}
