/** Runs work as a task at another gateway. Each job creates one run there, even when the job is
 *  started several times, because the job's id is the idempotency key. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { wasNeverConnected } from '@generation-gateway/kit/never-connected.ts'
import type { Failed, JobFacts, PolledOffer, Refusal, Started } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent } from '@generation-gateway/kit/requests/music.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { pollAndFetch, type TaskState } from '../../shared/output/poll-and-fetch.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { unlessGone } from '../../shared/upstream/gone-task.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import type { SentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind, isFateUnknown } from '../../shared/upstream/upstream-failures.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { boundsOf } from './bounds.ts'
import { codeBehind, isVersionRefused, quickAddress, type Versions } from './offers.ts'
import { refusedRun } from './refused-run.ts'
import { isOwed, outcomeOf, seenRun } from './run-answer.ts'
import { type AnyRequest, type RunCall, runBody, runTarget } from './run-request.ts'
import { owner } from './settings.ts'

export interface RunTools extends ServiceTools {
  versions: Versions
  /** Waits in milliseconds. A start whose outcome is unknown is repeated once after each wait. */
  repeatAfterMs: readonly number[]
}

/** Largest number of polls per second. The limit is high enough for all jobs of a node, because
 *  a poll takes the other gateway only 50 microseconds. */
const pollsPerSecond = 100
const pollEveryMs = 1_000
/** Milliseconds between the polls of a run that is being cancelled. */
const endPollMs = 250
/** Statuses with which the other gateway refuses the body of a start. If an earlier try had been
 *  accepted, the repeated start would return its run. So such a refusal proves that no try was
 *  accepted. */
const aboutTheBody = new Set([400, 413, 422])

export function taskRun(
  tools: RunTools,
  capability: string,
  refuses?: (jobFacts: JobFacts<AnyRequest>) => Refusal | undefined,
): PolledOffer<AnyRequest, MusicEvent> {
  return polled<AnyRequest, MusicEvent>({
    isIdempotent: true,
    ...{ pollEveryMs, pollsPerSecond },
    ...(refuses ? { refuses } : {}),
    start: job => start(tools, { capability, job }),
    check: (job, handle) =>
      pollAndFetch(
        () => look(tools, { capability, job }, handle),
        run => outcomeOf(tools, { capability, job }, run),
      ),
    events: (job, handle) => sounds(tools, { capability, job }, handle),
    cancel: (job, handle) => cancel(tools, { capability, job }, handle),
  })
}

/** Starts the run. Throws the error to which a refusal is mapped, and `outcome_unknown` when one of
 *  the tries may have been accepted. */
async function start(tools: RunTools, call: RunCall): Promise<Started | Failed> {
  const { capability, job } = call
  const waits = [...tools.repeatAfterMs]
  let isInDoubt = false
  for (;;) {
    const version = tools.versions.of(job)
    const body = runBody(call, { version, isStreamed: false })
    try {
      const { target, headers } = runTarget(call)
      const answer = await postBody(
        {
          ...{ upstream: tools.upstream, target, path: '/gateway/runs', body },
          ...{ headers: { 'idempotency-key': job.id, ...headers }, signal: job.signal, owner, ...quickAddress(job).waits },
        },
        each => each.json(boundsOf(capability).answer),
      )
      const id = idOf(objectOf(answer).id)
      if (id !== undefined) return { state: 'started', handle: { id, version } }
      throw new GatewayError('upstream_error', 'The other gateway did not name the run it made.')
    } catch (error) {
      if (codeBehind(error) === 'idempotency_conflict') return startedBefore()
      if (isVersionRefused(error)) {
        await tools.versions.learn(job, version)
        continue
      }
      const waitMs = isFateUnknown(error) ? waits.shift() : undefined
      isInDoubt ||= mayBeAccepted(error, body)
      if (waitMs === undefined) throw isInDoubt && !isAboutTheBody(error) ? unknownFate(error) : refusedRun(error, call)
      await wait(waitMs, job.signal, 'The task was stopped while its start was being repeated.').catch((stopped: unknown) => {
        throw isInDoubt ? unknownFate(stopped) : stopped
      })
    }
  }
}

