import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { NewBlob } from '../../core/ports/blobs.ts'
import type { CompletionPage } from '../../core/ports/responses.ts'
import type { ResponseRecord, ResponseStore } from '../../core/ports/store.ts'
import type { ResponseRow } from './operations.ts'
import { type Condition, type SlicedList, SlicedReader } from './sliced-reader.ts'
import type { Connection } from './statements.ts'
import { toBlobRow } from './task-messages.ts'
import { blobColumns, toStoredBlob } from './task-rows.ts'
import { number, optionalNumber, optionalText, type Row, text } from './values.ts'
import type { Writer } from './writer.ts'

const chainAtMost = 1000
/** Largest number of metadata pairs for which one statement searches. A stored completion has at
 *  most as many pairs, so a search for more pairs finds nothing. */
const mostSearchedPairs = 16
const columns = `id, responses.account_id, responses.endpoint, responses.parent_id, model, target, task_id, content, created_at, expires_at, deleted, kind, metadata`

type Owner = Pick<ResponseRecord, 'accountId' | 'endpoint'>

export function createResponseStore({ connection, writer }: { connection: Connection; writer: Writer }): ResponseStore {
  const find = connection.prepare(`SELECT ${columns} FROM responses WHERE id = ? AND expires_at > ?`)
  const findByItem = connection.prepare(
    `SELECT ${columns} FROM responses WHERE id IN (SELECT response_id FROM response_items WHERE response_items.id = ?)
       AND account_id = ? AND endpoint = ? AND deleted = 0 AND expires_at > ? LIMIT 1`,
  )
  const findBlob = connection.prepare(`SELECT ${blobColumns} FROM blobs WHERE id = (SELECT content_blob FROM responses WHERE id = ?)`)
  // Also finds a deleted or expired completion that no sweep has removed yet.
  const findPlace = connection.prepare(
    `SELECT number FROM responses WHERE id = ? AND account_id = ? AND endpoint = ? AND kind = 'completion'`,
  )
  const walk = connection.prepare(
    `WITH RECURSIVE turns (number, parent_id, account_id, endpoint, depth) AS (
       SELECT number, parent_id, account_id, endpoint, 1 FROM responses WHERE id = ?1 AND expires_at > ?2
       UNION ALL
       SELECT parent.number, parent.parent_id, parent.account_id, parent.endpoint, depth + 1
       FROM turns JOIN responses AS parent ON parent.id = turns.parent_id
       WHERE parent.account_id = turns.account_id AND parent.endpoint = turns.endpoint AND depth < ${chainAtMost})
     SELECT ${columns}, (SELECT bytes FROM blobs WHERE blobs.id = content_blob) AS content_bytes
     FROM turns JOIN responses USING (number) ORDER BY turns.depth`,
  )
  const slices = new SlicedReader(connection)
  return {
    async put(record, contentBlob) {
      const outcome = await writer.run('putResponse', toRow(record, contentBlob))
      if (outcome === 'taken') throw new GatewayError('conflict', `The response id ${record.id} is taken.`)
    },
    async get(id, now) {
      const row = await find.get(id, now)
      return row === undefined ? undefined : toRecord(row, now)
    },
    async completions(owner, page, now) {
      const place = page.after === undefined ? undefined : await findPlace.get(page.after, owner.accountId, owner.endpoint)
      if (page.after !== undefined && place === undefined) return undefined
      const rows = await slices.list({
        ...completionList(connection.dialect, owner, { ...page, now }),
        after: place && number(place, 'number'),
      })
      return rows.map(row => toRecord(row, now))
    },
    note: async (id, { accountId, endpoint }, { items, content }) => {
      await writer.run('noteResponse', { id, accountId, endpoint, items: [...items], content: JSON.stringify(content) })
    },
    async ofItem(itemId, { accountId, endpoint }, now) {
      const row = await findByItem.get(itemId, accountId, endpoint, now)
      return row === undefined ? undefined : toRecord(row, now)
    },
    chain: async (id, now) => untilRepeated((await walk.all(id, now)).map(row => toTurn(row, now))).reverse(),
    remove: (id, now) => writer.run('removeResponse', { id, now }),
    async sweep(now, limit) {
      // SQLite treats a negative LIMIT as no limit.
      return limit < 1 ? 0 : writer.run('sweepResponses', { now, limit })
    },
    async contentBlob(id) {
      const row = await findBlob.get(id)
      return row === undefined ? undefined : toStoredBlob(row)
    },
  }
}

