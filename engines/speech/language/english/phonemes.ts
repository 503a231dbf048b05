/** Converts a normalised English sentence to phonemes: determines the parts of speech, looks words
 *  up in the lexicons, and uses the neural network for unknown words. */
import type { Accent } from '../plan.ts'
import { homograph } from './homographs.ts'
import type { Lexicon } from './lexicon.ts'
import { withClitic } from './lexicon.ts'
import type { UnknownWords } from './net.ts'
import { vowels, withStress } from './stress.ts'
import type { Tagger } from './tagger.ts'
import { firstGiven, forTagger, type Token, tokensOf } from './tokens.ts'

/** A word or a punctuation mark with its phonemes. */
interface Unit {
  text: string
  phonemes: string
  isApart: boolean
  isMark: boolean
}

export interface PhonemeReader {
  accent: Accent
  lexicon: Lexicon
  tagger: Tagger
  unknown: UnknownWords
}

/** Returns the words and marks of a sentence with their phonemes. `given` has the pronunciations
 *  that the request specifies; placeholders in the sentence stand for them. */
export async function unitsOf(sentence: string, reader: PhonemeReader, given: readonly string[]): Promise<Unit[]> {
  const tokens = tokensOf(sentence)
  const { words, starts } = forTagger(tokens)
  const tags = reader.tagger.tag(words)
  const tagOf = (index: number): string => tags[starts[index] ?? 0] ?? 'NN'
  const units: Unit[] = []
  // The loop runs from the last token to the first, because the sound of a function word ("the",
  // "to") depends on the sound of the word after it.
  let next: Next = 'pause'
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index]!
    const phonemes = token.kind === 'mark' ? markOf(token.text) : await readToken(index, { tokens, tagOf, next, reader, given })
    next = nextAfter(phonemes, next)
    if (phonemes !== '') units.push({ text: token.text, phonemes, isApart: token.isApart, isMark: token.kind === 'mark' })
  }
  return joinCompounds(units.reverse())
}

/** The kind of sound that follows a word; `pause` before a punctuation mark or at the end. */
type Next = 'vowel' | 'consonant' | 'pause'

interface WordPlace {
  tokens: readonly Token[]
  tagOf(index: number): string
  next: Next
  reader: PhonemeReader
  given: readonly string[]
}

async function readToken(index: number, place: WordPlace): Promise<string> {
  const { tokens, reader, given } = place
  const { text, kind } = tokens[index]!
  if (kind === 'given') return given[text.charCodeAt(0) - firstGiven] ?? ''
  if (kind === 'letters') return spelled(text, reader)
  const tag = place.tagOf(index)
  const plain = functionWord(text, tag, place, index)
  if (plain !== undefined) return plain
  const known = homograph(index, { tokens, tagOf: place.tagOf, accent: reader.accent })
  if (known !== undefined) return emphasis(text, known)
  const word = atStart(index, tokens) && !tag.startsWith('NNP') && !/^[A-Z]+$/.test(text.slice(1)) ? text.toLowerCase() : text
  const read = reader.lexicon.read(word, tag, place.next === 'pause')
  if (read !== undefined) return emphasis(text, tapped(read))
  const [, stem = text, clitic] = /^(.+?)'(s|d|ll|ve|re)?$/i.exec(text) ?? []
  const guess = await reader.unknown.read(stem === stem.toUpperCase() ? stem.toLowerCase() : stem)
  return clitic === undefined ? guess : withClitic(guess, clitic.toLowerCase(), reader.accent)
}

/** Returns the phonemes of letters spoken by their names, with the stress on the last letter. */
function spelled(text: string, { lexicon, accent }: PhonemeReader): string {
  const [, letters = '', clitic] = /^((?:\p{L}·)+)(?:'?(s|d|ll|ve|re))?$/u.exec(text) ?? []
  const names = letters
    .split('·')
    .filter(letter => letter !== '')
    .map(letter => lexicon.letter(letter.normalize('NFD').charAt(0)) ?? '')
  const last = names.length - 1
  const read = names.map((name, index) => (index === last ? name : withStress(name, 'weak'))).join('')
  return clitic === undefined ? read : withClitic(read, clitic, accent)
}

function functionWord(text: string, tag: string, { next, reader, tagOf, tokens }: WordPlace, index: number): string | undefined {
  const isBritish = reader.accent === 'gb'
  switch (text.toLowerCase()) {
    case 'a':
      // A capital A is the name of the letter (as in "plan A"), unless the tagger takes it for an
      // article.
      return text === 'A' && !tag.startsWith('DT') ? 'ˈA' : 'ɐ'
    case 'an':
      return 'ɐn'
    case 'the':
      return next === 'vowel' ? 'ði' : 'ðə'
    case 'to':
      return next === 'vowel' ? 'tʊ' : next === 'consonant' ? 'tə' : undefined
    case 'in':
      return next === 'pause' || tag !== 'IN' ? 'ˈɪn' : 'ɪn'
    case 'by':
      return tag.startsWith('RB') ? 'bˈI' : undefined
    case 'am':
      return next === 'pause' ? undefined : 'ɐm'
    case 'i':
      return 'ˌI'
    case 'used':
      return tokens[index + 1]?.text.toLowerCase() === 'to' && /^(VBD|JJ)$/.test(tagOf(index))
        ? isBritish
          ? 'jˈuːst'
          : 'jˈust'
        : undefined
    default:
      return undefined
  }
}

/** Returns the phonemes with the emphasis that capitals show. A capital first letter adds a
 *  secondary stress to a word without stress; a word all in capitals gets the primary stress. */
function emphasis(text: string, phonemes: string): string {
  if (text === text.toLowerCase() || /^[AI]$/.test(text)) return phonemes
  return withStress(phonemes, text.length > 1 && text === text.toUpperCase() ? 'full' : 'some')
}

function atStart(index: number, tokens: readonly Token[]): boolean {
  const before = tokens[index - 1]
  return before === undefined || (before.kind === 'mark' && /[.!?:"“]/.test(before.text))
}

/** Converts tap and glottal stop from the lexicons' notation to Kokoro's. */
function tapped(phonemes: string): string {
  return phonemes.replaceAll('ɾ', 'T').replaceAll('ʔ', 't')
}

function markOf(mark: string): string {
  return mark === '"' ? '”' : mark
}

function nextAfter(phonemes: string, before: Next): Next {
  for (const char of phonemes) {
    if (/[;:,.!?—…]/.test(char)) return 'pause'
    if (vowels.includes(char)) return 'vowel'
    if (/\p{L}/u.test(char)) return 'consonant'
  }
  return before
}

/** Reduces the stress in words that a hyphen joins. Of each two neighbours, the one with a
 *  primary stress keeps its stress; when both or neither have one, the one with more phonemes,
 *  and when these are equal, the second one. */
function joinCompounds(units: readonly Unit[]): Unit[] {
  const joined = [...units]
  for (let index = 1; index < joined.length; index++) {
    const [left, right] = [joined[index - 1]!, joined[index]!]
    if (right.isApart || right.isMark || left.isMark) continue
    const weaker = weight(left.phonemes) > weight(right.phonemes) ? index : index - 1
    joined[weaker] = { ...joined[weaker]!, phonemes: withStress(joined[weaker]!.phonemes, 'weak') }
  }
  return joined
}

function weight(phonemes: string): number {
  return [...phonemes].reduce((sum, char) => sum + ('AIOQWYʤʧ'.includes(char) ? 2 : 1), phonemes.includes('ˈ') ? 100 : 0)
}
