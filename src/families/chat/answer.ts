/** The parts that a whole chat completion and the chunks of a streamed one have in common. */
import { randomUUID } from 'node:crypto'
import type { TextFinish, TextUsage, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import type { ChatLogprobs, ChatUsage, FinishReason } from './reply-schema.ts'
import type { ChatBody } from './schema.ts'

/** The properties that are the same in all choices of one answer, and in all chunks of a
 *  streamed one. */
export interface Answer {
  id: string
  /** Unix seconds. */
  created: number
  model: string
  /** Number of choices. */
  count: number
  /** True when the caller declared `functions`, so that calls are reported in the older form. */
  isLegacy: boolean
  /** True when the caller wants one more chunk, with the token counts. */
  includesUsage: boolean
}

export function newAnswer(body: ChatBody, model: string): Answer {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    model,
    count: body.n ?? 1,
    isLegacy: (body.functions?.length ?? 0) > 0,
    includesUsage: body.stream_options?.include_usage === true,
  }
}

export function finishReason(finish: TextFinish, { isLegacy }: Answer): FinishReason {
  return isLegacy && finish === 'tool_calls' ? 'function_call' : finish
}

/** Returns the token counts of several answers to one prompt: the output tokens of all answers
 *  are added up, and the tokens of the prompt are counted once. */
export function usageOf(parts: readonly TextUsage[]): ChatUsage {
  const sum = (field: 'outputTokens' | 'reasoningTokens') => parts.reduce((total, part) => total + part[field], 0)
  const prompt = parts[0]?.inputTokens ?? 0
  const completion = sum('outputTokens')
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: parts[0]?.cachedInputTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: sum('reasoningTokens'),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** Returns the log probabilities of the tokens; null when there are no tokens. */
export function logprobsOf(tokens: readonly TokenLogprob[] | undefined): ChatLogprobs | null {
  if (!tokens || tokens.length === 0) return null
  return {
    content: tokens.map(({ token, logprob, bytes, top }) => ({ token, logprob, bytes, top_logprobs: top })),
    refusal: null,
  }
}
