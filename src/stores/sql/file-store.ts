import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FileStore, StoredFile } from '../../core/ports/files.ts'
import type { Connection } from './statements.ts'
import { number, optionalText, type Row, text } from './values.ts'
import type { Writer } from './writer.ts'

const columns = 'account_id, family, id, endpoint, purpose, key, sha256, facts, name, detail, created_at, expires_at'

export function createFileStore({ connection, writer }: { connection: Connection; writer: Writer }): FileStore {
  const own = 'account_id = ? AND family = ?'
  const find = connection.prepare(`SELECT ${columns} FROM files WHERE ${own} AND id = ? AND expires_at > ?`)
  const list = connection.prepare(
    `SELECT ${columns} FROM files WHERE account_id = ?1 AND family = ?2 AND expires_at > ?3
       AND (CAST(?4 AS TEXT) IS NULL OR purpose = ?4) AND (CAST(?5 AS TEXT) IS NULL OR id < ?5) ORDER BY id DESC LIMIT ?6`,
  )
  return {
    async put({ accountId, family, id, endpoint, purpose, key, sha256, facts, name, detail, createdAt, expiresAt }) {
      const json = detail === undefined ? null : JSON.stringify(detail)
      const reported = [name ?? null, json, createdAt, expiresAt]
      const cells = [accountId, family, id, endpoint, purpose, key, sha256, JSON.stringify(facts), ...reported]
      if (await writer.run('putFile', { cells })) return
      throw new GatewayError('conflict', `The file id ${id} is taken.`)
    },
    async get({ accountId, family }, id, now) {
      const row = await find.get(accountId, family, id, now)
      return row && toFile(row)
    },
    list: async ({ accountId, family }, { purpose, before, limit }, now) =>
      (await list.all(accountId, family, now, purpose ?? null, before ?? null, limit)).map(toFile),
    remove: ({ accountId, family }, id, now) => writer.run('removeFile', { accountId, family, id, now }),
  }
}

function toFile(row: Row): StoredFile {
  const file: StoredFile = {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    family: text(row, 'family'),
    endpoint: text(row, 'endpoint'),
    purpose: text(row, 'purpose'),
    key: text(row, 'key'),
    sha256: text(row, 'sha256'),
    facts: JSON.parse(text(row, 'facts')),
    createdAt: number(row, 'created_at'),
    expiresAt: number(row, 'expires_at'),
  }
  const name = optionalText(row, 'name')
  if (name !== null) file.name = name
  const detail = optionalText(row, 'detail')
  if (detail !== null) file.detail = JSON.parse(detail)
  return file
}
