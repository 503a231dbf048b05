/** Starting a generation: paid from the moment the vendor has the whole request, and without an idempotency key to repeat it by. */
import { GatewayError } from '../../core/errors.ts'
import type { Job } from '../../core/requests/job.ts'
import type { Json } from '../../core/task.ts'
import type { Upstream } from '../upstream.ts'
import { AnswerSink } from '../upstream-answer.ts'
import { UpstreamAnswerError } from '../upstream-failures.ts'
import { handleOf, type TaskHandle } from './handle.ts'
import { factsOf } from './settings.ts'
import type { SubmitBody } from './submit-body.ts'

const maxAnswerBytes = 1024 * 1024
/** 64 kB a second: the largest edit (28 MB as base64) then has seven minutes. */
const slowestBytesPerMs = 64

interface Submit {
  /** Used for nothing else: its connections are never kept. */
  upstream: Upstream
  job: Job<unknown>
  body: SubmitBody
  now: number
}

/** Sends the request once and gives the handle of what it started.
 *  Throws `outcome_unknown` when it may have been accepted, with what happened as its cause; else what the refusal or the network is mapped to,
 *  or `cancelled` when the signal came before the last byte was out. */
export async function submit({ upstream, job, body, now }: Submit): Promise<TaskHandle> {
  try {
    const answer = await send(upstream, job, body)
    const handle = handleOf(answer, now)
    if (handle) return handle
    throw new GatewayError('upstream_error', 'Black Forest Labs did not name the task it made.')
  } catch (error) {
    if (isModelMissing(error)) throw modelMissing(job.model, error)
    if (!mayBeAccepted(error, body)) throw error
    const message = 'Black Forest Labs had the request and gave no usable answer: whether it accepted the task is not known.'
    throw new GatewayError('outcome_unknown', message, { cause: error })
  }
}

async function send(upstream: Upstream, job: Job<unknown>, { stream, bytes }: SubmitBody): Promise<Json> {
  const { upstream: target, firstByteMs } = factsOf(job.settings)
  const deadline = AbortSignal.timeout(2 * firstByteMs + Math.ceil(bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([job.signal, deadline]))
  // A kept connection may be closed by the vendor in the moment it is used: then nobody could say whether the request arrived.
  const headers = { connection: 'close' }
  const limits = { firstByteMs, idleMs: firstByteMs }
  const rest = { method: 'POST', suffix: '', query: '', settings: job.settings } as const
  upstream.relay(target, `/${encodeURIComponent(job.model)}`, { ...rest, body: { stream, bytes }, headers, ...limits }, sink)
  try {
    return await (await sink.answer).json(maxAnswerBytes)
  } catch (error) {
    if (deadline.aborted && !job.signal.aborted) throw new GatewayError('upstream_timeout', 'Black Forest Labs did not answer in time.')
    throw error
  } finally {
    stream.destroy()
  }
}

/** An answer below 500 is a refusal, and so are 503 and 529. Everything else after the last byte leaves it open, also our own leaving. */
function mayBeAccepted(error: unknown, body: SubmitBody): boolean {
  if (!body.isHandedOver()) return false
  if (!(error instanceof GatewayError)) return true
  if (error.code === 'overloaded') return false
  return !(error.cause instanceof UpstreamAnswerError && error.cause.status < 500)
}

function isModelMissing(error: unknown): boolean {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && error.cause.status === 404
}

/** The operator's mistake, and nothing was spent: another target may be tried. */
function modelMissing(model: string, cause: unknown): GatewayError {
  const message = `Black Forest Labs has no model ${model} at the base_url of this target.`
  return new GatewayError('capability_unavailable', message, { cause })
}
