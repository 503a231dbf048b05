/** Pictures over F1 of another gateway: a task there for each job here. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { Failed, Outcome, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { wasNeverConnected } from '@generation-gateway/kit/requests/never-connected.ts'
import { failedAfterPay } from '../failed.ts'
import { drawn } from '../image/drawn-pictures.ts'
import { fluxBody } from '../image/flux-body.ts'
import type { ImageJob, ImageRequest } from '../image/image-job.ts'
import { fluxWords, refusalNamed } from '../image/image-words.ts'
import { exactSeed, fetchPicture, lookAndFetch, type SeenTask } from '../image/picture-file.ts'
import { refusalBy } from '../refusal.ts'
import { targetFor } from '../upstream/hops.ts'
import { postBody } from '../upstream/post-body.ts'
import { objectOf } from '../upstream/read-json.ts'
import type { ServiceTools } from '../upstream/service-driver.ts'
import { answerBehind, isFateUnknown } from '../upstream/upstream-failures.ts'
import { wait } from '../upstream/wait.ts'
import { fieldsOf } from './image-fields.ts'
import { settings } from './settings.ts'
import { noTask, owner, type ReadyPicture, seenTask } from './task-answer.ts'

interface TaskTools extends ServiceTools {
  /** Waits before a start of unknown fate is repeated, milliseconds; one repeat for each. */
  repeatAfterMs: readonly number[]
}

const submitPath = '/imgf/image/generate'
const resultPath = '/imgf/get_result'
/** A submit and a look are answered at once. */
const usualFirstByteMs = 60_000
const lookMs = 120_000
const maxAnswerBytes = 1024 * 1024
/** Enough for all jobs of a node: a look costs the other gateway 50 us. */
const looksPerSecond = 100
/** Four bytes for each of the 16,777,216 pixels F1 allows, and as much again for what a format adds. */
const maxPictureBytes = 128 * 1024 * 1024
/** A repeat of a start that had been accepted would not be refused for what was asked. */
const aboutTheBody = new Set([400, 413, 422])

export function imageTasks<Request extends ImageRequest>(tools: TaskTools): PolledOffer<Request> {
  return polled<Request>({
    isIdempotent: true,
    pollEveryMs: 1_000,
    looksPerSecond,
    refuses: asked => refusalBy(() => fieldsOf(asked)),
    start: job => start(tools, job),
    check: (job, handle) =>
      lookAndFetch(
        () => look(tools, job, handle),
        picture => outcomeOf(tools, job, picture),
      ),
    cancel: async (job, handle) => {
      try {
        await ask(tools, job, { method: 'DELETE', handle })
      } catch (error) {
        // Nothing is left to stop.
        if (!isTaskGone(error)) throw error
      }
    },
  })
}

/** Starts the task with the job's id as idempotency key: however often it is sent, there is one task and one picture.
 *  Throws what the refusal of the submit is mapped to; `outcome_unknown` when one of the tries may have arrived. */
async function start(tools: TaskTools, job: ImageJob): ReturnType<PolledOffer<ImageRequest>['start']> {
  const waits = [...tools.repeatAfterMs]
  let isInDoubt = false
  for (;;) {
    try {
      const { id } = objectOf(await submit(tools, job))
      if (typeof id === 'string' && id !== '') return { state: 'started', handle: { id } }
      throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
    } catch (error) {
      if (answerBehind(error)?.upstreamCode === 'idempotency_conflict') return startedBefore()
      const waitMs = isFateUnknown(error) ? waits.shift() : undefined
      if (isFateUnknown(error) && !(error instanceof GatewayError && wasNeverConnected(error))) isInDoubt = true
      if (waitMs === undefined) throw endOf(error, job, isInDoubt)
      await wait(waitMs, job.signal, 'The task was stopped while its start was being repeated.')
    }
  }
}

function submit({ upstream }: TaskTools, job: ImageJob): Promise<Json> {
  const { request, inputs, signal } = job
  const headers = { 'idempotency-key': job.id, ...nextHop(request.hops) }
  const target = targetFor(settings.targetOf(job.settings).upstream, { headers })
  const body = fluxBody(fieldsOf(job), request.seed, pictureOf(inputs))
  const post = { upstream, target, path: submitPath, body, headers, signal, owner, ...waitsOf(job) }
  return postBody(post, answer => answer.json(maxAnswerBytes))
}

/** One of the tries may have arrived, whatever became of the others. */
function endOf(error: unknown, { request }: ImageJob, isInDoubt: boolean): unknown {
  if (!isInDoubt || aboutTheBody.has(answerBehind(error)?.status ?? 0)) return refusalNamed(fluxWords, error, request)
  return new GatewayError('outcome_unknown', 'It is not known whether the other gateway accepted the task.', { cause: error })
}

async function look(tools: TaskTools, job: ImageJob, handle: JsonObject): Promise<SeenTask<ReadyPicture>> {
  try {
    const { request } = job
    const { secrets } = settings.targetOf(job.settings).upstream
    return seenTask(await ask(tools, job, { method: 'GET', handle }), { request, secrets })
  } catch (error) {
    if (isTaskGone(error)) return noTask()
    throw error
  }
}

async function ask(
  { upstream }: TaskTools,
  job: ImageJob,
  { method, handle }: { method: 'GET' | 'DELETE'; handle: JsonObject },
): Promise<Json> {
  const waits = waitsOf(job)
  const path = `${resultPath}?id=${encodeURIComponent(String(handle.id))}`
  const limits = { ...waits, timeoutMs: waits.firstByteMs + lookMs, maxBytes: maxAnswerBytes }
  const target = settings.targetOf(job.settings).upstream
  return (await upstream.json(target, { method, path, isStored: true, signal: job.signal, ...limits })).body
}

async function outcomeOf({ guard }: TaskTools, job: ImageJob, picture: ReadyPicture): Promise<Outcome> {
  const { origin } = settings.targetOf(job.settings).upstream
  const file = await fetchPicture({ guard, job, origin, owner, maxBytes: maxPictureBytes }, picture.url)
  if ('state' in file) return file
  const { prompt, notDrawn, notFollowed } = picture
  return drawn([file], { seed: exactSeed(picture.seed, job.request.seed), prompt, notDrawn, notFollowed })
}

function waitsOf(job: ImageJob) {
  const { firstByteMs = usualFirstByteMs, waits } = settings.targetOf(job.settings)
  return { ...waits, firstByteMs }
}

function isTaskGone(error: unknown): boolean {
  return answerBehind(error)?.upstreamCode === 'task_not_found'
}

function startedBefore(): Failed {
  const message = 'The task was started before with other settings of its target, and its id at the other gateway is not known.'
  return failedAfterPay('outcome_unknown', message)
}
