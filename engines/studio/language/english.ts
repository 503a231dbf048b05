import type { FramePlace, Pose } from '../scene.ts'
import { readDepiction, readPrinted } from './depiction.ts'
import { absorbFact, type Draft, isAnimate, isFact, isPerson, type Mention, note, takePose } from './draft.ts'
import { takeLooseModifiers, takePronoun } from './english-loose.ts'
import { takeMention } from './english-mentions.ts'
import { createState, type EnglishState, endClause, type Pending, relationSources, verbSources, withSources } from './english-state.ts'
import { readLettering } from './lettering.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Sense, SenseOf } from './lexicon/senses.ts'
import { takeMember } from './members.ts'
import { readNounPhrase } from './noun-phrase.ts'
import { spellOut } from './spelled-out.ts'
import { isClosed, isNounLike, isSilent, nounFollows } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Reads tokens of English word order into the draft. */
export function readEnglish(tokens: readonly Token[], draft: Draft): void {
  const state = createState(spellOut(tokens), draft)
  while (state.at < state.tokens.length) {
    const token = state.tokens[state.at]
    if (token === undefined) break
    const before = state.at
    readToken(state, token)
    // Every step consumes at least one token.
    if (state.at === before) state.at++
  }
}

function readToken(state: EnglishState, token: Token): void {
  if (token.kind === 'punctuation') {
    readPunctuation(state, token)
    return
  }
  if (token.kind === 'quote' || senseOf(token.senses, 'lettering')) {
    const used = readLettering(state.tokens, state.at, state.draft, state.last)
    if (used > 0) {
      state.at += used
      return
    }
    if (token.kind === 'quote') return
  }
  if (!state.isNegating && readPrinted(state, token)) return
  if (token.key === 'to' && turnTo(state)) return
  if (takeMember(state)) return
  if (isClosed(token) && readClosed(state, token)) return
  const verb = senseOf(token.senses, 'verb')
  const isVerb = verb !== undefined && prefersVerb(state, token, verb)
  if (!isVerb && readPhrase(state)) return
  if (verb) readVerb(state, verb)
  else readRest(state, token)
}

function readPunctuation(state: EnglishState, token: Token): void {
  state.at++
  if (/^[.;!?。！？；]$/.test(token.text)) endClause(state, true)
  if (/^[,，]$/.test(token.text) && !listGoesOn(state)) state.isNegating = false
  if (/^[,，:：|/–—]$/.test(token.text)) endClause(state, false)
}

/** True when the list of excluded things goes on, as after "people" in "no people, cars or
 *  dogs". */
function listGoesOn(state: EnglishState): boolean {
  for (let at = state.at; at < state.tokens.length && at < state.at + 8; at++) {
    const token = state.tokens[at]
    if (!token || token.text === '.' || senseOf(token.senses, 'negation')) return false
    if (senseOf(token.senses, 'or')) return true
  }
  return false
}

/** Reads the "to" in "giving flowers to a woman" or "waving to a friend": the people face the being
 *  that is named next. Returns false for other phrases. */
function turnTo(state: EnglishState): boolean {
  const sources = state.group.filter(isPerson)
  if (sources.length === 0 || !state.followsSubject) return false
  const { head, mention } = readNounPhrase(state.tokens, state.at + 1, state.draft.mentions.length)
  if (head !== 'thing' || !isAnimate(mention)) return false
  state.at++
  state.pending = { via: 'verb', relation: 'facing', sources, isLocative: false, role: 'before' }
  return true
}

/** Reads a function word, such as "and", "not" or a preposition. Returns false when the token is
 *  none, or has another meaning here ("her" before a noun). */
