/** Converts English text to spoken words. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import { readAddresses } from './addresses.ts'
import { readDates, readTimes } from './dates.ts'
import { readEmoji } from './emoji.ts'
import { readMoney, readNumbers, readUnits } from './quantities.ts'
import type { NormaliserContext, NormaliserStep } from './speaking.ts'
import { readSigns, tidy } from './symbols.ts'
import { readAcronyms, readWords } from './words.ts'

export type { NormaliserContext } from './speaking.ts'

/** The steps in the order in which they run. Steps for special forms come first. A later step does
 *  not change words that an earlier one has produced. */
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

/** Returns the sentence as words and punctuation only: `On 3/4/21 we paid $5.` becomes `On March
 *  fourth, twenty-one we paid five dollars.` A letter that is spoken by its name is followed by a
 *  middle dot: `the F·B·I·`. Nothing that can be spoken is left out. */
export function normalise(sentence: string, speaking: NormaliserContext): string {
  return steps.reduce((text, step) => step(text, speaking), readEmoji(sentence))
}

/** Replaces full-width, styled and combined letters by plain ones. Symbols that would lose their
 *  meaning in this conversion (such as ½ and ²) stay. */
function compatible(text: string): string {
  return normalForm(text, 'NFC').replace(/[^\p{ASCII}]/gu, char =>
    /[\u00A0-\u024F½⅓⅔¼¾⅕⅛⅜⅝⅞⁰-₉™℠…″′‰№℃℉\uE000-\uF8FF]|\p{Script=Hangul}/u.test(char) ? char : char.normalize('NFKC'),
  )
}
