import { setImmediate as nextTurn } from 'node:timers/promises'
import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import { silenceTick } from '../events/silence.ts'
import { publicUrlOf } from '../public-url.ts'
import { authenticateStep, type Caller } from './2-authenticate.ts'
import { noteIdempotency, readBodyStep, readHeadStep } from './4-read.ts'
import { checkStep, continuedModel } from './5-check.ts'
import { relayStep } from './6-relay.ts'
import { runStep } from './7-run.ts'
import { presentStep } from './8-present.ts'
import { recordStep, refuse } from './9-record.ts'
import type { Exchange, Handler } from './exchange.ts'
import { type OperationPlan, operationPlan, type PlannedOperation } from './plan.ts'

/** Awaiting this value gives a body in the same packet time to arrive: node emits a request
 *  before it parses the rest of the packet. */
const theRestOfItsPacket = undefined

/** Returns the handler of an operation. It runs the steps in this folder in the order of their
 *  numbers; `1-match.ts` has chosen the operation before. Steps that the operation's plan does
 *  not need are skipped. A step returns a promise only when it has to wait. */
export function operationHandler(deps: HttpDeps, planned: PlannedOperation): Handler {
  const plan = operationPlan(deps, planned)
  const { requestIdHeader } = planned.entry.family
  return async exchange => {
    if (requestIdHeader !== undefined) exchange.headers[requestIdHeader] = exchange.id
    let call: Call | undefined
    try {
      // 2 and 3: the caller, and the permissions and rate limits of the key.
      const found = authenticateStep(plan, exchange)
      const caller = found instanceof Promise ? await found : found
      // 4: the query, then the body.
      const query = readHeadStep(plan, exchange)
      call = openCall(plan, exchange, caller)
      if (plan.hasBody) {
        await theRestOfItsPacket
        const read = readBodyStep(plan, exchange, call)
        if (read) await read
        if (call.body.isLong) await nextTurn()
      }
      const silentSince = silenceTick()
      // 5: validates the body and chooses the model.
      const earlier = plan.continuesTask ? await continuedModel(plan, exchange, { call, query }) : undefined
      const body = checkStep(plan, exchange, { call, query, earlier })
      if (call.body.isLong) await nextTurn()
      // 6: relays the call, if a target speaks the caller's protocol; steps 7 to 9 are then
      // skipped.
      if (plan.isRelayed && (await relayStep(plan, exchange, call, body))) return
      // 7: runs the family's handler.
      const answered = await runStep(plan, exchange, { call, query, body })
      // 8: sends the answer of the handler.
      const presented = presentStep({ plan, exchange, call, silentSince }, answered)
      if (presented) await presented
      // 9: records the usage.
      recordStep(plan, exchange, call)
    } catch (error) {
      refuse(plan, exchange, call, toGatewayError(error))
    } finally {
      const disposed = call?.dispose()
      if (disposed) await disposed.catch(noteLeftFiles(deps, exchange))
    }
  }
}

/** Returns a function that logs why temporary files of a call could not be removed. The call has
 *  ended by then; the next start of the node removes the files. */
function noteLeftFiles({ log }: HttpDeps, { id }: Exchange): (error: unknown) => void {
  return error => log.warn({ err: error, requestId: id }, 'temporary files of a call could not be removed')
}

/** Creates the call of a request once its caller is known. Throws `invalid_request` when the
 *  Host header is needed and is not a valid host, or when the hop count is not a number, and
 *  `loop_detected` when the request has passed too many gateways. */
function openCall(plan: OperationPlan, exchange: Exchange, caller: Caller): Call {
  const { deps, label } = plan
  const { id, startedAt, requestHeaders, response } = exchange
  const call = new Call(deps, response, {
    requestId: id,
    operation: label,
    startedAt,
    ...caller,
    publicUrl: publicUrlOf(deps.settings, exchange),
    hops: hopsOf(requestHeaders[hopsHeader]),
  })
  if (typeof requestHeaders.traceparent === 'string') call.traceparent = requestHeaders.traceparent.slice(0, 200)
  noteIdempotency(plan, exchange, call)
  return call
}