function readClosed(state: EnglishState, token: Token): boolean {
  for (const sense of token.senses) {
    switch (sense.kind) {
      case 'and':
      case 'or':
        state.isJoined = true
        state.at++
        return true
      case 'negation':
        state.isNegating = true
        state.at++
        return true
      case 'be':
        state.predicate = state.group.length > 0 ? state.group : []
        state.at++
        return true
      case 'place':
        return readPlace(state, token, sense.place)
      case 'pronoun':
        // In "throwing her bouquet", "her" is a possessive word and belongs to the next noun.
        if (token.key === 'her' && nounFollows(state.tokens, state.at + 1)) return false
        return takePronoun(state, sense.plural)
      case 'relation':
      case 'locative':
      case 'in':
        // In "without strings on a chair", the negation ends at the preposition: the chair is not
        // excluded.
        if (state.draft.negated.length > 0) state.isNegating = false
        return readPreposition(state, sense, token)
      case 'reversed':
      case 'of':
      case 'with':
      case 'made-of':
      case 'have':
        return readPreposition(state, sense, token)
      default:
        break
    }
  }
  return false
}

function readPreposition(state: EnglishState, sense: Sense, token: Token): boolean {
  const { pending } = state
  const verb = pending?.via === 'verb' ? pending.relation : undefined
  state.at++
  state.followsSubject = false
  // In "riding on", "looking at" and "holding onto", the second word is a part of the verb, whose
  // object still follows.
  const isParticle = (sense.kind === 'relation' && sense.locative) || sense.kind === 'locative' || sense.kind === 'in'
  if (isParticle && (verb === 'riding' || (sense.kind !== 'in' && (verb === 'facing' || verb === 'holding')))) return true
  const next = pendingOf(state, sense, token)
  if (next) state.pending = next
  return true
}

function pendingOf(state: EnglishState, sense: Sense, token: Token): Pending | undefined {
  switch (sense.kind) {
    case 'relation':
      for (const source of relationSources(state)) implyPose(source, token.key)
      return { via: 'relation', relation: sense.relation, sources: relationSources(state), isLocative: sense.locative }
    case 'in':
      return { via: 'in', relation: 'in', sources: relationSources(state), isLocative: true }
    case 'reversed':
      return { via: 'reversed', relation: sense.relation, sources: reversedSources(state), isLocative: false }
    case 'locative':
      return { via: 'locative', relation: token.key === 'from' ? 'in' : 'beside', sources: relationSources(state), isLocative: true }
    case 'with':
      return { via: 'with', relation: 'beside', sources: withSources(state), isLocative: false }
    case 'made-of':
      return {
        via: 'made-of',
        relation: 'on',
        sources: withSources(state),
        isLocative: false,
        isShape: /^shaped|form of$/.test(token.key),
      }
    default:
      return undefined
  }
}

function implyPose(source: Mention, key: string): void {
  if (/^(packed|crammed|crowded|squeezed)/.test(key) && source.isPlural) source.count ??= 10
  const pose = impliedPose(key)
  if (pose && isAnimate(source)) source.pose ??= pose
}

/** Returns the pose implied by a preposition that contains a verb: "flying over", "seated on". */
function impliedPose(key: string): Pose | undefined {
  if (/^(flying|soaring|hovering)/.test(key)) return 'flying'
  if (/^(jumping|jumps|leaping|diving)/.test(key)) return 'jumping'
  if (/^leaning/.test(key)) return 'leaning'
  if (/^swimming/.test(key)) return 'swimming'
  return /^(sitting|seated)/.test(key) ? 'sitting' : undefined
}

function reversedSources(state: EnglishState) {
  const last = state.last
  return last?.match && !state.atClauseStart ? [last] : state.group
}

function readPlace(state: EnglishState, token: Token, place: FramePlace): boolean {
  const next = state.tokens[state.at + 1]
  const isBare = !token.key.includes(' ')
  // "The left" is a position, "background" alone is a plain background, and "left" in "left wing"
  // is an adjective.
  if (isBare && senseOf(token.senses, 'backdrop')) return readPhrase(state) || skipToken(state)
  if (isBare && nounFollows(state.tokens, state.at + 1) && readPhrase(state)) return true
  state.at++
  delete state.pending
  const opens =
    state.isSentenceStart ||
    (state.atClauseStart && next !== undefined && nounFollows(state.tokens, state.at + (startsWithArticle(next) ? 1 : 0)))
  if (opens || !state.last) state.pendingPlace = { ...state.pendingPlace, ...place }
  else placeLast(state, place)
  state.isSentenceStart = false
  return true
}

