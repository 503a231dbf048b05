import { type ChineseState, createFrame, has, type Location, sameMention } from './chinese-state.ts'
import { absorbFact, addMention, isAnimate, isPerson, type Mention } from './draft.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Sense } from './lexicon/senses.ts'
import { fillHead } from './noun-phrase.ts'
import { isNounLike } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Reads a number, a measure word or an adjective into the current phrase. Returns false when the
 *  token is none of them or is the noun of the phrase. */
export function readAdjectives(state: ChineseState, token: Token): boolean {
  const next = state.tokens[state.at + 1]
  const leadsOn =
    next !== undefined &&
    next.kind === 'word' &&
    (next.text === '的' || has(next, 'colour') || has(next, 'size') || has(next, 'look') || isNounLike(next) || next.language === 'en')
  if (token.match && isNounLike(token) && !leadsOn) return false
  if (token.match && next && !isNounLike(next) && next.text !== '的' && !has(next, 'colour')) return false
  for (const sense of token.senses) {
    if (!applyAdjective(state, sense, token, leadsOn)) continue
    state.frame.mention.words.push(token.text)
    state.at++
    return true
  }
  return false
}

function applyAdjective(state: ChineseState, sense: Sense, token: Token, leadsOn: boolean): boolean {
  const { frame } = state
  const { mention } = frame
  switch (sense.kind) {
    case 'number':
      mention.count = (mention.count ?? 1) * sense.value
      frame.hasDeterminer = true
      return true
    case 'group':
      mention.count = sense.value
      frame.hasDeterminer = true
      return true
    case 'measure':
      return mention.count !== undefined || has(state.tokens[state.at - 1], 'article')
    case 'colour':
      mention.colours.push(sense.colour)
      return true
    case 'size':
      mention.size = sense.size
      if (senseOf(token.senses, 'age')) mention.age = senseOf(token.senses, 'age')?.age ?? 'child'
      return true
    case 'age':
      mention.age = sense.age
      return true
    case 'quality':
      return true
    default:
      return applyLook(state, sense, token, leadsOn)
  }
}

function applyLook(state: ChineseState, sense: Sense, token: Token, leadsOn: boolean): boolean {
  const { mention } = state.frame
  switch (sense.kind) {
    case 'look':
      mention.looks.push(sense.look)
      if (sense.colour) mention.colours.push(sense.colour)
      if (senseOf(token.senses, 'detail')) mention.details.push(senseOf(token.senses, 'detail')?.detail ?? sense.look)
      return true
    case 'hair':
      return leadsOn && takeHair(mention, sense)
    case 'skin':
      mention.skin = sense.hex
      return true
    case 'detail':
      mention.details.push(sense.detail)
      absorbFact(state.draft, token.senses, token.text)
      return true
    default:
      return false
  }
}

function takeHair(mention: Mention, sense: Extract<Sense, { kind: 'hair' }>): true {
  mention.hair = { ...mention.hair, ...(sense.colour ? { colour: sense.colour } : {}), ...(sense.style ? { style: sense.style } : {}) }
  return true
}

/** Completes the noun at the current position and returns it. Returns undefined when the noun is
 *  only the first part of a longer noun, or when it is used as a location. */
export function finishNoun(state: ChineseState, token: Token): Mention | undefined {
  const { frame } = state
  const next = state.tokens[state.at + 1]
  state.at++
  if (next && isCompound(token, next)) {
    frame.mention.compound.push(token.text)
    frame.mention.words.push(token.text)
    const setting = senseOf(token.senses, 'setting')
    if (setting) frame.mention.setting ??= { ...setting, strength: 'thing' }
    return undefined
  }
  const mention = closeFrame(state, token)
  state.nounEnd = state.at
  if (isHeadless(mention, next)) {
    const owner = state.group.at(-1)
    const localizer = senseOf(next?.senses ?? [], 'localizer')
    if (owner && localizer) {
      // For 膝盖上 ("on the knees"), the next thing is placed on the person whose knees they are.
      state.leading = { kind: localizer.relation, target: owner }
      state.at++
    }
    return undefined
  }
  return readLocation(state, mention) ? undefined : mention
}

