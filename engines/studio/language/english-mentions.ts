import type { NounPhrase } from './adjectives.ts'
import { attachFeature, attachWear, attachWith } from './attach.ts'
import { takeCostume, takeRole, takeTroupe } from './costume.ts'
import { addMention, type Draft, isAnimate, isDressable, isPerson, type Mention, mostListed, note, phraseOf } from './draft.ts'
import { takeMaterial } from './english-loose.ts'
import type { EnglishState, Pending } from './english-state.ts'
import { fill } from './filling.ts'
import { takeBearer } from './lettering.ts'
import { senseOf } from './lexicon/lexicon.ts'
import { bodyParts } from './lexicon/people.ts'
import { readNounPhrase } from './noun-phrase.ts'
import { carve, carveNamed } from './statues.ts'
import { wholeOf } from './wholes.ts'
import { isBeing, takeHairOwner, takeKin, takeYoung } from './young-and-hair.ts'

/** Adds a mention that has a noun: as the object of the pending verb or preposition, or as a new
 *  subject. */
export function takeMention(state: EnglishState, said: NounPhrase, start: number): void {
  const { draft } = state
  const phrase = state.isNegating ? said : wholeOf(state, said)
  const { mention } = phrase
  if (state.isNegating) {
    noteMissingPart(state, mention)
    draft.negated.push(...state.tokens.slice(start, phrase.next).filter(token => token.match || token.senses.length > 0))
    finish(state)
    return
  }
  readOf(state, mention)
  if (phrase.head === 'unknown') note(draft, mention.words.join(' '))
  if (isBackdrop(state, phrase)) {
    takeBackdrop(state, mention)
    return
  }
  mention.isBare = !phrase.hasDeterminer
  takeYoung(draft, mention)
  const isKin = takeKin(draft, mention, isTheirs(state, start, phrase.next))
  takeHairOwner(mention)
  takeCostume(mention)
  carveNamed(mention)
  if (mention.isPart && !mention.match && isBeing(mention.compoundMatch) && !state.pending) frameBody(draft, mention)
  const known = mention.isDefinite && !isKin ? sameMention(draft, mention, phrase.isPossessive) : undefined
  const target = known ? mergeInto(known, mention) : mention
  applyPendingPlace(state, target)
  takeBearer(state, target)
  const { pending } = state
  delete state.pending
  if (pending && pending.via === 'made-of') takeMaterial(state, pending, mention)
  else if (pending && (pending.sources.length > 0 || pending.isLocative)) takeObject(state, pending, target, phrase)
  else if (state.isJoined && state.chain && continuesChain(state, target)) takeObject(state, state.chain, target, phrase)
  else takeSubject(state, target, known !== undefined)
  finish(state)
}

/** Reports a part that the prompt excludes ("a fish without eyes") as not drawn: the drawing shows
 *  all usual parts, also this one. */
function noteMissingPart({ draft, last, group }: EnglishState, mention: Mention): void {
  const whole = last?.match ?? group[0]?.match
  const isOfIt = mention.isPart || /^(wheel|window|door|wing|leaf|leaves|paddle|oar|wrapper|handle|roof|hand)s?$/.test(partWord(mention))
  if (whole && isOfIt && !invisible.test(partWord(mention)) && !mention.worn && !mention.garment)
    note(draft, `without ${mention.words.filter(word => !/^(any|its|his|her|their|the|an?)$/i.test(word)).join(' ')}`)
}

/** Parts that a drawing shows only when the prompt names them. */
const invisible =
  /^(shadows?|tattoos?|makeup|lipstick|freckles|tears|smoke|steam|backs?|edges?|sides?|highlights|flames|breath|bracelet|stripes?|spots|rings?)$/

function finish(state: EnglishState): void {
  state.isJoined = false
  state.atClauseStart = false
  state.isSentenceStart = false
  state.followsSubject = true
}

/** Reads "a woman's face" or "the hands of a person" as the person, drawn so close that the part is
 *  well visible. */
function frameBody(draft: Draft, mention: Mention): void {
  const part = partWord(mention)
  takeBodyOf(mention)
  const framing = /^(face|head|eyes?|mouth|lips|nose|smile|expression)$/.test(part) ? 'close-up' : 'medium'
  draft.camera = { framing, ...draft.camera }
}

