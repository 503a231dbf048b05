/** Maps the refusals of runs by another gateway to errors for the caller. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, TargetRefusal } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { codeBehind, lacking } from './offers.ts'
import type { RunCall } from './run-request.ts'

/** Fields of the body that the driver itself writes. When the other gateway objects to one of them,
 *  the caller is not at fault. */
const ownFields = new Set(['version', 'capability', 'model', 'request', 'roles', 'stream'])
const maxReasons = 20

/** Returns the error for the caller, with the field names of the neutral request. When the other
 *  gateway does not have the model, the endpoint or the version, the request cost nothing and
 *  another target is tried. */
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
  // The other gateway's error object is left out: it has the form of one protocol, and the caller
  // may use another protocol.
  return new Refusal(error.code, error.message, {
    ...defined({ field: error.field, retryAfterSeconds: error.retryAfterSeconds }),
    ...{ reasons, cause: error.cause },
  })
}
