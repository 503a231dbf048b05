import type { FastifyRequest } from 'fastify'
import type { AccessKey } from '../core/ports.ts'
import type { HttpDeps } from './deps.ts'

/** The record of the key that a request presents; its connection counts for the key from here on. Throws `missing_api_key`, `invalid_api_key`, `rate_limited` when the key has too many connections. */
export async function authenticate(
  { access, connections }: Pick<HttpDeps, 'access' | 'connections'>,
  request: FastifyRequest,
  presented: string | undefined,
): Promise<AccessKey> {
  const key = await access.authenticate(presented)
  connections.claim(request.raw.socket, key.id)
  return key
}
