import type { ArtMatch } from '../art/entry.ts'
import { singularForms } from '../art/words.ts'
import type { Colour, PersonLook, SizeWord } from '../scene.ts'
import { hexColour } from './lexicon/colours.ts'
import { beginsPhrase, longestChinese, longestEnglish, senseOf, sensesOf } from './lexicon/lexicon.ts'
import type { Sense } from './lexicon/senses.ts'
import { readNumber } from './numbers.ts'
import { type RawToken, rawTokens } from './raw-tokens.ts'
import { shapeOf } from './shape-look.ts'

/** A word or phrase with its possible meanings, and its match in the catalogue of drawings. */
export interface Token {
  kind: 'word' | 'punctuation' | 'quote'
  /** Text as written; for a quote, its contents. */
  text: string
  key: string
  senses: readonly Sense[]
  match?: ArtMatch
  /** The drawing of a framed picture, if the word can mean one ("painting on the wall"). */
  picture?: ArtMatch
  language: 'en' | 'zh'
  isPlural: boolean
  /** True for a possessive form such as "the dog's", after which the owned thing follows. */
  isPossessive: boolean
  /** The size that the word includes: 小船, "small boat". */
  size?: SizeWord
  /** The age that a word for a person includes: "old wizard". */
  age?: PersonLook['age']
  /** The colour in the name of an animal with its own drawing ("black cat"). That drawing has one
   *  pose; in other poses, the general drawing is painted in this colour. */
  colour?: Colour
}

/** Returns the best match in the catalogue, if any. Results are cached for one job. */
export interface FindArt {
  (word: string, language: 'en' | 'zh'): ArtMatch | undefined
  /** See `ArtCatalogue.begins`. */
  begins(pair: string): boolean
  readonly memory: Memory
}

/** Texts and phrases that were already looked up; rules and prompts repeat them often. */
interface Memory {
  texts: Map<string, readonly Token[]>
  /** Tokens by language and words; undefined for words that have no meaning together. */
  phrases: Map<string, Token | undefined>
}

/** Returns a copy of the cached token, because callers compare tokens by identity. */
function remembered(phrases: Memory['phrases'], key: string, look: () => Token | undefined): Token | undefined {
  if (!phrases.has(key)) phrases.set(key, look())
  const token = phrases.get(key)
  return token && { ...token }
}

/** Returns the tokens of a prompt; each is the longest known phrase at its position. */
export function tokenise(prompt: string, find: FindArt): readonly Token[] {
  const { texts } = find.memory
  const known = texts.get(prompt)
  if (known) return known
  const tokens = readTokens(prompt, find)
  texts.set(prompt, tokens)
  return tokens
}

function readTokens(prompt: string, find: FindArt): Token[] {
  const raw = rawTokens(prompt)
  const tokens: Token[] = []
  for (let at = 0; at < raw.length; ) {
    const token = raw[at]
    if (token === undefined) break
    const [made, used] = readToken(raw, at, token, find)
    tokens.push(...made)
    at += used
  }
  return tokens
}

function readToken(raw: readonly RawToken[], at: number, token: RawToken, find: FindArt): [Token[], number] {
  switch (token.kind) {
    case 'quote':
      return [[plain('quote', token.text)], 1]
    case 'punctuation':
      return token.key === '&' || token.key === '+' || token.key === '、'
        ? [[{ ...plain('word', token.text), senses: [{ kind: 'and' }], language: token.key === '、' ? 'zh' : 'en' }], 1]
        : [[plain('punctuation', token.text)], 1]
    case 'latin':
      return readLatin(raw, at, find)
    case 'chinese':
      return readChinese(raw, at, find)
  }
}

function plain(kind: Token['kind'], text: string): Token {
  return { kind, text, key: text, senses: [], language: 'en', isPlural: false, isPossessive: false }
}

/** Largest number of words of an English name in the catalogue (`longestNoun`), and largest number
 *  of characters of a Chinese name (`longestChineseNoun`). */
const longestNoun = 4
const longestChineseNoun = 8

/** Reads "star-shaped" as an adjective, if there is a drawing of a star. */
function readShaped(raw: readonly RawToken[], at: number, find: FindArt): Token | undefined {
  const [figure, shaped] = [raw[at], raw[at + 1]]
  if (!figure || shaped?.key !== 'shaped' || !shaped.isJoined) return undefined
  const match = find(figure.key === 'diamond' ? 'rhombus' : figure.key, 'en')
  if (!match || match.via === 'hypernym' || match.person) return undefined
  const text = `${figure.text}-${shaped.text}`
  return { ...plain('word', text), key: text.toLowerCase(), senses: [{ kind: 'look', look: shapeOf(match.entry.key) }] }
}

