/** Pictures over F1 of another gateway: a task there for each job here. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Job, Outcome, PolledOffer, Running } from '@generation-gateway/kit/requests/job.ts'
import { wasNeverConnected } from '@generation-gateway/kit/requests/never-connected.ts'
import { failedAfterPay } from '../failed.ts'
import { fluxWords, refusalNamed } from '../image/image-words.ts'
import { isLinkGone } from '../output/fetch-output.ts'
import { targetFor } from '../upstream/hops.ts'
import { objectOf } from '../upstream/read-json.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { AnswerSink } from '../upstream/upstream-answer.ts'
import { UpstreamAnswerError } from '../upstream/upstream-failures.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import { wait } from '../upstream/wait.ts'
import type { SentBody } from './image-body.ts'
import { fetchPicture } from './picture-file.ts'
import { factsOf, type TargetFacts } from './settings.ts'
import { type SeenTask, seenTask } from './task-answer.ts'

export interface TaskTools {
  upstream: Upstream
  guard: UrlGuard
  /** Waits before a start of unknown fate is repeated, milliseconds; one repeat for each. */
  repeatAfterMs: readonly number[]
}

type ImageRequest = ImageGenerateRequest | ImageEditRequest
type ImageOffer = Omit<PolledOffer<ImageRequest>, 'kind' | 'start'>

const submitPath = '/imgf/image/generate'
const resultPath = '/imgf/get_result'
const defaultFirstByteMs = 60_000
const defaultIdleMs = 60_000
/** A submit and a look are answered at once; this is for answers that trickle. */
const lookMs = 120_000
/** 64 kB a second: the largest edit (28 MB as base64) then has seven minutes. */
const slowestBytesPerMs = 64
const maxAnswerBytes = 1024 * 1024
/** Enough for all jobs of a node: a look costs the other gateway 50 us. */
const looksPerSecond = 100

/** Starts the task with the job's id as idempotency key: however often it is sent, there is one task and one picture.
 *  Throws what the refusal of the submit is mapped to; `outcome_unknown` when one of the tries may have arrived. */
export async function startTask(tools: TaskTools, job: Job<ImageRequest>, body: SentBody): ReturnType<PolledOffer<ImageRequest>['start']> {
  const facts = usable(job.settings)
  const waits = [...tools.repeatAfterMs]
  let isInDoubt = false
  for (;;) {
    try {
      const { id } = objectOf(await submit(tools.upstream, facts, job, body))
      if (typeof id === 'string' && id !== '') return { state: 'started', handle: { id } }
      throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
    } catch (error) {
      if (isOtherBody(error)) return startedBefore()
      const waitMs = isFateUnknown(error) ? waits.shift() : undefined
      if (isFateUnknown(error) && !(error instanceof GatewayError && wasNeverConnected(error))) isInDoubt = true
      if (waitMs === undefined) throw isInDoubt && !isAboutTheBody(error) ? unknownFate(error) : refusalNamed(fluxWords, error, job.request)
      await wait(waitMs, job.signal, 'The task was stopped while its start was being repeated.')
    }
  }
}

/** Looking at a started task and stopping it. */
export function startedTask({ upstream, guard }: TaskTools): ImageOffer {
  const look = async ({ settings, signal, request }: Job<ImageRequest>, handle: JsonObject): Promise<SeenTask> => {
    const facts = usable(settings)
    const call = { method: 'GET', path: pathOf(handle), isStored: true, signal, ...limitsOf(facts) } as const
    try {
      return seenTask((await upstream.json(facts.upstream, call)).body, { request, secrets: facts.upstream.secrets })
    } catch (error) {
      if (upstreamCodeOf(error) === 'task_not_found') return { state: 'ended', failed: isGone() }
      throw error
    }
  }
  return {
    pollEveryMs: 1_000,
    looksPerSecond,
    check: (job, handle) => check({ job, look: () => look(job, handle), guard }),
    cancel: async ({ settings, signal }, handle) => {
      const facts = usable(settings)
      const call = { method: 'DELETE', path: pathOf(handle), isStored: true, signal, ...limitsOf(facts) } as const
      try {
        await upstream.json(facts.upstream, call)
      } catch (error) {
        // Nothing is left to stop.
        if (upstreamCodeOf(error) !== 'task_not_found') throw error
      }
    },
  }
}

