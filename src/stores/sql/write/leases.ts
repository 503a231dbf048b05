import { isLostReason } from '../../../core/records/task.ts'
import type { Handlers, SentCells } from '../operations.ts'
import { type StepStatement, type Steps, sideBySide } from '../steps.ts'
import { number, optionalText, type Row, taskState, text } from '../values.ts'
import { prepareClaimInTurn, type WorkTable } from './claim-in-turn.ts'
import { changed, type TaskEventCells, type WriteContext } from './context.ts'
import { byDueTime, unindexed } from './jobs.ts'
import { prepareDropOutputs } from './outputs.ts'

type LeaseOperations = Pick<Handlers, 'claim' | 'sent' | 'forgetSent' | 'progress' | 'reschedule' | 'postpone'>

/** The writes of a worker: the claim of jobs, and writes for a job that it has leased. Each of
 *  the latter contains the fencing token and changes nothing when the lease is lost. */
export function leaseOperations(context: WriteContext): LeaseOperations {
  return {
    claim: prepareClaim(context),
    sent: prepareSent(context),
    forgetSent: prepareForgetSent(context),
    progress: prepareProgress(context),
    reschedule: prepareReschedule(context),
    postpone: preparePostpone(context),
  }
}

function prepareClaim(context: WriteContext): Handlers['claim'] {
  // Usually no job of the queue has begun, and then this query takes less time than an update that
  // finds no row.
  const look = context.prepare(
    `SELECT EXISTS (SELECT 1 FROM jobs WHERE queue = ?1 AND state = 'ready' AND begun = 1 AND run_at <= ?2) AS has_begun
     FROM nodes WHERE id = ?3 AND dead = 0 AND expires_at > ?2`,
  )
  const leaseBegun = prepareLeaseBegun(context)
  const { openTurns, leaseInTurn } = prepareClaimInTurn(context, waitingJobs)
  const leasePinned = prepareLeasePinned(context)
  const startTasks = prepareStartTasks(context)
  function* lease(wanted: ClaimRequest): Steps<Row[]> {
    const { queue, nodeId, limit, now, isPinned } = wanted
    if (isPinned) return (yield* look.get(queue, now, nodeId)) === undefined ? [] : yield* leasePinned(wanted)
    const inTurn = { scope: [queue], nodeId, now, accountLimit: wanted.accountLimit }
    const [found, turns] = yield* sideBySide([look.get(queue, now, nodeId), openTurns(inTurn)])
    if (found === undefined) return []
    const hasBegun = number(found, 'has_begun') === 1
    const rows = hasBegun ? yield* leaseBegun(wanted) : []
    // The jobs that were just leased now count as running jobs of their accounts. This can change
    // which account is next, so the turns are read again.
    const rest = { ...inTurn, limit: limit - rows.length }
    rows.push(...(yield* leaseInTurn(rest, hasBegun ? yield* openTurns(inTurn) : turns)))
    return rows
  }
  return function* (wanted) {
    const rows = yield* lease(wanted)
    yield* startTasks(rows, wanted.now)
    return rows.map(row => ({
      taskId: text(row, 'task_id'),
      token: number(row, 'token'),
      attempt: number(row, 'attempt'),
      sent: sentCells(row),
      hold: optionalText(row, 'hold'),
      isInline: number(row, 'inline') === 1,
      wasLost: isLostReason(optionalText(row, 'last_error')),
    }))
  }
}

/** Returns a function that sets the tasks of leased jobs to `running`, as far as they are `queued`.
 *  A task that was started before, is being cancelled or is `unknown` keeps its state; the worker
 *  needs this state to continue the task. */
function prepareStartTasks(context: WriteContext): (jobs: readonly Row[], now: number) => Steps<void> {
  const run = context.prepareEach(
    ({ text, whole, from }) =>
      `UPDATE tasks SET state = 'running', started_at = coalesce(started_at, ${whole(0)}) ${from}
       WHERE id = ${text(1)} AND ${unindexed('state')} = 'queued' RETURNING id, outputs`,
  )
  const dropOutputs = prepareDropOutputs(context)
  return function* (jobs, now) {
    const started = new Map((yield* run.get(jobs.map(job => [now, text(job, 'task_id')]))).map(row => [text(row, 'id'), row]))
    const events: TaskEventCells[] = []
    for (const job of jobs) {
      const taskId = text(job, 'task_id')
      const task = started.get(taskId)
      if (task === undefined) continue
      // The job runs again from the beginning, so the outputs of its earlier run are removed.
      dropOutputs(taskId, optionalText(task, 'outputs'))
      events.push([taskId, now, 'task.running', JSON.stringify({ attempt: number(job, 'attempt') })])
      context.signal({ kind: 'task', taskId, state: 'running' })
    }
    context.appendEvents(events)
  }
}

