import type { SubmitOutcome } from '../../../core/ports/store.ts'
import type { Handlers, SubmitRow } from '../operations.ts'
import type { StepStatement, Steps } from '../steps.ts'
import { number, text } from '../values.ts'
import { prepareBlobInsert } from './blobs.ts'
import type { WriteContext } from './context.ts'
import { prepareEndTask } from './ending.ts'
import { prepareIsParked } from './parking.ts'
import { prepareQuotas } from './quotas.ts'

export function submitOperations(context: WriteContext): Pick<Handlers, 'submit'> {
  const earlier = prepareEarlier(context)
  const quotas = prepareQuotas(context)
  const insertTask = prepareTaskInsert(context)
  const insertJob = prepareJobInsert(context)
  const insertBlobs = prepareBlobInsert(context)
  const endFailed = prepareEndFailed(context)
  const insertFirstEvent = context.prepare(
    `INSERT INTO task_events (task_id, sequence, at, type, data) VALUES (?, 1, ?, 'task.queued', '{}')`,
  )
  const putIdempotency = context.prepare(
    `INSERT INTO idempotency (account_id, key, task_id, body_sha256, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, key) DO UPDATE SET task_id = excluded.task_id, body_sha256 = excluded.body_sha256, expires_at = excluded.expires_at`,
  )
  return {
    *submit(row) {
      const found = yield* earlier(row)
      if (found !== undefined) return found
      const refusal = row.hold === null ? undefined : yield* quotas.take(row.hold)
      if (refusal !== undefined) return { outcome: 'over-quota', refusal }
      insertTask(row)
      const isRunnable = row.failure === null && (yield* insertJob(row))
      insertFirstEvent.send(row.id, row.createdAt)
      insertBlobs(row.blobs, row.accountId, row.id)
      const { idempotency } = row
      if (idempotency !== null) {
        putIdempotency.send(row.accountId, idempotency.key, row.id, idempotency.bodySha256, idempotency.expiresAt)
      }
      if (row.failure !== null) yield* endFailed(row, row.failure)
      if (isRunnable) context.signal({ kind: 'job', queue: row.queue })
      return { outcome: 'created', taskId: row.id }
    },
  }
}

/** Ends a task that has failed before it could start: nothing is held for it, and nothing was
 *  sent. */
function prepareEndFailed(context: WriteContext): (row: SubmitRow, failure: string) => Steps<void> {
  const endTask = prepareEndTask(context)
  const nothing = { result: null, outputs: null, hold: null, target: null, used: [], isOpen: false }
  return ({ id, keyId, accountId, createdAt }, failure) =>
    endTask({ ...nothing, taskId: id, keyId, accountId, state: 'failed', failure, eventData: failure, at: createdAt })
}

/** The columns by which an earlier submit is found. */
export type Earlier = Pick<SubmitRow, 'accountId' | 'idempotency' | 'clientReference' | 'createdAt'>

/** Finds the outcome of an earlier submit with the same idempotency key or client reference. */
export function prepareEarlier(connection: { prepare(sql: string): StepStatement }): (row: Earlier) => Steps<SubmitOutcome | undefined> {
  const findKey = connection.prepare('SELECT task_id, body_sha256, expires_at FROM idempotency WHERE account_id = ? AND key = ?')
  const findReference = connection.prepare('SELECT id FROM tasks WHERE account_id = ? AND client_reference = ?')
  return function* (row) {
    const known = row.idempotency === null ? undefined : yield* findKey.get(row.accountId, row.idempotency.key)
    if (known !== undefined && number(known, 'expires_at') > row.createdAt) {
      const isSameBody = text(known, 'body_sha256') === row.idempotency?.bodySha256
      return { outcome: isSameBody ? 'replayed' : 'conflict', taskId: text(known, 'task_id') }
    }
    const taken = row.clientReference === null ? undefined : yield* findReference.get(row.accountId, row.clientReference)
    return taken === undefined ? undefined : { outcome: 'reference-taken', taskId: text(taken, 'id') }
  }
}

function prepareTaskInsert(context: WriteContext): (row: SubmitRow) => void {
  const insert = context.prepare(
    `INSERT INTO tasks (id, account_id, key_id, endpoint, family, capability, model, state, request, request_blob, shown, inputs, webhook_url, webhook_secret,
       public_url, client_reference, traceparent, created_at, deadline_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return row => {
    insert.send(
      row.id,
      row.accountId,
      row.keyId,
      row.endpoint,
      row.family,
      row.capability,
      row.model,
      row.request,
      row.requestBlob,
      row.shown,
      row.inputs,
      row.webhookUrl,
      row.webhookSecret,
      row.publicUrl,
      row.clientReference,
      row.traceparent,
      row.createdAt,
      row.deadlineAt,
      row.expiresAt,
    )
  }
}

/** Inserts the job, ready or parked. Returns true when it is ready. */
function prepareJobInsert(context: WriteContext): (row: SubmitRow) => Steps<boolean> {
  const isParked = prepareIsParked(context)
  const insert = context.prepare(
    `INSERT INTO jobs (task_id, queue, account_id, key_id, state, run_at, deadline_at, concurrency_limit, account_limit, hold, pin, inline)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return function* (row) {
    const { keyId, accountId, concurrencyLimit, accountLimit, hold } = row
    const isWaiting = yield* isParked({ keyId, accountId, concurrencyLimit, accountLimit })
    const state = isWaiting ? 'parked' : 'ready'
    const holdText = hold === null ? null : JSON.stringify(hold)
    const limits = [concurrencyLimit, accountLimit]
    const place = [holdText, row.pin, row.isInline ? 1 : 0]
    insert.send(row.id, row.queue, accountId, keyId, state, row.createdAt, row.deadlineAt, ...limits, ...place)
    return !isWaiting
  }
}
