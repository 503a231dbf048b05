import type { FramePlace, RelationKind } from '../scene.ts'
import { type Draft, isAnimate, isPerson, type Mention } from './draft.ts'
import type { SenseOf } from './lexicon/senses.ts'
import type { Token } from './tokens.ts'

/** A verb or preposition whose object, a noun phrase, has not been read yet. `sources` are the
 *  mentions to which the object will be related. */
export interface Pending {
  via: 'verb' | 'relation' | 'with' | 'in' | 'locative' | 'reversed' | 'made-of'
  relation: RelationKind
  sources: Mention[]
  role?: 'held' | 'before' | 'near'
  isLocative: boolean
  /** True after "shaped like": the object is then the outline of the thing, not its material. */
  isShape?: boolean
}

/** The state of reading English text: the position in the tokens, and everything that later words
 *  may refer to. */
export interface EnglishState {
  tokens: readonly Token[]
  at: number
  draft: Draft
  /** The mentions to which the next verbs and prepositions refer. */
  group: Mention[]
  /** The subjects of the previous sentence. They are also the subjects of a sentence that begins
   *  with a verb. */
  earlier: Mention[]
  /** The subjects of a list with commas that have been read so far and have no verb or relation. */
  list: Mention[]
  /** The group whose members the next words describe one by one. */
  herd?: Mention
  /** The mention to which the next preposition refers in place of `group`: the object of "with", or
   *  the mention that a participle describes. */
  anchor?: Mention
  last?: Mention
  pending?: Pending
  /** The last verb or preposition whose object was found. A further object in a list, as in
   *  "holding a sword and a shield", belongs to it, too. */
  chain?: Pending
  pendingPlace?: FramePlace
  pendingVerb?: SenseOf<'verb'>
  predicate?: Mention[]
  isJoined: boolean
  /** True right after a comma, or at the start of a sentence. */
  atClauseStart: boolean
  isSentenceStart: boolean
  isNegating: boolean
  /** True when the previous token ended a mention, a verb or a location in this clause. */
  followsSubject: boolean
}

export function createState(tokens: readonly Token[], draft: Draft): EnglishState {
  return {
    tokens,
    at: 0,
    draft,
    group: [],
    earlier: [],
    list: [],
    isJoined: false,
    atClauseStart: true,
    isSentenceStart: true,
    isNegating: false,
    followsSubject: false,
  }
}

export function endClause(state: EnglishState, isSentence: boolean): void {
  delete state.pending
  delete state.anchor
  delete state.predicate
  state.isJoined = false
  state.atClauseStart = true
  state.followsSubject = false
  state.isSentenceStart = isSentence
  if (!isSentence) return
  delete state.chain
  delete state.pendingPlace
  delete state.pendingVerb
  state.isNegating = false
  state.list = []
  state.earlier = state.group.length > 0 ? state.group : state.earlier
  state.group = []
}

/** Returns the subjects of a verb: the nearest being, or the beings of the clause. For verbs of
 *  holding and riding, the subject is the person, as in "a man riding a horse, holding a sword". */
export function verbSources(state: EnglishState, verb: SenseOf<'verb'>): Mention[] {
  const { last } = state
  const group = state.group.length === 0 && state.isSentenceStart ? state.earlier : state.group
  const isBare = verb.pose === undefined && verb.relation === undefined && verb.look === undefined
  if (last && !group.includes(last) && !state.atClauseStart && !state.isJoined) {
    const isHandy = verb.relation === 'holding' || verb.relation === 'riding' || verb.pose === 'reading'
    if (isBare && last.match) return [last]
    if (isAnimate(last) && !(isHandy && !isPerson(last) && group.some(isPerson))) return [last]
  }
  const free = group.filter(mention => mention.pose === undefined)
  const wanted = verb.pose !== undefined && free.length > 0 && group.length > 1 ? free : group
  const beings = wanted.filter(isAnimate)
  return beings.length > 0 ? beings : wanted
}

/** Returns the mentions to which a preposition refers: the anchor, or those subjects of the clause
 *  that have no relation yet, or all subjects. */
export function relationSources(state: EnglishState): Mention[] {
  if (state.anchor && !state.atClauseStart && !state.isJoined) return [state.anchor]
  const free = state.group.filter(mention => mention.relations.length === 0)
  return free.length > 0 && free.length < state.group.length ? free : state.group
}

/** Returns the mentions to which "with" refers: the one right before it; at the start of a clause,
 *  or when that one is a place, the subjects of the clause. */
export function withSources(state: EnglishState): Mention[] {
  const { last, group } = state
  return last && !state.atClauseStart && last.match && !last.isLocative ? [last] : group
}
