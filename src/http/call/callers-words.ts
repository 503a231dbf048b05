import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { errorIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { Family } from '../../contract/family.ts'

/** Returns the error with the field names of the family's interface in place of those of the
 *  neutral request, which targets use. */
export function inCallersWords({ fieldNames = {} }: Family, error: unknown): unknown {
  return error instanceof GatewayError ? errorIn(fieldNames, error) : error
}
