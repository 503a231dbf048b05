/** Judges the words of a request by the safety rules, in the engine's child process. Slides are not
 *  judged: a dictionary's own words about a title that is allowed may be refused. */
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import { refuseWords } from '@generation-gateway/kit/safety/refuse-words.ts'

type Turns = Pick<EngineCall, 'giveWay'>

/** A job that only judges a title, before other models are asked to write about it. */
export interface ReviewJob {
  request: SlidesWriteRequest
}

/** Returns the refusal of a title; undefined when it is allowed. */
export async function reviewTitle({ request: { title } }: ReviewJob, { giveWay }: Turns): Promise<Failed | undefined> {
  return refuseWords(title, { subject: 'The title was', giveWay })
}

/** Returns the refusal of a document; undefined when it is allowed. */
export async function reviewDocument(text: string, { giveWay }: Turns): Promise<Failed | undefined> {
  return refuseWords(text, { subject: 'The document was', giveWay })
}
