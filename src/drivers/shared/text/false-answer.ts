/** Decides whether JSON with a successful status is an answer or an error, because some services
 *  report errors with status 200. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { AnswerVerdict } from '@generation-gateway/kit/requests/relay.ts'
import { streamFailure } from '../upstream/upstream-failures.ts'
import type { RelayedProtocol } from './protocols.ts'

const heldError = 'The upstream service answered with an error in place of an answer.'

/** Returns the verdict on a whole answer, or on an event that came before the answer has begun. The
 *  verdict on an error is the failure that it reports; `secrets` are removed from its text. */
export function judgeAnswer(protocol: RelayedProtocol, value: JsonObject, secrets: readonly string[]): AnswerVerdict {
  const reported = failureIn(value) ?? choiceFailure(value)
  if (reported !== undefined) return streamFailure(reported, secrets, heldError)
  if (protocol.isAnswer(value)) return 'answer'
  return isErrorAlone(value) ? streamFailure(value, secrets, heldError) : 'nothing'
}

/** Returns the error for a target that sent no answer: `{}`, `{"choices":null}`, or a stream
 *  without an answer event. */
export function noAnswer({ output }: RelayedProtocol): GatewayError {
  return new GatewayError('upstream_error', `The upstream service sent an answer without ${output}.`)
}

/** Returns the error in an event or a whole answer; undefined when there is none. */
export function failureIn(event: JsonObject): unknown {
  if (event.error !== undefined && isErrorReported(event.error)) return isObject(event.error) ? event.error : event
  if (event.type === 'error' || event.object === 'error') return event
  if (event.type !== 'response.failed' && event.status !== 'failed') return undefined
  const response = isObject(event.response) ? event.response : event
  return response.error ?? {}
}

function isErrorReported(error: unknown): boolean {
  if (isObject(error)) return Object.keys(error).length > 0
  return Array.isArray(error) ? error.length > 0 : Boolean(error)
}

/** Returns the error inside the first choice; undefined when there is none or when the choice has
 *  text. Services that route requests to several providers report the failure of one provider this
 *  way. */
function choiceFailure({ choices }: JsonObject): unknown {
  const [choice] = objectsOf(choices)
  if (choice === undefined || !isObject(choice.error) || !isErrorReported(choice.error)) return undefined
  const said = choice.message ?? choice.delta
  return isObject(said) && textOf(said.content) !== undefined ? undefined : choice.error
}

/** Returns true for an object with an error text outside an `error` member, such as `{code, msg}`,
 *  or with an error status in `base_resp`. The caller counts such an object as an error only when
 *  it contains no answer. */
function isErrorAlone(value: JsonObject): boolean {
  const { base_resp: base, detail, message, msg, error_msg, errmsg } = value
  if (isObject(base) && base.status_code) return true
  return [message, msg, error_msg, errmsg, detail].some(said => textOf(said) !== undefined)
}
