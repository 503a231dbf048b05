import { rm } from 'node:fs/promises'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError, NotServedError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Done, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { usageOfTask } from '../ledger/task-usage.ts'
import type { Claim, SentMark, TaskStore } from '../ports/store.ts'
import { usageLines } from '../records/lines.ts'
import { isLostReason } from '../records/task.ts'
import type { Target } from '../routing/catalogue.ts'
import type { Route } from '../routing/router.ts'
import { TargetTries, tryTargets } from '../routing/try-targets.ts'
import { isReleased } from './aborted-run.ts'
import { buildJob } from './build-job.ts'
import { isWaiting, settleBroken } from './end-run.ts'
import { onceStoreAnswers } from './keep-trying.ts'
import { withMeasuredInputs } from './measured-inputs.ts'
import { adoptOutputs } from './outputs.ts'
import { isPrivate } from './private-requests.ts'
import type { RunFate } from './run-fate.ts'
import { isFindable, isInDoubt, jobOn, offerOf, type Run, runAt, runOn, save } from './target-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** When the run is being stopped: time limit in ms for asking the upstream whether it has accepted
 *  the start of the generation. */
const findTimeoutMs = 10_000

/** Runs one claimed job and finishes its task: resumes the generation at the target to which it
 *  was sent, or else runs it on the first target that accepts it. Throws the error of the run,
 *  and records in `fate` what the upstream may charge. Throws `outcome_unknown` when it is not
 *  known whether the upstream accepted the work, and a `NotServedError` when no configured
 *  target can do it. Throws `conflict` when the lease is lost before the last write. When the
 *  lease is lost later, the last write changes nothing, and no error is thrown. */
export async function runClaim(deps: WorkerDeps, claim: Claim, fate: RunFate, signal: AbortSignal): Promise<void> {
  const { task } = claim
  let scratch: string | undefined
  let run: Run | undefined
  try {
    fate.isFindable = mayBeFound(deps, claim)
    await assertNotDeadly(deps.store, claim)
    scratch = await deps.blobs.scratch(`${task.id}-${claim.token}`)
    // Without enough free disk space, nothing new is started. Work that was already sent to an
    // upstream is still finished.
    if (!claim.sent) openRoom(scratch).close()
    const job = await withMeasuredInputs(deps, claim, await buildJob(deps, claim, { signal, scratch }))
    fate.isPrepared = true
    run = { deps, claim, fate, signal, job, hasBegun: false, isMarked: claim.sent !== undefined }
    const outcome = await outcomeOf(run)
    if (outcome.state === 'done') run.early?.finish()
    // A run that was cancelled or has expired ends here. A run that the node hands back still
    // stores a result that has just arrived.
    if (signal.aborted && !isReleased(signal)) throw signal.reason
    if (outcome.state === 'failed' && outcome.isTemporary) {
      await forgetMark(run)
      throw new GatewayError(outcome.code, outcome.message)
    }
    if (outcome.state === 'failed') {
      const { code, message, reasons } = outcome
      const failure = reasons ? { code, message, reasons } : { code, message }
      await settleBroken({ store: deps.store, clock: deps.clock, claim, fate }, 'failed', failure)
    } else {
      await settleDone(run, outcome)
    }
  } catch (error) {
    // After a start with an unknown outcome, any other error is replaced by `outcome_unknown`.
    // There is an exception: while the driver or the inputs are missing, the job waits for them,
    // because the start cannot be looked up without them.
    throw isInDoubt(fate) && !isWaiting(toGatewayError(error), fate) ? unknownOutcome(error) : error
  } finally {
    await run?.early?.close()
    // A child process that is being killed may still write into the folder, so removing it may
    // fail. The next start of the gateway removes what is left.
    if (scratch !== undefined)
      await rm(scratch, { recursive: true, force: true }).catch(error =>
        deps.log.warn({ err: error, taskId: task.id }, 'a scratch folder could not be removed'),
      )
  }
}

/** A task fails after this many of its runs were cut short because their node ended
 *  unexpectedly. */
const mostLostRuns = 5

