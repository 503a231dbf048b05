import { dayMs } from '@generation-gateway/kit/units.ts'
import type { Handlers } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { optionalText, type Row, text } from '../values.ts'
import { findReference } from './blobs.ts'
import type { WriteContext } from './context.ts'
import { artifactIds } from './outputs.ts'

/** Time in milliseconds for which the counter of a quota is kept after the end of its window,
 *  because work that was accepted in the window may end only later. */
const countsKeptMs = 90 * dayMs

export function sweepOperations(context: WriteContext): Pick<Handlers, 'sweep'> {
  // A task whose webhook has not been delivered yet is kept, because the body of the webhook is
  // built from the task.
  const findDue = context.prepare(
    `SELECT id, inputs, outputs, request_blob FROM tasks WHERE finished_at IS NOT NULL AND expires_at <= ?
       AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.task_id = tasks.id AND outbox.state <> 'dead') ORDER BY expires_at LIMIT ?`,
  )
  const deleteTask = prepareDeleteTask(context)
  const deleteDueBlobs = context.prepare(
    `DELETE FROM blobs WHERE id IN (SELECT blobs.id FROM blobs LEFT JOIN tasks ON tasks.id = blobs.task_id
       WHERE blobs.expires_at <= ? AND (tasks.id IS NULL OR tasks.finished_at IS NOT NULL) ORDER BY blobs.expires_at LIMIT ?) RETURNING key`,
  )
  const deleteCounts = context.prepare('DELETE FROM quota_counts WHERE ends_at <= ?')
  const deleteDueFiles = context.prepare(
    `DELETE FROM files WHERE (account_id, family, id) IN
       (SELECT account_id, family, id FROM files WHERE expires_at <= ? ORDER BY expires_at LIMIT ?) RETURNING key`,
  )
  const reference = context.prepare(findReference)
  return {
    *sweep({ now, limit }) {
      deleteCounts.send(now - countsKeptMs)
      const candidates = new Set<string>()
      const due = yield* findDue.all(now, limit)
      for (const task of due) for (const key of yield* deleteTask(task)) candidates.add(key)
      for (const row of [...(yield* deleteDueBlobs.all(now, limit)), ...(yield* deleteDueFiles.all(now, limit))])
        candidates.add(text(row, 'key'))
      const blobKeys: string[] = []
      for (const key of candidates) if ((yield* reference.get(key)) === undefined) blobKeys.push(key)
      return { tasks: due.length, blobKeys }
    },
  }
}

/** Deletes a task with its events, detail, webhook delivery and blobs, given a row with its id,
 *  artifacts and request. Returns the keys of its blobs. */
function prepareDeleteTask(context: WriteContext): (task: Row) => Steps<string[]> {
  const deleteBlob = context.prepare('DELETE FROM blobs WHERE id = ? RETURNING key')
  const deletions = [
    context.prepare('DELETE FROM task_events WHERE task_id = ?'),
    context.prepare('DELETE FROM task_details WHERE task_id = ?'),
    context.prepare('DELETE FROM outbox WHERE task_id = ?'),
    context.prepare('DELETE FROM tasks WHERE id = ?'),
  ]
  return function* (task) {
    const taskId = text(task, 'id')
    for (const statement of deletions) statement.send(taskId)
    const requestBlob = optionalText(task, 'request_blob')
    const ids = [...artifactIds(optionalText(task, 'inputs')), ...artifactIds(optionalText(task, 'outputs'))]
    const keys: string[] = []
    for (const id of requestBlob === null ? ids : [...ids, requestBlob])
      for (const row of yield* deleteBlob.all(id)) keys.push(text(row, 'key'))
    return keys
  }
}
