/** Maps another gateway's refusal of a run to an error for the caller. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, TargetRefusal } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { codeBehind, lacking } from './offers.ts'
import type { RunCall } from './run-request.ts'

/** Fields that the driver itself writes, so that a fault in them is not the caller's. */
const ownFields = new Set(['version', 'capability', 'model', 'request', 'roles', 'stream'])
const maxReasons = 20

/** Returns the error with the names of the neutral request. A model, an endpoint or a version that
 *  the other gateway does not have costs nothing, so another target may be tried. */
export function refusedRun(error: unknown, { job }: RunCall): unknown {
  const answer = answerBehind(error)
  if (!(error instanceof GatewayError) || answer === undefined) return error
  const code = codeBehind(error)
  if (code === 'task_not_found' || code === 'gone')
    return new GatewayError('upstream_error', 'The other gateway no longer has what the request goes on with.', { cause: error })
  if (answer.status === 404) return lacking(error, job)
  if (error.field !== undefined && ownFields.has(error.field))
    return new GatewayError('capability_unavailable', `The other gateway does not take such a run: ${error.message}`, { cause: error })
  const reasons = textsOf(objectOf(objectOf(answer.body).error).reasons).slice(0, maxReasons)
  const Refusal = error.code === 'invalid_request' ? TargetRefusal : GatewayError
  // The error is created anew, without the other gateway's error object, whose protocol the caller
  // may not speak.
  return new Refusal(error.code, error.message, {
    ...defined({ field: error.field, retryAfterSeconds: error.retryAfterSeconds }),
    ...{ reasons, cause: error.cause },
  })
}
