import type { TaskFailure } from '../../../core/records/task.ts'
import { isFinal } from '../../../core/records/task.ts'
import type { GroupHandlers, Handlers } from '../operations.ts'
import { sideBySide } from '../steps.ts'
import { number, optionalText, type Row, taskState, text } from '../values.ts'
import { prepareBlobInsert, type TaskBlob } from './blobs.ts'
import type { WriteContext } from './context.ts'
import { type Ending, type EndTasks, prepareEndTasks } from './ending.ts'
import { unindexed } from './jobs.ts'
import { prepareUnpark } from './parking.ts'
import { prepareUsageInsert } from './usage.ts'

const cancelledFailure: TaskFailure = { code: 'cancelled', message: 'The task was cancelled.' }
const expiredFailure: TaskFailure = { code: 'deadline_exceeded', message: 'The task did not finish before its deadline.' }

export function finishOperations(context: WriteContext): Pick<Handlers, 'cancel' | 'remove' | 'expireOverdue'> {
  const endTasks = prepareEndTasks(context)
  const cancel = prepareCancel(context, endTasks)
  return {
    cancel,
    remove: prepareRemove(context, cancel),
    expireOverdue: prepareExpireOverdue(context, endTasks),
  }
}

export function prepareSettle(context: WriteContext): GroupHandlers['settle'] {
  const endTasks = prepareEndTasks(context)
  const insertBlobs = prepareBlobInsert(context)
  const insertUsage = prepareUsageInsert(context)
  const insertDetails = context.prepareEach(({ text, source }) => `INSERT INTO task_details (task_id, detail) ${source(text(0), text(1))}`)
  const deleteJobs = context.prepareEach(
    ({ text, whole, using }) =>
      `DELETE FROM jobs ${using} WHERE task_id = ${text(0)} AND token = ${whole(1)} AND ${unindexed('state')} = 'leased'
       RETURNING task_id, token, account_id, key_id, hold, target`,
  )
  return function* (settlements) {
    const rows = yield* deleteJobs.get(settlements.map(({ taskId, token }) => [taskId, token]))
    const jobs = new Map(rows.map(row => [`${text(row, 'task_id')} ${number(row, 'token')}`, row]))
    const answers: boolean[] = []
    const endings: Ending[] = []
    const blobs: TaskBlob[] = []
    for (const settlement of settlements) {
      const { taskId, token } = settlement
      const job = jobs.get(`${taskId} ${token}`)
      answers.push(job !== undefined)
      if (job === undefined) continue
      // The job is removed from the list, so that a second settlement with the same token in this
      // group changes nothing.
      jobs.delete(`${taskId} ${token}`)
      for (const blob of settlement.blobs) blobs.push({ ...blob, accountId: text(job, 'account_id'), taskId })
      endings.push({ ...settlement, ...jobFacts(job), used: settlement.usage })
    }
    const ended = settlements.filter((_, index) => answers[index])
    insertBlobs(blobs)
    insertDetails.send(ended.flatMap(({ taskId, detail }) => (detail === null ? [] : [[taskId, detail]])))
    yield* sideBySide([insertUsage(ended.flatMap(({ usage }) => usage)), endTasks(endings)])
    return answers
  }
}

function prepareCancel(context: WriteContext, endTasks: EndTasks): Handlers['cancel'] {
  const find = context.prepare(
    `SELECT tasks.state AS task_state, tasks.key_id, tasks.account_id, jobs.state AS job_state, jobs.driver, jobs.queue, jobs.hold, jobs.target
     FROM tasks LEFT JOIN jobs ON jobs.task_id = tasks.id WHERE tasks.id = ?`,
  )
  const deleteJob = context.prepare('DELETE FROM jobs WHERE task_id = ?')
  const startCancelling = context.prepare(`UPDATE tasks SET state = 'cancelling' WHERE id = ?`)
  // A job that has to be stopped is claimed before all waiting jobs, without waiting for its
  // account's turn. This also holds after its node has died.
  const begin = context.prepare('UPDATE jobs SET begun = 1 WHERE task_id = ?')
  const hurry = context.prepare(`UPDATE jobs SET run_at = ${context.dialect.least}(run_at, ?) WHERE task_id = ? AND state = 'ready'`)
  return function* ({ taskId, now }) {
    const task = yield* find.get(taskId)
    if (task === undefined) return 'missing'
    const state = taskState(task, 'task_state')
    if (isFinal(state)) return 'final'
    const isLeased = optionalText(task, 'job_state') === 'leased'
    if (isLeased) context.signal({ kind: 'cancel', taskId })
    if (state === 'cancelling') return 'cancelling'
    if (!needsHolder(task)) {
      deleteJob.send(taskId)
      yield* endTasks([{ ...storeEnding(taskId, cancelledFailure, task), state: 'cancelled', at: now }])
      return 'cancelled'
    }
    startCancelling.send(taskId)
    begin.send(taskId)
    context.appendEvent(taskId, now, 'task.cancelling', '{}')
    context.signal({ kind: 'task', taskId, state: 'cancelling' })
    // The job was started earlier and waits for its next poll. The worker that claims it next has
    // to cancel it at the upstream.
    if (!isLeased) {
      hurry.send(now, taskId)
      context.signal({ kind: 'job', queue: text(task, 'queue') })
    }
    return 'cancelling'
  }
}

