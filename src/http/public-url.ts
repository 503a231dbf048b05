import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { authorityOf } from '@generation-gateway/kit/outbound/destination.ts'
import type { Exchange } from './request/exchange.ts'

/** The settings that decide under which URL clients reach the gateway. */
export interface PublicUrlSettings {
  /** Base of absolute links, without a trailing slash. */
  publicUrl: string | undefined
  trustProxy: boolean
}

/** Returns the base of absolute links, without a trailing slash: the setting if there is one,
 *  else the host of the request. Headers of a proxy (`X-Forwarded-*`), including a path prefix,
 *  are used only when the settings trust the proxy. Throws `invalid_request` for a malformed
 *  Host header. */
export function publicUrlOf({ publicUrl, trustProxy }: PublicUrlSettings, exchange: Exchange): string {
  if (publicUrl !== undefined) return publicUrl
  // A client of HTTP 1.0 may send no Host header: the local address of the connection takes its
  // place.
  const origin = originOf(protocolOf(exchange), exchange.host || addressOf(exchange.request.socket))
  return trustProxy ? origin + prefixIn(exchange.requestHeaders['x-forwarded-prefix']) : origin
}

/** Returns the base of absolute links, if the settings or a trusted proxy define it. Otherwise
 *  only the caller's own Host header could define it, so `/` is returned. */
export function learnPublicUrl(settings: PublicUrlSettings, exchange: Exchange): string {
  return settings.publicUrl !== undefined || settings.trustProxy ? publicUrlOf(settings, exchange) : '/'
}

/** Returns `http` or `https`. Any other value of X-Forwarded-Proto is ignored, because it would
 *  produce links without an origin, or links such as `javascript:` that run as scripts in a
 *  page. */
function protocolOf({ protocol }: Exchange): string {
  const named = protocol.toLowerCase()
  return named === 'https' ? named : 'http'
}

const longestPrefix = 256

/** Returns the path prefix that a proxy has removed from the path, without a trailing slash.
 *  Returns '' unless the header consists of plain names between slashes, with or without a slash
 *  at the end: repeated headers, lists, `..` and hosts are ignored. */
function prefixIn(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header.length > longestPrefix) return ''
  return /^((?:\/(?!\.+(?:\/|$))[\w.-]+)+)\/?$/.exec(header)?.[1] ?? ''
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
  // The cache is emptied at its limit. A client that sends many different hosts can therefore make
  // the cache useless, but not make it grow.
  if (origins.size >= rememberedOrigins) origins.clear()
  origins.set(named, origin)
  return origin
}

function addressOf({ localAddress = '', localPort = 0 }: Socket): string {
  return authorityOf({ host: localAddress, port: localPort })
}
