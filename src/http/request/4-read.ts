/** The fourth step: the body, after the caller is known and what needs no body has been refused. */
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

/** The query with its defaults. Throws for what is refused before the body is read: `draining`,
 *  `disk_full`, `invalid_request`. */
export function readHeadStep({ deps, operation, validator, idInQuery }: OperationPlan, exchange: Exchange): Record<string, unknown> {
  if (operation.choosesModel) deps.assertAccepting()
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

/** Makes the call safe to repeat, where it names a key and makes something. A GET makes the same
 *  thing once by itself. */
export function noteIdempotency({ operation }: OperationPlan, exchange: Exchange, call: Call): void {
  const key = exchange.asked['idempotency-key']
  if (key === undefined || !operation.choosesModel || operation.method === 'GET') return
  call.idempotencyKey = String(key)
  call.beside = askedBeside(exchange)
}

function assertIdempotencyKey({ asked }: Exchange): void {
  const value = asked['idempotency-key']
  if (value === undefined) return
  const { length } = String(value)
  if (length >= 1 && length <= idempotencyKeyLimit) return
  throw new GatewayError('invalid_request', `Idempotency-Key has ${length} characters; from 1 to ${idempotencyKeyLimit}.`, {
    field: 'Idempotency-Key',
  })
}

/** A browser that guesses where its user goes next would make what nobody has asked for. */
function assertNoPrefetch({ asked }: Exchange): void {
  const purposes = [asked.purpose, asked['sec-purpose'], asked['x-moz']].flatMap(each => each ?? [])
  if (purposes.some(each => /\bpre(fetch|render|view)\b/i.test(each)))
    throw new GatewayError('invalid_request', 'What this would make is not made for a prefetch.')
}

/** What path and query ask beside the body, in the order of their names; the endpoint is
 *  compared by itself. */
function askedBeside({ params, query }: Exchange): string {
  const { endpoint: _endpoint, ...named } = params
  const asked = [...Object.entries(named), ...Object.entries(query)].sort(([a], [b]) => (a < b ? -1 : 1))
  return asked.length === 0 ? '' : JSON.stringify(asked)
}
