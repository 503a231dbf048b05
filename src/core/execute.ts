import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from './errors.ts'
import type { StartedMark } from './ports.ts'
import type { Job, Offer, Outcome, PolledOffer, StreamedOffer } from './requests/job.ts'

/** What a run needs to keep its place: called before the first poll. False when the lease is lost. */
export type SaveStarted = (handle: StartedMark['handle']) => Promise<boolean>

const pollErrorsAllowed = 10

/** Runs one offer to its outcome. Throws what the driver throws, and the signal's reason once it is aborted. */
export async function execute<Request>(
  offer: Offer<Request>,
  job: Job<Request>,
  started: StartedMark | undefined,
  saveStarted: SaveStarted,
): Promise<Outcome> {
  // What was started has to be ended at its upstream; what was not needs no start.
  if (!started) job.signal.throwIfAborted()
  switch (offer.kind) {
    case 'once':
      return offer.run(job)
    case 'streamed':
      return collect(offer, job)
    case 'polled':
      return poll(offer, job, started, saveStarted)
  }
}

async function collect<Request>(offer: StreamedOffer<Request>, job: Job<Request>): Promise<Outcome> {
  for await (const event of offer.run(job)) {
    job.signal.throwIfAborted()
    if (event.type === 'outcome') return event.outcome
  }
  throw new GatewayError('upstream_error', 'The stream ended without an outcome.')
}

async function poll<Request>(
  offer: PolledOffer<Request>,
  job: Job<Request>,
  started: StartedMark | undefined,
  saveStarted: SaveStarted,
): Promise<Outcome> {
  let handle = started?.handle
  if (!handle) {
    const answer = await offer.start(job)
    if (answer.state === 'failed') return answer
    handle = answer.handle
    if (!(await saveStarted(handle))) throw new GatewayError('conflict', 'The lease was lost after the start.')
  }
  try {
    return await pollUntilDone(offer, job, handle)
  } catch (error) {
    if (job.signal.aborted) await offer.cancel?.(job, handle)
    throw error
  }
}

async function pollUntilDone<Request>(offer: PolledOffer<Request>, job: Job<Request>, handle: StartedMark['handle']): Promise<Outcome> {
  let errorsInRow = 0
  for (;;) {
    job.signal.throwIfAborted()
    let waitMs = offer.pollEveryMs
    try {
      const seen = await offer.check(job, handle)
      if (seen.state !== 'running') return seen
      errorsInRow = 0
      if (seen.progress !== undefined) job.progress(seen.progress)
      waitMs = seen.checkAfterMs ?? waitMs
    } catch (error) {
      errorsInRow += 1
      if (errorsInRow > pollErrorsAllowed || job.signal.aborted) throw error
      waitMs = Math.min(60_000, waitMs * 2 ** errorsInRow)
    }
    // Jitter of a fifth keeps tasks that started together from polling together.
    await sleep(waitMs * (0.9 + Math.random() * 0.2), undefined, { signal: job.signal })
  }
}
