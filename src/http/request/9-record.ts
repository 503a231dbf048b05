/** The last step: what the call has used, whether it was answered or not. */
import { errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Call } from '../call/call.ts'
import { endCall } from '../call/quotas.ts'
import { isOpened } from '../events/silence.ts'
import { endOpened, logFailure, sendFailure } from '../failures.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** Records an answered call with the status that the caller got: 499 when he left. */
export function recordAnswer({ deps, operation }: OperationPlan, { response }: Exchange, call: Call): void {
  const hasLeft = response.destroyed && !response.writableFinished
  const sent = response.headersSent ? response.statusCode : operation.reply.status
  endCall(deps, call, hasLeft ? 499 : sent)
}

/** Records a call that could not be answered. */
export function recordFailure({ deps }: OperationPlan, { response }: Exchange, call: Call, error: GatewayError): void {
  endCall(deps, call, response.destroyed ? 499 : errorCatalogue[error.code].status)
}

/** Tells the caller of an error in the family's shape: by a status, or by events where a stream was opened for its silence. */
export function refuse({ deps, entry: { family } }: OperationPlan, exchange: Exchange, error: GatewayError): void {
  const { response, id } = exchange
  if (!isOpened(response)) {
    sendFailure(deps, exchange, { error, failure: family.failure })
    return
  }
  logFailure(deps, error, id)
  endOpened(response, { error, family, requestId: id })
}