type ClaimRequest = Parameters<Handlers['claim']>[0]

const setLeased = `UPDATE jobs SET state = 'leased', owner = ?, token = token + 1, attempt = attempt + 1`
const leasedColumns = 'task_id, token, attempt, run_at, driver, target, target_model, target_settings, handle, hold, inline, last_error'

/** The jobs that are claimed in turn: those that have not begun. */
const waitingJobs: WorkTable = {
  name: 'jobs',
  id: 'task_id',
  scope: ['queue'],
  isWaiting: `state = 'ready' AND begun = 0`,
  isFor: node => `(pin IS NULL OR pin = ${node})`,
  runningBy: 'begun, account_id',
  columns: leasedColumns,
}

/** Leases jobs that were sent to an upstream, or whose task is being cancelled, in the order in
 *  which they became due. These jobs are claimed before all others. */
function prepareLeaseBegun(context: WriteContext): (wanted: ClaimRequest) => Steps<Row[]> {
  const lease = context.prepare(
    `${setLeased} WHERE task_id IN
       (SELECT task_id FROM jobs WHERE queue = ? AND state = 'ready' AND begun = 1 AND run_at <= ? AND (pin IS NULL OR pin = ?)
        ORDER BY run_at, task_id LIMIT ?)
     RETURNING ${leasedColumns}`,
  )
  return function* ({ queue, nodeId, limit, now }) {
    return (yield* lease.all(nodeId, queue, now, nodeId, limit)).sort(byDueTime)
  }
}

/** Leases jobs that are pinned to the node, oldest due first. */
function prepareLeasePinned(context: WriteContext): (wanted: ClaimRequest) => Steps<Row[]> {
  const lease = context.prepare(
    `${setLeased} WHERE task_id IN
       (SELECT task_id FROM jobs WHERE pin = ? AND queue = ? AND state = 'ready' AND run_at <= ? ORDER BY run_at, task_id LIMIT ?)
     RETURNING ${leasedColumns}`,
  )
  return function* ({ queue, nodeId, limit, now }) {
    return (yield* lease.all(nodeId, nodeId, queue, now, limit)).sort(byDueTime)
  }
}

function sentCells(row: Row): SentCells | null {
  const driver = optionalText(row, 'driver')
  if (driver === null) return null
  return {
    driver,
    target: text(row, 'target'),
    // A job that an older version of the program has sent has neither a model nor settings.
    model: optionalText(row, 'target_model') ?? '',
    settings: optionalText(row, 'target_settings') ?? '',
    handle: optionalText(row, 'handle'),
  }
}

function prepareSent(context: WriteContext): Handlers['sent'] {
  const mark = context.prepare(
    `UPDATE jobs SET driver = ?, target = ?, target_model = ?, target_settings = ?, handle = ?, begun = 1
     WHERE task_id = ? AND token = ? AND state = 'leased'`,
  )
  const run = context.prepare(`UPDATE tasks SET state = 'running' WHERE id = ? AND state = 'unknown'`)
  return function* ({ taskId, token, driver, target, model, settings, handle, now }) {
    if (!changed(yield* mark.run(driver, target, model, settings, handle, taskId, token))) return false
    if (handle !== null && changed(yield* run.run(taskId))) {
      context.appendEvent(taskId, now, 'task.running', '{}')
      context.signal({ kind: 'task', taskId, state: 'running' })
    }
    return true
  }
}

const noMark = 'driver = NULL, target = NULL, target_model = NULL, target_settings = NULL, handle = NULL'

