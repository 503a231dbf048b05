/** Words whose reading the part of speech alone does not tell, or which the lexicons know in one reading only. */
import type { Accent } from '../plan.ts'
import type { Token } from './tokens.ts'

interface Around {
  tokens: readonly Token[]
  tagOf(index: number): string
  accent: Accent
}

/** Words before and after, in lower case; marks are left out. */
interface Context {
  tag: string
  before: string[]
  after: string[]
  all: ReadonlySet<string>
}

interface Homograph {
  /** Phonemes, American and British. */
  readings: Record<string, [us: string, gb: string]>
  choose(context: Context): string | undefined
}

/** Phonemes of such a word; undefined for all others and where nothing speaks against the usual reading. */
export function homograph(index: number, { tokens, tagOf, accent }: Around): string | undefined {
  const entry = homographs.get(tokens[index]!.text.toLowerCase())
  if (!entry) return undefined
  const words = tokens.map(token => token.text.toLowerCase())
  const isWord = (_: string, at: number): boolean => tokens[at]?.kind !== 'mark'
  const context: Context = {
    tag: tagOf(index),
    before: words.slice(0, index).filter(isWord).reverse(),
    after: words.slice(index + 1).filter((_, at) => isWord('', index + 1 + at)),
    all: new Set(words),
  }
  const chosen = entry.choose(context)
  return chosen === undefined ? undefined : entry.readings[chosen]?.[accent === 'us' ? 0 : 1]
}

const homographs = new Map<string, Homograph>()