interface Check {
  job: Job<ImageRequest>
  look(): Promise<SeenTask>
  guard: UrlGuard
}

/** A link may have expired since it was signed: the next look gives a fresh one. */
async function check({ job, look, guard }: Check): Promise<Running | Outcome> {
  const { upstream } = factsOf(job.settings)
  let broken: unknown
  for (let tries = 0; tries < 2; tries++) {
    const seen = await look()
    if (seen.state === 'running') return seen
    if (seen.state === 'ended') return seen.failed
    try {
      return await fetchPicture({ guard, job, origin: upstream.origin }, seen.picture)
    } catch (error) {
      if (!isLinkGone(error)) throw error
      broken = error
    }
  }
  throw broken
}

async function submit(upstream: Upstream, facts: TargetFacts, job: Job<ImageRequest>, body: SentBody): Promise<Json> {
  const { firstByteMs, idleMs } = limitsOf(facts)
  const late = AbortSignal.timeout(lookMs + firstByteMs + Math.ceil(body.bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([job.signal, late]))
  const headers = { 'idempotency-key': job.id, ...nextHop(job.request.hops) }
  const stream = body.open()
  upstream.relay(
    targetFor(facts.upstream, { headers }),
    submitPath,
    {
      method: 'POST',
      suffix: '',
      query: '',
      settings: job.settings,
      body: { stream, bytes: body.bytes },
      headers,
      firstByteMs,
      idleMs,
    },
    sink,
  )
  try {
    return await (await sink.answer).json(maxAnswerBytes)
  } catch (error) {
    if (late.aborted && !job.signal.aborted) throw new GatewayError('upstream_timeout', 'The other gateway did not answer in time.')
    throw error
  } finally {
    stream.destroy()
  }
}

function usable(settings: JsonObject): TargetFacts {
  const facts = factsOf(settings)
  if (facts.problem !== undefined) throw new GatewayError('capability_unavailable', facts.problem)
  return facts
}

function limitsOf({ firstByteMs = defaultFirstByteMs, idleMs = defaultIdleMs }: TargetFacts) {
  return { firstByteMs, idleMs, timeoutMs: firstByteMs + lookMs, maxBytes: maxAnswerBytes }
}

function pathOf({ id }: JsonObject): string {
  return `${resultPath}?id=${encodeURIComponent(String(id))}`
}

/** The submit may or may not have arrived. */
function isFateUnknown(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  if (error.code === 'upstream_timeout' || error.code === 'upstream_unreachable') return true
  return error.code === 'upstream_error' && !(error.cause instanceof UpstreamAnswerError && error.cause.status < 500)
}

/** A refusal of what was asked for: a repeat of a start that had been accepted would not meet it. */
function isAboutTheBody(error: unknown): boolean {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && [400, 413, 422].includes(error.cause.status)
}

/** One of the tries may have arrived, whatever became of the others. */
function unknownFate(cause: unknown): GatewayError {
  return new GatewayError('outcome_unknown', 'It is not known whether the other gateway accepted the task.', { cause })
}

function isOtherBody(error: unknown): boolean {
  return upstreamCodeOf(error) === 'idempotency_conflict'
}

function upstreamCodeOf(error: unknown): string | undefined {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError ? error.cause.upstreamCode : undefined
}

function startedBefore(): Failed {
  const message = 'The task was started before with other settings of its target, and its id at the other gateway is not known.'
  return failedAfterPay('outcome_unknown', message)
}

function isGone(): Failed {
  return failedAfterPay('upstream_error', 'The other gateway no longer has the task.')
}
