/** Types and functions shared by the steps of normalisation. */
import type { Accent } from '../plan.ts'
import { cardinal, decimal, ordinal, spokenDigits, year } from './numbers.ts'

export interface NormaliserContext {
  accent: Accent
  /** True when the lexicon knows a word. */
  isWord(word: string): boolean
}

/** A step of normalisation. */
export type NormaliserStep = (text: string, speaking: NormaliserContext) => string

/** Pattern of a number with or without commas and decimals, as the source of a regular
 *  expression without capturing groups. It has alternatives, so it needs brackets where it is
 *  part of another expression. */
export const numberPattern = '(?:\\d{1,3}(?:,\\d{3})+|\\d{1,2}(?:,\\d{2})+,\\d{3}|\\d+)(?:\\.\\d+)?|\\.\\d+'

/** Converts `1,200` to `one thousand two hundred`, and also decimals such as `2.50`. A whole number
 *  is read digit by digit if it has a leading zero, or if it has nine or more digits, no comma and
 *  no `000` at its end. */
export function spokenNumber(text: string, { accent }: NormaliserContext): string {
  const plain = text.replaceAll(',', '')
  if (plain.includes('.')) return decimal(plain, accent === 'gb')
  if (/^0\d/.test(plain) || (plain.length >= 9 && !text.includes(',') && !plain.endsWith('000'))) return spokenDigits(plain)
  return cardinal(plain, accent === 'gb')
}

export function spokenOrdinal(digits: string, { accent }: NormaliserContext): string {
  return ordinal(digits.replaceAll(',', ''), accent === 'gb')
}

export function spokenYear(digits: string, { accent }: NormaliserContext): string {
  return year(digits, accent === 'gb')
}

/** Converts `FBI` to `F·B·I·`: the middle dot after a letter means that the letter is spoken by its
 *  name. */
export function letters(text: string): string {
  return [...text].map(letter => `${letter.toUpperCase()}·`).join('')
}

/** Returns the letters of an address or a file name in the form to speak: unchanged when they look
 *  like a word, else with a middle dot after each letter, so that they are spelled. */
export function readOrSpell(run: string, { isWord }: NormaliserContext): string {
  if (
    run.length > 2
      ? isWord(run) || isPronounceable(run)
      : /^(?:my|go|me|we|to|of|in|on|at|by|is|it|no|or|up|us|an|as|do|be|he|so|if)$/i.test(run)
  )
    return run
  return letters(run)
}

/** True when a text of more than three letters has enough vowels to be pronounced: `tokio` yes,
 *  `xkcd` no. */
export function isPronounceable(run: string): boolean {
  return (
    /[aeiouy]/i.test(run) && !/[^aeiouy]{5}|^[^aeiouy]{3}(?<!sch|scr|shr|spl|spr|str|thr|chr|phr)|[aeiou]{4}/i.test(run) && run.length > 3
  )
}
