/** Errors for ElevenLabs' clients: the member `detail` in addition to the gateway's own `error`
 *  (docs/vendors/elevenlabs.md#errors). */
import { type ErrorCode, errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

const errorBody = namedObject('VoiceSpeechError', {
  detail: namedObject('VoiceSpeechErrorDetail', {
    type: Type.String({ description: '`validation_error`, `authentication_error`, `not_found`, `rate_limit_error`, ...' }),
    code: Type.String({ description: '`text_too_long`, `empty_text`, `voice_not_found`, `invalid_output_format`, ...' }),
    status: Type.String({ description: 'The same word, where older clients look for it.' }),
    message: Type.String(),
    request_id: Type.String(),
    param: orNull<string>('string'),
  }),
  error: gatewayError,
})

interface Words {
  status?: number
  type: string
  code: string
}

const ofCode: Partial<Record<ErrorCode, Words>> = {
  missing_api_key: { type: 'authentication_error', code: 'missing_api_key' },
  invalid_api_key: { type: 'authentication_error', code: 'invalid_api_key' },
  not_allowed: { type: 'authorization_error', code: 'feature_not_available' },
  // The status is 402 and not 429, because the service's clients repeat a request after a 429 again
  // and again.
  quota_exceeded: { status: 402, type: 'payment_required', code: 'insufficient_credits' },
  rate_limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  engine_busy: { type: 'rate_limit_error', code: 'system_busy' },
  model_not_found: { type: 'not_found', code: 'model_not_found' },
}

const typeOfStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'authorization_error',
  404: 'not_found',
  429: 'rate_limit_error',
  503: 'service_unavailable',
}

/** The service's error code for a wrong value, by field. */
const codeOfField: Readonly<Record<string, string>> = {
  output_format: 'invalid_output_format',
  voice_settings: 'invalid_voice_settings',
}

/** Returns status and body of an error; the status for an unknown voice is 404, for an exhausted
 *  quota 402. */
export function failure(error: GatewayError, requestId: string): Failure {
  const words = wordsOf(error)
  const { message, field } = error
  const { type, code } = words
  const detail = { type, code, status: code, message, request_id: requestId, param: field ?? null }
  return { status: words.status ?? error.status, schema: errorBody, body: { detail, error: errorObject(error, requestId) } }
}

function wordsOf(error: GatewayError): Words {
  const { code, status } = error
  if (code === 'invalid_request') return wordsOfField(error)
  const type = typeOfStatus[status] ?? (status < 500 ? 'validation_error' : 'internal_error')
  return ofCode[code] ?? { type, code: errorCatalogue[code].status === 400 ? 'invalid_parameters' : code }
}

function wordsOfField({ field = '', issues }: GatewayError): Words {
  const type = 'validation_error'
  if (field === 'voice_id') return { status: 404, type: 'not_found', code: 'voice_not_found' }
  if (field === 'text') return { type, code: codeOfText(issues[0]?.rule ?? '') }
  return { type, code: codeOfField[field.split('.')[0] ?? ''] ?? 'invalid_parameters' }
}

function codeOfText(rule: string): string {
  if (rule === 'maxLength' || rule.startsWith('text-length-')) return 'text_too_long'
  return ['required', 'minLength', 'pattern'].includes(rule) ? 'empty_text' : 'invalid_parameters'
}
