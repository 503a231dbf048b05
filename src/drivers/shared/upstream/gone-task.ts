/** Decides from the answer to a poll whether the upstream no longer has the task. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import { isModelGoneText, isNoSuchPath } from './gone-model.ts'
import { answerBehind, type UpstreamAnswerError, wireErrorOf } from './upstream-failures.ts'

interface GoneTask {
  /** Message of the failure. */
  says: string
  /** Returns true when the JSON body of a 404 or 410 is the service's own error object and reports
   *  that the service does not have the task. `body` is `{}` when the answer contains no JSON
   *  object. */
  isIn(body: JsonObject): boolean
}

const goneStatuses = new Set([404, 410])
/** Matches the words for a task, or for what it makes, in error codes and messages of services. */
const taskWords = /(?<![a-z])(tasks?|jobs?|operations?|predictions?|generations?|runs?|entity|videos?|songs?|instrumentals?)(?![a-z])/i

/** Returns the result of the poll. When the poll failed because the upstream no longer has the
 *  task, returns that failure (`goneIn`). Throws all other errors. */
export async function unlessGone<State>(poll: Promise<State>, gone: GoneTask): Promise<State | Failed> {
  try {
    return await poll
  } catch (error) {
    const failure = goneIn(answerBehind(error), gone)
    if (failure) return failure
    throw error
  }
}

/** Returns the failure for a 404 or 410 whose body says that the upstream does not have the task
 *  (any more); undefined for other statuses. The upstream may charge for the task, because it may
 *  have finished the work earlier. Any other 404 or 410 may come from a proxy or from a wrong
 *  base_url. It throws `upstream_error`, so that the poll is tried again. */
export function goneIn(answer: UpstreamAnswerError | undefined, { says, isIn }: GoneTask): Failed | undefined {
  if (answer === undefined || !goneStatuses.has(answer.status)) return undefined
  if (isIn(objectOf(answer.body))) return failedAfterPay('upstream_error', says)
  const message = `The upstream service answered a poll with ${answer.status}, which does not show that the task is gone; base_url may be wrong.`
  throw new GatewayError('upstream_error', message, { cause: answer })
}

/** Returns true when the error object in the body is about a task and not about the path or the
 *  model. It is used for services that have no error code for a missing task. */
export function isTaskGoneInWords(body: JsonObject): boolean {
  const wire = wireErrorOf(body)
  if (wire === undefined || isNoSuchPath(wire) || isModelGoneText(wire)) return false
  return taskWords.test(`${wire.code} ${wire.type} ${wire.message}`)
}
