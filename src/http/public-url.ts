import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyRequest } from 'fastify'

/** Origin for absolute links, without a trailing slash: the setting, else the host that was called. Forwarded headers count only with the trust setting.
 *  Throws `invalid_request` for a Host header that names no host. */
export function publicUrlOf(setting: string | undefined, request: FastifyRequest): string {
  if (setting !== undefined) return setting
  // HTTP 1.0 sends none: then it is the address that was called.
  return originOf(request.protocol, request.host || addressOf(request.raw.socket))
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
