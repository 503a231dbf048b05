/** Requests that are paid from the moment the upstream has the whole of them, and have no idempotency key to repeat them by. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SentBody } from './sent-body.ts'
import type { Upstream } from './upstream.ts'
import { AnswerSink, type UpstreamAnswer } from './upstream-answer.ts'
import { UpstreamAnswerError } from './upstream-failures.ts'
import type { UpstreamTarget } from './upstream-target.ts'

interface PaidSubmit<Result> {
  /** Used for nothing else: its connections are never kept. */
  upstream: Upstream
  target: UpstreamTarget
  /** After the target's path. */
  path: string
  /** What the path is about, for a sentence. */
  model: string
  /** Whose service it is, in sentences: `Black Forest Labs`. */
  owner: string
  body: SentBody
  signal: AbortSignal
  firstByteMs: number
  idleMs: number
  /** Makes the result of a good answer. What it throws leaves the fate of the request open; what it returns settles it. */
  read(answer: UpstreamAnswer): Promise<Result>
}

/** 64 kB a second: 20 MiB as base64 then have seven minutes. */
const slowestBytesPerMs = 64

/** Sends the request once.
 *  Throws `outcome_unknown` when it may have been accepted, with what happened as its cause; `capability_unavailable` when the model is not there;
 *  else what the refusal or the network is mapped to, or `cancelled` when the signal came before the last byte was out. */
export async function submitPaid<Result>(submit: PaidSubmit<Result>): Promise<Result> {
  const { upstream, target, path, body, signal, firstByteMs, idleMs } = submit
  const deadline = AbortSignal.timeout(2 * firstByteMs + Math.ceil(body.bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([signal, deadline]))
  // A kept connection may be closed by the upstream in the moment it is used: then nobody could say whether the request arrived.
  const headers = { connection: 'close', 'content-type': body.contentType }
  const request = { method: 'POST', suffix: '', query: '', settings: {}, body, headers, firstByteMs, idleMs } as const
  // Its own headers without the content type of JSON: the body says its own.
  upstream.relay({ ...target, withBody: target.headers }, path, request, sink)
  let isAccepted = false
  try {
    const answer = await sink.answer
    isAccepted = true
    return await submit.read(answer)
  } catch (error) {
    const isLate = deadline.aborted && !signal.aborted
    const failure = isLate ? new GatewayError('upstream_timeout', `No answer of ${submit.owner} came in time.`) : error
    throw isAccepted || mayBeAccepted(failure, body) ? outcomeUnknown(submit, failure) : refusalOf(submit, failure)
  } finally {
    body.stream.destroy()
  }
}

/** An answer below 500 is a refusal, and so are 503 and 529. Everything else after the last byte leaves it open, also our own leaving. */
function mayBeAccepted(error: unknown, body: SentBody): boolean {
  if (!body.isHandedOver()) return false
  if (!(error instanceof GatewayError)) return true
  if (error.code === 'overloaded') return false
  return !(error.cause instanceof UpstreamAnswerError && error.cause.status < 500)
}

function outcomeUnknown({ owner }: Pick<PaidSubmit<unknown>, 'owner'>, cause: unknown): GatewayError {
  const message = `It is not known whether the task was accepted: ${owner} had the request and gave no usable answer.`
  return new GatewayError('outcome_unknown', message, { cause })
}

/** A model that is not there is the operator's mistake, and nothing was spent: another target may be tried. */
function refusalOf({ model, owner }: Pick<PaidSubmit<unknown>, 'model' | 'owner'>, error: unknown): unknown {
  const isMissing = error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && error.cause.status === 404
  if (!isMissing) return error
  const message = `There is no model ${model} for this at ${owner}; see base_url and model of the target.`
  return new GatewayError('capability_unavailable', message, { cause: error })
}
