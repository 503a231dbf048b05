import type { ArtMatch } from '../art/entry.ts'
import { hasAdjective, type NounPhrase, prefersNoun, readAdjective, take } from './adjectives.ts'
import { createMention, isFact, type Mention } from './draft.ts'
import { colourWords } from './lexicon/colours.ts'
import { senseOf } from './lexicon/lexicon.ts'
import { materialOf } from './lexicon/materials.ts'
import type { SenseOf } from './lexicon/senses.ts'
import { isClosed, isNounLike, isPlaceAdverb, isPlainAdjective, isSilent, isUnknownWord, nounFollows } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Reads the noun phrase that starts at token `from`. `order` becomes the number of its mention. */
export function readNounPhrase(tokens: readonly Token[], from: number, order: number): NounPhrase {
  const phrase: NounPhrase = {
    next: from,
    mention: createMention(order),
    head: 'none',
    hasDeterminer: false,
    isGroup: false,
    facts: [],
    unknown: [],
    isPossessive: false,
  }
  while (phrase.next < tokens.length && phrase.head === 'none') {
    const token = tokens[phrase.next]
    if (token === undefined || !readPart(tokens, token, phrase)) break
  }
  return phrase
}

function readPart(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  if (token.kind === 'punctuation') return skipComma(tokens, phrase)
  if (token.kind === 'quote') return false
  return readDeterminer(tokens, token, phrase) || readAdjective(tokens, token, phrase) || readHead(tokens, token, phrase)
}

/** Skips a comma between adjectives of the same noun, as in "a big, red ball". Returns false for
 *  other commas. */
function skipComma(tokens: readonly Token[], phrase: NounPhrase): boolean {
  if (tokens[phrase.next]?.text !== ',' || !hasAdjective(phrase.mention)) return false
  const next = tokens[phrase.next + 1]
  if (!next || !isPlainAdjective(next) || !nounFollows(tokens, phrase.next + 2, true)) return false
  phrase.next++
  return true
}

function readDeterminer(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  const { mention } = phrase
  for (const sense of token.senses) {
    if (sense.kind === 'article') return takeArticle(token, sense, phrase)
    if (sense.kind === 'number') {
      // A number from 1800 to 2099 is a year ("a blue 1977 Corvette"), because no picture has that
      // many copies.
      if (sense.value >= 1800 && sense.value < 2100 && !tokens[phrase.next + 1]?.isPlural) return take(token, phrase)
      // In "two dozen" the numbers are multiplied; in "a group of five" the last one counts.
      mention.count = phrase.isGroup ? sense.value : (mention.count ?? 1) * sense.value
      return take(token, phrase, true)
    }
    const next = tokens[phrase.next + 1]
    const isOf = next !== undefined && senseOf(next.senses, 'of') !== undefined
    if (sense.kind === 'group' && isOf && token.match?.person && takeNumbered(tokens, token, phrase)) return true
    if (sense.kind === 'group' && (isOf || (!token.match && next && isNounLike(next)))) {
      mention.count = Math.min(60, sense.value * Math.min(4, mention.count ?? 1))
      phrase.isGroup = true
      if (heaps[token.key]) mention.looks.push(heaps[token.key] ?? '')
      return takeWithOf(token, phrase, isOf)
    }
    if (sense.kind === 'container' && isOf && mention.colours.length === 0 && contentFollows(tokens, phrase.next + 2))
      return takeWithOf(token, phrase, true)
  }
  return false
}

/** The look that a group noun gives to its things, such as `stacked` for "a stack of boxes". */
const heaps: Record<string, string> = { stack: 'stacked', stacks: 'stacked', pile: 'piled', piles: 'piled', heap: 'piled', heaps: 'piled' }

/** Reads "a family of four", in which the noun is the group and the number is its size. Returns
 *  false for other phrases. */
function takeNumbered(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  const number = senseOf(tokens[phrase.next + 2]?.senses ?? [], 'number')
  if (!number || nounFollows(tokens, phrase.next + 3)) return false
  phrase.mention.count = number.value
  fillHead(token, phrase)
  take(token, phrase, true)
  phrase.next += 2
  phrase.head = 'thing'
  return true
}

/** True when the word for a container only measures the contents that follow, so that "a cup of
 *  tea" is read as tea. False for "a glass of marbles", in which the glass is a thing of its
 *  own. */
function contentFollows(tokens: readonly Token[], at: number): boolean {
  const container = tokens[at - 2]?.key ?? ''
  for (let index = at; index < at + 3; index++) {
    const category = tokens[index]?.match?.entry.category
    // "A plate of cookies" is a plate and several cookies; "a plate of spaghetti" is a single dish.
    if (/^plates?$/.test(container) && tokens[index]?.isPlural) return false
    if (category !== undefined)
      return (
        /^(bowl|basket|plate|bucket)s?$/.test(container)
          ? ['food', 'drink', 'dish', 'dessert']
          : ['food', 'drink', 'dish', 'dessert', 'fruit', 'vegetable', 'flower', 'plant', 'object']
      ).includes(category)
  }
  return nounFollows(tokens, at)
}

function takeArticle(token: Token, sense: SenseOf<'article'>, phrase: NounPhrase): boolean {
  if (
    hasAdjective(phrase.mention) ||
    (phrase.hasDeterminer && phrase.mention.count !== undefined && phrase.mention.count > 1 && !sense.definite)
  )
    return false
  phrase.mention.isDefinite ||= sense.definite
  phrase.isPossessive ||= /^(its|his|her|their|my|your|our)$/.test(token.key)
  phrase.hasDeterminer = true
  phrase.next++
  return true
}

