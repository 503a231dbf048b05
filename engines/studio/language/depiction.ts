import { takeCostume } from './costume.ts'
import { absorbFact, addMention, createMention, isAnimate, isPerson, type Mention, note } from './draft.ts'
import { readOf, takeMention } from './english-mentions.ts'
import type { EnglishState } from './english-state.ts'
import { senseOf } from './lexicon/lexicon.ts'
import { words } from './lexicon/senses.ts'
import { readNounPhrase } from './noun-phrase.ts'
import type { Token } from './tokens.ts'

/** Words that mean a picture of something. */
const pictureWord =
  /(^|\s)(painting|picture|poster|portrait|drawing|sketch|illustration|photo|photograph|mural|print|image|engraving|graffiti|graffiti art|logo|decal|emblem|cartoon)(e?s)?$/
const onWalls = /mural|graffiti/

/** Things on or in which a picture is an object of its own, hanging or standing. On any other
 *  thing, the picture is printed on the surface. */
const hangers = /^(wall|easel|room|house|building|table|desk|shelf|floor|door|museum|stand)$/

/** Reads "a painting of a fox". At the start of a prompt, the phrase states the style of the whole
 *  picture. On a wall, on an easel or in a room, it means a painting that shows a fox. On a vase or
 *  a van, it means a fox that is painted on that thing. Returns false when there is no such phrase
 *  at the current position. */
export function readDepiction(state: EnglishState): boolean {
  const found = findPicture(state)
  if (!found) return false
  const { draft, tokens } = state
  const word = tokens[found.at]
  const inner = found.isOf ? readNounPhrase(tokens, found.at + 2, draft.mentions.length) : undefined
  if (!word || (found.isOf && (!inner || inner.head === 'none'))) return false
  const host = hostOf(state)
  if (tokens.slice(state.at, found.at + 1).some(token => onWalls.test(token.key))) return found.isOf && paintOnWall(state, found.at + 2)
  if (host && inner?.mention.match && inner.head === 'thing' && !hangers.test(host.match?.entry.noun ?? 'room') && !isAnimate(host)) {
    state.at = inner.next
    printOn(state, inner.mention, host)
    return true
  }
  const isThing =
    found.isFramed ||
    (found.isCounted && !found.isOf) ||
    (isEmbedded(state) && found.isOf) ||
    (inner !== undefined && hangsLater(tokens, inner.next))
  if (isThing) return takePicture(state, found, inner?.head === 'thing' ? inner : undefined)
  if (!found.isOf || isEmbedded(state)) return false
  for (const token of tokens.slice(state.at, found.at + 1)) {
    if (isUnknown(token)) note(draft, token.text)
    absorbFact(draft, token.senses, token.text)
  }
  if (/painting$/.test(word.key) && draft.styles.every(({ style }) => style === 'illustration'))
    draft.styles.push({ kind: 'style', style: 'oil', undrawn: false })
  state.at = found.at + 2
  return true
}

interface DepictionMatch {
  /** Index of the token that means a picture. */
  at: number
  isOf: boolean
  isFramed: boolean
  isCounted: boolean
  mention: Mention
}

/** Returns the next word for a picture, such as "painting", with the articles, numbers and
 *  adjectives before it; undefined when another word comes first. */
function findPicture(state: EnglishState): DepictionMatch | undefined {
  const mention = createMention(state.draft.mentions.length)
  let isFramed = false
  for (let at = state.at; at < state.at + 8; at++) {
    const token = state.tokens[at]
    if (token?.kind !== 'word') return undefined
    if (pictureWord.test(token.key) && token.picture) {
      const next = state.tokens[at + 1]
      // In "a painting class" or "a drawing board", the word is part of a longer noun and means no
      // picture.
      if ((next?.match || next?.picture) && !senseOf(next.senses, 'of')) {
        if (!next.picture) return undefined
        continue
      }
      mention.words.push(token.text)
      mention.match = token.picture
      mention.isPlural = /s$/.test(token.key)
      const isOf = next !== undefined && (senseOf(next.senses, 'of') !== undefined || /^(depicting|showing)$/.test(next.key))
      return { at, isOf, isFramed, isCounted: mention.count !== undefined, mention }
    }
    isFramed ||= /framed|hanging/.test(token.key)
    if (!isBefore(token) && !isUnknown(token)) return undefined
    takeAdjective(token, mention)
  }
  return undefined
}

