import { isFact, type Mention } from './draft.ts'
import { colourNouns, colourWords } from './lexicon/colours.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Sense } from './lexicon/senses.ts'
import { words } from './lexicon/senses.ts'
import { isJoinedAdjective, isNounLike, isSilent, nounFollows, nounKinds } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** A noun phrase that was read from English text. Reading it changes nothing in the draft. When the
 *  phrase has no noun, it contains only the adjectives. */
export interface NounPhrase {
  /** Index of the first token after the phrase. */
  next: number
  mention: Mention
  head: 'thing' | 'unknown' | 'none'
  hasDeterminer: boolean
  /** True when the number of things comes from a group noun: "a group of dogs", "a stack of
   *  books". */
  isGroup: boolean
  facts: { senses: readonly Sense[]; text: string }[]
  /** Words of the phrase that no table knows, as written. */
  unknown: string[]
  isPossessive: boolean
}

export function hasAdjective(mention: Mention): boolean {
  return mention.colours.length > 0 || mention.looks.length > 0 || mention.size !== undefined || mention.age !== undefined
}

/** Adds a token to the phrase and moves on to the next one. Returns true. */
export function take(token: Token, phrase: NounPhrase, isDeterminer = false): true {
  phrase.mention.words.push(token.text)
  phrase.hasDeterminer ||= isDeterminer
  phrase.next++
  return true
}

/** Reads one adjective into the phrase. Returns false when the token is not an adjective here,
 *  because it is no adjective at all or is the noun of the phrase. */
export function readAdjective(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  const leadsOn = nounFollows(tokens, phrase.next + 1) || isJoinedAdjective(tokens, phrase.next + 1)
  if (isJoinedAdjective(tokens, phrase.next)) return skip(phrase)
  if (!leadsOn && isNounLike(token) && prefersNoun(token, phrase)) return false
  if (token.isPlural && token.match) return false
  if (token.key === 'black and white' && leadsOn && !isFact(tokens[phrase.next + 1]?.senses ?? [])) return takeBlackAndWhite(token, phrase)
  for (const sense of token.senses) {
    if (applyAdjective(sense, token, phrase, leadsOn)) return take(token, phrase)
  }
  return readUnknownAdjective(token, phrase, leadsOn)
}

/** Reads "black and white" as two colours with a spotted pattern, as in "a black and white cow".
 *  The caller does not call it for "a black and white photo", where the words are a style. */
function takeBlackAndWhite(token: Token, phrase: NounPhrase): true {
  for (const name of ['black', 'white']) {
    const colour = colourWords.get(name)
    if (colour) phrase.mention.colours.push(colour)
  }
  phrase.mention.looks.push('spotted')
  return take(token, phrase)
}

function skip(phrase: NounPhrase): true {
  phrase.next++
  return true
}

/** True when an ambiguous word at the end of a phrase is the noun: "orange" after an article is a
 *  fruit, and "rose" a flower. False for words that are always adjectives, such as "red" and
 *  "snowy". */
export function prefersNoun(token: Token, phrase: NounPhrase): boolean {
  if (senseOf(token.senses, 'colour'))
    return colourNouns.has(token.key) && (phrase.hasDeterminer || (aloneNouns.has(token.key) && !hasAdjective(phrase.mention)))
  if (token.senses.some(sense => nounKinds.has(sense.kind) && sense.kind !== 'hair')) return true
  if (token.senses.some(sense => sense.kind === 'weather' || sense.kind === 'time')) return false
  if (token.senses.some(sense => sense.kind === 'style' || sense.kind === 'camera'))
    return phrase.hasDeterminer && !pictureWords.has(token.key)
  if (token.senses.some(sense => sense.kind === 'verb')) return phrase.hasDeterminer || hasAdjective(phrase.mention)
  return phrase.hasDeterminer || token.senses.length === 0 || token.senses[0]?.kind === 'alias'
}

/** Colour words that mean a thing when they stand alone: "coral" in "a ship, coral and a
 *  turtle". */
const aloneNouns: ReadonlySet<string> = new Set(
  words('coral, rose, lavender, orchid, salmon, lemon, peach, plum, chocolate, coffee, mint, chestnut'),
)

const pictureWords: ReadonlySet<string> = new Set(
  words(
    'photo, photograph, drawing, illustration, artwork, sketch, portrait, painting of, silhouette, close up, anime, cartoon, render, mosaic, stained glass, stained glass window',
  ),
)

function applyAdjective(sense: Sense, token: Token, phrase: NounPhrase, leadsOn: boolean): boolean {
  const { mention } = phrase
  switch (sense.kind) {
    case 'colour':
      mention.colours.push(sense.colour)
      return true
    case 'size':
      // A word such as "little" is a size and an age. The age applies if the thing turns out to be
      // a person.
      mention.size = sense.size
      if (senseOf(token.senses, 'age')) mention.age = senseOf(token.senses, 'age')?.age ?? 'child'
      return true
    case 'age':
      mention.age = sense.age
      return true
    case 'look':
      mention.looks.push(sense.look)
      if (sense.colour) mention.colours.push(sense.colour)
      if (senseOf(token.senses, 'detail')) mention.details.push(senseOf(token.senses, 'detail')?.detail ?? sense.look)
      return true
    case 'detail':
      mention.details.push(sense.detail)
      if (senseOf(token.senses, 'weather') || senseOf(token.senses, 'mood') || senseOf(token.senses, 'style')) pushFact(token, phrase)
      return true
    case 'hair':
      if (!leadsOn) return false
      mention.hair = { ...mention.hair, ...(sense.colour ? { colour: sense.colour } : {}), ...(sense.style ? { style: sense.style } : {}) }
      return true
    case 'beard':
      if (leadsOn) mention.beard = true
      return leadsOn
    case 'skin':
      mention.skin = sense.hex
      return true
    default:
      return applyLooseAdjective(sense, token, phrase, leadsOn)
  }
}

function applyLooseAdjective(sense: Sense, token: Token, phrase: NounPhrase, leadsOn: boolean): boolean {
  switch (sense.kind) {
    case 'verb':
      if (!leadsOn) return false
      if (sense.pose) phrase.mention.pose = sense.pose
      if (sense.look) phrase.mention.looks.push(sense.look)
      return true
    case 'quality':
      return true
    case 'place':
      if (!leadsOn || token.key.includes(' ')) return false
      phrase.mention.place = { ...phrase.mention.place, ...sense.place }
      return true
    case 'mood':
    case 'weather':
    case 'season':
    case 'time':
    case 'style':
    case 'camera':
    case 'abstract':
      pushFact(token, phrase)
      return true
    default:
      return false
  }
}

function pushFact(token: Token, phrase: NounPhrase): void {
  phrase.facts.push({ senses: token.senses, text: token.text })
}

function readUnknownAdjective(token: Token, phrase: NounPhrase, leadsOn: boolean): boolean {
  if (token.senses.length > 0 || token.match) return false
  if (isSilent(token)) return take(token, phrase)
  if (!leadsOn) return false
  phrase.unknown.push(token.text)
  return take(token, phrase)
}
