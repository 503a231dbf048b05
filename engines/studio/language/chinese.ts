import { attachFeature, attachWith } from './attach.ts'
import { finishNoun, readAdjectives } from './chinese-nouns.ts'
import { type ChineseState, closingDe, createChineseState, createFrame, has, sameMention } from './chinese-state.ts'
import { absorbFact, addMention, type Draft, isAnimate, isFact, type Mention, mostListed, note, takePose } from './draft.ts'
import { readLettering } from './lettering.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { SenseOf } from './lexicon/senses.ts'
import { isNounLike, isSilent } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Reads tokens in Chinese word order into the draft. `subjects` is set only for a clause before a
 *  noun, such as 戴着帽子的 ("who wears a hat"), and contains that noun. */
export function readChinese(tokens: readonly Token[], draft: Draft, subjects: Mention[] = []): void {
  const state = createChineseState(tokens, draft, subjects, readChinese)
  while (state.at < tokens.length) {
    const token = tokens[state.at]
    if (token === undefined) break
    const before = state.at
    readToken(state, token)
    if (state.at === before) state.at++
  }
  endClause(state)
}

function readToken(state: ChineseState, token: Token): void {
  if (token.kind === 'punctuation') {
    endClause(state)
    if (/^[。；;！!？?]$/.test(token.text)) state.isNegating = false
    return
  }
  if (token.kind === 'quote' || has(token, 'lettering')) {
    const used = readLettering(state.tokens, state.at, state.draft, state.leading?.target ?? state.last)
    state.at += used
    if (used > 0) delete state.leading
    if (used > 0 || token.kind === 'quote') return
  }
  if (readFunction(state, token)) return
  const verb = senseOf(token.senses, 'verb')
  if (verb && !prefersNoun(state, token)) {
    readVerb(state, verb)
    return
  }
  if (readBackdrop(state, token) || readPlaceWord(state, token) || readAdjectives(state, token)) return
  if (isNounLike(token) && !(isFact(token.senses) && !has(token, 'setting') && !state.frame.hasDeterminer)) {
    readNoun(state, token)
    return
  }
  readRest(state, token)
}

/** True when an ambiguous word is a noun here, such as 画 ("picture" or "to paint") after a number
 *  or a measure word. */
function prefersNoun(state: ChineseState, token: Token): boolean {
  return isNounLike(token) && state.frame.hasDeterminer
}

function endClause(state: ChineseState): void {
  const loose = state.frame.mention
  const target = state.group.at(-1)
  if (target) {
    target.colours.push(...loose.colours)
    target.looks.push(...loose.looks)
    if (loose.size) target.size ??= loose.size
  } else state.draft.palette.push(...loose.colours)
  state.draft.details.push(...loose.details)
  state.frame = createFrame(state.draft)
  if (state.leading?.target.setting && !state.leading.target.match) delete state.leading
  delete state.verb
  delete state.owner
  delete state.early
  delete state.passive
  state.expectsLocation = false
  state.hasSubject = false
  state.isJoined = false
  state.isNegating = false
}

function readFunction(state: ChineseState, token: Token): boolean {
  if (token.text === '被') {
    if (takeRelative(state)) return true
    const subject = state.group.at(-1)
    if (subject) state.passive = subject
    return true
  }
  const kind = token.senses[0]?.kind
  switch (kind) {
    case 'negation':
      state.isNegating = true
      return true
    case 'and':
    case 'or':
      state.isJoined = true
      return true
    case 'at':
      readAt(state)
      return true
    case 'have':
      readHave(state)
      return true
    case 'pronoun':
      takePronoun(state)
      return true
    case 'de':
      // In 没有星星的夜空 ("night sky without stars"), the negation ends at 的.
      if (state.draft.negated.length > 0) state.isNegating = false
      return true
    case 'be':
    case 'article':
      return true
    default:
      return false
  }
}

/** Reads the pronoun in 围绕着它 ("around it"). The pronoun means the first thing that the prompt has
 *  named, apart from the subject of the verb. */
function takePronoun(state: ChineseState): void {
  const { verb } = state
  const target = state.draft.mentions.find(mention => mention.match && !verb?.sources.includes(mention))
  if (!verb?.sense.relation || !target) return
  for (const source of verb.sources) source.relations.push({ kind: verb.sense.relation, target, role: verb.sense.object ?? 'near' })
  delete state.verb
}