const before: ReadonlySet<string> = new Set(words('article, number, size, colour, look, quality, mood, style, age, detail, abstract, time'))

function isBefore(token: Token): boolean {
  return (
    /^(framed|large|big|famous|chinese|japanese|rembrandt|modern|detailed|sketched)$/.test(token.key) ||
    token.senses.some(({ kind }) => before.has(kind))
  )
}

/** True for a word of at least four letters that has no known meaning. Before a picture word it
 *  is taken as an adjective, such as "naive" in "a naive painting". */
function isUnknown({ kind, senses, match, key }: Token): boolean {
  return kind === 'word' && senses.length === 0 && match === undefined && /^[a-z-]{4,}$/.test(key)
}

function takeAdjective(token: Token, mention: Mention): void {
  for (const sense of token.senses) {
    if (sense.kind === 'number') mention.count = sense.value
    if (sense.kind === 'size') mention.size = sense.size
  }
}

/** Returns the thing to which the phrase "with a painting of ..." belongs, such as the vase in "a
 *  vase with a painting of pandas"; undefined when no thing comes before the phrase. */
function hostOf(state: EnglishState): Mention | undefined {
  const { pending, last } = state
  if (!pending) return undefined
  if (pending.via !== 'with' && pending.relation !== 'beside') return undefined
  return last?.match || last?.setting ? last : pending.sources.at(-1)
}

function isEmbedded({ pending, isJoined, group, draft, isSentenceStart }: EnglishState): boolean {
  return (
    pending !== undefined ||
    (isJoined && group.length > 0) ||
    (!isSentenceStart && draft.mentions.some(({ match, setting }) => match || setting))
  )
}

/** True when "on a wall" or "on an easel" follows within the next words, as in "a painting of a cat
 *  on a white wall". The painting is then a thing that hangs there. */
function hangsLater(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < from + 9; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word') return false
    if (/^(wall|easel|brick wall)s?$/.test(token.key))
      return tokens.slice(from, at).some(({ senses }) => senseOf(senses, 'relation')?.relation === 'on')
  }
  return false
}

function takePicture(state: EnglishState, found: DepictionMatch, inner: ReturnType<typeof readNounPhrase> | undefined): boolean {
  const start = state.at
  const next = inner?.next ?? found.at + 1
  state.at = next
  const { mention } = found
  takeMention(
    state,
    { next, mention, head: 'thing', hasDeterminer: true, isGroup: false, facts: [], unknown: [], isPossessive: false },
    start,
  )
  // In "On the easel there is a painting", the easel comes first, and the painting stands on it.
  const easel = mention.relations.length === 0 && state.draft.mentions.find(other => other.match?.entry.noun === 'easel')
  if (easel) mention.relations.push({ kind: 'on', target: easel })
  if (inner?.mention.match) {
    inner.mention.relations.push({ kind: 'printed-on', target: mention })
    addMention(state.draft, inner.mention)
  }
  return true
}

/** Reads the thing that graffiti or a mural shows, and places it on the wall. Adds a wall when the
 *  prompt names none. Returns false when no drawable thing follows. */
