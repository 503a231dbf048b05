import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { AccessKey } from '../../core/ports/store.ts'
import type { HttpDeps } from '../deps.ts'

/** The record of the key that a request presents; its connection counts for the key from here on. Throws `missing_api_key`, `invalid_api_key` (later and later for an address
 *  that tries one wrong key after the other), `rate_limited` when the key has too many connections. */
export async function authenticate(
  { access, connections, wrongKeys }: Pick<HttpDeps, 'access' | 'connections' | 'wrongKeys'>,
  request: FastifyRequest,
  presented: string | undefined,
): Promise<AccessKey> {
  const key = await access.authenticate(presented).catch(async (error: unknown) => {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') await wrongKeys.slow(request.ip)
    throw error
  })
  connections.claim(request.raw.socket, key.id)
  return key
}
