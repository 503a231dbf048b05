import { GatewayError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Job, Offer, Outcome, OutputFile, PolledOffer, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { isReleased } from './aborted-run.ts'
import { onceStoreAnswers } from './keep-trying.ts'
import type { PollScheduler } from './poll-scheduler.ts'

/** The functions with which a run reports to the worker that started it. */
export interface RunKeeper {
  /** Handle of the generation, when an earlier run has already started it at the upstream. */
  handle?: JsonObject | undefined
  /** Saves the handle of the generation; called before the first poll. False when the lease is
   *  lost. */
  saveHandle(handle: JsonObject): Promise<boolean>
  /** Receives each part of a streamed answer except its outcome, as it arrives; the first part
   *  shows that the target has begun to answer. The run waits for the promise that is returned. */
  onPart?(part: StreamPart): Promise<void> | undefined
  /** Reports that the event stream of a generation broke off. Some events are missing, but the
   *  generation continues. */
  onTellingBroken?(error: unknown): Promise<void>
  /** Stores a file that a streamed offer has delivered before its outcome. Throws the error that
   *  prevented this. */
  addFile(file: OutputFile): Promise<void>
  /** Reports that the upstream has stopped the generation and will not charge for it. */
  onStopped(): void
  /** Reports that the generation could not be cancelled at the upstream; the run ends
   *  nevertheless. */
  onCancelFailed(error: unknown): void
  polls: PollScheduler
  /** Id of the target whose polling pace applies. */
  targetId: string
}

type StreamPart = Exclude<StreamEvent<EventOf<Capability>>, { type: 'outcome' }>

interface PolledRun<Request> {
  offer: PolledOffer<Request, EventOf<Capability>>
  job: Job<Request>
  keeper: RunKeeper
}

const pollErrorsAllowed = 10
const longestPollWaitMs = 60_000
const usualPollsPerSecond = 20
/** When a run is stopped while it starts a generation, the start has this long, in ms, to return
 *  the handle, by which the generation can be cancelled or resumed. */
const startGraceMs = 30_000
/** Time in ms for which the run waits for further events after a polled job has ended. */
const eventGraceMs = 10_000
/** Time limit in ms for cancelling a generation at the upstream. */
const cancelTimeoutMs = 10_000

/** Runs one offer (the way in which a driver serves a capability) until it has an outcome. An
 *  output file that cannot be inspected within the limits counts as a failure. Throws the errors of
 *  the driver, and the signal's reason when it is aborted. */
export async function execute<Request>(offer: Offer<Request, EventOf<Capability>>, job: Job<Request>, keeper: RunKeeper): Promise<Outcome> {
  // If an earlier run has started a generation, it is resumed even when the task was cancelled,
  // because the generation has to be stopped at the upstream.
  if (!keeper.handle) job.signal.throwIfAborted()
  try {
    return await run(offer, job, keeper)
  } catch (error) {
    if (!isUnsafe(error)) throw error
    const message = 'The upstream service gave a file that cannot be read: it is damaged, or made to do harm.'
    return { state: 'failed', code: 'upstream_error', message, mayBeCharged: true, isUnsafe: true }
  }
}

function run<Request>(offer: Offer<Request, EventOf<Capability>>, job: Job<Request>, keeper: RunKeeper): Promise<Outcome> {
  switch (offer.kind) {
    case 'once':
      return offer.run(job)
    case 'streamed':
      return collect(offer, job, keeper)
    case 'polled':
      return poll({ offer, job, keeper })
  }
}

/** True when the error means that a file is unsafe to read. If such a file belongs to an answer
 *  that must be paid for, drivers throw `outcome_unknown` with this error as its cause. */
function isUnsafe(error: unknown): boolean {
  return error instanceof UnsafeFileError || (error instanceof GatewayError && error.cause instanceof UnsafeFileError)
}

async function collect<Request>(
  offer: StreamedOffer<Request, EventOf<Capability>>,
  job: Job<Request>,
  keeper: RunKeeper,
): Promise<Outcome> {
  for await (const part of offer.run(job)) {
    job.signal.throwIfAborted()
    if (part.type === 'outcome') return part.outcome
    const behind = keeper.onPart?.(part)
    if (behind) await orAborted(behind, job.signal)
    if (part.type === 'file') await keeper.addFile(part.file)
  }
  throw new GatewayError('upstream_error', 'The stream ended without an outcome.')
}

/** Waits until `behind` resolves (a slow caller has caught up), or until the run is aborted. */
async function orAborted(behind: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([behind, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function poll<Request>(run: PolledRun<Request>): Promise<Outcome> {
  let { handle } = run.keeper
  const isFresh = handle === undefined
  if (!handle) {
    const answer = await startWithGrace(run)
    if (answer.state !== 'started') return answer
    handle = answer.handle
    await keepHandle(run, handle)
  }
  try {
    return await pollUntilDone(run, handle, isFresh)
  } catch (error) {
    const { signal } = run.job
    if (signal.aborted && !isReleased(signal)) await cancelUpstream(run, handle)
    throw error
  }
}

async function startWithGrace<Request>({ offer, job }: PolledRun<Request>): ReturnType<PolledOffer<Request>['start']> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(job.signal.reason), startGraceMs)
  }
  job.signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await offer.start({ ...job, signal: controller.signal, stop: job.signal })
  } finally {
    job.signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
}

/** Saves the handle of the generation. Without a saved handle, the gateway could not find the
 *  generation after a restart. If saving fails for good, the generation is therefore cancelled at
 *  the upstream, if the driver can do so, and not started again. */
async function keepHandle<Request>(run: PolledRun<Request>, handle: JsonObject): Promise<void> {
  let isSaved: boolean
  try {
    isSaved = await onceStoreAnswers(() => run.keeper.saveHandle(handle), run.job.signal)
  } catch (cause) {
    await cancelUpstream(run, handle)
    throw new GatewayError('outcome_unknown', 'The generation was started, but where it runs could not be stored.', { cause })
  }
  if (isSaved) return
  await cancelUpstream(run, handle)
  throw new GatewayError('conflict', 'The lease was lost after the start.')
}

async function cancelUpstream<Request>({ offer, job, keeper }: PolledRun<Request>, handle: JsonObject): Promise<void> {
  if (!offer.cancel) return
  try {
    await offer.cancel({ ...job, signal: AbortSignal.timeout(cancelTimeoutMs) }, handle)
    keeper.onStopped()
  } catch (error) {
    keeper.onCancelFailed(error)
  }
}

async function pollUntilDone<Request>({ offer, job, keeper }: PolledRun<Request>, handle: JsonObject, isFresh: boolean): Promise<Outcome> {
  const { polls, targetId } = keeper
  const { signal } = job
  await using telling = new EventForwarder({ offer, job, keeper }, handle)
  const perSecond = offer.pollsPerSecond ?? usualPollsPerSecond
  const startedAt = performance.now()
  let errorsInRow = 0
  let waitMs = isFresh ? polls.firstWaitMs(targetId) : 0
  for (;;) {
    signal.throwIfAborted()
    await polls.turn({ taskId: job.id, targetId, waitMs, perSecond, signal })
    try {
      const seen = await offer.check(job, handle)
      if (seen.state !== 'running') {
        if (seen.state === 'done') await telling.end()
        if (isFresh && seen.state === 'done') polls.took(targetId, performance.now() - startedAt)
        return seen
      }
      errorsInRow = 0
      if (seen.hasEvents) telling.begin()
      if (seen.progress !== undefined) job.progress(seen.progress)
      waitMs = seen.checkAfterMs ?? offer.pollEveryMs
    } catch (error) {
      errorsInRow += 1
      // The error is final after too many failed polls in a row, and after an abort. An unsafe file
      // is final at once, because the next poll would fetch the same file.
      if (errorsInRow > pollErrorsAllowed || signal.aborted || isUnsafe(error)) throw error
      const requestedMs = error instanceof GatewayError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      if (requestedMs > 0) polls.pause(targetId, requestedMs)
      waitMs = Math.min(longestPollWaitMs, Math.max(requestedMs, offer.pollEveryMs * 2 ** errorsInRow))
    }
  }
}

/** Forwards the events of a polled job to the callers, at the same time as the polls. */
class EventForwarder<Request> implements AsyncDisposable {
  readonly #run: PolledRun<Request>
  readonly #handle: JsonObject
  readonly #stop = new AbortController()
  #told: Promise<void> | undefined

  constructor(run: PolledRun<Request>, handle: JsonObject) {
    this.#run = run
    this.#handle = handle
  }

  /** Starts to forward events. Called once per run. */
  begin(): void {
    const { events } = this.#run.offer
    if (this.#told || !events) return
    this.#told = this.#tell(events)
  }

  /** Waits a short time for the remaining events. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), eventGraceMs)
    await this.#told
    clearTimeout(timer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#told
  }

  async #tell(events: NonNullable<PolledOffer<Request, EventOf<Capability>>['events']>): Promise<void> {
    const { offer, job, keeper } = this.#run
    const signal = AbortSignal.any([job.signal, this.#stop.signal])
    try {
      for await (const event of events.call(offer, { ...job, signal }, this.#handle)) {
        const behind = keeper.onPart?.({ type: 'event', event })
        if (behind) await orAborted(behind, signal)
        signal.throwIfAborted()
      }
      signal.throwIfAborted()
    } catch (error) {
      await keeper.onTellingBroken?.(error)
    }
  }
}