/** Reads "of" and its noun after a mention, as in "a field of tulips" and "a statue of a lion". */
export function readOf(state: EnglishState, mention: Mention): void {
  const token = state.tokens[state.at]
  if (!token || !senseOf(token.senses, 'of')) return
  const inner = readNounPhrase(state.tokens, state.at + 1, state.draft.mentions.length)
  if (inner.head !== 'thing' || !inner.mention.match) return
  state.at = inner.next
  if (carve(mention, inner.mention) || takeTroupe(mention, inner.mention)) return
  if (mention.isPart && !mention.match && isBeing(inner.mention.match)) {
    const words = [...mention.words]
    Object.assign(mention, inner.mention, { isPart: true, match: undefined, compoundMatch: inner.mention.match, words })
    return
  }
  // "The deck of a ship" does not consist of ships, as a field of tulips does of tulips.
  if (
    mention.setting &&
    !mention.match &&
    !inner.mention.isPlural &&
    !/^(flower|plant|tree|vegetable|fruit)$/.test(inner.mention.match.entry.category)
  ) {
    note(state.draft, `of ${inner.mention.words.join(' ')}`)
    addMention(state.draft, mention)
    mention.isLocative ||= state.pending?.isLocative === true
    return
  }
  if (mention.setting && !mention.match) {
    inner.mention.isPlural = true
    inner.mention.isLocative = false
    inner.mention.looks.push('field')
    mention.details.push(inner.mention.match.noun)
    addMention(state.draft, mention)
    addMention(state.draft, inner.mention)
    return
  }
  if (mention.match && mention.match.entry.key === inner.mention.match.entry.key) {
    mention.match = inner.mention.match
    return
  }
  if (mention.match && /basket|box|bowl|vase|bag|bucket|crate|plate|tray|cart|jar|sack|barrel|wheelbarrow/.test(mention.match.entry.noun)) {
    inner.mention.isPlural ||= inner.mention.count === undefined && inner.mention.match.heightMetres < 0.15
    if (/plate|tray/.test(mention.match.entry.noun)) inner.mention.relations.push({ kind: 'on', target: mention })
    else fill(mention, inner.mention, 'in')
    addMention(state.draft, mention)
    addMention(state.draft, inner.mention)
    return
  }
  if (mention.match && inner.mention.match.entry.category === 'flower') {
    inner.mention.relations.push({ kind: 'on', target: mention })
    inner.mention.isPlural = true
    addMention(state.draft, mention)
    addMention(state.draft, inner.mention)
    return
  }
  mention.compound.push(`of ${inner.mention.words.join(' ')}`)
}

/** True when the phrase means a background, as in "against a dark backdrop". */
function isBackdrop(state: EnglishState, phrase: NounPhrase): boolean {
  const token = state.tokens[phrase.next - 1]
  return token !== undefined && senseOf(token.senses, 'backdrop') !== undefined
}

function takeBackdrop(state: EnglishState, mention: Mention): void {
  const colour = mention.colours[0]
  state.draft.wantsBackdrop ||= mention.setting === undefined && (colour !== undefined || mention.compound.length === 0)
  if (colour) state.draft.background = colour
  if (mention.setting && mention.compound.length > 0) {
    addMention(state.draft, { ...mention, isLocative: true, setting: { ...mention.setting, strength: 'place' } })
  }
  delete state.pending
  finish(state)
}

/** Returns the earlier mention that "the cat" means; undefined when it is a new cat. */
function sameMention(draft: Draft, mention: Mention, isPossessive: boolean): Mention | undefined {
  const key = mention.match?.entry.key
  const same = draft.mentions.filter(other =>
    mention.match
      ? other.match?.noun === mention.match.noun
      : other.setting !== undefined && !other.match && other.setting.setting === mention.setting?.setting,
  )
  if (same.length > 0) return same.at(-1)
  // "The man" may refer to the only person of the prompt, even under another noun, such as "an old
  // fisherman".
  if (isPossessive || key !== 'rig:person' || mention.count !== undefined || mention.isPlural || mention.colours.length > 0)
    return undefined
  const people = draft.mentions.filter(isPerson)
  return people.length === 1 && people[0]?.match?.person?.gender !== undefined && fits(people[0], mention) ? people[0] : undefined
}

function fits(known: Mention, later: Mention): boolean {
  const gender = known.match?.person?.gender
  const other = later.match?.person?.gender
  return (gender === other || gender === 'any' || other === 'any') && later.match?.person?.role === undefined
}

function mergeInto(known: Mention, later: Mention): Mention {
  known.colours.push(...later.colours)
  known.looks.push(...later.looks)
  known.isLocative ||= later.isLocative
  if (later.size) known.size ??= later.size
  if (later.pose) known.pose ??= later.pose
  return known
}

function applyPendingPlace(state: EnglishState, mention: Mention): void {
  if (state.pendingPlace) mention.place = { ...mention.place, ...state.pendingPlace }
  delete state.pendingPlace
  const verb = state.pendingVerb
  if (!verb) return
  delete state.pendingVerb
  if (verb.pose && isAnimate(mention)) mention.pose ??= verb.pose
}

/** True when the mention continues a list of objects ("a sword and a shield"). False when another
 *  verb or preposition follows: it is then a new subject. */
