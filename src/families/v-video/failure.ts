/** Errors of creation and query (docs/interface/videos.md#v; docs/vendors/veo.md#errors). */
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { gatewayCodeField } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'
import { googleFailure, statusWord } from '../shared/google-failure.ts'

const errorBody = namedObject('VideoOperationRefusalBody', {
  error: namedObject('VideoOperationRefusal', {
    code: Type.String({ description: 'The HTTP status, as a string.' }),
    message: Type.String({
      description:
        'For 401, 429 and 500 a sentence; else JSON again, as text: `error` with `code`, `message` and `status` (`INVALID_ARGUMENT`, `NOT_FOUND`, ...).',
    }),
    gateway_code: gatewayCodeField,
    detail: Type.String({ source: 'ours', description: 'What was wrong, with the field, its value and its limit.' }),
    param: orNull<string>('string', { source: 'ours', description: 'The field at fault.' }),
    request_id: Type.String({ source: 'ours' }),
  }),
})

/** Ids of rules in `family.ts` for which the interface defines the error message. */
export const noInputs = 'inputs-required'
export const oneSource = 'one-source'

/** By field path: the interface's error message for an invalid value. */
const phrases: readonly (readonly [place: RegExp, phrase: string])[] = [
  [/^parameters\.resizeMode$/, 'Invalid resize mode'],
  [/^parameters\.compressionQuality$/, 'Invalid compression quality type'],
  [/^parameters\.resolution$/, 'Invalid resolution'],
  [/\.referenceType$/, 'Invalid referenceType'],
]
/** Fields that hold a picture. */
const pictureField = /^instances\[\d+\]\.(image|lastFrame|referenceImages\[\d+\]\.image)(\.bytesBase64Encoded|\.gcsUri)?$/

/** The interface's own sentences, by HTTP status, for errors whose cause is not in the body. */
const sentences: Readonly<Record<number, string>> = {
  401: 'Not authorized to access this resource',
  429: "Request frequency exceeds the client's limit; contact customer service for adjustment",
  500: 'Internal Server Error',
}

export function failure(error: GatewayError, requestId: string): Failure {
  const { status, code, message, field } = error
  const ours = { gateway_code: code, detail: message, param: field ?? null, request_id: requestId }
  return { status, schema: errorBody, body: { error: { code: String(status), message: messageOf(error), ...ours } } }
}

/** Returns the error for Google's own clients: `code` is a number, and the message is plain
 *  text. */
export function vendorFailure(error: GatewayError, requestId: string): Failure {
  return googleFailure(error, requestId, phrased(error))
}

function messageOf(error: GatewayError): string {
  return sentences[error.status] ?? JSON.stringify({ error: statusOf(error) })
}

function statusOf(error: GatewayError): { code: number; message: string; status: string } {
  return { code: error.status, message: phrased(error), status: statusWord(error.status) }
}

function phrased(error: GatewayError): string {
  const phrase = phraseOf(error)
  return phrase === undefined ? error.message : `${phrase}: ${error.message}`
}

function phraseOf({ code, field = '', issues }: GatewayError): string | undefined {
  if (code !== 'invalid_request') return undefined
  const rule = issues[0]?.rule
  // The interface's phrase for missing inputs does not fit a request with too many instances
  // (`maxItems`).
  if (rule === noInputs || (field === 'instances' && rule !== 'maxItems')) return 'No inputs provided'
  if (pictureField.test(field) && (rule === 'minLength' || rule === oneSource || rule === 'required')) return 'image is empty'
  return phrases.find(([place]) => place.test(field))?.[1]
}

/** Maps the gateway's error codes to the gRPC codes that a failed operation reports. All other
 *  errors get 13 (internal error). */
const codes: Partial<Record<ErrorCode, number>> = {
  cancelled: 1,
  outcome_unknown: 2,
  invalid_request: 3,
  invalid_input_file: 3,
  instruction_not_followed: 3,
  payload_too_large: 3,
  deadline_exceeded: 4,
  engine_timeout: 4,
  upstream_timeout: 4,
  not_allowed: 7,
  rate_limited: 8,
  quota_exceeded: 8,
  upstream_quota_exhausted: 8,
  engine_busy: 14,
  overloaded: 14,
  capability_unavailable: 14,
}

export function grpcCodeOf(code: ErrorCode): number {
  return codes[code] ?? 13
}
