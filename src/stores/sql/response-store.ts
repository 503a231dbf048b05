import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { NewBlob } from '../../core/ports/blobs.ts'
import type { CompletionPage } from '../../core/ports/responses.ts'
import type { ResponseRecord, ResponseStore } from '../../core/ports/store.ts'
import type { ResponseRow } from './operations.ts'
import type { Connection } from './statements.ts'
import { toBlobRow } from './task-messages.ts'
import { blobColumns, toStoredBlob } from './task-rows.ts'
import { number, optionalNumber, optionalText, type Row, text } from './values.ts'
import type { Writer } from './writer.ts'

const chainAtMost = 1000
const columns = `id, responses.account_id, responses.endpoint, responses.parent_id, model, target, task_id, content, created_at, expires_at, deleted, kind, metadata`

export function createResponseStore({ connection, writer }: { connection: Connection; writer: Writer }): ResponseStore {
  const find = connection.prepare(`SELECT ${columns} FROM responses WHERE id = ? AND expires_at > ?`)
  const findByItem = connection.prepare(
    `SELECT ${columns} FROM responses WHERE id IN (SELECT response_id FROM response_items WHERE response_items.id = ?)
       AND account_id = ? AND endpoint = ? AND deleted = 0 AND expires_at > ? LIMIT 1`,
  )
  const findBlob = connection.prepare(`SELECT ${blobColumns} FROM blobs WHERE id = (SELECT content_blob FROM responses WHERE id = ?)`)
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
  return {
    async put(record, contentBlob) {
      const outcome = await writer.run('putResponse', toRow(record, contentBlob))
      if (outcome === 'taken') throw new GatewayError('conflict', `The response id ${record.id} is taken.`)
    },
    async get(id, now) {
      const row = await find.get(id, now)
      return row === undefined ? undefined : toRecord(row, now)
    },
    async completions({ accountId, endpoint }, page, now) {
      const found: ResponseRecord[] = []
      let { after } = page
      for (;;) {
        const { sql, values } = completionQuery({ ...page, ...(after === undefined ? {} : { after }) })
        const rows = await connection.prepare(sql).all(accountId, endpoint, now, ...values)
        const records = rows.map(row => toRecord(row, now))
        found.push(...records.filter(record => hasPairs(record.metadata, page.metadata)))
        after = records.at(-1)?.id
        // When `hasPairs` has removed rows of a full page, the next rows are read until the page is
        // full again.
        if (records.length < page.limit || found.length >= page.limit) return found.slice(0, page.limit)
      }
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

const listedOnes = `FROM responses WHERE account_id = ? AND endpoint = ? AND kind = 'completion' AND deleted = 0 AND target IS NULL AND expires_at > ?`

/** Returns the query for a page, and the values of its parameters after the first three
 *  (account, endpoint and time). */
function completionQuery({ model, metadata = {}, after, order, limit }: CompletionPage): { sql: string; values: (string | number)[] } {
  const conditions: string[] = []
  const values: (string | number)[] = []
  if (model !== undefined) {
    conditions.push('model = ?')
    values.push(model)
  }
  // A pair is searched as text in the JSON of the metadata, where `{` or `,` comes before it. In
  // rare cases, the text is found inside of another pair; `hasPairs` removes such rows.
  for (const [name, value] of Object.entries(metadata)) {
    const pair = `${JSON.stringify(name)}:${JSON.stringify(value)}`
    conditions.push("(replace(metadata, ?, '') <> metadata OR replace(metadata, ?, '') <> metadata)")
    values.push(`{${pair}`, `,${pair}`)
  }
  if (after !== undefined) {
    conditions.push(`number ${order === 'asc' ? '>' : '<'} (SELECT number FROM responses WHERE id = ?)`)
    values.push(after)
  }
  const where = conditions.map(condition => ` AND ${condition}`).join('')
  return {
    sql: `SELECT ${columns} ${listedOnes}${where} ORDER BY number ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT ?`,
    values: [...values, limit],
  }
}

function hasPairs(metadata: ResponseRecord['metadata'] = {}, wanted: ResponseRecord['metadata'] = {}): boolean {
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