/** Throws `internal_error` when the node was lost in this task's last run and in several earlier
 *  ones, because the task itself may crash its nodes. A task that was sent to an upstream is not
 *  checked. */
async function assertNotDeadly(store: Pick<TaskStore, 'events'>, { task, attempt, wasLost, sent }: Claim): Promise<void> {
  if (!wasLost || sent || attempt <= mostLostRuns) return
  const events = await store.events(task.id, 0)
  const lost = events.filter(({ type, data }) => type === 'task.retrying' && isLostReason(data.reason))
  if (lost.length < mostLostRuns) return
  const sentence = `The gateway ended ${lost.length} times while it ran this task, perhaps for want of memory; it is not tried again.`
  throw new GatewayError('internal_error', sentence)
}

/** True when the driver of this claim can ask the upstream whether it has accepted the start of the
 *  generation. */
function mayBeFound({ drivers }: WorkerDeps, { task, sent }: Claim): boolean {
  const offers = sent && drivers.get(sent.driver)?.offers
  return offers !== undefined && isFindable(offers[task.capability])
}

function unknownOutcome(cause: unknown): GatewayError {
  if (cause instanceof GatewayError && cause.code === 'outcome_unknown') return cause
  const why = cause instanceof GatewayError ? `${cause.message} ` : ''
  return new GatewayError('outcome_unknown', `${why}It is not known whether the upstream accepted the task; it is not sent again.`, {
    cause,
  })
}

async function outcomeOf(run: Run): Promise<Outcome> {
  const { sent } = run.fate
  if (sent === undefined) return runOnFirst(run)
  const outcome = await (sent.handle === undefined ? findLost(run, sent) : resumeRun(run, sent))
  if (outcome.state === 'done' || !outcome.isUnsafe || run.fate.sent?.target !== sent.target) return outcome
  return runOnFirst(run, { outcome, target: sent.target })
}

/** Asks the upstream about the start of a generation, when the answer to the start never reached
 *  this gateway. */
async function findLost(run: Run, sent: SentMark): Promise<Outcome> {
  const { fate, signal } = run
  const route = sentRoute(run, sent)
  const offer = offerOf(run, route)
  if (offer.kind === 'polled' && offer.isIdempotent) return repeatStart(run, route, sent)
  const find = offer.kind === 'polled' ? offer.find : undefined
  if (!find) throw unknownOutcome(undefined)
  const job = jobOn(run, route)
  const found = await find(signal.aborted ? { ...job, signal: AbortSignal.timeout(findTimeoutMs) } : job)
  if (found.state === 'started') {
    if (!(await save(run, { ...sent, handle: found.handle }))) throw new GatewayError('conflict', 'The lease was lost.')
    return resumeRun(run, sent)
  }
  fate.sent = undefined
  return runOnFirst(run)
}

/** Sends the start of a generation again, to a target that recognises a repeated start and does not
 *  do the work twice. Until the target answers, the outcome of the first start stays unknown. */
async function repeatStart(run: Run, route: Route, sent: SentMark): Promise<Outcome> {
  try {
    return await runAt(run, route)
  } catch (error) {
    run.fate.sent ??= sent
    throw error
  }
}

/** Resumes a started generation with the settings with which it was started. When the upstream no
 *  longer accepts their credential, uses the present settings of the target. */
async function resumeRun(run: Run, sent: SentMark): Promise<Outcome> {
  const { task } = run.claim
  try {
    return await runAt(run, sentRoute(run, sent))
  } catch (error) {
    const model = run.deps.catalogue().find(task.family, task.model)
    const today = model && run.deps.router.pinned(model, sent.target)
    if (toGatewayError(error).code !== 'upstream_auth_error' || !today || today.driver.id !== sent.driver) throw error
    return runAt(run, today)
  }
}

/** Tries the targets of the model in order until one accepts the job, and returns the outcome of
 *  the last one tried. `earlier` names a target that delivered an unsafe file to an earlier
 *  claim; it is left out. */
