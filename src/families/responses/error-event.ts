import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { openaiError } from '../shared/openai-failure.ts'
import type { WireEvent } from './item-events.ts'

/** Returns the error of a stream as one event that contains both the flat form of OpenAI and the
 *  nested one of Open Responses (docs/vendors/openai-responses.md#stream). */
export function errorEvent(error: GatewayError, requestId: string): WireEvent {
  const { code, message, param, ...rest } = openaiError(error, requestId)
  return { type: 'error', code, message, param, error: { code, message, param, ...rest } }
}
