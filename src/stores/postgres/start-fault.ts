import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { connectFault } from './connect-faults.ts'
import { isPostgresFault } from './faults.ts'

/** Returns the error to show to the operator when the gateway cannot start. It names the setting
 *  and the reason, and never contains the password. */
export function startFault(error: unknown, url: string): unknown {
  const reason = reasonOf(error, url)
  if (reason === undefined) return error
  return new GatewayError('store_unavailable', `The database of GATEWAY_DATABASE_URL cannot be used: ${reason}.`, {
    field: 'GATEWAY_DATABASE_URL',
  })
}

/** Returns the reason of a failed start; undefined for an error whose message needs no further
 *  explanation. */
function reasonOf(error: unknown, url: string): string | undefined {
  if (!(error instanceof GatewayError)) return isPostgresFault(error) ? connectFault(error, url) : undefined
  if (error.field !== undefined) return undefined
  return typeof error.cause === 'string' && error.code === 'store_unavailable' ? error.cause : undefined
}
