import { type JobFacts, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

/** Returns the refusal of a request whose prompt contains U+0000; undefined for any other request.
 *  whisper.cpp receives the prompt as a program argument, which cannot contain this character. */
export function refusesRecording({ request: { prompt } }: Pick<JobFacts<TranscribeRequest>, 'request'>): Refusal | undefined {
  return prompt?.includes('\u0000')
    ? refusal('prompt', 'contains U+0000, which the recogniser cannot be given; send the text without it.')
    : undefined
}