/** Returns the handler that deletes a task. The handler cancels the task and marks it for the
 *  sweep, which deletes it once it has ended. */
function prepareRemove(context: WriteContext, cancel: Handlers['cancel']): Handlers['remove'] {
  const giveUp = context.prepare('UPDATE tasks SET expires_at = 0 WHERE id = ? AND expires_at > 0 RETURNING state')
  return function* ({ taskId, now }) {
    const task = yield* giveUp.get(taskId)
    if (task === undefined) return false
    // The signal is sent here, because `cancel` sends none for a task that has ended or is already
    // being cancelled.
    context.signal({ kind: 'task', taskId, state: taskState(task, 'state') })
    yield* cancel({ taskId, now })
    return true
  }
}

/** True when a worker has to stop something before the task may end. A task of unknown fate has
 *  no handle by which to stop it. */
function needsHolder(task: Row): boolean {
  if (taskState(task, 'task_state') === 'unknown') return false
  return optionalText(task, 'job_state') === 'leased' || optionalText(task, 'driver') !== null
}

/** Time in milliseconds, after the deadline of a running task, within which its worker must stop
 *  it, on its node or at the upstream. */
const stoppingMs = 60_000

function prepareExpireOverdue(context: WriteContext, endTasks: EndTasks): Handlers['expireOverdue'] {
  const unpark = prepareUnpark(context)
  const deleteOverdue = context.prepare(
    `DELETE FROM jobs WHERE task_id IN
       (SELECT task_id FROM jobs WHERE deadline_at <= ? AND (deadline_at <= ? OR (state <> 'leased' AND handle IS NULL)) ORDER BY deadline_at LIMIT ?)
     RETURNING task_id, key_id, account_id, state, driver, hold, target`,
  )
  const findParkedKeys = context.prepare(`SELECT DISTINCT key_id, account_id FROM jobs WHERE state = 'parked'`)
  const forgetIdempotency = context.prepare(
    `DELETE FROM idempotency WHERE (account_id, key) IN (SELECT account_id, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  )
  // Makes the job due immediately, so that the worker that claims it cancels it at the upstream.
  const hurry = context.prepare(
    `UPDATE jobs SET run_at = ?1 WHERE deadline_at <= ?1 AND state = 'ready' AND handle IS NOT NULL AND run_at > ?1 RETURNING queue`,
  )
  const findHeld = context.prepare(`SELECT task_id FROM jobs WHERE deadline_at <= ? AND state = 'leased' ORDER BY deadline_at LIMIT ?`)
  return function* ({ now, limit }) {
    const running: string[] = []
    for (const job of yield* hurry.all(now)) context.signal({ kind: 'job', queue: text(job, 'queue') })
    const overdue = yield* deleteOverdue.all(now, now - stoppingMs, limit)
    yield* endTasks(overdue.map(job => ({ ...storeEnding(text(job, 'task_id'), expiredFailure, job), state: 'expired', at: now })))
    for (const job of overdue) {
      const taskId = text(job, 'task_id')
      const isLeased = text(job, 'state') === 'leased'
      if (isLeased) context.signal({ kind: 'cancel', taskId })
      if (isLeased || optionalText(job, 'driver') !== null) running.push(taskId)
    }
    for (const job of yield* findHeld.all(now, limit)) running.push(text(job, 'task_id'))
    yield* unpark((yield* findParkedKeys.all()).map(row => ({ keyId: text(row, 'key_id'), accountId: text(row, 'account_id') })))
    forgetIdempotency.send(now, limit)
    return running
  }
}

/** Returns the ending of a task that the store itself ends. It adds no outputs, and the reason is
 *  stored as the failure and in the history. When the job was sent to an upstream, the held
 *  amounts stay open, because the upstream may charge for the job and no worker can report it. */
function storeEnding(taskId: string, failure: TaskFailure, job: Row) {
  const reason = JSON.stringify(failure)
  const rest = { result: null, failure: reason, outputs: null, eventData: reason, used: [] }
  return { taskId, ...rest, ...jobFacts(job), isOpen: optionalText(job, 'driver') !== null }
}

function jobFacts(job: Row) {
  return {
    accountId: text(job, 'account_id'),
    keyId: text(job, 'key_id'),
    hold: optionalText(job, 'hold'),
    target: optionalText(job, 'target'),
  }
}
