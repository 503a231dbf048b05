import type { Handlers, Held } from './operations.ts'
import { number, optionalText, type Row, taskState, text } from './values.ts'
import { changed, type WriteContext } from './write-context.ts'

type LeaseOperations = Pick<Handlers, 'claim' | 'started' | 'progress' | 'reschedule'>

/** What a worker does with a job it holds. Each write names the fencing token and changes nothing when the lease is gone. */
export function leaseOperations(context: WriteContext): LeaseOperations {
  return {
    claim: prepareClaim(context),
    started: prepareStarted(context),
    progress: prepareProgress(context),
    reschedule: prepareReschedule(context),
  }
}

function prepareClaim(context: WriteContext): Handlers['claim'] {
  const findNode = context.prepare('SELECT 1 FROM nodes WHERE id = ? AND dead = 0 AND expires_at > ?')
  const lease = context.prepare(
    `UPDATE jobs SET state = 'leased', owner = ?, token = token + 1, attempt = attempt + 1
     WHERE task_id IN (SELECT task_id FROM jobs WHERE queue = ? AND state = 'ready' AND run_at <= ? ORDER BY run_at LIMIT ?)
     RETURNING task_id, token, attempt, run_at, driver, target, handle`,
  )
  const run = context.prepare(`UPDATE tasks SET state = 'running', started_at = coalesce(started_at, ?) WHERE id = ? AND state = 'queued'`)
  return ({ queue, nodeId, limit, now }) => {
    if (findNode.get(nodeId, now) === undefined) return []
    const rows = lease.all(nodeId, queue, now, limit).sort(byDueTime)
    for (const row of rows) {
      const taskId = text(row, 'task_id')
      // A task that was started, is being cancelled or is of unknown fate keeps its state: the claimer goes on from there.
      if (!changed(run.run(now, taskId))) continue
      context.appendEvent(taskId, now, 'task.running', JSON.stringify({ attempt: number(row, 'attempt') }))
      context.signal({ kind: 'task', taskId, state: 'running' })
    }
    return rows.map(row => ({
      taskId: text(row, 'task_id'),
      token: number(row, 'token'),
      attempt: number(row, 'attempt'),
      driver: optionalText(row, 'driver'),
      target: optionalText(row, 'target'),
      handle: optionalText(row, 'handle'),
    }))
  }
}

function byDueTime(a: Row, b: Row): number {
  const difference = number(a, 'run_at') - number(b, 'run_at')
  if (difference !== 0) return difference
  return text(a, 'task_id') < text(b, 'task_id') ? -1 : 1
}

function prepareStarted(context: WriteContext): Handlers['started'] {
  const mark = context.prepare(`UPDATE jobs SET driver = ?, target = ?, handle = ? WHERE task_id = ? AND token = ? AND state = 'leased'`)
  const run = context.prepare(`UPDATE tasks SET state = 'running' WHERE id = ? AND state = 'unknown'`)
  return ({ taskId, token, driver, target, handle, now }) => {
    if (!changed(mark.run(driver, target, handle, taskId, token))) return false
    if (changed(run.run(taskId))) {
      context.appendEvent(taskId, now, 'task.running', '{}')
      context.signal({ kind: 'task', taskId, state: 'running' })
    }
    return true
  }
}

function prepareProgress(context: WriteContext): Handlers['progress'] {
  const find = prepareHeldTask(context)
  const raise = context.prepare('UPDATE tasks SET progress = ? WHERE id = ?')
  return ({ taskId, token, progress, now }) => {
    const task = find({ taskId, token })
    if (task === undefined) return false
    const state = taskState(task, 'state')
    if (state === 'cancelling') return false
    if (state !== 'running' || progress <= number(task, 'progress')) return true
    raise.run(progress, taskId)
    context.appendEvent(taskId, now, 'task.progress', JSON.stringify({ progress }))
    context.signal({ kind: 'task', taskId, state })
    return true
  }
}

function prepareReschedule(context: WriteContext): Handlers['reschedule'] {
  const find = prepareHeldTask(context)
  const handBack = context.prepare(
    `UPDATE jobs SET state = 'ready', owner = NULL, run_at = ?, last_error = ? WHERE task_id = ? AND token = ? AND state = 'leased'`,
  )
  const moveTask = context.prepare('UPDATE tasks SET state = ? WHERE id = ?')
  return ({ taskId, token, runAt, reason, now, unknown }) => {
    const task = find({ taskId, token })
    if (task === undefined) return false
    handBack.run(runAt, reason, taskId, token)
    if (runAt <= now) context.signal({ kind: 'job', queue: text(task, 'queue') })
    const state = taskState(task, 'state')
    const isRetry = state === 'running' && optionalText(task, 'driver') === null
    const next = unknown ? 'unknown' : isRetry ? 'queued' : state
    if (next === state) return true
    moveTask.run(next, taskId)
    const data = JSON.stringify({ reason, attempt: number(task, 'attempt'), runAt })
    context.appendEvent(taskId, now, next === 'unknown' ? 'task.unknown' : 'task.retrying', data)
    context.signal({ kind: 'task', taskId, state: next })
    return true
  }
}

function prepareHeldTask(context: WriteContext): (held: Held) => Row | undefined {
  const find = context.prepare(
    `SELECT tasks.state, tasks.progress, jobs.queue, jobs.driver, jobs.attempt
     FROM jobs JOIN tasks ON tasks.id = jobs.task_id WHERE jobs.task_id = ? AND jobs.token = ? AND jobs.state = 'leased'`,
  )
  return ({ taskId, token }) => find.get(taskId, token)
}
