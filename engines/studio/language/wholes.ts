import type { NounPhrase } from './adjectives.ts'
import { isAnimate, note } from './draft.ts'
import type { EnglishState } from './english-state.ts'
import { senseOf } from './lexicon/lexicon.ts'
import { readNounPhrase } from './noun-phrase.ts'

/** Returns the whole thing for phrases such as "the hull of a boat" and "the cover of a book",
 *  because the part has no drawing. Returns other phrases unchanged. */
export function wholeOf(state: EnglishState, part: NounPhrase): NounPhrase {
  const { mention } = part
  const isPart = mention.isPart || part.head === 'unknown'
  const of = state.tokens[state.at]
  if (!isPart || mention.match || mention.setting || !of || !senseOf(of.senses, 'of')) return part
  const whole = readNounPhrase(state.tokens, state.at + 1, state.draft.mentions.length)
  if (whole.head !== 'thing' || !whole.mention.match || (isAnimate(whole.mention) && state.pending)) return part
  if (part.head === 'unknown') note(state.draft, mention.words.join(' '))
  state.at = whole.next
  return whole
}
