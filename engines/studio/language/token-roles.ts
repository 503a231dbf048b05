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

/** Most tokens that are searched for the noun after an adjective, as in "big and red and round and
 *  ... ball". */
const longestChain = 24

/** True when only adjectives come between token `from` and a noun. */
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

/** True for "and" between two adjectives of the same kind: "black and white cat". */
export function isJoinedAdjective(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  if (!before || !after || !senseOf(tokens[at]?.senses ?? [], 'and')) return false
  return ['colour', 'size', 'look'].some(
    kind => before.senses.some(sense => sense.kind === kind) && after.senses.some(sense => sense.kind === kind),
  )
}

/** True when an ambiguous word is more likely a verb: "sitting" and "holding", but not "painting"
 *  or "building". */
function isVerbFirst(token: Token): boolean {
  return (
    token.senses.some(sense => sense.kind === 'verb') &&
    /ing\b/.test(token.key) &&
    token.match?.via !== 'name' &&
    token.match?.via !== 'label'
  )
}

/** True for "under the sea" and "underwater", which name a place and are never the second part of a
 *  compound noun. */
export function isPlaceAdverb(token: Token): boolean {
  return (
    /^(under|underwater|below|beneath|in|on|at|by|above|inside|indoors?|bottom of|surface of|midair|mid air)\b/.test(token.key) &&
    senseOf(token.senses, 'setting') !== undefined
  )
}

/** True for adverbs of manner and isolated numbers, which are ignored. */
export function isSilent(token: Token): boolean {
  return /^[a-z]+ly$/.test(token.key) || /^[\d.:/x%]+$/.test(token.key)
}

export function isUnknownWord(token: Token | undefined): boolean {
  return token !== undefined && token.kind === 'word' && token.senses.length === 0 && !token.match && !isSilent(token)
}