function placeLast(state: EnglishState, place: FramePlace): void {
  const target = state.last
  if (target && !target.isLocative) target.place = { ...target.place, ...place }
  else for (const mention of state.group) mention.place = { ...mention.place, ...place }
  if (target?.isLocative) target.place = { ...target.place, ...place }
  state.followsSubject = true
}

function skipToken(state: EnglishState): boolean {
  state.at++
  return true
}

/** True when an ambiguous word is a verb here. A word in "-ing" usually is, unless it is directly
 *  followed by the noun that it describes. Another form is a verb only right after a subject. */
function prefersVerb(state: EnglishState, token: Token, verb: SenseOf<'verb'>): boolean {
  const isProgressive = /ing\b/.test(token.key) || !/^[a-z]+$/.test(token.key)
  const next = state.tokens[state.at + 1]
  const leadsOn = next !== undefined && nounFollows(state.tokens, state.at + 1)
  const isStrongNoun = token.match !== undefined && (token.match.via === 'name' || token.match.via === 'label')
  if (isProgressive) {
    if (state.pending || (state.atClauseStart && verb.relation === undefined && !startsWithArticle(next))) return !leadsOn && !isStrongNoun
    if (state.isJoined) return !leadsOn || verb.relation !== undefined || startsWithArticle(next)
    return !(isStrongNoun && !state.followsSubject)
  }
  if (state.isJoined) return token.senses[0]?.kind === 'verb' && !isNounLike(token)
  return state.followsSubject && !(token.isPlural && isNounLike(token) && leadsOn)
}

function startsWithArticle(token: Token | undefined): boolean {
  return token !== undefined && senseOf(token.senses, 'article') !== undefined
}

function readVerb(state: EnglishState, verb: SenseOf<'verb'>): void {
  const sources = verbSources(state, verb)
  state.at++
  if (state.isNegating) return
  if (sources.length === 0) state.pendingVerb = verb
  for (const source of sources) {
    takePose(source, verb.pose)
    if (verb.look) source.looks.push(verb.look)
  }
  const only = sources.length === 1 ? sources[0] : undefined
  if (only && !state.group.includes(only)) state.anchor = only
  state.pending = {
    via: 'verb',
    relation: verb.relation ?? 'beside',
    sources,
    isLocative: false,
    role: verb.object ?? 'near',
  }
  state.isJoined = false
  state.atClauseStart = false
  state.isSentenceStart = false
  state.followsSubject = true
}

function readPhrase(state: EnglishState): boolean {
  if (!state.isNegating && readDepiction(state)) return true
  const phrase = readNounPhrase(state.tokens, state.at, state.draft.mentions.length)
  if (phrase.next === state.at) return false
  for (const fact of phrase.facts) if (!state.isNegating) absorbFact(state.draft, fact.senses, fact.text)
  for (const word of phrase.unknown) note(state.draft, word)
  const start = state.at
  state.at = phrase.next
  if (phrase.head === 'none') takeLooseModifiers(state, phrase, start)
  else takeMention(state, phrase, start)
  return true
}

function readRest(state: EnglishState, token: Token): void {
  state.at++
  if (isFact(token.senses)) {
    if (state.isNegating) state.draft.negated.push(token)
    else absorbFact(state.draft, token.senses, token.text)
    delete state.pending
    return
  }
  if (token.senses.length > 0 || isSilent(token)) return
  delete state.pending
  note(state.draft, token.text)
  if (!/ing$/.test(token.key) || !state.followsSubject) return
  // An unknown verb has no effect of its own, but its subject and object are still read.
  state.at--
  readVerb(state, { kind: 'verb' })
}
