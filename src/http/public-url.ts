import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../core/errors.ts'

/** Origin for absolute links, without a trailing slash: the setting, else the host that was called. Forwarded headers count only with the trust setting.
 *  Throws `invalid_request` for a Host header that names no host. */
export function publicUrlOf(setting: string | undefined, request: FastifyRequest): string {
  if (setting !== undefined) return setting
  // HTTP 1.0 sends none: then it is the address that was called.
  const host = request.host || addressOf(request.raw.socket)
  const origin = URL.parse(`${request.protocol}://${host}`)
  if (origin && /^[\w.:[\]-]+$/.test(host)) return origin.origin
  throw new GatewayError('invalid_request', 'The Host header does not name a host.', { field: 'Host' })
}

function addressOf({ localAddress = '', localPort }: Socket): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
