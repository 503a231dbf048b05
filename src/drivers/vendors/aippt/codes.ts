/** The envelope of the vendor's answers, `{code, data, msg}`, and its codes
 *  (docs/vendors/aippt.md#codes). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, objectOf } from '@generation-gateway/kit/json.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { owner } from './settings.ts'

export interface ServiceAnswer {
  /** 0 means success. */
  code: number
  data: Json | undefined
}

export const codes = {
  noBalance: 40_007,
  featureOff: 40_008,
  tokenExpired: 43_101,
  wrongSignature: 43_102,
  noRight: 43_103,
  generationFailed: 12_100,
  moderated: 12_101,
  taskMissing: 12_102,
  exportMissing: 20_001,
  exportQueueFull: 20_003,
  templateForbidden: 30_001,
} as const

const errors: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  [codes.noBalance]: ['upstream_quota_exhausted', 'has no balance left for the gateway'],
  [codes.featureOff]: ['upstream_auth_error', 'has not switched this on for the gateway'],
  [codes.tokenExpired]: ['upstream_auth_error', 'does not take the token that it has just given'],
  [codes.wrongSignature]: ['upstream_auth_error', 'refused the signature; see api_key and secret of the target'],
  [codes.noRight]: ['upstream_auth_error', 'does not allow this to the gateway'],
  [codes.exportQueueFull]: ['overloaded', 'has too many exports to make'],
  [codes.templateForbidden]: ['upstream_auth_error', 'does not give this template to the gateway'],
}

/** Returns the envelope of an answer. Throws `upstream_error` when the answer has none. */
export function answerIn(answer: unknown): ServiceAnswer {
  const { code, data } = objectOf(answer)
  const number = integerIn(code)
  if (number === undefined) throw new GatewayError('upstream_error', `${owner} answered without a code.`)
  return { code: number, data }
}

/** Returns an integer, which the vendor writes as a number or as a string; undefined for any other
 *  value. */
export function integerIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** Returns the data of a successful answer. For any other code, throws the error to which the code
 *  is mapped. A caller for whom a code has a special meaning checks that code first. */
export function dataOf({ code, data }: ServiceAnswer): Json | undefined {
  if (code === 0) return data
  const [ours, says] = errors[code] ?? (['upstream_error', 'failed'] as const)
  throw new GatewayError(ours, `${owner} ${says} (${code}).`)
}

/** Returns an id; the vendor writes ids as numbers or as strings. Throws `upstream_error` when the
 *  value is not an id. */
export function idIn(value: unknown, what: string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  const id = idOf(value)
  if (id !== undefined) return id
  throw new GatewayError('upstream_error', `${owner} did not name ${what}.`)
}
