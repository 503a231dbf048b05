import type { NounPhrase } from './adjectives.ts'
import { isPerson, type Mention, note } from './draft.ts'
import type { EnglishState, Pending } from './english-state.ts'
import { takeTextColour } from './lettering.ts'
import { colourWords } from './lexicon/colours.ts'
import { senseOf, sensesOf } from './lexicon/lexicon.ts'
import { materialOf } from './lexicon/materials.ts'
import { shapeOf } from './shape-look.ts'

/** Reads "it" or "them" as a thing that the prompt has named before, and relates it to the
 *  subjects of the pending verb or preposition. Without such a verb or preposition, the thing
 *  becomes the subject of the clause that "it" begins. Always returns true. */
export function takePronoun(state: EnglishState, isPlural: boolean): boolean {
  const { pending, draft } = state
  state.at++
  const things = draft.mentions.filter(mention => mention.match && !mention.isLocative)
  if (!pending || pending.sources.length === 0) {
    const subject = isPlural ? things.slice(-2) : things.slice(-1)
    if (subject.length > 0 && state.atClauseStart) state.group = subject
    return true
  }
  delete state.pending
  const others = things.filter(mention => !pending.sources.includes(mention))
  const target = isPlural ? (others.at(-2) ?? others.at(-1)) : (others.find(mention => !mention.relations.length) ?? others[0])
  if (!target) return true
  const second = isPlural ? others.at(-1) : undefined
  for (const source of pending.sources) {
    if (pending.via === 'reversed') target.relations.push({ kind: pending.relation, target: source })
    else
      source.relations.push({
        kind: pending.relation,
        target,
        ...(pending.relation === 'between' && second && second !== target ? { and: second } : {}),
      })
  }
  state.followsSubject = true
  return true
}

/** Reads adjectives that have no noun: a predicate ("the cat is black"), a single word in a list of
 *  tags, or colours of the whole picture. */
export function takeLooseModifiers(state: EnglishState, phrase: NounPhrase, start: number): void {
  const { mention } = phrase
  const tokens = state.tokens.slice(start, phrase.next)
  if (state.isNegating) {
    state.draft.negated.push(...tokens)
    return
  }
  if (takeTextColour(state, mention)) return
  if (state.pending?.via === 'made-of') {
    takeMaterial(state, state.pending, mention)
    delete state.pending
    return
  }
  if (state.pending?.via === 'in' && dressInColour(state.pending.sources, mention)) {
    delete state.pending
    return
  }
  const owner = (state.predicate ?? state.group.slice(-1)).filter(target => target.match)
  const isTaken = mention.colours.length > 0 && !state.predicate && owner.some(target => target.colours.length > 0)
  if (owner.length === 0 || isTaken || (state.pending && !state.predicate)) {
    colourPlace(state, mention)
    return
  }
  // Without a verb such as "is", words such as "neon" or "futuristic" describe the place.
  if (!state.predicate) state.draft.details.push(...mention.details)
  for (const target of owner) describe(target, state.predicate ? mention : { ...mention, details: [] })
}

/** Reads "a woman in red" and dresses the people in this colour: women in a dress, all others in
 *  a shirt. Returns false when there is no person or no colour. */
function dressInColour(sources: readonly Mention[], mention: Mention): boolean {
  const [colour] = mention.colours
  const people = sources.filter(isPerson)
  if (!colour) return false
  for (const person of people) person.clothes.push({ kind: person.match?.person?.gender === 'woman' ? 'dress' : 'shirt', colour })
  return people.length > 0
}

/** Reads the colours in "a sky in shades of orange". The colours belong to the place that is named
 *  before, or else to the whole picture, and not to a thing. */
function colourPlace(state: EnglishState, mention: Mention): void {
  const place = state.pending && state.last?.setting && !state.last.match ? state.last : undefined
  if (place) place.colours.push(...mention.colours)
  else state.draft.palette.push(...mention.colours)
  state.draft.details.push(...mention.details)
  delete state.pending
}

function describe(target: Mention, said: Mention): void {
  target.colours.push(...said.colours)
  target.looks.push(...said.looks)
  target.details.push(...said.details)
  if (said.size) target.size ??= said.size
  if (said.age && isPerson(target)) target.age ??= said.age
  if (said.hair && isPerson(target)) target.hair = { ...said.hair, ...target.hair }
  if (said.skin && isPerson(target)) target.skin ??= said.skin
}

/** Reads the words after "made of". A known material ("gold") becomes the look of the things; a
 *  thing that has a drawing ("petals") covers their surface in many copies. After "shaped like",
 *  the things get the outline of the named thing. */
export function takeMaterial(state: EnglishState, pending: Pending, mention: Mention): void {
  const names = [mention.words.join(' '), mention.words.at(-1) ?? '']
  const material = names.map(materialOf).find(found => found !== undefined)
  const look = material?.look ?? (mention.match ? undefined : senseOf(sensesOf(names[1]?.toLowerCase() ?? ''), 'look')?.look)
  const colour = mention.colours[0] ?? colourWords.get(material?.colour ?? '')
  const key = mention.match?.entry.key
  if (pending.isShape && key !== undefined) {
    for (const source of pending.sources) source.looks.push(shapeOf(key))
    return
  }
  for (const source of pending.sources) {
    if (colour) source.colours.push(colour)
    if (look) source.looks.push(look)
    else if (key && /^(noto|drawn):/.test(key)) source.looks.push(`made of ${key}`)
    else note(state.draft, `made of ${mention.words.join(' ')}`)
  }
}
