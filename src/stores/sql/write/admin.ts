import { type FileGeneration, fileStanding, generationWith } from '../../../core/records/file-generation.ts'
import type { AdminTable, FileTable, Handlers } from '../operations.ts'
import type { StepStatement, Steps } from '../steps.ts'
import { type Cell, optionalText, text } from '../values.ts'
import { changed, type WriteContext } from './context.ts'

/** Columns in the order in which `putRow` sends their cells. The primary key is the first column,
 *  for `endpoints` the first two. */
const adminColumns = {
  accounts: ['id', 'name', 'source', 'webhook_secret', 'limits', 'created_at'],
  access_keys: ['id', 'account_id', 'name', 'sha256', 'hint', 'scopes', 'limits', 'expires_at', 'revoked_at', 'source', 'created_at'],
  endpoints: ['account_id', 'name', 'routes', 'source', 'created_at'],
  token_secrets: ['key_id', 'secret', 'created_at'],
  signing_keys: ['id', 'secret', 'created_at'],
  meta: ['name', 'value'],
} as const satisfies Record<AdminTable, readonly string[]>

const fileTables: readonly FileTable[] = ['accounts', 'access_keys', 'endpoints']

/** Returns the writes to accounts, keys, endpoints, secrets and `meta`. Rows of these tables are
 *  rarely put, so the statement for each table is prepared when it is first used. */
export function adminOperations(
  context: WriteContext,
): Pick<
  Handlers,
  'putRow' | 'changeAccount' | 'limitAccount' | 'limitKey' | 'revokeKey' | 'removeTokenSecret' | 'removeEndpoint' | 'applyFile'
> {
  const puts = new Map<AdminTable, StepStatement>()
  const changeAccount = prepareChangeAccount(context)
  const limitOfAccount = context.prepare('UPDATE accounts SET limits = ? WHERE id = ?')
  const limit = context.prepare('UPDATE access_keys SET limits = ? WHERE id = ?')
  const revoke = context.prepare('UPDATE access_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const remove = context.prepare('DELETE FROM endpoints WHERE account_id = ? AND name = ?')
  const removeSecret = context.prepare('DELETE FROM token_secrets WHERE key_id = ?')
  const dropMissing = prepareDropMissing(context, { revoke, remove })
  const findGeneration = context.prepare(`SELECT value FROM meta WHERE name = 'file_generation'`)
  const putMeta = context.prepare(putStatement('meta'))
  return {
    *putRow({ table, cells }) {
      const put = puts.get(table) ?? context.prepare(putStatement(table))
      puts.set(table, put)
      yield* put.run(...cells)
      return undefined
    },
    changeAccount,
    *limitAccount({ id, limits }) {
      yield* limitOfAccount.run(limits, id)
      return undefined
    },
    *limitKey({ id, limits }) {
      yield* limit.run(limits, id)
      return undefined
    },
    *revokeKey({ id, at }) {
      return changed(yield* revoke.run(at, id))
    },
    *removeTokenSecret({ keyId }) {
      return changed(yield* removeSecret.run(keyId))
    },
    *removeEndpoint({ accountId, name }) {
      return changed(yield* remove.run(accountId, name))
    },
    *applyFile({ rows, candidate, planned }) {
      const row = yield* findGeneration.get()
      const current: FileGeneration | undefined = row && JSON.parse(text(row, 'value'))
      if ((current?.number ?? 0) !== planned) return 'stale'
      const standing = fileStanding(current, candidate)
      putMeta.send('file_generation', JSON.stringify(generationWith(current, candidate)))
      if (standing !== 'older') {
        putFileRows(context, rows)
        yield* dropMissing(rows, candidate.at)
      }
      return standing
    },
  }
}

function prepareChangeAccount(context: WriteContext): Handlers['changeAccount'] {
  const find = context.prepare('SELECT limits FROM accounts WHERE id = ?')
  const put = context.prepare(putStatement('accounts'))
  const change = context.prepare(
    'UPDATE accounts SET name = COALESCE(?, name), webhook_secret = COALESCE(?, webhook_secret), limits = ? WHERE id = ?',
  )
  return function* ({ id, name, secret, limits, at }) {
    const row = yield* find.get(id)
    if (row === undefined) {
      yield* put.run(id, name ?? id, 'admin', secret, limits, at)
      return undefined
    }
    const before = optionalText(row, 'limits')
    const after = before === null || limits === null ? (limits ?? before) : JSON.stringify({ ...JSON.parse(before), ...JSON.parse(limits) })
    yield* change.run(name, secret, after, id)
    return undefined
  }
}

/** Revokes the keys and removes the endpoints that came from an earlier configuration file and
 *  are missing in this one. */
function prepareDropMissing(
  context: WriteContext,
  { revoke, remove }: { revoke: StepStatement; remove: StepStatement },
): (rows: Record<FileTable, Cell[][]>, at: number) => Steps<void> {
  const findKeys = context.prepare(`SELECT id FROM access_keys WHERE source = 'yaml' AND revoked_at IS NULL`)
  const findEndpoints = context.prepare(`SELECT account_id, name FROM endpoints WHERE source = 'yaml'`)
  return function* (rows, at) {
    const keys = new Set(rows.access_keys.map(([id]) => id))
    for (const row of yield* findKeys.all()) if (!keys.has(text(row, 'id'))) revoke.send(at, text(row, 'id'))
    const endpoints = new Set(rows.endpoints.map(([accountId, name]) => `${accountId}/${name}`))
    for (const row of yield* findEndpoints.all()) {
      const [accountId, name] = [text(row, 'account_id'), text(row, 'name')]
      if (!endpoints.has(`${accountId}/${name}`)) remove.send(accountId, name)
    }
  }
}

/** Writes the entries of the configuration file. An existing entry is replaced only if its
 *  source is still `yaml`; an entry that an operator has changed through the admin API stays
 *  unchanged. */
function putFileRows(context: WriteContext, rows: Record<FileTable, Cell[][]>): void {
  for (const table of fileTables) {
    const put = context.prepare(`${putStatement(table)} WHERE ${table}.source = 'yaml'`)
    for (const cells of rows[table]) put.send(...cells)
  }
}

function putStatement(table: AdminTable): string {
  const columns: readonly string[] = adminColumns[table]
  const assignments = columns.map(column => `${column} = excluded.${column}`)
  // The conflict target is the primary key. Without a target, ON CONFLICT would also replace a row
  // that has only the same value in another unique column (`sha256`).
  const primaryKey = table === 'endpoints' ? 'account_id, name' : columns[0]
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${primaryKey}) DO UPDATE SET ${assignments.join(', ')}`
}
