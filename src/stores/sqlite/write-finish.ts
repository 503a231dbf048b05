import type { TaskFailure } from '../../core/task.ts'
import { isFinal } from '../../core/task.ts'
import type { Handlers } from './operations.ts'
import { optionalText, type Row, taskState, text } from './values.ts'
import { prepareBlobInsert } from './write-blobs.ts'
import type { WriteContext } from './write-context.ts'
import { type EndTask, prepareEndTask } from './write-ending.ts'
import { prepareUnpark } from './write-parking.ts'
import { prepareUsageInsert } from './write-usage.ts'

const cancelledFailure: TaskFailure = { code: 'cancelled', message: 'The task was cancelled.' }
const expiredFailure: TaskFailure = { code: 'deadline_exceeded', message: 'The task did not finish before its deadline.' }

export function finishOperations(context: WriteContext): Pick<Handlers, 'settle' | 'cancel' | 'expireOverdue'> {
  const endTask = prepareEndTask(context)
  return {
    settle: prepareSettle(context, endTask),
    cancel: prepareCancel(context, endTask),
    expireOverdue: prepareExpireOverdue(context, endTask),
  }
}

function prepareSettle(context: WriteContext, endTask: EndTask): Handlers['settle'] {
  const insertBlobs = prepareBlobInsert(context)
  const insertUsage = prepareUsageInsert(context)
  const insertDetail = context.prepare('INSERT INTO task_details (task_id, detail) VALUES (?, ?)')
  const deleteJob = context.prepare(`DELETE FROM jobs WHERE task_id = ? AND token = ? AND state = 'leased' RETURNING account_id, key_id`)
  return settlement => {
    const { taskId } = settlement
    const job = deleteJob.get(taskId, settlement.token)
    if (job === undefined) return false
    insertBlobs(settlement.blobs, text(job, 'account_id'), taskId)
    if (settlement.detail !== null) insertDetail.run(taskId, settlement.detail)
    insertUsage(settlement.usage)
    endTask({ ...settlement, keyId: text(job, 'key_id') })
    return true
  }
}

function prepareCancel(context: WriteContext, endTask: EndTask): Handlers['cancel'] {
  const find = context.prepare(
    `SELECT tasks.state AS task_state, tasks.key_id, jobs.state AS job_state, jobs.driver, jobs.queue
     FROM tasks LEFT JOIN jobs ON jobs.task_id = tasks.id WHERE tasks.id = ?`,
  )
  const deleteJob = context.prepare('DELETE FROM jobs WHERE task_id = ?')
  const startCancelling = context.prepare(`UPDATE tasks SET state = 'cancelling' WHERE id = ?`)
  // What has to be stopped waits for nobody's turn, also after its node has died.
  const begin = context.prepare('UPDATE jobs SET begun = 1 WHERE task_id = ?')
  const hurry = context.prepare(`UPDATE jobs SET run_at = min(run_at, ?) WHERE task_id = ? AND state = 'ready'`)
  return ({ taskId, now }) => {
    const task = find.get(taskId)
    if (task === undefined) return 'missing'
    const state = taskState(task, 'task_state')
    if (isFinal(state)) return 'final'
    const isLeased = optionalText(task, 'job_state') === 'leased'
    if (isLeased) context.signal({ kind: 'cancel', taskId })
    if (state === 'cancelling') return 'cancelling'
    if (!needsHolder(task)) {
      deleteJob.run(taskId)
      endTask({ ...storeEnding(taskId, cancelledFailure), keyId: text(task, 'key_id'), state: 'cancelled', at: now })
      return 'cancelled'
    }
    startCancelling.run(taskId)
    begin.run(taskId)
    context.appendEvent(taskId, now, 'task.cancelling', '{}')
    context.signal({ kind: 'task', taskId, state: 'cancelling' })
    // Started earlier and waiting for its next look: whoever claims it has to stop it upstream.
    if (!isLeased) {
      hurry.run(now, taskId)
      context.signal({ kind: 'job', queue: text(task, 'queue') })
    }
    return 'cancelling'
  }
}

/** Whether a worker has to stop something before the task may end. A task of unknown fate has no handle to stop it by. */
function needsHolder(task: Row): boolean {
  if (taskState(task, 'task_state') === 'unknown') return false
  return optionalText(task, 'job_state') === 'leased' || optionalText(task, 'driver') !== null
}

function prepareExpireOverdue(context: WriteContext, endTask: EndTask): Handlers['expireOverdue'] {
  const unpark = prepareUnpark(context)
  const deleteOverdue = context.prepare(
    `DELETE FROM jobs WHERE task_id IN (SELECT task_id FROM jobs WHERE deadline_at <= ? ORDER BY deadline_at LIMIT ?)
     RETURNING task_id, key_id, state, driver`,
  )
  const findParkedKeys = context.prepare(`SELECT DISTINCT key_id FROM jobs WHERE state = 'parked'`)
  const forgetIdempotency = context.prepare(
    `DELETE FROM idempotency WHERE (account_id, key) IN (SELECT account_id, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  )
  return ({ now, limit }) => {
    const running: string[] = []
    for (const job of deleteOverdue.all(now, limit)) {
      const taskId = text(job, 'task_id')
      endTask({ ...storeEnding(taskId, expiredFailure), keyId: text(job, 'key_id'), state: 'expired', at: now })
      const isLeased = text(job, 'state') === 'leased'
      if (isLeased) context.signal({ kind: 'cancel', taskId })
      if (isLeased || optionalText(job, 'driver') !== null) running.push(taskId)
    }
    for (const row of findParkedKeys.all()) unpark(text(row, 'key_id'))
    forgetIdempotency.run(now, limit)
    return running
  }
}

/** The end of a task that the store itself ends: no outputs, the reason as failure and in the history. */
function storeEnding(taskId: string, failure: TaskFailure) {
  return { taskId, result: null, failure: JSON.stringify(failure), outputs: null, eventData: JSON.stringify(failure) }
}
