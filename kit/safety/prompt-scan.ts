import type { Lexicon, Phrase } from './prompt-lexicon.ts'
import { normalizePrompt, type PromptToken, tokenizePrompt } from './prompt-text.ts'

/** A position in a prompt where a concept is named. */
export interface Hit {
  /** Position of the concept's first word, on the scale of `PromptToken.at`. */
  readonly at: number
  /** True when the prompt excludes the thing ("no blood"). */
  readonly isNegated: boolean
}

/** The hits of each concept, sorted by position. A concept that the prompt does not
 *  name has no entry. */
export type Hits = ReadonlyMap<string, readonly Hit[]>

const shortestCompoundPart = 3
const adultAge = 18
const numerals = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
]
const chineseDigits = '零一二三四五六七八九'
const yearWords = new Set(['year', 'years', 'yr', 'yrs', 'yo', 'y'])

/** Returns the concepts that a prompt names, with their positions. Words inside fixed harmless
 *  phrases are ignored. Takes time linear in the length of the prompt. */
export function scanPrompt(prompt: string, lexicon: Lexicon): Hits {
  const tokens = tokenizePrompt(normalizePrompt(prompt, lexicon.simplified))
  const keys = tokens.map(({ forms }) => listKeys(forms))
  const isHarmless = new Uint8Array(tokens.length)
  const found: { concept: string; start: number; end: number }[] = []
  for (let start = 0; start < tokens.length; start++) {
    for (const { phrase, end } of matchPhrases({ tokens, keys, lexicon }, start)) {
      if (phrase.concept !== undefined) found.push({ concept: phrase.concept, start, end })
      if (phrase.concept === undefined) isHarmless.fill(1, start, end)
    }
    if (isMinorAge(tokens, keys, start)) found.push({ concept: 'minor', start, end: start + 1 })
  }
  const hits = new Map<string, Hit[]>()
  for (const { concept, start, end } of found) {
    if (isHarmless.subarray(start, end).includes(1)) continue
    const list = hits.get(concept) ?? []
    list.push({ at: tokens[start]!.at, isNegated: isNegated(tokens, start, lexicon) })
    hits.set(concept, list)
  }
  return hits
}

interface Scan {
  readonly tokens: readonly PromptToken[]
  readonly keys: readonly (readonly string[])[]
  readonly lexicon: Lexicon
}

/** Returns the keys under which a token is searched in the lexicon: each of its spellings, and the
 *  base forms that this spelling may come from ("walking": "walk", "walke"). */
function listKeys(forms: readonly string[]): string[] {
  return forms.length === 1 && forms[0]!.length < 3 ? [forms[0]!] : [...new Set(forms.flatMap(form => [form, ...listBaseForms(form)]))]
}

function listBaseForms(word: string): string[] {
  if (word.length < 4 || !/(?:s|ed|ing)$/.test(word)) return []
  if (word.endsWith('s')) return word.endsWith('es') ? [word.slice(0, -1), word.slice(0, -2)] : [word.slice(0, -1)]
  const stem = word.slice(0, word.endsWith('ing') ? -3 : -2)
  const isDoubled = stem.length > 2 && stem.at(-1) === stem.at(-2)
  return isDoubled ? [stem, `${stem}e`, stem.slice(0, -1)] : [stem, `${stem}e`]
}

function matchPhrases(scan: Scan, start: number): { phrase: Phrase; end: number }[] {
  const matches: { phrase: Phrase; end: number }[] = []
  for (const key of scan.keys[start]!) {
    const group = scan.lexicon.phrases.get(key)
    if (group === undefined) continue
    for (const phrase of group.alone) matches.push({ phrase, end: start + 1 })
    for (const [lists, next] of [
      [group.bySecond, start + 1],
      [group.byThird, start + 2],
    ] as const) {
      if (lists.size === 0) continue
      for (const phrase of scan.keys[next]?.flatMap(word => lists.get(word) ?? []) ?? []) {
        const end = matchRest(scan, start, phrase)
        if (end !== undefined) matches.push({ phrase, end })
      }
    }
  }
  if (matches.length > 0) return matches
  return splitCompound(scan, start).map(phrase => ({ phrase, end: start + 1 }))
}

/** Returns the index of the token after the phrase that starts at `start`. Returns undefined when
 *  the further words of the phrase do not follow, when a new clause begins between them, or when a
 *  word for a person stands before a phrase with `isVoidAfterPerson`. */
