import type { GatewayError } from './errors.ts'

/** Error codes of Node and undici for connections that were never established, so that no part of
 *  the request was sent. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  // The code of `ProxyError`: the proxy did not open a connection to the destination.
  'PROXY_FAILED',
])
const deepestCause = 5

/** Returns true when the connection was never established, so that the upstream cannot have
 *  received any part of the request. */
export function wasNeverConnected(error: GatewayError): boolean {
  let cause: unknown = error.cause
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string' && neverConnected.has(cause.code)) return true
    cause = cause.cause
  }
  return false
}
