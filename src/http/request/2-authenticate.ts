/** The second step: identifies the caller and the endpoint. */
import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { routeAt } from '../../core/access.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../../core/ports/store.ts'
import type { HttpDeps } from '../deps.ts'
import { limitKey } from './3-limit.ts'
import { deploymentEndpoint } from './azure-paths.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** The caller of an operation. */
export interface Caller {
  key: AccessKey
  endpoint: Endpoint
  route: EndpointRoute
  /** True for a request with a signed link, whose access key is not known. */
  isLinked?: true
}

/** Returns the caller of an operation, after checking the scope and the rate limit of the key.
 *  Returns a promise only when the store has to be queried. Throws `missing_api_key`,
 *  `invalid_api_key`, `not_allowed`, `rate_limited`, `endpoint_not_found`; for signed links also
 *  `invalid_signature` and `gone`. */
export function authenticateStep(plan: OperationPlan, exchange: Exchange): Caller | Promise<Caller> {
  const { operation } = plan
  const name = exchange.params.endpoint ?? deploymentEndpoint(plan, exchange) ?? 'default'
  switch (operation.access) {
    case 'signed':
      return signedCaller(plan, exchange, name)
    case 'open':
      return anybodyAt(name)
    default:
      return knownCaller(plan, exchange, name) ?? keyedCaller(plan, exchange, name)
  }
}

/** Returns the caller of a request with a signed link, after checking the signature of the link. */
async function signedCaller(plan: OperationPlan, exchange: Exchange, name: string): Promise<Caller> {
  const { deps, operation } = plan
  await deps.links.verifyPath(exchange.path, exchange.query)
  if (operation.actsFor !== undefined) return linkedCaller(plan, exchange, exchange.params[operation.actsFor] ?? '')
  return { ...anybodyAt(name), isLinked: true }
}

/** Returns the caller when the key and the endpoint are cached from earlier requests; otherwise
 *  undefined. */
function knownCaller(plan: OperationPlan, exchange: Exchange, name: string): Caller | Promise<Caller> | undefined {
  const { deps, entry } = plan
  const presented = entry.family.isOpen ? undefined : presentedKey(exchange.requestHeaders)
  const known = presented && deps.access.recall(presented, name)
  const route = known && routeAt(known.endpoint, entry.family.id)
  if (!route) return undefined
  deps.connections.claim(exchange.request.socket, known.key.id)
  const limited = limitKey(plan, exchange, known.key)
  const caller = { key: known.key, endpoint: known.endpoint, route }
  return limited ? limited.then(() => caller) : caller
}

async function keyedCaller(plan: OperationPlan, exchange: Exchange, name: string): Promise<Caller> {
  const key = await authenticate(plan.deps, exchange)
  await limitKey(plan, exchange, key)
  // A family that every key may use (`isOpen`) works on the whole account when the path names no
  // endpoint. The call then gets an endpoint that stands for all endpoints of the account.
  if (exchange.params.endpoint === undefined && plan.entry.family.isOpen) return { key, endpoint: anyEndpoint(key, ''), route: {} }
  try {
    return await atEndpoint(plan, key, name)
  } catch (error) {
    // The deployment in the path names neither a model nor an endpoint, so the default endpoint is
    // used. The step that chooses the model then refuses the request, or takes the default model if
    // the operator allows this.
    const isUnknown = error instanceof GatewayError && error.code === 'endpoint_not_found' && exchange.params.deployment === name
    if (isUnknown && name !== 'default') return atEndpoint(plan, key, 'default')
    throw error
  }
}

/** Returns the caller for a signed link that acts for a key: the key that created the link. */
async function linkedCaller(plan: OperationPlan, exchange: Exchange, keyId: string): Promise<Caller> {
  const key = await plan.deps.access.keyById(keyId)
  await limitKey(plan, exchange, key)
  return atEndpoint(plan, key, exchange.params.endpoint ?? 'default')
}

async function atEndpoint({ deps: { access }, entry: { family } }: OperationPlan, key: AccessKey, name: string): Promise<Caller> {
  const endpoint = await access.endpoint(key, name)
  const route = routeAt(endpoint, family.id) ?? (family.isOpen ? {} : undefined)
  if (route) return { key, endpoint, route }
  throw new GatewayError('endpoint_not_found', `The endpoint ${name} has no route for family ${family.id}.`, { field: 'endpoint' })
}

/** Returns the record of the access key in a request. From then on the connection counts towards
 *  the limit of this key. Throws `missing_api_key`, `rate_limited` when the key has too many
 *  connections, and `invalid_api_key`. The answer to an address that tries many wrong keys is
 *  delayed more with each of them. */
export async function authenticate(
  { access, connections, wrongKeys }: Pick<HttpDeps, 'access' | 'connections' | 'wrongKeys'>,
  { request, ip, requestHeaders }: Exchange,
): Promise<AccessKey> {
  const key = await access.authenticate(presentedKey(requestHeaders)).catch(async (error: unknown) => {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') await wrongKeys.slow(ip)
    throw error
  })
  connections.claim(request.socket, key.id)
  return key
}

const otherKeyHeaders = ['xi-api-key', 'x-api-key', 'api-key', 'ocp-apim-subscription-key', 'x-goog-api-key']
const bearer = /^bearer +(\S+) *$/i

/** Returns the access key in the headers of a request. Several headers may contain it; their
 *  order is in docs/interface.md#authentication. A key in the query is never used. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return bearer.exec(authorization)?.[1] ?? ''
  for (const name of otherKeyHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The record used for a request without an access key; it belongs to no account. */
const nobody: AccessKey = {
  id: '',
  accountId: '',
  name: '',
  sha256: '',
  hint: '',
  scopes: { endpoints: [], families: [], models: [] },
  source: 'first-start',
  createdAt: 0,
}

function anybodyAt(name: string): Caller {
  return { key: nobody, endpoint: anyEndpoint(nobody, name), route: {} }
}

/** Returns an endpoint that stands for all endpoints of an account. Used by requests that list
 *  something of the whole account. */
function anyEndpoint({ accountId }: AccessKey, name: string): Endpoint {
  return { accountId, name, routes: { '*': {} }, source: 'first-start', createdAt: 0 }
}