function continuesChain(state: EnglishState, mention: Mention): boolean {
  const { chain } = state
  const isAttire = mention.garment !== undefined || mention.worn !== undefined
  if (chain && isAttire && (chain.relation === 'wearing' || chain.via === 'with' || chain.via === 'in')) return true
  if (!chain || (isAnimate(mention) && chain.via !== 'reversed' && chain.relation !== 'between' && chain.via !== 'with')) return false
  const next = state.tokens[state.at]
  const opensClause = next?.senses.some(sense => sense.kind === 'verb' || sense.kind === 'relation' || sense.kind === 'place')
  if (chain.relation === 'between') return true
  return (
    !opensClause &&
    (chain.via === 'with' ||
      chain.via === 'reversed' ||
      (chain.via === 'verb' && chain.relation !== 'riding') ||
      (chain.via === 'in' && mention.garment !== undefined))
  )
}

function takeSubject(state: EnglishState, mention: Mention, isKnown: boolean): void {
  const previous = state.group.at(-1)
  if (
    !isKnown &&
    previous &&
    (isPerson(previous) || (isDressable(previous) && previous.clothes.length + previous.wears.length > 0)) &&
    (mention.hair || mention.beard || mention.garment !== undefined || mention.worn !== undefined || mention.isPart)
  ) {
    // In comma-separated tags for image models ("1girl, silver hair, kimono"), a feature belongs to
    // the person before it.
    if (attachFeature(previous, mention, state.draft)) return
  }
  addMention(state.draft, mention)
  delete state.anchor
  delete state.chain
  state.last = mention
  if (isPlaceOnly(mention)) return
  const isBare = previous !== undefined && previous.relations.length === 0 && previous.pose === undefined && previous.place === undefined
  state.list = (isBare ? [...state.list.filter(other => other !== mention), mention] : [mention]).slice(-mostListed)
  const joined = state.isJoined ? [...new Set([...(isBare ? [...state.group, ...state.list] : state.group), mention])] : [mention]
  state.group = joined.slice(-mostListed)
}

function isPlaceOnly(mention: Mention): boolean {
  return mention.setting !== undefined && !mention.match
}

function takeObject(state: EnglishState, pending: Pending, mention: Mention, phrase: NounPhrase): void {
  const { draft } = state
  const isChained = pending === state.chain
  state.chain = pending
  if (takeRole(pending, mention) || takeWorn(state, pending, mention)) return
  const { last } = state
  const holder = pending.sources.find(source => last && isAnimate(source) && source.relations.some(relation => relation.target === last))
  if (phrase.isPossessive && mention.isPart && holder && last) {
    relateToPart(last, pending, holder, partWord(mention))
    return
  }
  const owner = phrase.isPossessive && mention.isPart ? ownerOf(state, pending) : undefined
  if (owner) {
    relateTo(state, pending, owner, partWord(mention))
    return
  }
  const bodyOf = mention.isPart && !mention.match && isBeing(mention.compoundMatch) ? partWord(mention) : undefined
  if (bodyOf !== undefined && takeBodyOf(mention)) {
    relateTo(state, pending, mention, bodyOf)
    state.last = mention
    return
  }
  if (mention.isPart && !mention.match) {
    takePart(state, pending, mention)
    return
  }
  addMention(draft, mention)
  if (mention.setting && pending.isLocative) mention.isLocative = true
  state.last = mention
  if (isPlaceOnly(mention) && pending.via === 'in') bathe(pending.sources, mention)
  if (isPlaceOnly(mention) && pending.relation !== 'above') return
  if (pending.via === 'with') {
    for (const source of pending.sources.slice(0, 1)) attachWith(source, mention, draft)
    if (pending.sources.length === 0) state.group = [mention]
    state.anchor = mention
    return
  }
  if (pending.via === 'reversed') {
    for (const source of pending.sources) fill(source, mention, pending.relation)
    return
  }
  if (pending.sources.length === 0) {
    state.group = [mention]
    return
  }
  for (const source of pending.sources) relate(source, pending, mention, isChained)
  // In "looking at a fish in a bowl", the next preposition ("in") refers to the fish.
  if (pending.relation === 'facing' || pending.relation === 'chasing') state.anchor = mention
}

/** Marks people as in the water ("a woman in a pool"), unless another activity keeps them out. */
function bathe(sources: readonly Mention[], place: Mention): void {
  const isDry = (mention: Mention) => /^(fishing|flying|sleeping|lying|riding)$/.test(mention.pose ?? '') || mention.relations.length > 0
  if (!/^(pool|lake|river|sea)$/.test(place.setting?.setting ?? '') || /side|bank|shore|dock/.test(phraseOf(place))) return
  for (const source of sources) if (isPerson(source) && !isDry(source)) source.looks.push('in water')
}

