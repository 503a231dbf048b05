/** Judges the words of a request by the safety rules, in the engine's child process. */
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { refuseWords } from '@generation-gateway/kit/safety/refuse-words.ts'
import type { WordsJob } from './messages.ts'

/** Returns the refusal of a prompt and lyrics; undefined when they are allowed. Both are judged as
 *  one text, because the prompt may name the person whom the lyrics are about. */
export async function reviewWords({ prompt, lyrics }: WordsJob, { giveWay }: Pick<EngineCall, 'giveWay'>): Promise<Failed | undefined> {
  const subject = lyrics === '' ? 'The prompt was' : 'The prompt or the lyrics were'
  return refuseWords(`${prompt}\n${lyrics}`, { subject, giveWay })
}
