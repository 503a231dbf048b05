import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { connectFault } from './connect-faults.ts'
import { isPostgresFault } from './faults.ts'

/** Returns the error of a start, for the operator: it names the setting and the reason, and never
 *  the password. */
export function startFault(error: unknown, url: string): unknown {
  const reason = reasonOf(error, url)
  if (reason === undefined) return error
  return new GatewayError('store_unavailable', `The database of GATEWAY_DATABASE_URL cannot be used: ${reason}.`, {
    field: 'GATEWAY_DATABASE_URL',
  })
}

/** Undefined for an error that explains itself. */
function reasonOf(error: unknown, url: string): string | undefined {
  if (!(error instanceof GatewayError)) return isPostgresFault(error) ? connectFault(error, url) : undefined
  if (error.field !== undefined) return undefined
  return typeof error.cause === 'string' && error.code === 'store_unavailable' ? error.cause : undefined
}
