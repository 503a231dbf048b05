/** The fourth step: reads the query and the body. The caller is known by then, and requests that
 *  can be refused without the body have been refused. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { presentFields } from '../../contract/nulls.ts'
import { type JsonBody, readArrivedJson } from '../body/body.ts'
import { kindOf } from '../body/body-headers.ts'
import { type ReadBodyOptions, readBody } from '../body/read-body.ts'
import type { Call } from '../call/call.ts'
import { noBody } from '../call/call.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

const idempotencyKeyLimit = 255

/** Returns the query with its defaults. Throws the errors that need no body: `draining`,
 *  `disk_full`, `store_unavailable`, `invalid_request`. */
export function readHeadStep({ deps, operation, validator, idInQuery }: OperationPlan, exchange: Exchange): Record<string, unknown> {
  // The body shows later if a relayed call needs the store for more than its record.
  if (operation.relays) deps.assertAcceptingCall()
  else if (operation.choosesModel) deps.assertAccepting()
  if (operation.getWrites) assertNoPrefetch(exchange)
  assertIdempotencyKey(exchange)
  return validator.query(idInQuery === undefined ? exchange.query : {})
}

/** Reads the body into the call; a promise for one that has not arrived yet. Throws what
 *  `readBody` throws. */
export function readBodyStep(
  { deps, idInQuery, operation, body }: OperationPlan,
  exchange: Exchange,
  call: Call,
): Promise<void> | undefined {
  if (!operation.body) return undefined
  if (idInQuery !== undefined) return takeBody(call, { ...noBody, value: { [idInQuery]: exchange.query[idInQuery] } })
  const options: ReadBodyOptions = {
    ...body,
    spec: operation.body,
    scratch: () => deps.blobs.scratch(`upload-${exchange.id}`),
    disk: deps.disk,
    hash: call.idempotencyKey !== undefined,
  }
  const { request } = exchange
  const arrived = kindOf(request, operation.body) === 'json' ? readArrivedJson(request, options) : undefined
  return arrived ? takeBody(call, arrived) : readBody(request, options).then(read => takeBody(call, read))
}

function takeBody(call: Call, body: JsonBody): undefined {
  call.body = body
  call.presentFields = presentFields(body.value)
}

/** Stores the idempotency key on the call when the operation creates something. The key of a GET is
 *  ignored, because repeating a GET creates nothing. */
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

/** Refuses browser prefetches, which would create outputs that no user requested. */
function assertNoPrefetch({ requestHeaders }: Exchange): void {
  const purposes = [requestHeaders.purpose, requestHeaders['sec-purpose'], requestHeaders['x-moz']].flatMap(each => each ?? [])
  if (purposes.some(each => /\bpre(fetch|render|view)\b/i.test(each)))
    throw new GatewayError('invalid_request', 'What this would make is not made for a prefetch.')
}

/** Returns path parameters and query, sorted by name, as JSON text, by which idempotent requests
 *  are compared. The endpoint is left out, because it is compared separately. */
function askedBeside({ params, query }: Exchange): string {
  const { endpoint: _endpoint, ...named } = params
  const requested = [...Object.entries(named), ...Object.entries(query)].sort(([a], [b]) => (a < b ? -1 : 1))
  return requested.length === 0 ? '' : JSON.stringify(requested)
}