async function runOnFirst(run: Run, earlier?: { outcome: Outcome; target: string }): Promise<Outcome> {
  const { deps, claim, fate, signal } = run
  const { task } = claim
  const { router } = deps
  const model = deps.catalogue().find(task.family, task.model)
  if (!model) throw new NotServedError('model_not_found', `${task.model} is not in the catalogue now.`)
  // A task whose caller waits cannot be resumed later. It therefore either runs now, even if all
  // breakers are open, or fails.
  const { isInline } = claim
  const routes = isInline ? router.callRoutes(model, task.capability, run.job) : router.routes(model, task.capability, run.job)
  using tries = new TargetTries(
    routes.filter(({ target }) => target.id !== earlier?.target).map(route => ({ route })),
    { access: router, failover: capabilities[task.capability].failover, canWait: !isInline },
  )
  return await tryTargets(tries, {
    signal,
    run: async use => {
      // `fate.sent` may still name the target that was tried before. What that target charges does
      // not belong to the run at the new target, so the member is cleared.
      fate.sent = undefined
      await forgetMark(run)
      return runOn(run, use)
    },
    failureOf: outcome => (outcome.state === 'failed' ? new GatewayError(outcome.code, outcome.message) : undefined),
    mayGoOn: (failure, outcome) => mayGoOn(run, tries, { failure, outcome }),
    whenNone: () => {
      if (earlier) return earlier.outcome
      throw router.overloaded(model)
    },
  })
}

/** True when the next target may do the work. False when the current target has begun to answer,
 *  or may still do the work. After a file that is unsafe to read, the next target is tried even
 *  though the file must be paid for. */
function mayGoOn(
  { deps, claim, fate, hasBegun }: Run,
  tries: TargetTries<{ route: Route }>,
  { failure, outcome }: { failure: GatewayError; outcome: Outcome | undefined },
): boolean {
  const taskId = claim.task.id
  const target = tries.current.route.target.id
  if (hasBegun) return false
  if (outcome?.state === 'failed' && outcome.isUnsafe) {
    deps.log.warn({ taskId, target }, 'a target gave a file that is unsafe to read; another one is tried')
    return true
  }
  if (fate.sent || !tries.mayFailOver(failure)) return false
  if (!outcome) deps.log.warn({ code: failure.code, taskId, target }, 'a target did not take the task; the next one is tried')
  return true
}

/** Removes the mark (`SentMark`) of a target whose generation has ended. Otherwise the mark would
 *  be taken for that of a generation at the next target. */
async function forgetMark(run: Run): Promise<void> {
  const { deps, claim } = run
  if (run.isMarked && !run.fate.sent) run.isMarked = !(await deps.store.forgetSent(claim.task.id, claim.token))
}

/** Returns the target, with the settings that it had when the generation was sent. */
function sentRoute({ deps, claim: { task } }: Run, { driver: driverId, target: id, model, settings }: SentMark): Route {
  const today = model === '' ? deps.catalogue().find(task.family, task.model) : undefined
  // Marks that an older version has written contain only the ids of the target and its driver.
  // Model and settings come from the present configuration.
  const pinned = today && deps.router.pinned(today, id)
  if (pinned) return pinned
  const driver = deps.drivers.get(driverId)
  if (!driver)
    throw new NotServedError('capability_unavailable', `The driver ${driverId} of the target ${id} it was sent to does not exist now.`)
  const target: Target = { id, driver: driverId, model, settings, order: 1, weight: 1 }
  return { target, driver }
}

async function settleDone({ deps, claim, fate, job, signal }: Run, { files: made, report, detail, usage: counted }: Done): Promise<void> {
  const { task, token } = claim
  const isKept = !isPrivate(job.request)
  const files = isKept ? made : []
  const outputs = await adoptOutputs(deps, task, { files, from: fate.given.length, signal })
  const at = deps.clock.now()
  const usage = usageLines(task, usageOfTask(claim, counted, fate), at)
  const end = { state: 'succeeded' as const, result: report, ...(detail && isKept ? { detail } : {}), outputs, usage, at }
  await onceStoreAnswers(() => deps.store.settle(task.id, token, end), signal)
}
