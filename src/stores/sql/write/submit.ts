import type { SubmitOutcome } from '../../../core/ports/store.ts'
import { prepareEach } from '../each.ts'
import type { GroupHandlers, SubmitRow } from '../operations.ts'
import { type StepConnection, type Steps, sideBySide } from '../steps.ts'
import { number, text } from '../values.ts'
import { prepareBlobInsert } from './blobs.ts'
import type { WriteContext } from './context.ts'
import { type Ending, prepareEndTasks } from './ending.ts'
import { prepareCountRunnable } from './parking.ts'
import { prepareQuotas } from './quotas.ts'

export function prepareSubmit(context: WriteContext): GroupHandlers['submit'] {
  const findEarlier = prepareEarlier(context)
  const quotas = prepareQuotas(context)
  const countRunnable = prepareCountRunnable(context)
  const insert = prepareInserts(context)
  const endTasks = prepareEndTasks(context)
  return function* (rows) {
    const [earlier, open, runnable] = yield* sideBySide([
      findEarlier(rows),
      quotas.open(rows.map(({ hold }) => hold)),
      countRunnable(rows.filter(({ failure }) => failure === null)),
    ])
    const created: SubmitRow[] = []
    const jobs: [row: SubmitRow, state: 'ready' | 'parked'][] = []
    const outcomes = rows.map((row): SubmitOutcome => {
      const known = earlier.of(row)
      if (known !== undefined) return known
      const refusal = row.hold === null ? undefined : open.take(row.hold)
      if (refusal !== undefined) return { outcome: 'over-quota', refusal }
      earlier.add(row)
      created.push(row)
      if (row.failure === null) {
        const isFull = runnable.isFull(row)
        if (!isFull) runnable.add(row)
        jobs.push([row, isFull ? 'parked' : 'ready'])
        if (!isFull) context.signal({ kind: 'job', queue: row.queue })
      }
      return { outcome: 'created', taskId: row.id }
    })
    open.write()
    insert(created, jobs)
    yield* endTasks(created.flatMap(row => (row.failure === null ? [] : [failedEnding(row, row.failure)])))
    return outcomes
  }
}

/** Returns the ending of a task that is stored as failed from the beginning. Nothing is held for
 *  it, and nothing was sent to an upstream. */
function failedEnding({ id, keyId, accountId, createdAt }: SubmitRow, failure: string): Ending {
  const nothing = { result: null, outputs: null, hold: null, target: null, used: [], isOpen: false }
  return { ...nothing, taskId: id, keyId, accountId, state: 'failed', failure, eventData: failure, at: createdAt }
}

/** The columns by which an earlier submit is found. */
export type Earlier = Pick<SubmitRow, 'accountId' | 'idempotency' | 'clientReference' | 'createdAt'>

/** The earlier submits that have the same idempotency key or client reference as the submits of
 *  a group. They are read once; the submits of the group itself are added to them one by one. */
export interface EarlierSubmits {
  /** Returns the outcome of an earlier submit with the same key or reference; undefined when
   *  there is none. */
  of(row: Earlier): SubmitOutcome | undefined
  add(row: Earlier & { id: string }): void
}

interface KnownKey {
  taskId: string
  bodySha256: string
  expiresAt: number
}

/** Finds the earlier submits with the idempotency keys and client references of some submits. */
export function prepareEarlier(connection: StepConnection): (rows: readonly Earlier[]) => Steps<EarlierSubmits> {
  const findKeys = prepareEach(
    connection,
    ({ text, join }) =>
      `SELECT account_id, key, task_id, body_sha256, expires_at FROM idempotency ${join} WHERE account_id = ${text(0)} AND key = ${text(1)}`,
  )
  const findReferences = prepareEach(
    connection,
    ({ text, join }) =>
      `SELECT account_id, client_reference, id FROM tasks ${join} WHERE account_id = ${text(0)} AND client_reference = ${text(1)}`,
  )
  return function* (rows) {
    const keyRows = rows.flatMap(({ accountId, idempotency }) => (idempotency === null ? [] : [[accountId, idempotency.key]]))
    const referenceRows = rows.flatMap(({ accountId, clientReference }) => (clientReference === null ? [] : [[accountId, clientReference]]))
    const [foundKeys, foundReferences] = yield* sideBySide([findKeys.get(keyRows), findReferences.get(referenceRows)])
    const keys = new Map<string, KnownKey>(
      foundKeys.map(row => [
        nameIn(text(row, 'account_id'), text(row, 'key')),
        { taskId: text(row, 'task_id'), bodySha256: text(row, 'body_sha256'), expiresAt: number(row, 'expires_at') },
      ]),
    )
    const references = new Map<string, string>(
      foundReferences.map(row => [nameIn(text(row, 'account_id'), text(row, 'client_reference')), text(row, 'id')]),
    )
    return {
      of({ accountId, idempotency, clientReference, createdAt }) {
        const known = idempotency === null ? undefined : keys.get(nameIn(accountId, idempotency.key))
        if (known !== undefined && known.expiresAt > createdAt)
          return { outcome: known.bodySha256 === idempotency?.bodySha256 ? 'replayed' : 'conflict', taskId: known.taskId }
        const taken = clientReference === null ? undefined : references.get(nameIn(accountId, clientReference))
        return taken === undefined ? undefined : { outcome: 'reference-taken', taskId: taken }
      },
      add({ id, accountId, idempotency, clientReference }) {
        if (idempotency !== null) keys.set(nameIn(accountId, idempotency.key), { ...idempotency, taskId: id })
        if (clientReference !== null) references.set(nameIn(accountId, clientReference), id)
      },
    }
  }
}

