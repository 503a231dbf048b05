import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import { silenceTick, usualSilenceSeconds } from '../events/silence.ts'
import { publicUrlOf } from '../public-url.ts'
import { authenticateStep, type Caller } from './2-authenticate.ts'
import { bodyStep, noteIdempotency, readHeadStep } from './4-read.ts'
import { checkStep, continuedModel, warn } from './5-check.ts'
import { relayStep } from './6-relay.ts'
import { runStep } from './7-run.ts'
import { presentStep } from './8-present.ts'
import { recordAnswer, recordFailure, refuse } from './9-record.ts'
import type { Exchange, Handler } from './exchange.ts'
import { type OperationPlan, operationPlan, type PlannedOperation } from './plan.ts'

/** The way of every request to an operation: the steps of this folder, in their order. `1-match.ts` came before. Only a step that has to wait gives a promise. */
export function operationHandler(deps: HttpDeps, planned: PlannedOperation): Handler {
  const plan = operationPlan(deps, planned)
  return async exchange => {
    let call: Call | undefined
    try {
      // 2 and 3: who asks, and how often that is allowed.
      const found = authenticateStep(plan, exchange)
      const caller = found instanceof Promise ? await found : found
      // 4: the query, then the body.
      const query = readHeadStep(plan, exchange)
      call = openCall(plan, exchange, caller)
      if (plan.operation.body) await bodyStep(plan, exchange, call)
      await answer(plan, exchange, call, query)
    } catch (error) {
      refuse(plan, exchange, toGatewayError(error))
    } finally {
      const disposed = call?.dispose()
      if (disposed) await disposed
    }
  }
}

/** What follows once the whole request is there. */
async function answer(plan: OperationPlan, exchange: Exchange, call: Call, query: Record<string, unknown>): Promise<void> {
  const silentSince = silenceTick()
  // 5: whether the body holds, and which model it goes to.
  const continued = continuedModel(plan, exchange, { call, query })
  const earlier = continued && (await continued)
  const body = checkStep(plan, exchange, { call, query, earlier })
  // 6: the bytes of an upstream that speaks the caller's protocol.
  if (plan.isRelayed && (await relayStep(plan, exchange, call, body))) return
  try {
    // 7: the handler of the family.
    const answered = await runStep(plan, exchange, { call, query, body })
    // 8: its answer goes out.
    warn(call, exchange)
    exchange.addHeaders(call.headers)
    call.isAnswered = true
    const presented = presentStep({ plan, exchange, silence: { seconds: silenceOf(call), since: silentSince } }, answered)
    if (presented) await presented
    // 9: what was used.
    recordAnswer(plan, exchange, call)
  } catch (error) {
    recordFailure(plan, exchange, call, toGatewayError(error))
    throw error
  }
}

/** The call of a request whose caller is known. Throws `invalid_request` for a Host header that names none. */
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

/** Of the target that is asked first. */
function silenceOf({ routes, model }: Call): number {
  return (routes?.[0]?.target ?? model?.targets[0])?.silenceSeconds ?? usualSilenceSeconds
}
