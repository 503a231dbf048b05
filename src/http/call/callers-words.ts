import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { errorIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { Family } from '../../contract/family.ts'

/** Returns the error with the field names that the family's interface uses. Targets report
 *  errors with the field names of the gateway's neutral request, which the caller does not know. */
export function inCallersWords({ fieldNames = {} }: Family, error: unknown): unknown {
  return error instanceof GatewayError ? errorIn(fieldNames, error) : error
}