function takeWithOf(token: Token, phrase: NounPhrase, isOf: boolean): true {
  take(token, phrase, true)
  phrase.mention.isPlural ||= phrase.mention.count !== undefined && phrase.mention.count > 1
  if (isOf) phrase.next++
  return true
}

/** Matches unknown words that do not belong to a name of several words: participles, adverbs and
 *  short forms of verbs. */
const endsPhrase =
  /(ing|ed|s|n't|n’t)$|^(stuck|found|held|kept|left|lost|shot|hit|bent|bound|built|caught|laid|sunk|swept|thrown|torn|worn|woven|wrought|upside|inside|backwards?|forwards?|sideways|underneath|halfway|just|also|itself)$/

function readHead(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  if (isClosed(token)) return false
  const next = tokens[phrase.next + 1]
  if (!isNounLike(token)) return readUnknownHead(tokens, token, phrase)
  if (isFact(token.senses) && !prefersNoun(token, phrase) && !senseOf(token.senses, 'setting')) return false
  if (next && isCompound(token, next)) {
    if (takeMaterialNoun(token, next, phrase)) return true
    phrase.mention.compound.push(token.text)
    if (token.match) phrase.mention.compoundMatch = token.match
    const setting = senseOf(token.senses, 'setting')
    if (setting) phrase.mention.setting ??= { ...setting, strength: 'thing' }
    return take(token, phrase)
  }
  if (next && isUnknownWord(next) && !endsPhrase.test(next.key) && token.match && !token.isPlural && phrase.hasDeterminer) {
    // When an unknown word follows a known noun, as "mat" in "a bamboo mat", the unknown word is
    // the noun of the phrase.
    take(token, phrase)
    return readUnknownHead(tokens, next, phrase)
  }
  fillHead(token, phrase)
  if (phrase.mention.setting && isFact(token.senses)) phrase.facts.push({ senses: token.senses, text: token.text })
  take(token, phrase)
  phrase.head = 'thing'
  return true
}

/** Reads "a marble bust" or "a lego dollhouse", in which the first noun is the material of the
 *  second. Returns false for other nouns. */
function takeMaterialNoun(token: Token, next: Token, phrase: NounPhrase): boolean {
  if (!next.match || next.match.person) return false
  const material = materialOf(token.key)
  if (!material && isEdible(token.match) && isMade(next.match)) {
    phrase.mention.looks.push(`made of ${token.match?.entry.key}`)
    return take(token, phrase)
  }
  if (!material) return false
  phrase.mention.looks.push(material.look)
  const colour = colourWords.get(material.colour ?? '')
  if (colour) phrase.mention.colours.push(colour)
  return take(token, phrase)
}

/** True for food and flowers, which prompts use as unusual materials: "a watermelon chair". */
function isEdible(match: ArtMatch | undefined): boolean {
  return (
    match !== undefined && /^(noto|drawn):/.test(match.entry.key) && /^(fruit|vegetable|flower|dessert|food)$/.test(match.entry.category)
  )
}

function isMade({ entry }: ArtMatch): boolean {
  return /^(furniture|instrument|vehicle|watercraft|aircraft|clothing)$/.test(entry.category) && !/truck|van|table/.test(entry.noun)
}

function isCompound(token: Token, next: Token): boolean {
  if (token.isPlural || next.kind !== 'word' || isClosed(next) || !isNounLike(next) || isPlaceAdverb(next)) return false
  if (next.senses.some(sense => sense.kind === 'verb') && !token.isPossessive) return false
  return !isFact(next.senses) || senseOf(next.senses, 'setting') !== undefined
}

export function fillHead(token: Token, phrase: { mention: Mention }): void {
  const { mention } = phrase
  const setting = senseOf(token.senses, 'setting')
  if (setting) {
    const before = mention.compound.length > 0 ? mention.setting : undefined
    // "A desert landscape" means a desert.
    if (before && /^(landscapes?|scenery)$/.test(token.key)) mention.setting = { ...before, strength: setting.strength }
    else mention.setting = before ? { ...setting, details: [...setting.details, ...before.details] } : setting
  }
  if (!setting) delete mention.setting
  if (isPlaceAdverb(token)) mention.isLocative = true
  if (token.match && setting?.strength !== 'place') mention.match = token.match
  if (token.size && !token.match?.person) mention.size ??= token.size
  if (token.age) mention.age ??= token.age
  if (token.colour) mention.colours.push(token.colour)
  mention.isPlural ||= token.isPlural
  const garment = senseOf(token.senses, 'garment')
  const worn = senseOf(token.senses, 'worn')
  if (garment) mention.garment = garment.garment
  if (worn) mention.worn = worn.worn
  const hair = senseOf(token.senses, 'hair')
  if (hair || senseOf(token.senses, 'hair-noun')) {
    mention.hair = { ...mention.hair, ...(hair?.colour ? { colour: hair.colour } : {}), ...(hair?.style ? { style: hair.style } : {}) }
  }
  if (senseOf(token.senses, 'beard')) mention.beard = true
  mention.isPart = senseOf(token.senses, 'part') !== undefined
  if (mention.isPart && token.match?.entry.category === 'body') delete mention.match
}

function readUnknownHead(tokens: readonly Token[], token: Token, phrase: NounPhrase): boolean {
  if (token.senses.length > 0 || isSilent(token) || !(phrase.hasDeterminer || hasAdjective(phrase.mention))) return false
  take(token, phrase)
  // Consecutive unknown words are one name.
  while (isUnknownWord(tokens[phrase.next]) && !endsPhrase.test(tokens[phrase.next]?.key ?? '')) take(tokens[phrase.next] ?? token, phrase)
  phrase.head = 'unknown'
  return true
}
