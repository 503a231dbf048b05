/** Computes the usage that the answer of a transcription reports. */
import type { TranscriptResult } from '@generation-gateway/kit/requests/transcript.ts'
import type { Static } from 'typebox'
import type { tokenUsage as schema } from './schema.ts'

/** Estimates for targets that count no tokens: tokens per second of sound, and letters per token
 *  (docs/vendors/openai-audio.md#transcription). */
const tokensPerSecond = 10
const lettersPerToken = 4

export function tokenUsage({ text, seconds, usage }: TranscriptResult, prompt = ''): Static<typeof schema> {
  const textTokens = usage?.textTokens ?? tokensOf(prompt)
  const audioTokens = usage?.audioTokens ?? Math.ceil(seconds * tokensPerSecond)
  const outputTokens = usage?.outputTokens ?? tokensOf(text)
  return {
    type: 'tokens',
    input_tokens: textTokens + audioTokens,
    input_token_details: { text_tokens: textTokens, audio_tokens: audioTokens },
    output_tokens: outputTokens,
    total_tokens: textTokens + audioTokens + outputTokens,
  }
}

export function durationUsage({ seconds }: TranscriptResult): { type: 'duration'; seconds: number } {
  return { type: 'duration', seconds: Math.ceil(seconds) }
}

function tokensOf(text: string): number {
  return Math.ceil([...text].length / lettersPerToken)
}