function prepareForgetSent(context: WriteContext): Handlers['forgetSent'] {
  const forget = context.prepare(`UPDATE jobs SET ${noMark}, begun = 0 WHERE task_id = ? AND token = ? AND state = 'leased'`)
  return function* ({ taskId, token }) {
    return changed(yield* forget.run(taskId, token))
  }
}

function prepareProgress(context: WriteContext): Handlers['progress'] {
  const find = prepareHeldTask(context)
  const raise = context.prepare('UPDATE tasks SET progress = ? WHERE id = ?')
  return function* ({ taskId, token, progress, now }) {
    const task = yield* find.get(taskId, token)
    if (task === undefined) return false
    const state = taskState(task, 'state')
    if (state === 'cancelling') return false
    if (state !== 'running' || progress <= number(task, 'progress')) return true
    raise.send(progress, taskId)
    context.appendEvent(taskId, now, 'task.progress', JSON.stringify({ progress }))
    context.signal({ kind: 'task', taskId, state })
    return true
  }
}

function prepareReschedule(context: WriteContext): Handlers['reschedule'] {
  const find = prepareHeldTask(context)
  const handBack = context.prepare(
    `UPDATE jobs SET state = 'ready', owner = NULL, inline = 0, run_at = ?, last_error = ?, begun = ? WHERE task_id = ? AND token = ? AND state = 'leased'`,
  )
  const forgetMark = context.prepare(`UPDATE jobs SET ${noMark} WHERE task_id = ? AND handle IS NULL`)
  const moveTask = context.prepare('UPDATE tasks SET state = ? WHERE id = ?')
  return function* ({ taskId, token, runAt, reason, now, unknown }) {
    const task = yield* find.get(taskId, token)
    if (task === undefined) return false
    const state = taskState(task, 'state')
    const hasHandle = optionalText(task, 'handle') !== null
    // A cancellation that arrived while the run was ending has reached no worker. The job is made
    // due immediately, so that the worker that claims it next ends the task.
    const dueAt = state === 'cancelling' ? Math.min(runAt, now) : runAt
    handBack.send(dueAt, reason, unknown || hasHandle || state === 'cancelling' ? 1 : 0, taskId, token)
    if (!unknown) forgetMark.send(taskId)
    if (dueAt <= now) context.signal({ kind: 'job', queue: text(task, 'queue') })
    const next = state === 'cancelling' ? state : unknown ? 'unknown' : hasHandle ? state : 'queued'
    if (next === state) return true
    moveTask.send(next, taskId)
    const data = JSON.stringify({ reason, attempt: number(task, 'attempt'), runAt })
    context.appendEvent(taskId, now, next === 'unknown' ? 'task.unknown' : 'task.retrying', data)
    context.signal({ kind: 'task', taskId, state: next })
    return true
  }
}

function preparePostpone(context: WriteContext): Handlers['postpone'] {
  const find = prepareHeldTask(context)
  const handBack = context.prepare(
    `UPDATE jobs SET state = 'ready', owner = NULL, inline = 0, attempt = attempt - 1, run_at = ?, last_error = ? WHERE task_id = ? AND token = ? AND state = 'leased'`,
  )
  const queue = context.prepare(`UPDATE tasks SET state = 'queued' WHERE id = ? AND state = 'running'`)
  return function* ({ taskId, token, runAt, reason, now }) {
    const task = yield* find.get(taskId, token)
    if (task === undefined) return false
    const dueAt = taskState(task, 'state') === 'cancelling' ? Math.min(runAt, now) : runAt
    handBack.send(dueAt, reason, taskId, token)
    if (dueAt <= now) context.signal({ kind: 'job', queue: text(task, 'queue') })
    if (optionalText(task, 'driver') !== null || !changed(yield* queue.run(taskId))) return true
    context.appendEvent(taskId, now, 'task.retrying', JSON.stringify({ reason, attempt: number(task, 'attempt'), runAt }))
    context.signal({ kind: 'task', taskId, state: 'queued' })
    return true
  }
}

function prepareHeldTask(context: WriteContext): StepStatement {
  return context.prepare(
    `SELECT tasks.state, tasks.progress, jobs.queue, jobs.driver, jobs.handle, jobs.attempt
     FROM jobs JOIN tasks ON tasks.id = jobs.task_id WHERE jobs.task_id = ? AND jobs.token = ? AND jobs.state = 'leased'`,
  )
}
