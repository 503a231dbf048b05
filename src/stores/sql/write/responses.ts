import type { Handlers } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { number, optionalText, text } from '../values.ts'
import { prepareBlobInsert } from './blobs.ts'
import { changed, type WriteContext } from './context.ts'

export function responseOperations(
  context: WriteContext,
): Pick<Handlers, 'putResponse' | 'noteResponse' | 'removeResponse' | 'sweepResponses'> {
  const freeContent = prepareFreeContent(context)
  return {
    putResponse: preparePut(context, freeContent),
    noteResponse: prepareNote(context),
    removeResponse: prepareRemove(context, freeContent),
    sweepResponses: prepareSweep(context, freeContent),
  }
}

/** Returns a function that marks the content blob of a response, if there is one, for deletion
 *  by the next sweep. */
function prepareFreeContent(context: WriteContext): (responseId: string) => void {
  const free = context.prepare('UPDATE blobs SET expires_at = 0 WHERE id = (SELECT content_blob FROM responses WHERE id = ?)')
  return responseId => {
    free.send(responseId)
  }
}

function preparePut(context: WriteContext, freeContent: (responseId: string) => void): Handlers['putResponse'] {
  const insertBlobs = prepareBlobInsert(context)
  const find = context.prepare('SELECT account_id, endpoint, task_id, deleted FROM responses WHERE id = ?')
  const insert = context.prepare(
    `INSERT INTO responses (id, account_id, endpoint, parent_id, model, target, task_id, content, content_blob, created_at, expires_at, deleted, kind, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )
  const replace = context.prepare(
    `UPDATE responses SET parent_id = ?, model = ?, target = ?, task_id = ?, content = ?, content_blob = ?, created_at = ?, expires_at = ?, deleted = ?, kind = ?, metadata = ?
     WHERE id = ?`,
  )
  return function* ({ id, accountId, endpoint, cells, blobs }) {
    const isNew = changed(yield* insert.run(id, accountId, endpoint, ...cells))
    const found = isNew ? undefined : yield* find.get(id)
    if (found !== undefined) {
      if (text(found, 'account_id') !== accountId || text(found, 'endpoint') !== endpoint) return 'taken'
      // The response was deleted while its task was running, so the answer of the task is not
      // stored.
      if (number(found, 'deleted') === 1 && optionalText(found, 'task_id') !== null) return 'deleted'
      freeContent(id)
      replace.send(...cells, id)
    }
    insertBlobs(blobs.map(blob => ({ ...blob, accountId, taskId: id })))
    return 'written'
  }
}

function prepareNote(context: WriteContext): Handlers['noteResponse'] {
  const update = context.prepare('UPDATE responses SET content = ? WHERE id = ? AND account_id = ? AND endpoint = ? AND deleted = 0')
  const insertItem = context.prepare('INSERT INTO response_items (id, response_id) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return function* ({ id, accountId, endpoint, items, content }) {
    if (!changed(yield* update.run(content, id, accountId, endpoint))) return undefined
    for (const item of items) insertItem.send(item, id)
    return undefined
  }
}

function prepareRemove(context: WriteContext, freeContent: (responseId: string) => void): Handlers['removeResponse'] {
  const find = context.prepare('SELECT task_id FROM responses WHERE id = ? AND deleted = 0 AND expires_at > ?')
  const bury = prepareBury(context)
  // The task that created the response contains its text as well. It is set to expire at once, so
  // that the first sweep after its end deletes it.
  const freeTask = context.prepare('UPDATE tasks SET expires_at = 0 WHERE id = ?')
  const deleteItems = context.prepare('DELETE FROM response_items WHERE response_id = ?')
  return function* ({ id, now }) {
    const found = yield* find.get(id, now)
    if (found === undefined) return false
    freeContent(id)
    deleteItems.send(id)
    bury(id)
    freeTask.send(optionalText(found, 'task_id'))
    return true
  }
}

function prepareBury(context: WriteContext): (id: string) => void {
  const update = context.prepare('UPDATE responses SET deleted = 1, content = NULL, content_blob = NULL, metadata = NULL WHERE id = ?')
  return id => {
    update.send(id)
  }
}

/** Returns the handler that deletes expired responses. A response at the beginning or the end of
 *  its conversation is deleted immediately. One in the middle becomes a tombstone, so that the
 *  turns after it still find those before it. A tombstone is deleted once it is at the end of the
 *  conversation, or at its beginning and expired. */
function prepareSweep(context: WriteContext, freeContent: (responseId: string) => void): Handlers['sweepResponses'] {
  const findEnded = context.prepare('SELECT id FROM responses WHERE deleted = 0 AND expires_at <= ? ORDER BY expires_at, number LIMIT ?')
  const hasChild = '(SELECT 1 FROM responses AS child WHERE child.parent_id = responses.id)'
  const hasParent = '(SELECT 1 FROM responses AS parent WHERE parent.id = responses.parent_id)'
  const deleteAtAnEnd = context.prepare(`DELETE FROM responses WHERE id = ? AND (NOT EXISTS ${hasChild} OR NOT EXISTS ${hasParent})`)
  const findTombstones = context.prepare('SELECT number FROM responses WHERE deleted = 1 AND number < ? ORDER BY number DESC LIMIT ?')
  // A tombstone stays while its task has a job, so that the answer of the task is not stored after
  // the response was deleted.
  const deleteTombstone = context.prepare(
    `DELETE FROM responses WHERE number = ? AND (NOT EXISTS ${hasChild} OR (expires_at <= ? AND NOT EXISTS ${hasParent}))
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.task_id = responses.task_id)`,
  )
  const deleteItems = context.prepare('DELETE FROM response_items WHERE response_id = ?')
  const bury = prepareBury(context)
  // Tombstones are checked from the newest to the oldest. In this order, a deleted conversation is
  // removed completely in one pass, from its last turn to its first. Most tombstones have to stay,
  // because another response still continues them. So each sweep checks the ones after those of the
  // previous sweep; after the oldest one, the checks begin again with the newest.
  let below = Number.MAX_SAFE_INTEGER

  function* sweepEnded(now: number, limit: number): Steps<number> {
    const ended = yield* findEnded.all(now, limit)
    for (const row of ended) {
      const id = text(row, 'id')
      freeContent(id)
      deleteItems.send(id)
      if (!changed(yield* deleteAtAnEnd.run(id))) bury(id)
    }
    return ended.length
  }

  function* sweepTombstones(now: number, limit: number): Steps<number> {
    const tombstones = (yield* findTombstones.all(below, limit)).map(row => number(row, 'number'))
    below = tombstones.length < limit ? Number.MAX_SAFE_INTEGER : (tombstones.at(-1) ?? below)
    let deleted = 0
    for (const tombstone of tombstones) deleted += yield* deleteTombstone.run(tombstone, now)
    return deleted
  }

  return function* ({ now, limit }) {
    const ended = yield* sweepEnded(now, limit)
    return ended + (yield* sweepTombstones(now, limit - ended))
  }
}
