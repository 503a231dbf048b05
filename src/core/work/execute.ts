import { GatewayError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Job, Offer, Outcome, OutputFile, PolledOffer, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { isReleased } from './aborted-run.ts'
import type { PollScheduler } from './poll-scheduler.ts'

/** The worker's side of a run. */
export interface RunKeeper {
  /** Present when the upstream already has the generation. */
  handle?: JsonObject | undefined
  /** Saves where the generation runs; called before the first poll. False when the lease is
   *  lost. */
  saveHandle(handle: JsonObject): Promise<boolean>
  /** Receives each part of a streamed answer except its outcome, as it arrives; the first one
   *  shows that the target has begun to answer. The run waits for a returned promise. */
  onPart?(part: StreamPart): Promise<void> | undefined
  /** The event stream broke off before the end: the events are incomplete, and the work
   *  continues. */
  onTellingBroken?(error: unknown): Promise<void>
  /** Stores a file that a streamed offer has delivered before its outcome. Throws the error that
   *  kept it from being stored. */
  addFile(file: OutputFile): Promise<void>
  /** The upstream has stopped, and will not charge for it. */
  onStopped(): void
  /** Cancelling at the upstream failed; the run ends all the same. */
  onCancelFailed(error: unknown): void
  polls: PollScheduler
  /** Target whose polling pace applies. */
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
/** A start in progress when the run is stopped has this long to return its handle, so that the
 *  generation can be cancelled or resumed. */
const startGraceMs = 30_000
/** Events may arrive this much later than the outcome. */
const eventGraceMs = 10_000
/** Limit for cancelling something upstream. */
const cancelTimeoutMs = 10_000

/** Runs one offer to its outcome; an output file that cannot be read within the limits of the
 *  inspection is a failure. Throws the driver's errors, and the signal's reason once it is
 *  aborted. */
export async function execute<Request>(offer: Offer<Request, EventOf<Capability>>, job: Job<Request>, keeper: RunKeeper): Promise<Outcome> {
  // An earlier start is resumed even after a cancel, because it has to be stopped at the
  // upstream.
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

/** For the file of a paid answer, drivers report an unknown outcome, with the reason as the
 *  cause. */
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

/** Waits for a caller who is behind, but ends when the run is aborted. */
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
    return await offer.start({ ...job, signal: controller.signal })
  } finally {
    job.signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
}

/** Saves where the generation runs. A generation that could not be found again is cancelled, and
 *  never started a second time. */
async function keepHandle<Request>(run: PolledRun<Request>, handle: JsonObject): Promise<void> {
  let isSaved: boolean
  try {
    isSaved = await run.keeper.saveHandle(handle)
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
      // The next poll would fetch the same file.
      if (errorsInRow > pollErrorsAllowed || signal.aborted || isUnsafe(error)) throw error
      const requestedMs = error instanceof GatewayError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      if (requestedMs > 0) polls.pause(targetId, requestedMs)
      waitMs = Math.min(longestPollWaitMs, Math.max(requestedMs, offer.pollEveryMs * 2 ** errorsInRow))
    }
  }
}

/** Forwards the events of a polled job, in parallel with the polls. */
class EventForwarder<Request> implements AsyncDisposable {
  readonly #run: PolledRun<Request>
  readonly #handle: JsonObject
  readonly #stop = new AbortController()
  #told: Promise<void> | undefined

  constructor(run: PolledRun<Request>, handle: JsonObject) {
    this.#run = run
    this.#handle = handle
  }

  /** Once in a run. */
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
