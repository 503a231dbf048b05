import { AbortedRun } from './aborted-run.ts'
import type { GatewayError } from './errors.ts'
import type { Claim, Clock, TaskStore } from './ports.ts'
import type { TaskFailure } from './task.ts'

const triesWhenLater = 5
const triesWhenBroken = 3

interface EndingRun {
  store: Pick<TaskStore, 'settle' | 'reschedule'>
  clock: Clock
  claim: Claim
  signal: AbortSignal
}

/** Stores how a run ended that did not settle its task: cancelled, expired, handed back, to be tried again, or failed. Throws what the store throws. */
export async function endRun(run: EndingRun, error: GatewayError): Promise<void> {
  const { store, clock, claim, signal } = run
  const why = signal.reason instanceof AbortedRun ? signal.reason.why : undefined
  switch (why) {
    case 'fenced':
      return
    case 'draining':
      await store.reschedule(claim.task.id, claim.token, clock.now(), 'The node is stopping.', clock.now())
      return
    case 'cancelled':
      await settle(run, 'cancelled', { code: 'cancelled', message: 'The task was cancelled.' })
      return
    case 'expired':
      await settle(run, 'expired', { code: 'deadline_exceeded', message: 'The task did not finish before its deadline.' })
      return
    case undefined:
      await retryOrFail(run, error)
  }
}

async function settle({ store, clock, claim }: EndingRun, state: 'failed' | 'cancelled' | 'expired', failure: TaskFailure): Promise<void> {
  await store.settle(claim.task.id, claim.token, { state, failure, outputs: [], usage: [], at: clock.now() })
}

async function retryOrFail(run: EndingRun, error: GatewayError): Promise<void> {
  const { store, clock, claim } = run
  const now = clock.now()
  const tries = error.code === 'internal_error' ? triesWhenBroken : triesWhenLater
  if (isRetryable(error) && claim.attempt < tries) {
    await store.reschedule(claim.task.id, claim.token, now + backoffMs(claim.attempt, error.retryAfterSeconds), error.message, now)
    return
  }
  const reasons = error.reasons.length > 0 ? { reasons: error.reasons } : {}
  await settle(run, 'failed', { code: error.code, message: error.message, ...reasons })
}

function isRetryable(error: GatewayError): boolean {
  switch (error.code) {
    case 'internal_error':
    case 'upstream_error':
    case 'upstream_timeout':
    case 'rate_limited':
    case 'engine_busy':
    case 'disk_full':
    case 'store_unavailable':
      return true
    default:
      return false
  }
}

/** Full jitter (data-layer 4.3): a random part of min(300 s, 2 s x 2^attempt), or what the upstream asked for. */
function backoffMs(attempt: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000
  return Math.round(Math.random() * Math.min(300_000, 2_000 * 2 ** attempt))
}
