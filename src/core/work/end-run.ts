import { type ErrorCode, type GatewayError, LostRunError, NotServedError } from '@generation-gateway/kit/errors.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import { usageOfInterruptedRun } from '../ledger/task-usage.ts'
import type { Claim, Clock, TaskStore, UnreadableJob } from '../ports/store.ts'
import { usageLines } from '../records/lines.ts'
import type { TaskFailure } from '../records/task.ts'
import { mayFailOver } from '../routing/router.ts'
import { secondsUntilRetry } from '../store-alarm.ts'
import { AbortedRun } from './aborted-run.ts'
import type { RunFate } from './run-fate.ts'

const triesWhenLater = 5
/** Number of runs that targets may refuse before the task fails. It can be large, because a
 *  refused run costs nothing and the deadline of the task ends the tries anyway. */
const triesWhenRefused = 20
const triesWhenBroken = 3
/** Largest number of runs of a task in which the gateway asks the upstream whether it has accepted
 *  the start of the generation. These runs and the waits between them take half an hour in all at
 *  most. */
const triesToFind = 12
/** Longest time in ms until a task that waits for its model or for its inputs is tried again. For
 *  younger tasks, the time is half of the task's age. */
const longestWaitMs = 30_000
const shortestWaitMs = 2_000
const unreadableWaitMs = 5_000
/** Longest time in ms until a generation that runs at its upstream is polled again, unless the
 *  upstream has requested a longer wait. It is as long as the longest wait between two polls of a
 *  run (`execute.ts`), so a result that comes shortly before the deadline is still fetched. */
const longestPollWaitMs = 60_000

/** Errors of a poll that say nothing about the generation: the upstream cannot be reached or
 *  refuses to answer now, or this gateway cannot store the result. The generation may have to be
 *  paid for, and a poll costs nothing, so the task is polled until its deadline. */
const passingPollErrors: ReadonlySet<ErrorCode> = new Set([
  ...(['upstream_unreachable', 'upstream_error', 'upstream_timeout', 'upstream_auth_error', 'upstream_quota_exhausted'] as const),
  ...(['rate_limited', 'engine_busy', 'overloaded', 'disk_full', 'inspection_busy', 'store_unavailable'] as const),
])

export interface EndingRun {
  store: Pick<TaskStore, 'settle' | 'reschedule' | 'postpone' | 'markUnknown'>
  clock: Clock
  claim: Claim
  fate: RunFate
  signal: AbortSignal
}

/** Stores the end of a run that did not finish its task: the task is cancelled, expired, handed
 *  back, retried or failed. A task whose caller waits (`Claim.isInline`) is not retried: the error
 *  is sent to the caller. Throws the errors of the store. */
export async function endRun(run: EndingRun, error: GatewayError): Promise<void> {
  const { store, clock, claim, signal } = run
  const why = signal.reason instanceof AbortedRun ? signal.reason.why : undefined
  switch (why) {
    case 'fenced':
      return
    case 'draining':
      // The node is stopping. When it is unknown whether the upstream has accepted the submit, or
      // when the run waits for its driver or its inputs, the mark must stay on the job. Otherwise
      // the next node that claims the job would send the submit again.
      if (error.code === 'outcome_unknown' || isWaiting(error, run.fate)) {
        if (!(await retry(run, error))) await fail(run, error)
        return
      }
      await store.reschedule(claim.task.id, claim.token, clock.now(), 'The node is stopping.', clock.now())
      return
    case 'cancelled':
      await settleBroken(run, 'cancelled', { code: 'cancelled', message: 'The task was cancelled.' })
      return
    case 'expired':
      await settleBroken(run, 'expired', { code: 'deadline_exceeded', message: 'The task did not finish before its deadline.' })
      return
    case undefined:
      if (claim.isInline || !(await retry(run, error))) await fail(run, error)
  }
}

/** Ends a claim whose task cannot be read: the damaged task fails, and no other task is affected.
 *  Throws the errors of the store. */
export async function endUnreadable({ store, clock }: Pick<EndingRun, 'store' | 'clock'>, job: UnreadableJob): Promise<void> {
  const { taskId, token, wasSent, isPassing } = job
  const at = clock.now()
  if (isPassing) {
    await store.postpone(taskId, token, at + unreadableWaitMs, 'The task could not be read.', at)
    return
  }
  const failure: TaskFailure = { code: 'internal_error', message: 'What is stored of the task cannot be read.' }
  await store.settle(taskId, token, { state: 'failed', failure, outputs: [], usage: [], isOpen: wasSent, at })
}

/** Ends the task of a run that produced no output or only a part of it. Output that the caller has
 *  received is charged. A generation whose end the upstream has not reported may cost more than
 *  that. In this case, the part of the hold that was not charged stays reserved (an open line)
 *  until an operator settles it. */