function paintOnWall(state: EnglishState, from: number): boolean {
  const { draft, tokens } = state
  const inner = readNounPhrase(tokens, from, draft.mentions.length)
  if (inner.head !== 'thing' || !inner.mention.match) return false
  const isSaid = tokens.some(token => senseOf(token.senses, 'setting')?.setting === 'wall')
  state.at = inner.next
  delete state.pending
  takeCostume(inner.mention)
  readOf(state, inner.mention)
  if (!isSaid) {
    const wall = createMention(draft.mentions.length)
    wall.words.push('wall')
    wall.setting = { kind: 'setting', setting: 'wall', strength: 'place', details: ['brick', 'graffiti'] }
    addMention(draft, wall)
  }
  const wall = draft.mentions.find(other => other.match?.entry.noun === 'wall')
  if (wall) inner.mention.relations.push({ kind: 'printed-on', target: wall })
  addMention(draft, inner.mention)
  if (!wall) state.group = [inner.mention]
  state.last = inner.mention
  if (wall || senseOf(tokens[state.at]?.senses ?? [], 'relation')?.relation !== 'on') return true
  state.at++
  state.pending = { via: 'relation', relation: 'printed-on', sources: [inner.mention], isLocative: false }
  return true
}

/** Adds `mention` as a thing that is printed on `host`. */
function printOn(state: EnglishState, mention: Mention, host: Mention): void {
  mention.relations.push({ kind: 'printed-on', target: host })
  addMention(state.draft, mention)
  delete state.pending
  state.anchor = mention
  state.last = mention
  state.followsSubject = true
}

const printed = /^(painted|drawn|printed|depicted|embroidered|engraved|stitched|etched|tattooed|sprayed|stenciled|stencilled|carved)$/

/** Reads "a dragon painted on a van" or "a shirt with a cat drawn on it". Returns false for other
 *  phrases. */
export function readPrinted(state: EnglishState, token: Token): boolean {
  const { tokens, last } = state
  const isDrawn = printed.test(token.key)
  if (!last?.match || last.setting || isPerson(last)) return false
  if (/^in (it|them)$/.test(token.key)) return settleInIt(state, last)
  if (!isDrawn && !/^on (it|them)$/.test(token.key)) return false
  if (!isDrawn) return settleOnIt(state, last, false)
  for (let at = state.at + 1; at < state.at + 4; at++) {
    const next = tokens[at]
    if (!next) return false
    if (/^on (it|them)$/.test(next.key)) {
      state.at = at
      return settleOnIt(state, last, true)
    }
    if (senseOf(next.senses, 'relation')?.relation !== 'on' || next.key === 'on top') continue
    state.at = at + 1
    state.pending = { via: 'relation', relation: 'printed-on', sources: [last], isLocative: false }
    return true
  }
  return false
}

/** Reads "in it" in "a vase with red flowers in it" and places the thing (the flowers) in the one
 *  before "with" (the vase). Returns false when there is no such thing. */
function settleInIt(state: EnglishState, last: Mention): boolean {
  const relation = last.relations.find(({ kind }) => kind === 'beside')
  if (!relation?.target.match || isAnimate(relation.target)) return false
  last.relations = [...last.relations.filter(other => other !== relation), { kind: 'in', target: relation.target }]
  state.at++
  delete state.pending
  return true
}

const printable =
  /flag|shirt|mug|latte art|cup|poster|card|banner|balloon|vase|stamp|coin|hat|cap|kite|hoodie|sweater|shield|sign|screen|magazine|helmet|ball|tie|bag|sail|badge|backpack|book|crown|pizza|canvas|towel|blanket|bowl|bottle|jar|shoe|door|curtain|pillow|lamp|umbrella|surfboard|skateboard|guitar/

/** Reads "on it" in "a flag with a dinosaur on it" and places the thing on the one before "with":
 *  printed on a flag, but standing on a table. Returns false when there is no such thing. */
function settleOnIt(state: EnglishState, last: Mention, isDrawn: boolean): boolean {
  const relation = last.relations.find(({ kind }) => kind === 'beside' || kind === 'in' || kind === 'on')
  const host = relation?.target ?? state.draft.mentions.findLast(other => other !== last && other.match && !isAnimate(other))
  if (!host?.match) return false
  const isPrint = isDrawn || printable.test(host.match.noun)
  if (!isPrint && (isAnimate(host) || relation?.kind !== 'beside')) return false
  last.relations = [...last.relations.filter(other => other !== relation), { kind: isPrint ? 'printed-on' : 'on', target: host }]
  state.at++
  delete state.pending
  return true
}