function mayBeRelative(state: ChineseState): boolean {
  const { frame } = state
  return (
    frame.hasDeterminer ||
    !state.hasSubject ||
    state.verb !== undefined ||
    state.leading !== undefined ||
    state.isJoined ||
    state.expectsLocation
  )
}

/** Stores the clause that begins here until its noun is known, and returns true. Returns false when
 *  no clause before a noun begins here. */
function takeRelative(state: ChineseState): boolean {
  if (!mayBeRelative(state)) return false
  const end = closingDe(state)
  if (end < 0) return false
  state.frame.clauses.push(state.tokens.slice(state.at, end))
  state.frame.hasDeterminer = true
  state.at = end + 1
  return true
}

function readAt(state: ChineseState): void {
  const next = state.tokens[state.at + 1]
  const isProgressive = has(next, 'verb') && !next?.match && closingDe(state) < 0
  if (isProgressive || takeRelative(state)) return
  state.expectsLocation = true
  state.at++
}

function readHave(state: ChineseState): void {
  if (state.leading || state.place) return
  if (takeRelative(state)) return
  const subject = state.group.at(-1)
  if (subject && state.hasSubject) state.owner = subject
}

function readVerb(state: ChineseState, verb: SenseOf<'verb'>): void {
  if (takeRelative(state)) return
  state.at++
  const opensNext = !state.hasSubject && (state.leading !== undefined || state.place !== undefined || state.group.length === 0)
  if (opensNext) {
    state.early = verb
    return
  }
  const { passive } = state
  if (passive && !state.group.includes(passive)) {
    // In 城堡被树木环绕 ("the castle is surrounded by trees"), the trees are around the castle.
    for (const source of state.group)
      source.relations.push({ kind: verb.relation ?? 'beside', target: passive, role: verb.object ?? 'near' })
    state.group = [passive]
    delete state.passive
    return
  }
  const beings = state.group.filter(isAnimate)
  const sources = beings.length > 0 ? beings : state.group
  for (const source of sources) applyVerb(source, verb)
  state.verb = { sense: verb, sources }
}

function applyVerb(source: Mention, verb: SenseOf<'verb'>): void {
  if (isAnimate(source)) takePose(source, verb.pose)
  if (verb.look) source.looks.push(verb.look)
}

/** Reads 粉色背景 ("pink background") and 背景是粉色 ("the background is pink") as a plain background in
 *  that colour. Returns false for other tokens. */
function readBackdrop(state: ChineseState, token: Token): boolean {
  if (!has(token, 'backdrop')) return false
  const after = state.tokens.slice(state.at + 1, state.at + 4).find(next => senseOf(next.senses, 'colour') && !next.match)
  const colour =
    state.frame.mention.colours[0] ?? (has(state.tokens[state.at + 1], 'be') && after ? senseOf(after.senses, 'colour')?.colour : undefined)
  if (!colour) return false
  state.draft.background = colour
  state.draft.wantsBackdrop = true
  state.frame = createFrame(state.draft)
  state.at++
  while (
    has(state.tokens[state.at], 'localizer') ||
    has(state.tokens[state.at], 'de') ||
    has(state.tokens[state.at], 'be') ||
    state.tokens[state.at] === after
  ) {
    if (!state.tokens[state.at]) break
    state.at++
  }
  return true
}

/** Reads 左边 ("on the left") or 远处 ("far away") as a position in the picture. Right after a
 *  thing, as in 房子左边 ("to the left of the house"), the word is instead a position relative to
 *  the thing. A word such as 旁边 ("beside") that follows no thing directly places the next thing
 *  relative to one that was named before. */
function readPlaceWord(state: ChineseState, token: Token): boolean {
  const place = senseOf(token.senses, 'place')
  const localizer = senseOf(token.senses, 'localizer')
  const isAlone = state.nounEnd !== state.at
  if (localizer && isAlone && !/^[左右]/.test(token.text) && state.last && !isSingle(token)) {
    const previous = state.draft.mentions.filter(mention => mention.match && !mention.isLocative)
    const target = previous[0] && localizer.relation === 'between' ? previous.at(-2) : (state.group.at(-1) ?? previous.at(-1))
    if (target) {
      const and = localizer.relation === 'between' ? previous.at(-1) : undefined
      state.leading = { kind: localizer.relation, target, ...(and && and !== target ? { and } : {}) }
      state.expectsLocation = false
      state.at++
      return true
    }
  }
  if (!place) return false
  const isAfterSubject = state.hasSubject && (state.expectsLocation || token.text.startsWith('在') || state.at === state.tokens.length - 1)
  if (isAfterSubject) for (const mention of state.group) mention.place = { ...mention.place, ...place.place }
  else state.place = { ...state.place, ...place.place }
  state.expectsLocation = false
  state.at++
  return true
}

