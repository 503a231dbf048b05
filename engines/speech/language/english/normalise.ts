/** Converts English text to spoken words. */
import { readAddresses } from './addresses.ts'
import { readDates, readTimes } from './dates.ts'
import { readEmoji } from './emoji.ts'
import { readMoney, readNumbers, readUnits } from './quantities.ts'
import type { NormaliserContext, NormaliserStep } from './speaking.ts'
import { readSigns, tidy } from './symbols.ts'
import { readAcronyms, readWords } from './words.ts'

export type { NormaliserContext } from './speaking.ts'

/** The steps in order, special ones first; later steps do not change words that earlier steps have
 *  produced. */
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

/** Returns only words and punctuation: `On 3/4/21 we paid $5.` becomes `On March fourth, twenty-one
 *  we paid five dollars.` A dot follows each letter that is spoken by its name: `the F·B·I·`.
 *  Everything that can be spoken is kept. */
export function normalise(sentence: string, speaking: NormaliserContext): string {
  return steps.reduce((text, step) => step(text, speaking), readEmoji(sentence))
}

/** Replaces full-width, styled and combined letters by plain ones; symbols that would lose their
 *  meaning stay. */
function compatible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{ASCII}]/gu, char =>
      /[\u00A0-\u024F½⅓⅔¼¾⅕⅛⅜⅝⅞⁰-₉™℠…″′‰№℃℉\uE000-\uF8FF]|\p{Script=Hangul}/u.test(char) ? char : char.normalize('NFKC'),
    )
}
