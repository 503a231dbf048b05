import { senseOf } from './lexicon/lexicon.ts'
import type { SenseKind } from './lexicon/senses.ts'
import type { Token } from './tokens.ts'

const plainAdjectives: ReadonlySet<SenseKind> = new Set<SenseKind>(['colour', 'size', 'look', 'age', 'detail', 'hair', 'skin'])
export const isPlainAdjective = (token: Token) => token.senses.some(sense => plainAdjectives.has(sense.kind))

const adjectiveKinds: ReadonlySet<SenseKind> = new Set<SenseKind>([
  ...plainAdjectives,
  'quality',
  'mood',
  'weather',
  'season',
  'time',
  'style',
  'verb',
  'number',
  'abstract',
  'camera',
  'beard',
  'place',
])
export const nounKinds: ReadonlySet<SenseKind> = new Set<SenseKind>([
  'setting',
  'garment',
  'worn',
  'part',
  'hair-noun',
  'beard',
  'backdrop',
  'hair',
  'container',
  'group',
])

export function isNounLike(token: Token): boolean {
  return token.kind === 'word' && (token.match !== undefined || token.senses.some(sense => nounKinds.has(sense.kind)))
}

const closedKinds: ReadonlySet<SenseKind> = new Set<SenseKind>([
  'in',
  'with',
  'of',
  'and',
  'or',
  'be',
  'have',
  'relation',
  'reversed',
  'locative',
  'negation',
  'lettering',
  'article',
  'pronoun',
  'made-of',
  'place',
  'filler',
])
export const isClosed = (token: Token) =>
  token.senses[0] !== undefined && closedKinds.has(token.senses[0].kind) && !senseOf(token.senses, 'backdrop')

/** Number of tokens after an adjective in which its noun is searched: a chain such as "big and red
 *  and round and ..." may be long. */
const longestChain = 24

/** True when a noun follows after token `from`, with only adjectives before it. */
export function nounFollows(tokens: readonly Token[], from: number, crossesCommas = false, end = from + longestChain): boolean {
  for (let at = from; at < tokens.length && at < from + 8 && at < end; at++) {
    const token = tokens[at]
    if (crossesCommas && token?.text === ',') continue
    if (token?.kind !== 'word') return false
    if (isClosed(token)) return isJoinedAdjective(tokens, at) && nounFollows(tokens, at + 1, false, end)
    if (isPlaceAdverb(token)) return false
    if (isNounLike(token) && !isVerbFirst(token)) return true
    if (token.senses.length > 0 && !token.senses.some(sense => adjectiveKinds.has(sense.kind))) return false
    if (token.senses.some(sense => sense.kind === 'verb' && sense.relation !== undefined)) return false
  }
  return false
}

/** True for the "and" between two adjectives of the same kind, as in "black and white cat". */
export function isJoinedAdjective(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  if (!before || !after || !senseOf(tokens[at]?.senses ?? [], 'and')) return false
  return ['colour', 'size', 'look'].some(
    kind => before.senses.some(sense => sense.kind === kind) && after.senses.some(sense => sense.kind === kind),
  )
}

/** True for a word in "-ing" that is a verb, such as "sitting". False for words that are also
 *  common nouns, such as "painting" and "building". */
function isVerbFirst(token: Token): boolean {
  return (
    token.senses.some(sense => sense.kind === 'verb') &&
    /ing\b/.test(token.key) &&
    token.match?.via !== 'name' &&
    token.match?.via !== 'label'
  )
}

/** True for a phrase that names a place together with its preposition, such as "under the sea" and
 *  "underwater". It is never the second part of a compound noun. */
export function isPlaceAdverb(token: Token): boolean {
  return (
    /^(under|underwater|below|beneath|in|on|at|by|above|inside|indoors?|bottom of|surface of|midair|mid air)\b/.test(token.key) &&
    senseOf(token.senses, 'setting') !== undefined
  )
}

/** True for adverbs in "-ly" and for numbers without a noun. They are ignored and not reported. */
export function isSilent(token: Token): boolean {
  return /^[a-z]+ly$/.test(token.key) || /^[\d.:/x%]+$/.test(token.key)
}

export function isUnknownWord(token: Token | undefined): boolean {
  return token !== undefined && token.kind === 'word' && token.senses.length === 0 && !token.match && !isSilent(token)
}
