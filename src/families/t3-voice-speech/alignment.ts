/** Estimates the time of each character of a text from the length of its sound (family T3). */

export interface Alignment {
  characters: string[]
  character_start_times_seconds: number[]
  character_end_times_seconds: number[]
}

/** Divides `seconds` among the characters (code points) of the text. A punctuation mark at which
 *  the voice pauses gets more time than a letter. Times have three decimals, begin at 0, never
 *  decrease, and end at `seconds`. */
export function estimatedAlignment(text: string, seconds: number): Alignment {
  const characters = [...text]
  const weights = characters.map(weightOf)
  const all = weights.reduce((sum, each) => sum + each, 0)
  let at = 0
  const starts: number[] = []
  const ends: number[] = []
  for (const weight of weights) {
    starts.push(rounded((at / all) * seconds))
    at += weight
    ends.push(rounded((at / all) * seconds))
  }
  return { characters, character_start_times_seconds: starts, character_end_times_seconds: ends }
}

/** Returns the duration of a character relative to one letter. A Chinese character counts as a
 *  syllable. */
function weightOf(character: string): number {
  if (/[.!?…。！？\n]/u.test(character)) return 5
  if (/[,;:、，；：]/u.test(character)) return 3
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)) return 3
  if (/\p{N}/u.test(character)) return 4
  return /[\p{L}\p{S}]/u.test(character) ? 1 : 0.5
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
