/** English text as the words that are said. */
import type { Accent } from '../plan.ts'

export interface Speaking {
  accent: Accent
  /** Whether the lexicon knows a word. */
  isWord(word: string): boolean
}

/** Words and marks only: `On 3/4/21 we paid $5.` -> `On March fourth, twenty twenty-one we paid five dollars.` */
export function normalise(sentence: string, _speaking: Speaking): string {
  return sentence
}
