import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Exchange } from './request/exchange.ts'

/** The settings that say where a gateway is reached. */
export interface PublicUrlSettings {
  /** Base of absolute links, without a trailing slash. */
  publicUrl: string | undefined
  trustProxy: boolean
}

/** Returns the base of absolute links, without a trailing slash: the setting, else the host of the
 *  request. Forwarded headers, including a path prefix, count only with the trust setting. Throws
 *  `invalid_request` for a malformed Host header. */
export function publicUrlOf({ publicUrl, trustProxy }: PublicUrlSettings, exchange: Exchange): string {
  if (publicUrl !== undefined) return publicUrl
  // HTTP 1.0 sends no host: the local address of the connection is used.
  const origin = originOf(protocolOf(exchange), exchange.host || addressOf(exchange.request.socket))
  return trustProxy ? origin + prefixIn(exchange.requestHeaders['x-forwarded-prefix']) : origin
}

/** Returns the base of absolute links when the settings or a trusted proxy define it; `/` where it
 *  could only come from the caller's own Host header. */
export function learnPublicUrl(settings: PublicUrlSettings, exchange: Exchange): string {
  return settings.publicUrl !== undefined || settings.trustProxy ? publicUrlOf(settings, exchange) : '/'
}

/** Returns `http` or `https`. Other values of X-Forwarded-Proto are ignored: a link of another
 *  scheme has no origin, or runs as script in the page. */
function protocolOf({ protocol }: Exchange): string {
  const named = protocol.toLowerCase()
  return named === 'https' ? named : 'http'
}

const longestPrefix = 256

/** Returns the path prefix that a proxy removes, without a trailing slash; '' unless it consists of
 *  plain names between slashes (two headers, lists, `..` and hosts are ignored). */
function prefixIn(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header.length > longestPrefix) return ''
  return /^(\/(?!\.+(\/|$))[\w.-]+)+$/.test(header) ? header : ''
}

const rememberedOrigins = 256
const origins = new Map<string, string>()

/** Returns the origin of a host as the client wrote it. Throws `invalid_request` for a malformed
 *  host. */
export function originOf(protocol: string, host: string): string {
  const named = `${protocol}://${host}`
  const known = origins.get(named)
  if (known !== undefined) return known
  const origin = URL.parse(named)?.origin
  if (origin === undefined || !/^[\w.:[\]-]+$/.test(host))
    throw new GatewayError('invalid_request', 'The Host header does not name a host.', { field: 'Host' })
  // A client that sends many different hosts only makes this cache useless; the cache never grows
  // beyond its limit.
  if (origins.size >= rememberedOrigins) origins.clear()
  origins.set(named, origin)
  return origin
}

function addressOf({ localAddress = '', localPort }: Socket): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