const isSingle = (token: Token) => token.text.length === 1

function readNoun(state: ChineseState, token: Token): void {
  const mention = finishNoun(state, token)
  if (!mention) return
  if (state.isNegating) {
    state.draft.negated.push(token)
    return
  }
  if (state.owner) {
    takeOwned(state, state.owner, mention)
    return
  }
  if (state.verb) {
    takeVerbObject(state, state.verb, mention)
    return
  }
  takeSubject(state, mention)
}

function takeOwned(state: ChineseState, owner: Mention, mention: Mention): void {
  if (!attachFeature(owner, mention, state.draft)) {
    addMention(state.draft, mention)
    attachWith(owner, mention, state.draft)
  }
  state.last = mention
}

function takeVerbObject(state: ChineseState, verb: NonNullable<ChineseState['verb']>, mention: Mention): void {
  const isWear = mention.garment !== undefined || mention.worn !== undefined || mention.hair !== undefined || mention.isPart
  if (isWear && (verb.sense.relation === 'wearing' || mention.hair !== undefined || mention.isPart)) {
    for (const source of verb.sources) {
      const isAnimal = mention.match !== undefined && !source.match?.person
      if (attachFeature(source, mention, state.draft) && isAnimal && !mention.isPart) addMention(state.draft, mention)
    }
    return
  }
  if (mention.setting && !mention.match) {
    mention.isLocative = true
    addMention(state.draft, mention)
    return
  }
  addMention(state.draft, mention)
  for (const source of verb.sources) {
    if (source === mention) continue
    source.relations.push({ kind: verb.sense.relation ?? 'beside', target: mention, role: verb.sense.object ?? 'near' })
  }
  state.last = mention
}

function takeSubject(state: ChineseState, mention: Mention): void {
  const { draft } = state
  const previous = state.group.at(-1)
  if (!mention.match && !mention.setting && previous && attachFeature(previous, mention, draft)) return
  const known = sameMention(state, mention)
  const subject = known ?? mention
  addMention(draft, subject)
  if (state.place) subject.place = { ...subject.place, ...state.place }
  const { leading } = state
  if (leading && leading.target !== subject) subject.relations.push({ ...leading })
  if (state.early) applyVerb(subject, state.early)
  state.last = subject
  if (subject.setting && !subject.match) {
    delete state.place
    return
  }
  const isShared = state.isJoined && state.hasSubject
  state.group = (isShared ? [...state.group, subject] : [subject]).slice(-mostListed)
  state.hasSubject = true
  if (!isNextAnd(state)) {
    delete state.place
    delete state.leading
    delete state.early
  }
  state.isJoined = false
}

function isNextAnd(state: ChineseState): boolean {
  return has(state.tokens[state.at], 'and')
}

function readRest(state: ChineseState, token: Token): void {
  if (isFact(token.senses)) {
    if (state.isNegating) state.draft.negated.push(token)
    else absorbFact(state.draft, token.senses, token.text)
    // Words such as 五颜六色 ("many-coloured") describe several things, so the noun is read as a
    // plural.
    if (/五颜六色|五彩|缤纷|多彩/.test(token.text)) state.frame.mention.isPlural = true
    return
  }
  if (has(token, 'backdrop')) {
    const colour = state.frame.mention.colours[0]
    if (colour) state.draft.background = colour
    state.draft.wantsBackdrop ||= colour !== undefined
    state.frame = createFrame(state.draft)
    return
  }
  if (token.senses.length > 0 || token.match || isSilent(token)) return
  noteUnknown(state, token)
}

/** Reports consecutive unknown characters as one word. */
function noteUnknown(state: ChineseState, token: Token): void {
  let text = token.text
  state.at++
  while (text.length < 30) {
    const next = state.tokens[state.at]
    if (next?.kind !== 'word' || next.language !== token.language || next.senses.length > 0 || next.match) break
    text += token.language === 'zh' ? next.text : ` ${next.text}`
    state.at++
  }
  note(state.draft, text)
}
