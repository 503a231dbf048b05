/** Splits words into syllables and decides which are stressed. */
import type { WordSyllable } from '../arrange/words-rhythm.ts'
import { isOnset, isVowel } from './phones.ts'

/** Returns the phones of each syllable; each syllable has one vowel. Consonants between two vowels
 *  belong to the second vowel if an English syllable may begin with them, the others to the
 *  first. */
export function splitSyllables(phones: readonly string[]): string[][] {
  const nuclei = phones.flatMap((phone, index) => (isVowel(phone) ? [index] : []))
  if (nuclei.length === 0) return phones.length > 0 ? [[...phones]] : []
  let start = 0
  return nuclei.map((nucleus, number) => {
    const next = nuclei[number + 1]
    let end = phones.length
    if (next !== undefined) {
      end = nucleus + 1
      while (!isOnset(phones.slice(end, next))) end += 1
    }
    const syllable = phones.slice(start, end)
    start = end
    return syllable
  })
}

/** Words that are sung without stress. */
const light = new Set(
  "a an the and or but nor so as if than that of in on at to for from with by into i me my you your he him his she her it its we us our they them their am is are was were be been do does did have has had will would can could shall should may might must i'm you're it's i'll we're there this these those what who when where how just not no oh".split(
    ' ',
  ),
)
/** Endings that put the stress on the syllable before them, as in "nation". */
const stressBefore = /(?:tion|sion|cian|ic|ical|ity|ety|ian|ious|eous|ual|uous|ify|logy|graphy|cial|tial)s?$/
/** Beginnings of words that are never stressed, as in "about"; the stress falls on a later
 *  syllable. */
const lightBefore =
  /^(?:a(?:bout|bove|cross|fraid|gain|go|head|live|lone|long|mong|part|round|sleep|way|wake|part|rise)|be(?!aut|st|tter|ll|d|nd|g)|re(?!al|d|st|ck|ach|ady|ason|ver|scue|bel)|de(?!ep|ad|sert|st|ar)|un(?!der|cle|it|til)|for(?:get|give|ever)|to(?:night|day|morrow|gether|ward)|with|ex|en|em|im|in(?:side|to|deed|stead)|con(?:trol|fess|fuse)|per|pre|dis|mis|sur(?:vive|prise|round))/

/** Returns the syllables of an English word. Their vowels have digits for the stress. */
export function syllablesOfWord(word: string, phones: readonly string[]): WordSyllable[] {
  const parts = splitSyllables(phones)
  const lower = word.toLowerCase()
  const main = mainOf(lower, parts)
  return parts.map((part, index) => {
    const isMain = index === main
    const stress = parts.length === 1 ? (light.has(lower) ? 0 : 2) : isMain ? 2 : isReduced(part) ? 0 : 1
    const digit = isMain && !(parts.length === 1 && isReduced(part)) ? '1' : '0'
    return {
      phones: part.map(phone => (isVowel(phone) ? phone + digit : phone)),
      stress: stress as WordSyllable['stress'],
      isFirst: index === 0,
    }
  })
}

/** Returns the index of the syllable with the main stress. */
function mainOf(word: string, parts: readonly string[][]): number {
  const last = parts.length - 1
  if (last <= 0) return 0
  if (stressBefore.test(word) && last >= 1) {
    const endings = splitsOfEnding(word)
    return Math.max(0, last - endings)
  }
  const full = parts.flatMap((part, index) => (isReduced(part) ? [] : [index]))
  if (full.length === 1) return full[0] ?? 0
  if (lightBefore.test(word)) return full.find(index => index > 0) ?? 1
  return full[0] ?? 0
}

/** Returns the number of syllables in the ending of a word whose stress falls right before the
 *  ending. */
function splitsOfEnding(word: string): number {
  return /(?:ity|ety|ical|ify|logy|graphy|ious|eous|uous|ian|ual)s?$/.test(word) ? 2 : 1
}

/** True for a syllable with the weak vowel of "the". */
function isReduced(part: readonly string[]): boolean {
  return part.some(phone => phone === 'ax')
}
