import { BlockedAddressError } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { proxyErrorBehind } from '@generation-gateway/kit/outbound/proxy.ts'
import { codeOf } from './upstream-failures.ts'

interface FailedRequest {
  field: string
  /** The URL without query and fragment. */
  url: string
  /** True when the gateway's own deadline ended the request. */
  isLate: boolean
  /** The set of error codes to use. `caller`: the URL comes from a request, which is refused with
   *  `invalid_request`. `upstream`: the URL is a link of an upstream or a webhook; a timeout then
   *  has a code of its own. */
  codes: 'caller' | 'upstream'
}

const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'ENODATA', 'ESERVFAIL'])
const late = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
const broken = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_RESPONSE'])
const unreachable = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])
const full = new Set(['ENOSPC', 'EDQUOT'])

/** Returns the error for a failure of the network or the disk, with a sentence that names the URL
 *  without its query. `GatewayError`s are returned unchanged. */
export function explainFailure(error: unknown, request: FailedRequest): GatewayError {
  if (error instanceof GatewayError) return error
  const { field, url } = request
  const code = codeOf(error)
  if (isBlocked(error)) return privateAddress({ field, url, cause: error })
  if (full.has(code)) return fileFailure(error)
  const proxy = proxyErrorBehind(error)
  if (proxy) {
    const message = `${field}: ${url} cannot be reached: ${proxy.message}`
    // A proxy that answered with another status than 407 works and refuses this destination, so the
    // caller's URL is at fault. In all other cases the proxy itself is at fault.
    const isUrl = proxy.status !== undefined && proxy.status !== 407
    if (request.codes === 'caller' && isUrl) return new GatewayError('invalid_request', message, { field, cause: error })
    return new GatewayError(request.codes === 'caller' ? 'upstream_unreachable' : 'upstream_error', message, { cause: error })
  }
  const isLate = request.isLate || late.has(code)
  const sentence = `${field}: ${url} ${isLate ? 'did not answer in time.' : sentenceOf(code)}`
  if (request.codes === 'caller') return new GatewayError('invalid_request', sentence, { field, cause: error })
  return new GatewayError(isLate ? 'upstream_timeout' : 'upstream_error', sentence, { cause: error })
}

/** Returns the refusal of a URL that leads to a private address, with the setting that allows
 *  it. */
export function privateAddress({ field, url, cause }: { field: string; url: string; cause?: unknown }): GatewayError {
  const sentence = `${field}: ${url} leads to a private address; GATEWAY_ALLOW_PRIVATE_URLS=1 allows such addresses.`
  return new GatewayError('invalid_request', sentence, { field, cause })
}

/** Returns the error for a failure to write a file: `disk_full` or `internal_error`. */
export function fileFailure(error: unknown): GatewayError {
  if (!full.has(codeOf(error))) return toGatewayError(error)
  return new GatewayError('disk_full', 'There is no room on disk for the file.', { cause: error })
}

function sentenceOf(code: string): string {
  if (unresolved.has(code)) return 'cannot be reached: its host name has no address.'
  if (code === 'ECONNREFUSED') return 'refused the connection.'
  if (broken.has(code) || code.startsWith('HPE_')) return 'broke off the connection or sent no valid HTTP.'
  if (unreachable.has(code)) return 'cannot be reached from here.'
  if (/CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO/.test(code)) return 'has no valid certificate.'
  return 'cannot be reached.'
}

function isBlocked(error: unknown): boolean {
  return error instanceof BlockedAddressError || (error instanceof Error && error.cause instanceof BlockedAddressError)
}
