import { GatewayError } from './errors.ts'

/** Whether the store takes no writes for now: nothing was written, and the same write may work later. */
export function isStoreAway(error: unknown): error is GatewayError {
  return error instanceof GatewayError && (error.code === 'disk_full' || error.code === 'store_unavailable')
}
