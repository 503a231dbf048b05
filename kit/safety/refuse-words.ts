/** Checks texts against the safety rules before anything is created from them. */
import type { Failed } from '../requests/job.ts'
import { judgedPieces } from './judged-pieces.ts'
import { judgePrompt } from './prompt-rules.ts'
import type { SafetyVerdict } from './verdict.ts'

/** Tolerance, 0 (strictest) to 6, for texts that are shown or sung as words: slides and lyrics. It
 *  is more lenient than for pictures. A picture shows what its prompt names; a text may mention a
 *  war, a drug or a dictator without harm (docs/decisions/0003-safety.md#words-that-stay-words). */
const wordsTolerance = 4

/** Returns the refusal of a prompt for a picture or a video; undefined when the prompt is allowed.
 *  `tolerance`: 0 (strictest) to 6 (most lenient). */
export function refusePrompt(prompt: string, tolerance: number): Failed | undefined {
  return refusalOf(judgePrompt(prompt, tolerance), 'The prompt was')
}

/** Returns the refusal of a text that is to be shown or sung; undefined when the text is allowed. A
 *  long text is judged in pieces, and `giveWay` is awaited between two of them. The message of the
 *  refusal begins with `subject`, such as "The title was". */
export async function refuseWords(
  text: string,
  { subject, giveWay }: { subject: string; giveWay(): Promise<void> },
): Promise<Failed | undefined> {
  for await (const piece of judgedPieces(text, giveWay)) {
    const refused = refusalOf(judgePrompt(piece, wordsTolerance), subject)
    if (refused) return refused
  }
  return undefined
}

function refusalOf(verdict: SafetyVerdict, subject: string): Failed | undefined {
  if (verdict.allowed) return undefined
  return { state: 'failed', code: 'request_moderated', message: `${subject} refused by the safety rules.`, reasons: [...verdict.reasons] }
}
