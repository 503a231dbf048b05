import type { FramePlace, RelationKind } from '../scene.ts'
import { createMention, type Draft, type Mention } from './draft.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { SenseKind, SenseOf } from './lexicon/senses.ts'
import type { Token } from './tokens.ts'

/** A Chinese noun phrase that is being read. The modifiers come before the noun, so they are
 *  collected here until the noun is known. */
interface ChineseFrame {
  mention: Mention
  hasDeterminer: boolean
  /** Clauses before the noun, such as 戴着帽子的 ("who wears a hat"); they are read once the noun is
   *  known. */
  clauses: Token[][]
  relations: { kind: RelationKind; target: Mention; and?: Mention }[]
}

export interface Location {
  kind: RelationKind
  target: Mention
  and?: Mention
}

/** A function that reads tokens in Chinese word order into a draft; `subjects` are the subjects of
 *  the first clause. */
type ReadChinese = (tokens: readonly Token[], draft: Draft, subjects: Mention[]) => void

export interface ChineseState {
  /** Reads the tokens of a clause before a noun, such as 戴着帽子的 ("who wears a hat"); `subjects`
   *  contains that noun. */
  readClause: ReadChinese
  tokens: readonly Token[]
  /** Cached results of `closingDe`, by token index. */
  closings: Int32Array
  at: number
  draft: Draft
  frame: ChineseFrame
  /** Subjects of the next verbs: those of the previous clause, until this clause names its own. */
  group: Mention[]
  /** True once this clause has named its subject. */
  hasSubject: boolean
  /** A verb whose object has not been read yet. */
  verb?: { sense: SenseOf<'verb'>; sources: Mention[] }
  /** The agent of a passive verb, named after 被 ("by"). */
  passive?: Mention
  /** A verb that was read before its subject, as in 树上站着一只鸟 ("in the tree stands a bird"). */
  early?: SenseOf<'verb'>
  /** A location that was read before the thing that is there. */
  leading?: Location
  place?: FramePlace
  /** True after 在 ("at"), until the location that follows it is complete. */
  expectsLocation: boolean
  /** The subject before 有 ("has"); the things named next belong to it. */
  owner?: Mention
  isJoined: boolean
  isNegating: boolean
  last?: Mention
  /** Index of the token right after the last noun. */
  nounEnd: number
}

export function createFrame(draft: Draft): ChineseFrame {
  return { mention: createMention(draft.mentions.length), hasDeterminer: false, clauses: [], relations: [] }
}

export function createChineseState(tokens: readonly Token[], draft: Draft, subjects: Mention[], readClause: ReadChinese): ChineseState {
  return {
    readClause,
    tokens,
    closings: closingsOf(tokens),
    at: 0,
    draft,
    frame: createFrame(draft),
    group: subjects,
    hasSubject: subjects.length > 0,
    expectsLocation: false,
    isJoined: false,
    isNegating: false,
    nounEnd: -1,
    ...lastOf(subjects),
  }
}

function lastOf(subjects: readonly Mention[]): { last?: Mention } {
  const last = subjects.at(-1)
  return last ? { last } : {}
}

export function has(token: Token | undefined, kind: SenseKind): boolean {
  return token !== undefined && senseOf(token.senses, kind) !== undefined
}

/** Returns the index of the 的 that ends a clause before a noun, searched from the current position
 *  to the next punctuation mark; -1 when there is none. */
export function closingDe(state: ChineseState): number {
  return state.closings[state.at + 1] ?? -1
}

/** Returns, for each token, the index of the next 的 (or of the token itself) that ends a clause
 *  before a noun; -1 when there is none. A 的 after an adjective ends no clause. All indexes are
 *  computed in one pass from the end, because a new search from every verb would take quadratic
 *  time. */
function closingsOf(tokens: readonly Token[]): Int32Array {
  const closings = new Int32Array(tokens.length)
  for (let at = tokens.length - 1; at >= 0; at--) closings[at] = closingFrom(tokens, at, closings[at + 1] ?? -1)
  return closings
}

function closingFrom(tokens: readonly Token[], at: number, later: number): number {
  const token = tokens[at]
  if (!token || token.kind === 'punctuation') return -1
  const before = tokens[at - 1]
  if (token.text !== '的' || (before && (isAdjectiveOnly(before) || before.kind === 'quote'))) return later
  return nounAfter(tokens, at + 1) ? at : -1
}

function isAdjectiveOnly(token: Token): boolean {
  return (
    !token.match && ['colour', 'size', 'look', 'age', 'quality', 'detail', 'mood', 'number'].some(kind => token.senses[0]?.kind === kind)
  )
}

function nounAfter(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length && at < from + 10; at++) {
    const token = tokens[at]
    if (!token || token.kind === 'punctuation') return false
    if (has(token, 'localizer') && !token.match && at === from) return false
    if (token.match || has(token, 'setting') || has(token, 'garment') || has(token, 'worn')) return true
    if (token.senses.length === 0) return false
  }
  return false
}

/** Returns the earlier mention of the same thing when the noun is repeated without modifiers;
 *  undefined when the thing is new. */
export function sameMention(state: ChineseState, mention: Mention): Mention | undefined {
  if (mention.count !== undefined || mention.colours.length > 0 || mention.size !== undefined || !mention.match) return undefined
  return state.draft.mentions.find(other => other.match?.noun === mention.match?.noun)
}