function readLatin(raw: readonly RawToken[], at: number, find: FindArt): [Token[], number] {
  const shaped = readShaped(raw, at, find)
  if (shaped) return [[shaped], 2]
  const longest = Math.max(longestNoun, longestEnglish(raw[at]?.key ?? ''))
  let run = 1
  while (run < longest && raw[at + run]?.kind === 'latin') run++
  for (let size = run; size >= 1; size--) {
    const token = lookUpLatin(raw.slice(at, at + size), find)
    if (token && !(size > 1 && isHairOfThing(token, raw.slice(at + size - 1, at + size + 1), find))) return [[token], size]
  }
  return readUnknown(raw, at, find)
}

/** True when the hair is a part of a longer noun, as in "a purple hair drier". */
function isHairOfThing(token: Token, ahead: readonly RawToken[], find: FindArt): boolean {
  return senseOf(token.senses, 'hair') !== undefined && ahead.length === 2 && find(ahead.map(one => one.key).join(' '), 'en') !== undefined
}

/** Reads unknown words. A hyphenated word stays whole when it is unknown and its last part has no
 *  meaning of its own ("wing-shaped"). */
function readUnknown(raw: readonly RawToken[], at: number, find: FindArt): [Token[], number] {
  let size = 1
  while (raw[at + size]?.isJoined) size++
  const last = raw[at + size - 1]
  const parts = size > 1 && last && !lookUpLatin([last], find) ? raw.slice(at, at + size) : raw.slice(at, at + 1)
  const text = parts.map(part => part.text).join('-')
  return [[{ ...plain('word', text), key: text.toLowerCase() }], parts.length]
}

function lookUpLatin(parts: readonly RawToken[], find: FindArt): Token | undefined {
  let text = ''
  for (const part of parts) text += text === '' ? part.text : `${part.isJoined ? '-' : ' '}${part.text}`
  return remembered(find.memory.phrases, `en:${text}`, () => readLatinPhrase(parts, text, find))
}