/** Returns true when the other gateway may have accepted the start that ended with this error. A
 *  start that is stopped (`cancelled`) may have been accepted once all of it was sent. */
function mayBeAccepted(error: unknown, body: Pick<SentBody, 'isHandedOver'>): boolean {
  if (!(error instanceof GatewayError) || wasNeverConnected(error)) return false
  return error.code === 'cancelled' ? body.isHandedOver() : isFateUnknown(error)
}

function isAboutTheBody(error: unknown): boolean {
  return aboutTheBody.has(answerBehind(error)?.status ?? 0)
}

function unknownFate(cause: unknown): GatewayError {
  return new GatewayError('outcome_unknown', 'It is not known whether the other gateway accepted the task.', { cause })
}

function startedBefore(): Failed {
  const message = 'The task was started before with other settings of its target, and its id at the other gateway is not known.'
  return failedAfterPay('outcome_unknown', message)
}

function look({ upstream }: RunTools, { capability, job }: RunCall, { id }: JsonObject): Promise<TaskState<JsonObject>> {
  const answer = askJson(upstream, quickAddress(job), { path: pathOf(id), signal: job.signal, maxBytes: boundsOf(capability).answer })
  const state = answer.then(body => seenRun(body, job))
  return unlessGone(state, { says: 'The other gateway no longer has the run.', isIn: body => isRunGone(objectOf(body.error).code) })
}

/** Cancels the run at the other gateway and waits until it has ended there. Throws `conflict` when
 *  the other gateway has charged for the run or may still do so, `cancelled` when `job.signal`
 *  fires before the end of the run, and the errors of the requests. */
async function cancel({ upstream }: RunTools, { capability, job }: RunCall, { id }: JsonObject): Promise<void> {
  const question = { path: pathOf(id), signal: job.signal, maxBytes: boundsOf(capability).answer }
  let run = await askJson(upstream, quickAddress(job), { ...question, method: 'DELETE' })
  while (seenRun(run, job).state === 'running') {
    await wait(endPollMs, job.signal, 'The other gateway did not stop the run in time.')
    run = await askJson(upstream, quickAddress(job), question)
  }
  if (isOwed(objectOf(run))) throw new GatewayError('conflict', 'The other gateway may charge for the run although it was cancelled.')
}

/** Returns true for an error code with which the other gateway says that it does not have a run. */
function isRunGone(code: unknown): boolean {
  return code === 'task_not_found' || code === 'gone'
}

/** Yields the sound of each piece of music while the other gateway produces it, one piece after
 *  another. */
async function* sounds(tools: RunTools, call: RunCall, handle: JsonObject): AsyncGenerator<MusicEvent> {
  const { capability, job } = call
  const { stream: maxBytes } = boundsOf(capability)
  const count = typeof job.request.count === 'number' ? job.request.count : 1
  for (let piece = 0; piece < count; piece++) {
    const answer = await begunOutput(tools, call, { handle, index: piece })
    if (!answer) return
    let sum = 0
    for await (const bytes of answer.chunks()) {
      sum += bytes.length
      if (sum > maxBytes) throw new GatewayError('upstream_error', `The other gateway sent a piece of more than ${maxBytes} bytes.`)
      yield { type: 'sound', piece, bytes }
    }
  }
}

/** Opens an output as soon as the run has begun to produce it, and reads it from its first byte.
 *  Undefined when the run ends before that. */
async function begunOutput(tools: RunTools, call: RunCall, { handle, index }: { handle: JsonObject; index: number }) {
  const { job } = call
  for (;;) {
    try {
      const { upstream: target, waits } = quickAddress(job)
      const call = { method: 'GET', path: `${pathOf(handle.id)}/outputs/${index}`, isStored: true, signal: job.signal } as const
      return await tools.upstream.open(target, { ...call, ...waits })
    } catch (error) {
      if (answerBehind(error)?.status !== 404) throw error
    }
    if ((await look(tools, call, handle)).state !== 'running') return undefined
    await wait(pollEveryMs, job.signal, 'The sound is not wanted any more.')
  }
}

function pathOf(id: unknown): string {
  return `/gateway/runs/${encodeURIComponent(String(id))}`
}
