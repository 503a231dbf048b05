import { type AskedJob, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

/** Why the recogniser cannot take a request: whisper.cpp takes the prompt as an argument, and no program takes U+0000 in one. */
export function refusesRecording({ request: { prompt } }: Pick<AskedJob<TranscribeRequest>, 'request'>): Refusal | undefined {
  return prompt?.includes('\u0000')
    ? refusal('prompt', 'contains U+0000, which the recogniser cannot be given; send the text without it.')
    : undefined
}
