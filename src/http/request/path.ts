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

/** Node hands over the head of a request before it looks at the rest of the same packet. */
const theRestOfItsPacket = undefined

/** The way of every request to an operation: the steps of this folder, in the order of their
 *  numbers. `1-match.ts` has chosen the operation. What its plan does not name is skipped, and
 *  only a step that has to wait gives a promise. */
export function operationHandler(deps: HttpDeps, planned: PlannedOperation): Handler {
  const plan = operationPlan(deps, planned)
  return async exchange => {
    let call: Call | undefined
    try {
      // 2 and 3: who asks, and whether the key may do that now.
      const found = authenticateStep(plan, exchange)
      const caller = found instanceof Promise ? await found : found
      // 4: the query, then the body.
      const query = readHeadStep(plan, exchange)
      call = openCall(plan, exchange, caller)
      if (plan.hasBody) {
        await theRestOfItsPacket
        const read = readBodyStep(plan, exchange, call)
        if (read) await read
      }
      const silentSince = silenceTick()
      // 5: whether the body is valid, and which model it goes to.
      const earlier = plan.continuesTask ? await continuedModel(plan, exchange, { call, query }) : undefined
      const body = checkStep(plan, exchange, { call, query, earlier })
      // 6: the bytes of an upstream that speaks the caller's protocol, or
      if (plan.isRelayed && (await relayStep(plan, exchange, call, body))) return
      // 7: what the family's handler answers,
      const answered = await runStep(plan, exchange, { call, query, body })
      // 8: as the caller gets it.
      const presented = presentStep({ plan, exchange, call, silentSince }, answered)
      if (presented) await presented
      // 9: what was used.
      recordStep(plan, exchange, call)
    } catch (error) {
      refuse(plan, exchange, call, toGatewayError(error))
    } finally {
      const disposed = call?.dispose()
      if (disposed) await disposed
    }
  }
}

/** The call of a request whose caller is known. Throws `invalid_request` for a Host header that
 *  names none. */
function openCall(plan: OperationPlan, exchange: Exchange, caller: Caller): Call {
  const { deps, label } = plan
  const { id, startedAt, asked, response } = exchange
  const call = new Call(deps, response, {
    requestId: id,
    operation: label,
    startedAt,
    ...caller,
    publicUrl: publicUrlOf(deps.settings, exchange),
    hops: hopsOf(asked[hopsHeader]),
  })
  if (typeof asked.traceparent === 'string') call.traceparent = asked.traceparent.slice(0, 200)
  noteIdempotency(plan, exchange, call)
  return call
}
