/** Writes English text as spoken words. */
import { readAddresses } from './addresses.ts'
import { readDates, readTimes } from './dates.ts'
import { readEmoji } from './emoji.ts'
import { readMoney, readNumbers, readUnits } from './quantities.ts'
import type { NormaliserContext, NormaliserStep } from './speaking.ts'
import { readSigns, tidy } from './symbols.ts'
import { readAcronyms, readWords } from './words.ts'

export type { NormaliserContext } from './speaking.ts'

/** Steps in order, special ones first: later steps do not change the words that earlier ones
 *  leave. */
const steps: readonly NormaliserStep[] = [
  tidy,
  compatible,
  readAddresses,
  readDates,
  readTimes,
  readWords,
  readMoney,
  readUnits,
  readNumbers,
  readAcronyms,
  readSigns,
]

/** Returns words and marks only: `On 3/4/21 we paid $5.` -> `On March fourth, twenty-one we paid
 *  five dollars.` A letter that is spoken by its name has a dot after it: `the F·B·I·`. Nothing
 *  that can be spoken is left out. */
export function normalise(sentence: string, speaking: NormaliserContext): string {
  return steps.reduce((text, step) => step(text, speaking), readEmoji(sentence))
}

/** Returns wide, styled and joined letters as plain ones; signs that would lose their meaning
 *  stay. */
function compatible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{ASCII}]/gu, char =>
      /[\u00A0-\u024F½⅓⅔¼¾⅕⅛⅜⅝⅞⁰-₉™℠…″′‰№℃℉\uE000-\uF8FF]|\p{Script=Hangul}/u.test(char) ? char : char.normalize('NFKC'),
    )
}
