/** Builds the response object in each of its states, from its creation to its end. */

import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextResult, TextSampling, TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tierNameOf } from '@generation-gateway/kit/requests/usage/service-tier.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import { shownItem } from './output.ts'
import type { WireResponse, WireUsage } from './schema/response-schema.ts'
import type { OutputItem } from './schema/wire.ts'

/** Maps the gateway's error codes to values of `response.error.code`
 *  (docs/vendors/openai-responses.md#response-object). Codes that are not listed become
 *  `server_error`. */
const failureCodes: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate_limit_exceeded',
  engine_busy: 'rate_limit_exceeded',
  invalid_request: 'invalid_prompt',
  context_length_exceeded: 'invalid_prompt',
  request_moderated: 'invalid_prompt',
  content_moderated: 'invalid_prompt',
  invalid_input_file: 'invalid_image',
}

/** The end of an answer. */
export interface AnswerEnd extends TextResult {
  output: OutputItem[]
  /** Time of the end in Unix milliseconds. */
  at: number
}

/** Returns the finished response. Its status is `completed`, or `incomplete` together with the
 *  reason. */
export function finishedResponse(response: WireResponse, { finish, usage, sampling, output, at }: AnswerEnd): WireResponse {
  const ended = { ...sampledResponse(response, sampling), output, service_tier: tierNameOf([usage]), usage: wireUsage(usage) }
  const reason = incompleteReason(finish)
  if (reason) return { ...ended, status: 'incomplete', incomplete_details: { reason } }
  return { ...ended, status: 'completed', completed_at: unixSeconds(at) }
}

/** Returns the response with the sampling values that the target reports; without a report it keeps
 *  the caller's values or the interface's defaults. */
export function sampledResponse(response: WireResponse, sampling: TextSampling | undefined): WireResponse {
  return sampling === undefined ? response : { ...response, temperature: sampling.temperature, top_p: sampling.topP }
}

/** Returns the response with the status `failed` and the output produced until then. */
export function failedResponse(
  response: WireResponse,
  error: Pick<GatewayError, 'code' | 'message'>,
  output: OutputItem[] = [],
): WireResponse {
  const code = failureCodes[error.code] ?? 'server_error'
  const type = code === 'server_error' ? 'server_error' : code === 'rate_limit_exceeded' ? 'rate_limit_error' : 'invalid_request_error'
  return { ...response, status: 'failed', output, error: { type, code, message: error.message } }
}

/** Returns the reason why the answer ended before it was complete; undefined when it is
 *  complete. */
export function incompleteReason(finish: TextResult['finish']): 'max_output_tokens' | 'content_filter' | undefined {
  if (finish === 'length') return 'max_output_tokens'
  return finish === 'content_filter' ? 'content_filter' : undefined
}

/** Returns the response as the caller may see it. */
export function shownResponse(response: WireResponse, showsEncrypted: boolean): WireResponse {
  return { ...response, output: response.output.map(item => shownItem(item, showsEncrypted)) }
}

export function wireUsage(usage: TextUsage): WireUsage {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens, cache_write_tokens: usage.cacheWriteTokens ?? 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  }
}
