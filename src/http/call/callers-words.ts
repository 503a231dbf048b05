import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { errorIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { Family } from '../../contract/family.ts'

/** The error in the family's words: targets name the fields of the neutral request. */
export function inCallersWords({ fieldNames = {} }: Family, error: unknown): unknown {
  return error instanceof GatewayError ? errorIn(fieldNames, error) : error
}