function readLatinPhrase(parts: readonly RawToken[], text: string, find: FindArt): Token | undefined {
  const written = parts.map(part => part.key).join(' ')
  const isPossessive = /'s?$/.test(written) && sensesOf(written).length === 0
  const key = isPossessive ? written.replace(/'s?$/, '') : written
  if (parts.length === 1) {
    const simple = readNumeral(key) ?? readHex(key)
    if (simple) return { ...plain('word', text), key, senses: [simple] }
  }
  const [senses, isPlural] = sensesWithPlural(key)
  const match = findLatin(key, parts.length, senses, find) ?? wornMatch(senses, find) ?? placeMatch(key, senses, find)
  const picture = pictures.test(key) && (senses.length > 0 || parts.length === 1) ? find('painting', 'en') : undefined
  if (senses.length === 0 && !match && !picture) return undefined
  const leads = match && key.includes(' ') ? sensesOf(key.split(' ')[0] ?? '') : []
  const size = senseOf(leads, 'size')?.size
  const age = match?.person ? senseOf(leads, 'age')?.age : undefined
  const colour =
    match?.entry.category === 'animal' && match.via !== 'hypernym' && !match.entry.key.startsWith('rig:')
      ? senseOf(leads, 'colour')?.colour
      : undefined
  return {
    ...plain('word', text),
    key,
    senses,
    ...(match ? { match } : {}),
    ...(picture ? { picture } : {}),
    ...(size ? { size } : {}),
    ...(age ? { age } : {}),
    ...(colour ? { colour } : {}),
    isPlural: isPlural || isPluralOf(key, match, find),
    isPossessive,
  }
}

const pictures =
  /\b(painting|picture|poster|portrait|drawing|sketch|illustration|photo|photograph|mural|print|image|engraving|graffiti|graffiti art|logo|decal|emblem|cartoon)(e?s)?$/

function readNumeral(key: string): Sense | undefined {
  const value = readNumber(key.replace(/^(\d+)x$/, '$1'))
  return value === undefined ? undefined : { kind: 'number', value }
}

function readHex(key: string): Sense | undefined {
  const colour = key.startsWith('#') ? hexColour(key) : undefined
  return colour ? { kind: 'colour', colour } : undefined
}

function sensesWithPlural(key: string): [readonly Sense[], boolean] {
  const direct = sensesOf(key)
  if (direct.length > 0) return [direct, false]
  for (const form of singularForms(key)) {
    const senses = sensesOf(form).filter(sense => sense.kind !== 'verb' && sense.kind !== 'filler' && sense.kind !== 'relation')
    if (senses.length > 0) return [senses, true]
  }
  return [[], false]
}

/** True when `key` is a plural whose singular names the drawing in `match`. */
function isPluralOf(key: string, match: ArtMatch | undefined, find: FindArt): boolean {
  if (!match) return false
  const word = match.word.toLowerCase()
  const forms = singularForms(key)
  if (forms.includes(word)) return true
  // Trousers, glasses and other things to wear are one thing although the word is a plural.
  return match.entry.category !== 'clothing' && word === key && forms.some(form => find(form, 'en')?.entry.key === match.entry.key)
}

/** Returns the drawing of a word that can also be a place: "a wooden table" is the place for cups,
 *  but a thing when a dog sits on it. */
function placeMatch(key: string, senses: readonly Sense[], find: FindArt): ArtMatch | undefined {
  const last = key.slice(key.lastIndexOf(' ') + 1)
  return senseOf(senses, 'setting')?.strength === 'thing' ? find(last, 'en') : undefined
}

/** The nouns that are drawn for worn things which nobody wears; some are only similar. */
const wornArt: Record<string, string> = {
  hat: 'top hat',
  'top-hat': 'top hat',
  'bowler-hat': 'top hat',
  'straw-hat': 'cowboy hat',
  'pirate-hat': 'cowboy hat',
  beanie: 'baseball cap',
  'party-hat': 'top hat',
  'santa-hat': 'santa hat',
  cap: 'baseball cap',
  'graduation-cap': 'graduation cap',
  'witch-hat': 'top hat',
  'chef-hat': 'top hat',
  'cowboy-hat': 'cowboy hat',
  ribbon: 'bow',
  'bow-tie': 'bow',
  tie: 'necktie',
  necklace: 'necklace',
  hijab: 'scarf',
  turban: 'scarf',
  bandana: 'scarf',
  mask: 'mask',
  scarf: 'scarf',
  glasses: 'glasses',
  goggles: 'goggles',
  crown: 'crown',
  tiara: 'crown',
  'flower-crown': 'crown',
  helmet: 'helmet',
  'motorcycle-helmet': 'helmet',
  'bike-helmet': 'helmet',
  'space-helmet': 'helmet',
  headphones: 'headphones',
  sunglasses: 'sunglasses',
  backpack: 'backpack',
}

function wornMatch(senses: readonly Sense[], find: FindArt): ArtMatch | undefined {
  const worn = senseOf(senses, 'worn')
  const noun = worn ? wornArt[worn.worn] : undefined
  return noun === undefined ? undefined : find(noun, 'en')
}

const closed: ReadonlySet<Sense['kind']> = new Set<Sense['kind']>([
  'article',
  'and',
  'or',
  'of',
  'in',
  'with',
  'be',
  'have',
  'negation',
  'pronoun',
  'locative',
  'relation',
  'reversed',
  'number',
  'lettering',
  'filler',
  'made-of',
])

function findLatin(key: string, size: number, senses: readonly Sense[], find: FindArt): ArtMatch | undefined {
  const alias = senseOf(senses, 'alias')
  if (alias) return findAlias(alias.noun, find)
  if (size > longestNoun || (senses[0] && closed.has(senses[0].kind)) || key.length < 2) return undefined
  if (size === 1) return rarePeople.has(key) ? undefined : find(key, 'en')
  // "A cat's tail" is not the plant cattail.
  if (/'s (tail|eyes?|head|face|paws?|ears?|nose|foot|feet|mouth|tongue|leg|legs)$/.test(key)) return undefined
  const [head = '', ...rest] = key.split(' ')
  const headSenses = sensesOf(head)
  if (headSenses[0] && closed.has(headSenses[0].kind)) return undefined
  // In "a flock of sheep", the first noun only gives the number of sheep.
  if (rest[0] === 'of' && senseOf(headSenses, 'group')) return undefined
  const match = find(key, 'en')
  if (!match || isActor(key, find)) return undefined
  const leads = headSenses.some(sense =>
    ['colour', 'size', 'age', 'look', 'detail', 'mood', 'quality', 'weather', 'season', 'style'].includes(sense.kind),
  )
  if (!leads) return match
  // A phrase that begins with an adjective counts as one name only in some cases: "polar bear" is
  // one name, but "white house" and "old master" are an adjective and a noun.
  return match.via === 'name' || match.via === 'label' || match.via === 'synonym'
    ? unlessTheSame(match, { head: find(rest.join(' '), 'en'), leads: headSenses })
    : undefined
}

/** Words that mean people in a dictionary ("batter"), but something else in prompts. */
const rarePeople: ReadonlySet<string> = new Set(
  'fossil batter ruler cracker cutter dish toast stick pill plug screw blade buff dummy feeder sleeper stopper flake fossils rulers crackers'.split(
    ' ',
  ),
)

/** Returns the drawing of the first name in "a | b" that has one of its own, for the noun a. */
function findAlias(names: string, find: FindArt): ArtMatch | undefined {
  const [noun = '', ...others] = names.split('|').map(name => name.trim())
  const own = find(noun, 'en')
  if (own && own.via !== 'hypernym') return own
  const other = others.map(name => find(name, 'en')).find(match => match !== undefined)
  return other ? { ...other, noun, word: noun, via: 'hypernym' } : own
}

/** True for a subject with its action, no single name: a drawing and a verb ("woman dancing"). */
function isActor(key: string, find: FindArt): boolean {
  const cut = key.lastIndexOf(' ')
  const last = key.slice(cut + 1)
  return /ing$/.test(last) && senseOf(sensesOf(last), 'verb') !== undefined && find(key.slice(0, cut), 'en') !== undefined
}

/** Returns the match of a phrase ("golden retriever"), or undefined when its last word alone leads
 *  to the same drawing, or when it begins with a season, which describes the scene. */
function unlessTheSame(match: ArtMatch, { head, leads }: { head: ArtMatch | undefined; leads: readonly Sense[] }): ArtMatch | undefined {
  if (match.person || !head) return match
  // "Golden crown" is a crown and "red square" a square, each in that colour.
  if (head.entry.alternatives.includes(match.entry.key) && leads.some(sense => sense.kind === 'colour')) return undefined
  const isBreed = match.entry.category === 'animal' && senseOf(leads, 'look') !== undefined
  return (!isBreed && head.entry.key === match.entry.key && leads.some(sense => ['colour', 'look', 'age'].includes(sense.kind))) ||
    senseOf(leads, 'season')
    ? undefined
    : match
}

function readChinese(raw: readonly RawToken[], at: number, find: FindArt): [Token[], number] {
  let run = 1
  while (
    run < Math.max(longestChineseNoun, longestChinese()) &&
    (raw[at + run]?.kind === 'chinese' || (raw[at + run]?.kind === 'latin' && raw[at + run]?.isTight))
  )
    run++
  const texts: string[] = []
  for (const part of raw.slice(at, at + run)) {
    texts.push(`${texts.at(-1) ?? ''}${part.key}`)
    if (texts.length === 2 && !mayBegin(texts[1]?.slice(0, 2) ?? '', find)) break
  }
  for (let size = texts.length; size >= 1; size--) {
    const text = texts[size - 1] ?? ''
    const token = remembered(find.memory.phrases, `zh:${text}`, () => lookUpChinese(text, find))
    if (token) return [[token], size]
  }
  return [[{ ...plain('word', raw[at]?.text ?? ''), language: 'zh' }], 1]
}

/** False when no known Chinese word or number begins with these two characters, so that longer
 *  phrases need not be tried. */
function mayBegin(pair: string, find: FindArt): boolean {
  return beginsPhrase(pair) || find.begins(pair) || /^[〇零一二两三四五六七八九十]/.test(pair)
}

function lookUpChinese(text: string, find: FindArt): Token | undefined {
  const value = readNumber(text)
  const known = sensesOf(text)
  const senses: readonly Sense[] = value === undefined || senseOf(known, 'number') ? known : [{ kind: 'number', value }]
  const alias = senseOf(senses, 'alias')
  const match =
    text.length > longestChineseNoun || (senses[0] && closedChinese.has(senses[0].kind))
      ? undefined
      : alias
        ? findAlias(alias.noun, find)
        : (find(text, 'zh') ?? wornMatch(senses, find))
  if (senses.length === 0 && !match) return undefined
  const size =
    match && !match.person && text.length > 1 && !fixedNames.has(text) && find(text.slice(1), 'zh')
      ? leadingSizes[text[0] ?? '']
      : undefined
  return { ...plain('word', text), senses, ...(match ? { match } : {}), ...(size ? { size } : {}), language: 'zh' }
}

/** Words in which 大 ("large") or 小 ("small") is a part of the name and states no size. */
const fixedNames: ReadonlySet<string> = new Set(
  '大熊猫 大象 大猩猩 大雁 小熊猫 小丑 小提琴 小麦 大麦 大提琴 大蒜 大葱 大门 小号 大闸蟹 小龙虾 大厦 大楼 大教堂 大本钟 大米 小米 小吃 大衣 小说'.split(
    ' ',
  ),
)

const leadingSizes: Record<string, SizeWord> = { 小: 'small', 大: 'large', 巨: 'huge' }

const closedChinese: ReadonlySet<Sense['kind']> = new Set<Sense['kind']>([...closed, 'measure', 'de', 'at', 'localizer', 'size'])
