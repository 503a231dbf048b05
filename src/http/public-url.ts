import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Exchange } from './request/exchange.ts'

/** Where a gateway's settings say that it is reached. */
export interface PublicUrlSettings {
  /** Base of absolute links, without a trailing slash. */
  publicUrl: string | undefined
  trustProxy: boolean
}

/** Base of absolute links, without a trailing slash: the setting, else the host that was called. Forwarded headers, and a prefix of the path among them, count only with the trust setting.
 *  Throws `invalid_request` for a Host header that names no host. */
export function publicUrlOf({ publicUrl, trustProxy }: PublicUrlSettings, exchange: Exchange): string {
  if (publicUrl !== undefined) return publicUrl
  // HTTP 1.0 sends none: then it is the address that was called.
  const origin = originOf(protocolOf(exchange), exchange.host || addressOf(exchange.request.socket))
  return trustProxy ? origin + prefixIn(exchange.asked['x-forwarded-prefix']) : origin
}

/** The base where the settings or a trusted proxy tell it; `/` where a caller's own Host header would. */
export function toldPublicUrl(settings: PublicUrlSettings, exchange: Exchange): string {
  return settings.publicUrl !== undefined || settings.trustProxy ? publicUrlOf(settings, exchange) : '/'
}

/** `http` or `https`. Anything else in X-Forwarded-Proto is ignored: a link of another scheme has no origin, or runs in the page. */
function protocolOf({ protocol }: Exchange): string {
  const named = protocol.toLowerCase()
  return named === 'https' ? named : 'http'
}

const longestPrefix = 256

/** A path that a proxy in front takes off, without a trailing slash. Anything but plain names between slashes is none: two headers, lists, steps upwards, hosts. */
function prefixIn(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header.length > longestPrefix) return ''
  return /^(\/(?!\.+(\/|$))[\w.-]+)+$/.test(header) ? header : ''
}

const rememberedOrigins = 256
const origins = new Map<string, string>()

/** Origin of a host as a client names it. Throws `invalid_request` for what names no host. */
export function originOf(protocol: string, host: string): string {
  const named = `${protocol}://${host}`
  const known = origins.get(named)
  if (known !== undefined) return known
  const origin = URL.parse(named)?.origin
  if (origin === undefined || !/^[\w.:[\]-]+$/.test(host))
    throw new GatewayError('invalid_request', 'The Host header does not name a host.', { field: 'Host' })
  // Whoever sends ever new ones only costs himself the search.
  if (origins.size >= rememberedOrigins) origins.clear()
  origins.set(named, origin)
  return origin
}

function addressOf({ localAddress = '', localPort }: Socket): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