/** Returns a text that is different for each pair of account and name. Half a surrogate pair is
 *  replaced by U+FFFD, as the databases do. */
function nameIn(accountId: string, name: string): string {
  return `${accountId.length} ${accountId}${name.toWellFormed()}`
}

/** Returns a function that inserts tasks with their jobs and all related rows. */
function prepareInserts(
  context: WriteContext,
): (tasks: readonly SubmitRow[], jobs: readonly [row: SubmitRow, state: 'ready' | 'parked'][]) => void {
  const insertTasks = prepareTaskInsert(context)
  const insertJobs = prepareJobInsert(context)
  const insertBlobs = prepareBlobInsert(context)
  const insertFirstEvents = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO task_events (task_id, sequence, at, type, data) ${source(text(0), '1', whole(1), "'task.queued'", "'{}'")}`,
  )
  const putIdempotency = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO idempotency (account_id, key, task_id, body_sha256, expires_at) ${source(text(0), text(1), text(2), text(3), whole(4))}
       ON CONFLICT (account_id, key) DO UPDATE SET task_id = excluded.task_id, body_sha256 = excluded.body_sha256, expires_at = excluded.expires_at`,
  )
  return (tasks, jobs) => {
    insertTasks(tasks)
    insertJobs(jobs)
    insertFirstEvents.send(tasks.map(({ id, createdAt }) => [id, createdAt]))
    insertBlobs(tasks.flatMap(({ blobs, accountId, id }) => blobs.map(blob => ({ ...blob, accountId, taskId: id }))))
    putIdempotency.send(
      tasks.flatMap(({ accountId, id, idempotency }) =>
        idempotency === null ? [] : [[accountId, idempotency.key, id, idempotency.bodySha256, idempotency.expiresAt]],
      ),
    )
  }
}

function prepareTaskInsert(context: WriteContext): (rows: readonly SubmitRow[]) => void {
  const insert = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO tasks (id, account_id, key_id, endpoint, family, capability, model, request, request_blob, shown, inputs, webhook_url, webhook_secret,
         public_url, client_reference, traceparent, created_at, deadline_at, expires_at, state)
       ${source(...Array.from({ length: 16 }, (_, index) => text(index)), whole(16), whole(17), whole(18), "'queued'")}`,
  )
  return rows => {
    insert.send(
      rows.map(row => [
        ...[row.id, row.accountId, row.keyId, row.endpoint, row.family, row.capability, row.model],
        ...[row.request, row.requestBlob, row.shown, row.inputs, row.webhookUrl, row.webhookSecret],
        ...[row.publicUrl, row.clientReference, row.traceparent],
        ...[row.createdAt, row.deadlineAt, row.expiresAt],
      ]),
    )
  }
}

/** Inserts jobs, ready or parked. */
function prepareJobInsert(context: WriteContext): (jobs: readonly [row: SubmitRow, state: 'ready' | 'parked'][]) => void {
  const insert = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO jobs (task_id, queue, account_id, key_id, state, run_at, deadline_at, concurrency_limit, account_limit, hold, pin, inline)
       ${source(text(0), text(1), text(2), text(3), text(4), whole(5), whole(6), whole(7), whole(8), text(9), text(10), whole(11))}`,
  )
  return jobs => {
    insert.send(
      jobs.map(([{ id, queue, accountId, keyId, createdAt, deadlineAt, concurrencyLimit, accountLimit, hold, pin, isInline }, state]) => [
        ...[id, queue, accountId, keyId, state, createdAt, deadlineAt],
        ...[concurrencyLimit, accountLimit, hold === null ? null : JSON.stringify(hold), pin, isInline ? 1 : 0],
      ]),
    )
  }
}
