import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation } from '../../contract/operation.ts'
import { assertFamilyScope } from '../../core/access.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import type { HttpDeps } from '../deps.ts'
import { assertRate, takeRate } from './quotas.ts'
import { rateHeaders } from './rate-headers.ts'

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

/** The key of the request, with its scope for the family and its rate checked. Reading a task costs no request of the rate. */
export async function authorize(
  deps: HttpDeps,
  entry: FamilyEntry,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<AccessKey> {
  const key = await authenticate(deps, request, presentedKey(request.headers))
  limitRate(deps, { entry, key, reply, operation })
  return key
}

/** Throws `not_allowed` when the key's scopes leave the family out, `rate_limited`. */
export function limitRate(
  deps: Pick<HttpDeps, 'limiter'>,
  { entry, key, reply, operation }: { entry: FamilyEntry; key: AccessKey; reply: FastifyReply; operation: Operation },
): void {
  if (!entry.family.isOpen) assertFamilyScope(key.scopes, entry.family.id)
  const rate = operation.readsTask ? undefined : takeRate(deps.limiter, key)
  if (rate) {
    reply.headers(rateHeaders(rate, operation.relays !== undefined))
    assertRate(rate)
  }
}

/** The access key of a request, from the headers in the order of docs/interface.md#authentication;
 *  never from the query. */
export function presentedKey(headers: FastifyRequest['headers']): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  for (const name of ['xi-api-key', 'x-api-key', 'api-key', 'ocp-apim-subscription-key', 'x-goog-api-key']) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