function takeWorn(state: EnglishState, pending: Pending, mention: Mention): boolean {
  const isWear = mention.garment !== undefined || mention.worn !== undefined || mention.hair !== undefined || mention.beard === true
  const wears = pending.via === 'in' || pending.via === 'with' || (pending.via === 'verb' && pending.relation === 'wearing')
  if (!isWear || !wears) {
    const isLost = pending.via === 'verb' && pending.relation === 'wearing' && !mention.match
    if (isLost) note(state.draft, mention.words.join(' '))
    return isLost
  }
  const people = pending.sources.filter(isPerson)
  // In "a man in a suit and a woman in a dress", the clothes belong to the nearest person before
  // them.
  const nearest = people.at(-1) ?? nearestPerson(state) ?? pending.sources.at(-1)
  const isNear = pending.via === 'with' || pending.via === 'in'
  const sources = isNear ? (nearest ? [nearest] : []) : people.length > 0 ? people : pending.sources
  let taken = false
  for (const source of sources) {
    const isThing = !isPerson(source) && !isDressable(source) && mention.match !== undefined
    taken =
      (mention.hair || mention.beard ? attachFeature(source, mention, state.draft) : attachWear(source, mention, state.draft)) || taken
    if (taken && isThing) addMention(state.draft, mention)
  }
  return taken
}

function nearestPerson(state: EnglishState): Mention | undefined {
  return [...state.group].reverse().find(isPerson)
}

function ownerOf(state: EnglishState, pending: Pending): Mention | undefined {
  const isOther = (mention: Mention) =>
    isAnimate(mention) && (pending.sources.length > 1 ? mention !== state.last : !pending.sources.includes(mention))
  return state.group.find(isOther) ?? state.draft.mentions.find(isOther)
}

/** Relates the parrot in "a parrot on his shoulder" to the owner of the shoulder. */
function relateTo(state: EnglishState, pending: Pending, owner: Mention, part: string): void {
  addMention(state.draft, owner)
  const sources = pending.sources.length > 1 && state.last ? [state.last] : pending.sources
  for (const source of sources) if (source !== owner) relateToPart(source, pending, owner, part)
}

function relateToPart(source: Mention, pending: Pending, owner: Mention, part: string): void {
  const isBitten = /^(mouth|teeth|jaws?|beak|bill|claws?|talons?|trunk)$/.test(part) && isDressable(owner)
  if (isBitten) owner.looks.push('in mouth')
  const isHeld =
    (isBitten || /^(hands?|palms?|paws?|arms?|fingers?|fist)$/.test(part)) && (pending.relation === 'in' || pending.relation === 'on')
  if (isHeld && owner.relations.some(relation => relation.kind === 'holding' && relation.target === source)) return
  // A thing that sits on the shoulder or the head is not in the hands as well.
  if (bodyParts[part])
    owner.relations = owner.relations.filter(relation => !/^(holding|carrying)$/.test(relation.kind) || relation.target !== source)
  if (isHeld) owner.relations.push({ kind: 'holding', target: source })
  else source.relations.push({ kind: pending.relation, target: owner, ...(bodyParts[part] ? { part: bodyParts[part] } : {}) })
}

function partWord(mention: Mention): string {
  return mention.words.at(-1)?.toLowerCase() ?? ''
}

/** Reads "an astronaut's shoulders" or "a woman's face" as the person to whom the part belongs.
 *  Returns false when the phrase names no such person. */
function takeBodyOf(mention: Mention): boolean {
  if (!mention.compoundMatch) return false
  mention.match = mention.compoundMatch
  mention.compound = []
  mention.isPart = false
  // The plural "shoulders" means one person.
  mention.isPlural = false
  delete mention.compoundMatch
  return true
}

function takePart(state: EnglishState, pending: Pending, mention: Mention): void {
  const source = pending.sources[0]
  // In "a jar full of buttons", the buttons are contents, not a part of the jar.
  if (pending.via === 'reversed') {
    note(state.draft, phraseOf(mention))
    return
  }
  if (source) attachFeature(source, mention, state.draft)
}

function relate(source: Mention, pending: Pending, mention: Mention, isChained: boolean): void {
  if (source === mention) return
  const between = source.relations.find(relation => relation.kind === 'between' && relation.and === undefined)
  if (isChained && pending.relation === 'between' && between) {
    between.and = mention
    return
  }
  source.relations.push({
    kind: pending.relation,
    target: mention,
    ...(pending.role && pending.via === 'verb' ? { role: pending.role } : {}),
  })
}

/** True for "its mother" or "with her cubs", which mean a relative of a being named before. */
function isTheirs({ tokens }: EnglishState, start: number, end: number): boolean {
  return tokens.slice(Math.max(0, start - 1), end).some(token => /(^| )(its|his|her|their)$/.test(token.key))
}
