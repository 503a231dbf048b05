/** The last step: records the usage of the call, whether it was answered or failed. */
import { errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Call } from '../call/call.ts'
import { endCall } from '../call/quotas.ts'
import { isOpened } from '../events/silence.ts'
import { endOpened, logFailure, sendFailure } from '../failures.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** Records an answered call with the HTTP status that the caller got; 499 when the caller
 *  disconnected. */
export function recordStep({ deps }: OperationPlan, { response }: Exchange, call: Call): void {
  const hasLeft = response.destroyed && !response.writableFinished
  const sent = response.headersSent ? response.statusCode : 200
  endCall(deps, call, hasLeft ? 499 : sent)
}

/** Records a failed call, and sends the error in the family's format. The error is sent as
 *  an HTTP error; or as events, when the head of a stream has already been sent. (The head is sent
 *  before the first event when that event takes too long, src/http/events/silence.ts.) */
export function refuse(plan: OperationPlan, exchange: Exchange, call: Call | undefined, error: GatewayError): void {
  const { deps, entry } = plan
  const { family } = entry
  const { response, id } = exchange
  if (call) endCall(deps, call, response.destroyed ? 499 : errorCatalogue[error.code].status)
  if (!isOpened(response)) {
    sendFailure(deps, exchange, { error, failure: family.failure })
    return
  }
  logFailure(deps, error, id)
  endOpened(response, { error, family, requestId: id })
}
