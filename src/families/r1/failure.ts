import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Failure } from '../../contract/family.ts'
import { openaiError, openaiFailure } from '../../contract/openai-failure.ts'
import type { ReplyFrame } from '../../contract/replies.ts'

const fileFields = ['file', 'known_speaker_references']

/** A recording that cannot be read has a word of its own (`vendors-text-audio.md` 3.4). */
export function failure(error: GatewayError, requestId: string): Failure {
  return openaiFailure(named(error), requestId)
}

export function streamFailure(error: GatewayError, requestId: string): ReplyFrame[] {
  return [{ data: { error: openaiError(named(error), requestId) } }, { data: '[DONE]' }]
}

function named(error: GatewayError): GatewayError {
  const { code, field, message, issues } = error
  if (error.wire || !isAboutBytes(error)) return error
  const wire = { code: 'invalid_file_format', type: error.type, param: field ?? null }
  return new GatewayError(code, message, { issues, wire, ...(field === undefined ? {} : { field }) })
}

/** Its header is refused by a rule; what is found behind it comes without one, from whoever has decoded it. */
function isAboutBytes({ code, field = '', issues: [issue] }: GatewayError): boolean {
  if (code === 'invalid_input_file') return true
  if (code !== 'invalid_request' || !fileFields.some(each => field === each || field.startsWith(`${each}[`))) return false
  return issue === undefined || issue.rule === 'media-type'
}
