/** Errors of the families with OpenAI's format (chat, responses, embeddings, ...), with the
 *  members that OpenAI's own clients read (docs/interface.md#errors,
 *  docs/vendors/openai-chat.md#errors). */

import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type, { type Static } from 'typebox'
import type { Failure } from '../../contract/family.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

/** The error object of these families; all five keys are always present. */
export const openaiErrorSchema = namedObject('ErrorDetail', {
  message: Type.String({ description: 'What was wrong, with the field, its value and its limit.' }),
  type: Type.String({ description: '`invalid_request_error`, `permission_error`, `rate_limit_error`, `server_error`, ...' }),
  param: orNull<string>('string', { description: 'The whole path of the field at fault, like `messages[0].content`.' }),
  code: orNull<string>('string', { description: 'The code that clients of OpenAI know, or the code of the upstream that reported it.' }),
  request_id: Type.String({ source: 'ours' }),
})

const errorResponse = namedObject('ErrorResponse', { error: openaiErrorSchema, request_id: Type.String({ source: 'ours' }) })

export type OpenaiError = Static<typeof openaiErrorSchema>

/** Codes that these families call by another name. */
const codeNames: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate_limit_exceeded',
  request_moderated: 'content_policy_violation',
  content_moderated: 'content_policy_violation',
}

/** Error types of the gateway that do not exist in these families. All of them become
 *  `invalid_request_error`. */
const typeNames: Record<string, string> = {
  authentication_error: 'invalid_request_error',
  not_found_error: 'invalid_request_error',
  moderation_error: 'invalid_request_error',
}

/** Returns status and body of an error:
 *  `{ error: { message, type, param, code, request_id }, request_id }`. `param` is the whole
 *  path as the caller wrote it (`messages[0].content`) or null. For an error with `wire`, such
 *  as one from an upstream of the same protocol, `type`, `param` and `code` are those in `wire`. */
export function openaiFailure(error: GatewayError, requestId: string): Failure {
  return { status: error.status, body: { error: openaiError(error, requestId), request_id: requestId }, schema: errorResponse }
}

/** Returns the last frames of a stream (chat, completions, speech) that fails after it began: a
 *  frame with a top-level `error`, which official clients throw as an exception, and the
 *  terminator. */
export function openaiStreamFailure(error: GatewayError, requestId: string): ReplyFrame[] {
  return [{ data: { error: openaiError(error, requestId) } }, { data: '[DONE]' }]
}

/** Returns the error object alone, without the body around it, for event frames and stored
 *  failures. */
export function openaiError(error: GatewayError, requestId: string): OpenaiError {
  const named = error.wire ?? { type: typeNames[error.type] ?? error.type, param: error.field ?? null, code: codeOf(error) }
  return { message: error.message, type: named.type, param: named.param, code: named.code, request_id: requestId }
}

function codeOf(error: GatewayError): string {
  if (error.code !== 'invalid_request') return codeNames[error.code] ?? error.code
  const rule = error.issues[0]?.rule
  if (rule === 'required' || rule?.endsWith('-required')) return 'missing_required_parameter'
  if (rule?.endsWith('-unsupported')) return 'unsupported_value'
  switch (rule) {
    case 'enum':
    case 'const':
    case 'group':
    case 'unsupported':
      return 'unsupported_value'
    default:
      return 'invalid_value'
  }
}
