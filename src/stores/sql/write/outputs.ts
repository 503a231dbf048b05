import type { Artifact } from '../../../core/records/task.ts'
import type { Handlers } from '../operations.ts'
import { taskState, text } from '../values.ts'
import { prepareBlobInsert } from './blobs.ts'
import type { WriteContext } from './context.ts'

export function outputOperations(context: WriteContext): Pick<Handlers, 'addOutputs'> {
  const find = context.prepare(
    `SELECT tasks.account_id, tasks.state FROM jobs JOIN tasks ON tasks.id = jobs.task_id
     WHERE jobs.task_id = ? AND jobs.token = ? AND jobs.state = 'leased'`,
  )
  const add = context.prepare(`UPDATE tasks SET outputs = ${withOutputs('?1')} WHERE id = ?2`)
  const insertBlobs = prepareBlobInsert(context)
  return {
    *addOutputs({ taskId, token, outputs, blobs, now }) {
      const task = yield* find.get(taskId, token)
      if (task === undefined) return false
      if (outputs === null) return true
      add.send(outputs, taskId)
      insertBlobs(blobs.map(blob => ({ ...blob, accountId: text(task, 'account_id'), taskId })))
      // The cast is safe: `encodeArtifacts` has written this text.
      for (const { role, index } of JSON.parse(outputs) as Artifact[])
        context.appendEvent(taskId, now, 'task.output', JSON.stringify({ role, index }))
      context.signal({ kind: 'task', taskId, state: taskState(task, 'state') })
      return true
    },
  }
}

/** Returns SQL for the column `outputs` with the outputs of a parameter appended. The column and
 *  the parameter are each null, or a JSON array with at least one member. */
export function withOutputs(parameter: string): string {
  const added = `CAST(${parameter} AS TEXT)`
  return `CASE WHEN outputs IS NULL OR ${added} IS NULL THEN coalesce(outputs, ${added})
    ELSE substr(outputs, 1, length(outputs) - 1) || ',' || substr(${added}, 2) END`
}

/** Returns a function that removes the outputs of a task. When no other row refers to the bytes
 *  of these outputs, a later search for unreferenced blobs deletes the bytes. */
export function prepareDropOutputs(context: WriteContext): (taskId: string, outputs: string | null) => void {
  const deleteBlob = context.prepare('DELETE FROM blobs WHERE id = ?')
  const clear = context.prepare('UPDATE tasks SET outputs = NULL WHERE id = ?')
  return (taskId, outputs) => {
    if (outputs === null) return
    for (const id of artifactIds(outputs)) deleteBlob.send(id)
    clear.send(taskId)
  }
}

/** Returns the ids of the artifacts in a column `inputs` or `outputs`. */
export function artifactIds(artifacts: string | null): string[] {
  // The cast is safe: `encodeArtifacts` has written this text.
  return artifacts === null ? [] : (JSON.parse(artifacts) as Artifact[]).map(({ id }) => id)
}