export async function settleBroken(
  { store, clock, claim, fate }: Pick<EndingRun, 'store' | 'clock' | 'claim' | 'fate'>,
  state: 'failed' | 'cancelled' | 'expired',
  failure: TaskFailure,
): Promise<void> {
  const at = clock.now()
  const usage = usageLines(claim.task, usageOfInterruptedRun(claim, fate), at)
  await store.settle(claim.task.id, claim.token, { state, failure, outputs: [], usage, isOpen: fate.sent !== undefined, at })
}

/** Returns true for an error that the task did not cause: its model is not configured now, or the
 *  store of its request and inputs does not answer. The run does not count as a try. */
export function isWaiting(error: GatewayError, { isPrepared }: Pick<RunFate, 'isPrepared'>): boolean {
  if (error instanceof NotServedError) return true
  return !isPrepared && secondsUntilRetry(error) !== undefined
}

/** Hands the job back so that a later run tries it again, or asks the upstream whether it has
 *  accepted the start. False when all tries are used up. */
async function retry({ store, clock, claim, fate }: EndingRun, error: GatewayError): Promise<boolean> {
  const now = clock.now()
  if (isWaiting(error, fate)) {
    await store.postpone(claim.task.id, claim.token, now + untriedWaitMs(now - claim.task.createdAt), error.message, now)
    return true
  }
  if (error.code === 'outcome_unknown' && fate.isFindable && claim.attempt < triesToFind) {
    await store.markUnknown(claim.task.id, claim.token, now + backoffMs(claim.attempt, undefined), error.message, now)
    return true
  }
  if (claim.attempt >= triesOf(error, { claim, fate })) return false
  await store.reschedule(claim.task.id, claim.token, now + retryWaitMs(error, { claim, fate }), error.message, now)
  return true
}

function retryWaitMs(error: GatewayError, { claim: { attempt }, fate }: Pick<EndingRun, 'claim' | 'fate'>): number {
  const waitMs = Math.max(backoffMs(attempt, error.retryAfterSeconds), leastWaitMs(error, attempt))
  return isStarted(fate) ? Math.min(waitMs, Math.max(longestPollWaitMs, (error.retryAfterSeconds ?? 0) * 1000)) : waitMs
}

/** True when the generation is known to run at an upstream: further runs of the task only poll
 *  it. */
function isStarted({ sent }: RunFate): boolean {
  return sent?.handle !== undefined
}

/** Returns the shortest wait before the next try, in ms. The first wait is 10 s when the disk was
 *  full, and 1 s after an internal error or a run whose process ended. It doubles with each try,
 *  because a run that is repeated at once would fail for the same reason. After other errors it is
 *  0. */
function leastWaitMs(error: GatewayError, attempt: number): number {
  if (error.code === 'disk_full') return 10_000 * 2 ** (attempt - 1)
  return error.code === 'internal_error' || error instanceof LostRunError ? 1_000 * 2 ** (attempt - 1) : 0
}

async function fail(run: EndingRun, error: GatewayError): Promise<void> {
  const { code, message, field, reasons, retryAfterSeconds } = error
  const failure: TaskFailure = { code, message }
  if (field !== undefined) failure.field = field
  if (reasons.length > 0) failure.reasons = reasons
  if (retryAfterSeconds !== undefined) failure.retryAfterSeconds = retryAfterSeconds
  await settleBroken(run, 'failed', failure)
}

/** Returns how many runs of a task may end with this kind of error before the task fails. That
 *  is one run for work that an upstream may have accepted, because it is not sent again; only
 *  background responses and searches are (docs/interface.md#failover). It is any number of runs
 *  for a generation that has started, because it is polled until the deadline. */
function triesOf(error: GatewayError, { claim, fate }: Pick<EndingRun, 'claim' | 'fate'>): number {
  if (error instanceof LostRunError) return triesWhenBroken
  if (isStarted(fate) && passingPollErrors.has(error.code)) return Number.POSITIVE_INFINITY
  switch (error.code) {
    case 'internal_error':
      return triesWhenBroken
    case 'disk_full':
    case 'inspection_busy':
    case 'store_unavailable':
      return triesWhenLater
    case 'rate_limited':
    case 'engine_busy':
    case 'overloaded':
      return triesWhenRefused
    case 'upstream_unreachable':
    case 'upstream_error':
    case 'upstream_timeout': {
      // Work with `text` failover (background responses and search) is sent again by a later run,
      // even after a timeout.
      if (capabilities[claim.task.capability].failover === 'text') return triesWhenLater
      return mayFailOver(error, 'paid') ? triesWhenRefused : 1
    }
    default:
      return 1
  }
}

function untriedWaitMs(ageMs: number): number {
  const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, ageMs / 2))
  return Math.round(waitMs * (0.75 + Math.random() / 4))
}

/** Returns the wait before the next try in ms: a random time between 0 and min(300 s, 2 s x
 *  2^attempt), but at least the time that the upstream requested, and 0 when it requested 0
 *  (docs/measured.md#leases). */
function backoffMs(attempt: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds === 0) return 0
  const drawnMs = Math.round(Math.random() * Math.min(300_000, 2_000 * 2 ** attempt))
  return Math.max(drawnMs, (retryAfterSeconds ?? 0) * 1000)
}
