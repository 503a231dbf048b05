/** Starts a task at another gateway, once however often it is sent: the job's id is its idempotency key there. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { wasNeverConnected } from '@generation-gateway/kit/requests/never-connected.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { targetFor } from '../../shared/upstream/hops.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import type { SentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind, isFateUnknown } from '../../shared/upstream/upstream-failures.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { settings } from './settings.ts'
import { owner } from './task-answer.ts'
import { maxAnswerBytes, tasksPath, waitsOf } from './task-paths.ts'
import { whoOf } from './way.ts'

export interface TaskTools extends ServiceTools {
  /** Waits before a start of unknown fate is repeated, milliseconds; one repeat for each. */
  repeatAfterMs: readonly number[]
}

/** A submit of one of its families. */
export interface TaskStart<Request> {
  family: string
  /** With `{endpoint}`. */
  path: string
  /** Answered only when the task has ended. */
  answersLate?: true
  /** The task, of the submit's answer. */
  idIn(answer: JsonObject): string | undefined
  /** Throws a `RefusedError` for what the family has no field for. */
  body(job: Job<Request>): SentBody | Promise<SentBody>
  /** A refusal with the field that it is about in neutral words. */
  named(error: unknown, job: Job<Request>): unknown
}

interface Starting<Request> {
  tools: TaskTools
  job: Job<Request>
  way: TaskStart<Request>
}

/** Between two looks for the task of a submit that is not answered yet. Milliseconds. */
const lookWaits = { first: 250, longest: 4_000 }
/** A repeat of a start that had been accepted would not be refused for what was asked. */
const aboutTheBody = new Set([400, 413, 422])
/** F3 says it behind its sentences. */
const requestIdSaid = / Request id: \S+$/

/** Throws what the refusal of the submit is mapped to; `outcome_unknown` when one of the tries may have arrived. */
export async function startTask<Request extends { hops?: number }>(starting: Starting<Request>): ReturnType<PolledOffer<Request>['start']> {
  const { tools, job, way } = starting
  const waits = [...tools.repeatAfterMs]
  let isInDoubt = false
  for (;;) {
    try {
      const id = await (way.answersLate ? submitLate(starting) : submit(starting, job.signal))
      return { state: 'started', handle: { family: way.family, id } }
    } catch (error) {
      if (codeBehind(error) === 'idempotency_conflict') return startedBefore()
      const waitMs = isFateUnknown(error) ? waits.shift() : undefined
      if (isFateUnknown(error) && !(error instanceof GatewayError && wasNeverConnected(error))) isInDoubt = true
      if (waitMs === undefined) throw endOf(error, starting, isInDoubt)
      await wait(waitMs, job.signal, 'The task was stopped while its start was being repeated.')
    }
  }
}

/** The id of the task. */
async function submit<Request extends { hops?: number }>(
  { tools: { upstream }, job, way }: Starting<Request>,
  signal: AbortSignal,
): Promise<string> {
  const { whole, endpoint } = settings.targetOf(job.settings)
  const headers = { 'idempotency-key': job.id, ...nextHop(job.request.hops) }
  const target = targetFor(whole, { headers })
  const post = { upstream, target, path: way.path.replace('{endpoint}', endpoint), body: await way.body(job), headers, signal, owner }
  const answer = await postBody({ ...post, ...waitsOf(job) }, each => each.json(maxAnswerBytes))
  const id = way.idIn(objectOf(answer))
  if (id !== undefined) return id
  throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
}

/** The task is there long before the answer: it is found by its key, and goes on without the connection. A run that failed meanwhile is the task's to tell. */
async function submitLate<Request extends { hops?: number }>(starting: Starting<Request>): Promise<string> {
  const { tools, job } = starting
  const leaving = new AbortController()
  const signal = AbortSignal.any([job.signal, leaving.signal])
  try {
    return await Promise.race([submit(starting, signal), foundMeanwhile(tools, job, signal)])
  } catch (error) {
    const mayBeOfRun = isFateUnknown(error) || (error instanceof GatewayError && error.code === 'request_moderated')
    const id = mayBeOfRun ? await findTask(tools, job) : undefined
    if (id !== undefined) return id
    throw error
  } finally {
    leaving.abort()
  }
}

async function foundMeanwhile<Request>(tools: TaskTools, job: Job<Request>, signal: AbortSignal): Promise<string> {
  for (let waitMs = lookWaits.first; ; waitMs = Math.min(lookWaits.longest, 2 * waitMs)) {
    await wait(waitMs, signal, 'The task was stopped while it was being started.')
    const id = await findTask(tools, job)
    if (id !== undefined) return id
  }
}

/** The task that this job has begun there. Undefined also when it cannot be looked for now: the submit itself says what becomes of it. */
export async function findTask(
  { upstream }: ServiceTools,
  job: Pick<Job<unknown>, 'id' | 'settings' | 'signal'>,
): Promise<string | undefined> {
  const path = `${tasksPath}?limit=1&idempotency_key=${encodeURIComponent(job.id)}`
  const waits = waitsOf(job)
  const limits = { ...waits, timeoutMs: waits.firstByteMs, maxBytes: maxAnswerBytes }
  try {
    const { body } = await upstream.json(settings.targetOf(job.settings).whole, { method: 'GET', path, signal: job.signal, ...limits })
    return textOf(objectsOf(objectOf(body).data)[0]?.id)
  } catch (error) {
    if (job.signal.aborted) throw error
    return undefined
  }
}

/** One of the tries may have arrived, whatever became of the others. */
function endOf<Request extends { hops?: number }>(error: unknown, { job, way }: Starting<Request>, isInDoubt: boolean): unknown {
  // What the inputs tell, which was looked at only now.
  if (error instanceof RefusedError) return error
  const status = answerBehind(error)?.status ?? 0
  if (isInDoubt && !aboutTheBody.has(status))
    return new GatewayError('outcome_unknown', 'It is not known whether the other gateway accepted the task.', { cause: error })
  if (status === 404) return lacking(error, { job, way })
  const named = way.named(error, job)
  return named instanceof GatewayError ? named.inWords(named.field, named.message.replace(requestIdSaid, '')) : named
}

/** Nothing was spent: another target may have what this gateway has not. */
function lacking<Request>(cause: unknown, { job: { model, settings: given }, way }: Pick<Starting<Request>, 'job' | 'way'>): GatewayError {
  const unavailable = (message: string) => new GatewayError('capability_unavailable', message, { cause })
  switch (codeBehind(cause)) {
    case 'task_not_found':
      return refused('image', `${whoOf(way.family)} does not have the job of the picture, or no longer.`)
    case 'model_not_found':
      return unavailable(`The other gateway has no model ${model} in its family ${way.family}; see model and families of the target.`)
    case 'endpoint_not_found':
      return unavailable(`The other gateway has no endpoint ${settings.targetOf(given).endpoint}; see endpoint of the target.`)
    default:
      return unavailable(`The other gateway does not serve family ${way.family}: it may be an older one, or base_url is wrong.`)
  }
}

/** The other gateway's own code of what it refused: families have words of theirs beside it. */
function codeBehind(error: unknown): Json | undefined {
  const { gateway_code, code }: JsonObject = objectOf(objectOf(answerBehind(error)?.body).error)
  return gateway_code ?? code
}

function startedBefore(): ReturnType<typeof failedAfterPay> {
  const message = 'The task was started before with other settings of its target, and its id at the other gateway is not known.'
  return failedAfterPay('outcome_unknown', message)
}
