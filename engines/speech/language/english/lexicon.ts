/** The pronunciation lexicons of one accent: `gold` is verified, `silver` is larger. A word may
 *  have different pronunciations by part of speech. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import type { Accent } from '../plan.ts'
import { packObject } from './packed-object.ts'
import { withEd, withIng, withS, withStress } from './stress.ts'

type Entry = string | Record<string, string | null>

export interface Lexicon {
  /** Returns the phonemes of a word. An inflected form that has no entry is derived from the entry
   *  of its stem. Undefined for an unknown word. `tag` is the part of speech; `isLast` is true
   *  before a pause. */
  read(word: string, tag: string, isLast: boolean): string | undefined
  /** True when the lexicon has the word as written, in lower case, or (for a word in lower case)
   *  with a capital first letter. */
  has(word: string): boolean
  /** Returns the phonemes of a letter's name. */
  letter(letter: string): string | undefined
}

/** Creates a lexicon. In both JSON files, each word maps to its phonemes, or to phonemes by part of
 *  speech. */
export function createLexicon(goldJson: Uint8Array, silverJson: Uint8Array, accent: Accent): Lexicon {
  const gold = entriesOf(goldJson)
  const silver = entriesOf(silverJson)
  const entryOf = (word: string): Entry | undefined => gold(word) ?? gold(otherCase(word)) ?? silver(word) ?? silver(otherCase(word))
  const reading = (word: string, tag: string, isLast: boolean): string | undefined => {
    const entry = entryOf(word)
    if (entry === undefined || typeof entry === 'string') return entry
    const byTag = (isLast ? entry.None : undefined) ?? entry[tag] ?? entry[parentOf(tag)]
    return byTag ?? entry.DEFAULT ?? undefined
  }
  /** Returns the pronunciation of the first stem that the lexicon knows. `stems` are the possible
   *  stems of a word with a suffix, likely ones first. */
  const firstStem = (stems: readonly string[], tag: string): string | undefined => {
    for (const stem of stems) {
      const phonemes = stem.length > 1 ? reading(stem, tag, false) : undefined
      if (phonemes !== undefined) return phonemes
    }
    return undefined
  }
  const inflected = (word: string, tag: string): string | undefined => {
    const s = firstStem(stemsOfS(word), tag)
    if (s !== undefined) return withS(s, accent)
    const ed = firstStem(stemsOf(word, 'ed'), tag.startsWith('VB') ? 'VB' : tag)
    if (ed !== undefined) return withEd(ed, accent)
    const ing = firstStem(stemsOf(word, 'ing'), tag.startsWith('VB') ? 'VB' : tag)
    return ing === undefined ? undefined : withIng(ing, accent)
  }
  const clitic = (word: string, tag: string): string | undefined => {
    const parts = /^(.+)'(s|d|ll|ve|re|m|t)?$/i.exec(word)
    if (!parts) return undefined
    const stem = lexicon.read(parts[1] ?? '', tag, false)
    return stem === undefined ? undefined : withClitic(stem, (parts[2] ?? '').toLowerCase(), accent)
  }
  const compound = (word: string): string | undefined => {
    for (let cut = word.length - 4; cut >= 4; cut--) {
      const [left, right] = [word.slice(0, cut), word.slice(cut)]
      if (gold(left) === undefined || gold(right) === undefined) continue
      const [first, second] = [reading(left, 'NN', false), reading(right, 'NN', false)]
      if (first && second) return withStress(first, 'full') + withStress(second, 'weak')
    }
    return undefined
  }
  const lexicon: Lexicon = {
    has: word => entryOf(word) !== undefined || entryOf(word.toLowerCase()) !== undefined,
    letter: letter => reading(letter.toUpperCase(), 'NN', false),
    read(word, tag, isLast) {
      for (const form of formsOf(word)) {
        const phonemes = reading(form, tag, isLast) ?? inflected(form, tag) ?? clitic(form, tag) ?? compound(form)
        if (phonemes !== undefined) return phonemes
      }
      return undefined
    },
  }
  return lexicon
}

/** Returns the phonemes of a word with a clitic, such as `kˈæts` for the stem `kˈæt` with the
 *  clitic `s`. The clitic is empty for the bare apostrophe in `the boys'`. */
export function withClitic(stem: string, clitic: string, accent: Accent): string {
  const isAfterVowel = /[AIOQWYaiuɑɒɔəɛɜɪʊʌᵻː]$/.test(stem)
  switch (clitic) {
    case 's':
      return withS(stem, accent)
    case 'd':
      return /[td]$/.test(stem) ? `${stem}əd` : `${stem}d`
    case 'll':
      return `${stem}ᵊl`
    case 've':
      return isAfterVowel ? `${stem}v` : `${stem}əv`
    case 're':
      return accent === 'us' ? `${stem}əɹ` : `${stem}ə`
    case '':
      return stem
    default:
      return `${stem}${clitic}`
  }
}

/** Returns the spellings to look up: the word as written, in lower case, and without accents. */
function formsOf(word: string): Set<string> {
  const plain = normalForm(word, 'NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
  return new Set([word, word.toLowerCase(), plain, plain.toLowerCase()])
}

/** Returns the word with the case of its first letter changed (`Hello` for `hello`, and the
 *  reverse), so that it is found when the lexicon has only the other spelling. */
function otherCase(word: string): string {
  const lower = word.toLowerCase()
  return word === lower ? lower.charAt(0).toUpperCase() + lower.slice(1) : word.slice(1) === lower.slice(1) ? lower : word
}

function stemsOfS(word: string): string[] {
  if (word.length < 3 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith("'s")) return []
  const stems = [word.slice(0, -1)]
  if (word.endsWith('ies')) stems.push(`${word.slice(0, -3)}y`)
  else if (/(s|x|z|ch|sh|o)es$/.test(word)) stems.push(word.slice(0, -2))
  return stems
}

function stemsOf(word: string, suffix: 'ed' | 'ing'): string[] {
  if (!word.endsWith(suffix) || word.length < suffix.length + 2) return []
  const stem = word.slice(0, -suffix.length)
  const stems = [stem, `${stem}e`]
  if (/([bdfgklmnprstvz])\1$/.test(stem)) stems.push(stem.slice(0, -1))
  if (stem.endsWith('ck')) stems.push(stem.slice(0, -1))
  if (suffix === 'ed' && stem.endsWith('i')) stems.push(`${stem.slice(0, -1)}y`)
  return stems
}

function parentOf(tag: string): string {
  if (tag.startsWith('VB')) return 'VERB'
  if (tag.startsWith('NN')) return 'NOUN'
  if (tag.startsWith('RB')) return 'ADV'
  return tag.startsWith('JJ') ? 'ADJ' : tag
}

function entriesOf(json: Uint8Array): (word: string) => Entry | undefined {
  const packed = packObject(json)
  const decoder = new TextDecoder()
  return word => {
    const place = packed.find(word)
    return place && JSON.parse(decoder.decode(json.subarray(place.from, place.to)))
  }
}