function closeFrame(state: ChineseState, token: Token): Mention {
  const { frame, draft } = state
  const { mention } = frame
  fillHead(token, frame)
  if (mention.setting) absorbFact(draft, token.senses, token.text)
  mention.words.push(token.text)
  mention.order = draft.mentions.length
  mention.isPlural ||= /们$/.test(token.text)
  state.frame = createFrame(draft)
  for (const relation of frame.relations) mention.relations.push(relation)
  for (const clause of frame.clauses) {
    addMention(draft, mention)
    state.readClause(clause, draft, [mention])
  }
  return mention
}

/** True for a part of a body (膝盖, "knees") that has neither a drawing nor a colour and is followed
 *  by a word of position such as 上 ("on"). The phrase then states a position and names nothing to
 *  draw. */
function isHeadless(mention: Mention, next: Token | undefined): boolean {
  return mention.isPart && !mention.match && mention.colours.length === 0 && has(next, 'localizer')
}

/** True when the first of two nouns modifies the second, as in 城市街道 ("city street") and 公园长椅 ("park
 *  bench"). False for two beings in a row, which are two things. */
function isCompound(token: Token, next: Token): boolean {
  if (next.kind !== 'word' || !isNounLike(next) || has(next, 'localizer') || has(next, 'verb') || has(next, 'time') || has(next, 'weather'))
    return false
  if (has(next, 'measure') && !next.match) return false
  if (token.match && next.match && isLiving(token) && isLiving(next)) return false
  if (has(token, 'garment') || has(token, 'worn') || has(token, 'part')) return false
  return next.match !== undefined || has(next, 'setting')
}

function isLiving(token: Token): boolean {
  const category = token.match?.entry.category
  return token.match?.person !== undefined || category === 'animal' || category === 'bird' || category === 'fish' || category === 'insect'
}

/** Reads the word of position after a noun, which turns the noun into a location: 桌子上 ("on the
 *  table"), 房子后面 ("behind the house"). Returns false when the noun is not a location here. */
function readLocation(state: ChineseState, mention: Mention): boolean {
  const after = state.tokens[state.at]?.text === '的' && has(state.tokens[state.at + 1], 'localizer') ? state.at + 1 : state.at
  const localizer = senseOf(state.tokens[after]?.senses ?? [], 'localizer')
  const isPlace = mention.setting !== undefined && !mention.match
  if (!localizer && !(state.expectsLocation && !has(state.tokens[state.at], 'and')) && !isPlace) return false
  if (localizer && isNounToo(state, after)) return false
  if (localizer) state.at = after + 1
  if (state.isNegating) return false
  const known = sameMention(state, mention)
  const target = known ?? mention
  if (isPlace || (mention.setting && (state.expectsLocation || localizer)))
    mention.isLocative ||= state.expectsLocation || localizer !== undefined || state.tokens[state.at]?.text === '的'
  const goesOn = !localizer && state.tokens[state.at]?.text === '的'
  const and = localizer?.relation === 'between' && state.isJoined ? state.group.at(-1) : undefined
  addMention(state.draft, target)
  state.last = target
  place(
    state,
    and
      ? { kind: 'between', target: and, and: target }
      : { kind: localizer?.relation ?? (state.expectsLocation ? 'beside' : 'in'), target },
  )
  // In 在公园的长椅上 ("on the bench of the park"), the location is not complete after the first noun.
  if (!goesOn) state.expectsLocation = false
  state.isJoined = false
  return true
}

/** True when the word of position at this index also names a thing that can be drawn. The word is
 *  then read as the thing. */
function isNounToo(state: ChineseState, at: number): boolean {
  return state.tokens[at]?.match !== undefined
}

/** Attaches a location to the thing that is there. The thing is the noun after 的, the subject
 *  before 在 ("at"), or the thing that the prompt names next. */
function place(state: ChineseState, location: Location): void {
  const { target } = location
  const isPlaceOnly = target.setting !== undefined && !target.match
  if (state.tokens[state.at]?.text === '的') {
    state.at++
    if (!isPlaceOnly) state.frame.relations.push(location)
    return
  }
  if (state.place && isPlaceOnly) {
    target.place = { ...target.place, ...state.place }
    delete state.place
  }
  if (isPlaceOnly) return
  const isSubject = state.hasSubject && (state.expectsLocation || state.verb !== undefined) && !state.group.includes(target)
  if (!isSubject) {
    state.leading = location
    state.hasSubject = false
    return
  }
  const beings = state.group.filter(mention => isAnimate(mention) || isPerson(mention))
  for (const mention of beings.length > 0 ? beings : state.group) mention.relations.push({ ...location })
  delete state.verb
}