/** Describes the list of stored completions for `SlicedReader`. The caller adds the place at which
 *  the page begins. */
function completionList(
  { isIn, list }: Connection['dialect'],
  owner: Owner,
  { model, models = [], metadata = {}, order, limit, now }: CompletionPage & { now: number },
): SlicedList {
  // A pair is searched as text in the JSON of the metadata, where `{` or `,` comes before it. In
  // rare cases the text is found inside another pair. `hasPairs` removes such rows; it also checks
  // the pairs beyond `mostSearchedPairs`.
  const pairs = Object.entries(metadata)
    .slice(0, mostSearchedPairs)
    .map(([name, value]): Condition => {
      const pair = `${JSON.stringify(name)}:${JSON.stringify(value)}`
      return ["(replace(metadata, ?, '') <> metadata OR replace(metadata, ?, '') <> metadata)", `{${pair}`, `,${pair}`]
    })
  return {
    table: 'responses',
    columns: `number, ${columns}`,
    indexed: [['account_id = ?', owner.accountId], ['endpoint = ?', owner.endpoint], [`kind = 'completion'`], ['deleted = 0']],
    checked: [
      ['target IS NULL'],
      ['expires_at > ?', now],
      ...(model === undefined ? [] : [['model = ?', model] as const]),
      ...(models.length === 0 ? [] : [[isIn('model'), list(models)] as const]),
      ...pairs,
    ],
    isListed: row => hasPairs(row, metadata),
    by: 'number',
    order,
    limit,
  }
}

function hasPairs(row: Row, wanted: NonNullable<ResponseRecord['metadata']>): boolean {
  const metadata = JSON.parse(optionalText(row, 'metadata') ?? '{}')
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(metadata, name) && metadata[name] === value)
}

function toRow(record: ResponseRecord, contentBlob: NewBlob | undefined): ResponseRow {
  const { id, accountId, endpoint, parentId, model, target, taskId, content, createdAt, expiresAt, isDeleted } = record
  const { kind = 'response', metadata } = record
  const pairs = metadata === undefined ? null : JSON.stringify(metadata)
  const json = content === undefined ? null : JSON.stringify(content)
  const blobId = contentBlob?.artifact.id ?? null
  return {
    id,
    accountId,
    endpoint,
    cells: [parentId ?? null, model, target ?? null, taskId ?? null, json, blobId, createdAt, expiresAt, isDeleted ? 1 : 0, kind, pairs],
    blobs: contentBlob === undefined ? [] : [toBlobRow(contentBlob)],
  }
}

function toRecord(row: Row, now: number): ResponseRecord {
  const expiresAt = number(row, 'expires_at')
  const record: ResponseRecord = {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    endpoint: text(row, 'endpoint'),
    model: text(row, 'model'),
    createdAt: number(row, 'created_at'),
    expiresAt,
    isDeleted: number(row, 'deleted') === 1 || expiresAt <= now,
  }
  const parentId = optionalText(row, 'parent_id')
  if (parentId !== null) record.parentId = parentId
  const target = optionalText(row, 'target')
  if (target !== null) record.target = target
  const taskId = optionalText(row, 'task_id')
  if (taskId !== null) record.taskId = taskId
  if (text(row, 'kind') === 'completion') record.kind = 'completion'
  const metadata = record.isDeleted ? null : optionalText(row, 'metadata')
  if (metadata !== null) record.metadata = JSON.parse(metadata)
  const content = record.isDeleted ? null : optionalText(row, 'content')
  if (content !== null) record.content = JSON.parse(content)
  return record
}

function toTurn(row: Row, now: number): ResponseRecord {
  const record = toRecord(row, now)
  const contentBytes = record.isDeleted ? null : optionalNumber(row, 'content_bytes')
  return contentBytes === null ? record : { ...record, contentBytes }
}

/** Ends the chain at a response that continues one of its own descendants, which only a faulty
 *  upstream can produce. */
function untilRepeated(newestFirst: ResponseRecord[]): ResponseRecord[] {
  const seen = new Set<string>()
  const end = newestFirst.findIndex(record => seen.size === seen.add(record.id).size)
  return end < 0 ? newestFirst : newestFirst.slice(0, end)
}
