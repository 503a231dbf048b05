/** The fourth step: reads the query and the body. The earlier steps have identified the caller
 *  and checked the limits of the key. All other checks that need no body come before it is read. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BodySpec } from '../../contract/body.ts'
import { presentFields } from '../../contract/nulls.ts'
import { type JsonBody, readArrivedJson } from '../body/body.ts'
import { kindOf } from '../body/body-headers.ts'
import { type ReadBodyOptions, readBody } from '../body/read-body.ts'
import type { Call } from '../call/call.ts'
import { noBody } from '../call/call.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

const idempotencyKeyLimit = 255

/** Returns the query with its defaults. Throws all errors that do not depend on the body:
 *  `draining`, `disk_full`, `store_unavailable`, `invalid_request`. */
export function readHeadStep({ deps, operation, validator, idInQuery }: OperationPlan, exchange: Exchange): Record<string, unknown> {
  // A relayed call usually needs the store only for its record. Only the body shows whether a call
  // needs the store for more; the relay step (6-relay.ts) then checks that it is available.
  if (operation.relays) deps.assertAcceptingCall()
  else if (operation.choosesModel) deps.assertAccepting()
  if (operation.getWrites) assertNoPrefetch(exchange)
  assertIdempotencyKey(exchange)
  return validator.query(idInQuery === undefined ? exchange.query : {})
}

/** Reads the body into the call. Returns a promise when the body has not arrived yet. Throws the
 *  errors of `readBody`. */
export function readBodyStep(
  { deps, idInQuery, operation, body }: OperationPlan,
  exchange: Exchange,
  call: Call,
): Promise<void> | undefined {
  if (!operation.body) return undefined
  const { plainNames } = operation.body
  if (idInQuery !== undefined) return takeBody(call, { ...noBody, value: { [idInQuery]: exchange.query[idInQuery] } })
  const options: ReadBodyOptions = {
    ...body,
    spec: operation.body,
    scratch: () => deps.blobs.scratch(`upload-${exchange.id}`),
    disk: deps.disk,
    account: call.key.accountId,
    hash: call.idempotencyKey !== undefined,
  }
  const { request } = exchange
  const arrived = kindOf(request, operation.body) === 'json' ? readArrivedJson(request, options) : undefined
  return arrived ? takeBody(call, arrived, plainNames) : readBody(request, options).then(read => takeBody(call, read, plainNames))
}

function takeBody(call: Call, body: JsonBody, plainNames?: BodySpec['plainNames']): undefined {
  call.body = body
  if (plainNames) call.body = { ...body, value: plainNames(body.value) }
  call.presentFields = presentFields(call.body.value)
}

/** Stores the idempotency key in the call when the operation creates something with a model. The
 *  idempotency key of a GET request is ignored. */
export function noteIdempotency({ operation }: OperationPlan, exchange: Exchange, call: Call): void {
  const key = exchange.requestHeaders['idempotency-key']
  if (key === undefined || !operation.choosesModel || operation.method === 'GET') return
  call.idempotencyKey = String(key)
  call.beside = askedBeside(exchange)
}

function assertIdempotencyKey({ requestHeaders }: Exchange): void {
  const value = requestHeaders['idempotency-key']
  if (value === undefined) return
  const { length } = String(value)
  if (length >= 1 && length <= idempotencyKeyLimit) return
  throw new GatewayError('invalid_request', `Idempotency-Key has ${length} characters; from 1 to ${idempotencyKeyLimit}.`, {
    field: 'Idempotency-Key',
  })
}

/** Refuses requests that a browser sends in advance (prefetch), because they would create
 *  outputs that no user requested. */
function assertNoPrefetch({ requestHeaders }: Exchange): void {
  const purposes = [requestHeaders.purpose, requestHeaders['sec-purpose'], requestHeaders['x-moz']].flatMap(each => each ?? [])
  if (purposes.some(each => /\bpre(fetch|render|view)\b/i.test(each)))
    throw new GatewayError('invalid_request', 'What this would make is not made for a prefetch.')
}

/** Returns the path parameters and the query, sorted by name, as JSON text. A repeat with the
 *  same idempotency key must have the same text. The endpoint is not part of it, because it is
 *  compared separately. */
function askedBeside({ params, query }: Exchange): string {
  const { endpoint: _endpoint, ...named } = params
  const requested = [...Object.entries(named), ...Object.entries(query)].sort(([a], [b]) => (a < b ? -1 : 1))
  return requested.length === 0 ? '' : JSON.stringify(requested)
}
