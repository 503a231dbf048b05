/** Sends paid requests. The upstream charges for a request as soon as it has received all of it,
 *  and the request has no idempotency key, so repeating it could be charged twice. */
import { GatewayError, NotSentError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { inOnePart, type Parts, type PostedBody, postInParts, wholeOf } from './post-body.ts'
import type { SentBody } from './sent-body.ts'
import type { ServiceAddress } from './service-settings.ts'
import type { Upstream } from './upstream.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'
import { answerBehind } from './upstream-failures.ts'

interface Submit extends Pick<PostedBody, 'path' | 'body' | 'owner'> {
  /** The client `ServiceTools.submits`. It is used only for paid submits, so its connections are
   *  never reused. */
  submits: Upstream
  target: ServiceAddress
  /** The job; its model is named in error messages. */
  job: Pick<Job<unknown>, 'model' | 'signal' | 'stop'>
}

interface PaidSubmit<Result> extends Submit {
  /** Derives the result from a successful answer. When it throws an error, it stays unknown whether
   *  the upstream did the work (`outcome_unknown`); a value that it returns is the result. */
  read(answer: UpstreamAnswer): Promise<Result>
}

interface PaidSubmitInParts<Part, Result> extends Submit {
  /** Derives the result as `read` of `PaidSubmit` does. Each value that it yields is forwarded at
   *  once. */
  read(answer: UpstreamAnswer): Parts<Part, Result>
}

interface NamedSubmit<Name> extends Submit {
  /** Returns the id in a successful answer, or another value that proves that the request was
   *  accepted. Returns undefined when the answer has none; it then stays unknown whether the
   *  request was accepted. */
  nameIn(answer: JsonObject): Name | undefined
  /** Description, for messages, of the object that the id names: `the task it made`. */
  what: string
  /** Largest answer in bytes; default 1 MiB. */
  maxBytes?: number
}

const usualMaxBytes = 1024 * 1024

/** Sends the request and returns the id of the created object (such as a task) from the JSON
 *  answer. Throws as `submitPaid`. */
export function submitNamed<Name>({ nameIn, what, maxBytes = usualMaxBytes, ...submit }: NamedSubmit<Name>): Promise<Name> {
  const read = async (answer: UpstreamAnswer) => {
    const name = nameIn(objectOf(await answer.json(maxBytes)))
    if (name !== undefined) return name
    throw new GatewayError('upstream_error', `${submit.owner} did not name ${what}.`)
  }
  return submitPaid({ ...submit, read })
}

/** Sends the request once. Throws:
 *  - `outcome_unknown`, with the failure as its cause, when the request may have been accepted;
 *  - `capability_unavailable` when the model does not exist, and for every other status 404;
 *  - `cancelled` when the signal, or `stop` of the job, fired before the last byte was sent;
 *  - otherwise the error to which the refusal or the network failure is mapped; a `NotSentError`
 *    when the failure came before the last byte was sent. */
export function submitPaid<Result>(submit: PaidSubmit<Result>): Promise<Result> {
  return wholeOf(submitPaidInParts({ ...submit, read: inOnePart(answer => submit.read(answer)) }))
}

/** Like `submitPaid`, for an answer that is forwarded while it arrives. Leaving the loop cuts the
 *  connection. */
export async function* submitPaidInParts<Part, Result>(submit: PaidSubmitInParts<Part, Result>): Parts<Part, Result> {
  // Each submit gets a new connection. With a reused connection, the upstream might close it just
  // as the request is sent, and it would be unknown whether the request arrived.
  const { submits, job, path, body, owner } = submit
  const { upstream: target, waits } = submit.target
  using sending = new Sending(job, body)
  const post = { upstream: submits, target, path, body, owner, signal: sending.signal, ...waits }
  let isAccepted = false
  try {
    return yield* postInParts({ ...post, headers: { connection: 'close' }, answerMs: waits.firstByteMs }, answer => {
      isAccepted = true
      return submit.read(answer)
    })
  } catch (error) {
    if (isAccepted || mayBeAccepted(error, body)) throw outcomeUnknown(submit, error)
    const refused = refusalOf(submit, error)
    throw body.isHandedOver() ? refused : NotSentError.of(refused)
  }
}

/** The signal of a paid request. It fires with the job's own signal and, until the last byte is
 *  sent, also with the job's `stop`. */
class Sending {
  readonly signal: AbortSignal
  readonly #stop: AbortSignal | undefined
  readonly #onStop: () => void

  constructor({ signal, stop }: Pick<Job<unknown>, 'signal' | 'stop'>, body: SentBody) {
    const unsent = new AbortController()
    this.signal = stop === undefined ? signal : AbortSignal.any([signal, unsent.signal])
    this.#stop = stop
    this.#onStop = () => {
      if (!body.isHandedOver()) unsent.abort(stop?.reason)
    }
    stop?.addEventListener('abort', this.#onStop)
    if (stop?.aborted) this.#onStop()
  }

  [Symbol.dispose](): void {
    this.#stop?.removeEventListener('abort', this.#onStop)
  }
}

/** Error codes that are refusals although the status is 500 or above: `overloaded` (503 and 529),
 *  and `loop_detected` (508, sent when gateways call each other in a circle). */
const refusals: ReadonlySet<string> = new Set(['overloaded', 'loop_detected'])

/** Returns true when the upstream may have accepted the request. Statuses below 500 and the codes
 *  in `refusals` are refusals. After the last byte was sent, any other failure leaves the outcome
 *  unknown, even an abort by the gateway. */
function mayBeAccepted(error: unknown, body: SentBody): boolean {
  if (!body.isHandedOver()) return false
  if (error instanceof GatewayError && refusals.has(error.code)) return false
  return (answerBehind(error)?.status ?? 500) >= 500
}

function outcomeUnknown({ owner }: Pick<Submit, 'owner'>, cause: unknown): GatewayError {
  const message = `It is not known whether the task was accepted: ${owner} had the request and gave no usable answer.`
  return new GatewayError('outcome_unknown', message, { cause })
}

/** Returns the error of a refusal. A missing model or path (404) becomes
 *  `capability_unavailable`: the operator configured it by mistake and the request cost nothing,
 *  so another target is tried. */
function refusalOf({ job, owner }: Pick<Submit, 'job' | 'owner'>, error: unknown): unknown {
  const isGone = error instanceof GatewayError && error.code === 'model_not_found'
  return isGone || answerBehind(error)?.status === 404 ? missingModel(job.model, owner, error) : error
}

/** Returns the error for an upstream that does not have the model for this kind of request. */
export function missingModel(model: string, owner: string, cause: unknown): GatewayError {
  const message = `There is no model ${model} for this at ${owner}; see base_url and model of the target.`
  return new GatewayError('capability_unavailable', message, { cause })
}