function matchRest({ tokens, keys, lexicon }: Scan, start: number, phrase: Phrase): number | undefined {
  for (const [offset, word] of phrase.rest.entries()) {
    const index = start + 1 + offset
    const token = tokens[index]
    if (token === undefined || token.startsClause) return undefined
    // Two adjacent Chinese characters match two words of a phrase only if both belong to the same
    // run of characters (`isJoined`).
    if (token.isHan && tokens[index - 1]!.isHan && !tokens[index - 1]!.isJoined) return undefined
    const isMatch = word === '?' ? phrase.concept !== undefined || isPlainWord(keys[index]!, lexicon) : keys[index]!.includes(word)
    if (!isMatch) return undefined
  }
  if (phrase.isVoidAfterPerson && start > 0 && !tokens[start]!.startsClause && namesPerson(keys[start - 1]!, lexicon)) return undefined
  return start + 1 + phrase.rest.length
}

/** Returns true when a word may stand in the place of the `?` of a harmless phrase. Such a word
 *  must name no concept itself. It must not be a function word ("and") either, because a function
 *  word separates two phrases. */
function isPlainWord(keys: readonly string[], { phrases, functionWords }: Lexicon): boolean {
  return keys.every(key => !functionWords.has(key) && namedBy(key, phrases).length === 0)
}

function namesPerson(keys: readonly string[], { phrases }: Lexicon): boolean {
  return keys.some(key => namedBy(key, phrases).some(({ concept }) => concept === 'person' || concept === 'minor'))
}

/** Splits an unknown word into two words that are both in the lexicon and name concepts. Returns
 *  the phrases of these two words; empty when there is no such split. */
function splitCompound({ keys, lexicon }: Scan, start: number): Phrase[] {
  for (const word of keys[start]!) {
    for (let split = shortestCompoundPart; split <= word.length - shortestCompoundPart; split++) {
      const right = namedBy(word.slice(split), lexicon.phrases)
      const left = right.length === 0 ? [] : namedBy(word.slice(0, split), lexicon.phrases)
      if (left.length > 0) return [...left, ...right]
    }
  }
  return []
}

/** Returns the phrases that consist of this word only and name a concept. */
function namedBy(word: string, phrases: Lexicon['phrases']): Phrase[] {
  return phrases.get(word)?.alone.filter(({ concept }) => concept !== undefined) ?? []
}

/** True when an age below 18 starts at this token ("12 year old", "12yo", "aged nine") or, written
 *  in Chinese numerals, ends at it ("十二岁"). */
function isMinorAge(tokens: readonly PromptToken[], keys: readonly (readonly string[])[], start: number): boolean {
  const word = keys[start]![0] ?? ''
  if (word === 'age' || word === 'aged') return isBelowAge(keys[start + 1]?.[0])
  const written = /^(\d{1,2})(?:yo|yrs?|y)$/.exec(word)?.[1]
  if (written !== undefined) return isBelowAge(written)
  const next = keys[start + 1]?.[0] ?? ''
  if (isBelowAge(word)) return next === '岁' || (yearWords.has(next) && (keys[start + 2]?.[0] === 'old' || next === 'yo'))
  return word === '岁' && tokens[start]!.isHan && readChineseAge(keys, start) < adultAge
}

function isBelowAge(word: string | undefined): boolean {
  if (word === undefined) return false
  const age = /^\d{1,2}$/.test(word) ? Number(word) : numerals.indexOf(word)
  return age >= 0 && age < adultAge
}

/** Returns the number that the last one to three characters before `end` express in Chinese
 *  numerals; Infinity when they are not a number. */
function readChineseAge(keys: readonly (readonly string[])[], end: number): number {
  let text = ''
  for (let index = end - 1; index >= 0 && index >= end - 3; index--) {
    const character = keys[index]![0] ?? ''
    if (character !== '十' && !chineseDigits.includes(character)) break
    text = character + text
  }
  const [tens, units] = text.includes('十') ? text.split('十') : ['零', text]
  if (text === '') return Number.POSITIVE_INFINITY
  return (tens === '' ? 1 : chineseDigits.indexOf(tens ?? '')) * 10 + Math.max(0, units === '' ? 0 : chineseDigits.indexOf(units ?? ''))
}

function isNegated(tokens: readonly PromptToken[], start: number, { negations, negationFillers }: Lexicon): boolean {
  const word = (back: number): string => {
    const token = tokens[start - back + 1]
    return token === undefined || token.startsClause ? '' : (tokens[start - back]?.forms[0] ?? '')
  }
  const before = word(1)
  if (negations.has(before) || (before !== '' && negations.has(word(2) + before))) return true
  return negationFillers.has(before) && negations.has(word(2))
}
