import type { Handlers } from '../operations.ts'
import { optionalText, type Row, text } from '../values.ts'
import { findReference } from './blobs.ts'
import type { WriteContext } from './context.ts'

/** A quota's counter is not needed after its window, but work that was accepted in the window
 *  may still end. */
const countsKeptMs = 90 * 24 * 3600 * 1000

export function sweepOperations(context: WriteContext): Pick<Handlers, 'sweep'> {
  // A task whose webhook is still to be delivered is kept, because the body is made from it.
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
    sweep({ now, limit }) {
      deleteCounts.run(now - countsKeptMs)
      const candidates = new Set<string>()
      const due = findDue.all(now, limit)
      for (const task of due) for (const key of deleteTask(task)) candidates.add(key)
      for (const row of [...deleteDueBlobs.all(now, limit), ...deleteDueFiles.all(now, limit)]) candidates.add(text(row, 'key'))
      const blobKeys = [...candidates].filter(key => reference.get(key) === undefined)
      return { tasks: due.length, blobKeys }
    },
  }
}

/** Deletes a task with all its related rows, given a row with its id, artifacts and request.
 *  Returns the keys of its blobs. */
function prepareDeleteTask(context: WriteContext): (task: Row) => string[] {
  const deleteBlob = context.prepare('DELETE FROM blobs WHERE id = ? RETURNING key')
  const deleteBlobs = context.prepare(`DELETE FROM blobs WHERE id IN (SELECT value ->> 'id' FROM json_each(?)) RETURNING key`)
  const deletions = [
    context.prepare('DELETE FROM task_events WHERE task_id = ?'),
    context.prepare('DELETE FROM task_details WHERE task_id = ?'),
    context.prepare('DELETE FROM outbox WHERE task_id = ?'),
    context.prepare('DELETE FROM tasks WHERE id = ?'),
  ]
  return task => {
    const taskId = text(task, 'id')
    for (const statement of deletions) statement.run(taskId)
    const lists = [optionalText(task, 'inputs'), optionalText(task, 'outputs')]
    const blobs = lists.flatMap(list => (list === null ? [] : deleteBlobs.all(list)))
    return [...blobs, ...deleteBlob.all(optionalText(task, 'request_blob'))].map(row => text(row, 'key'))
  }
}
