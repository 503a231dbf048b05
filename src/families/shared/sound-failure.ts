/** Errors of families that take recordings, in OpenAI's format: a recording that cannot be read or
 *  is too long has an error code of its own (docs/vendors/openai-audio.md#transcription-answers,
 *  docs/interface/sound.md#r4). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Failure } from '../../contract/family.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { openaiError, openaiFailure } from './openai-failure.ts'

const fileFields = ['file', 'audio', 'known_speaker_references']

export function soundFailure(error: GatewayError, requestId: string): Failure {
  return openaiFailure(named(error), requestId)
}

/** Returns the last frames of a stream that fails after it began. */
export function soundStreamFailure(error: GatewayError, requestId: string): ReplyFrame[] {
  return [{ data: { error: openaiError(named(error), requestId) } }, { data: '[DONE]' }]
}

function named(error: GatewayError): GatewayError {
  const { code, field, message, issues } = error
  const word = error.wire ? undefined : wordOf(error)
  if (word === undefined) return error
  const wire = { code: word, type: error.type, param: field ?? null }
  return new GatewayError(code, message, { issues, wire, ...defined({ field }) })
}

/** Returns the error code for a recording that cannot be read or is too long; undefined for any
 *  other error. A recording with an invalid header is refused before it is decoded, with the id
 *  of a rule. Invalid data after the header is reported by the decoder, whose errors have no
 *  rule. */
function wordOf({ code, field = '', issues: [issue] }: GatewayError): string | undefined {
  if (code === 'invalid_input_file') return 'invalid_file_format'
  if (code !== 'invalid_request' || !fileFields.some(each => field === each || field.startsWith(`${each}[`))) return undefined
  if (issue === undefined || issue.rule === 'media-type') return 'invalid_file_format'
  return issue.rule === 'duration' && field === 'file' ? 'audio_too_long' : undefined
}
