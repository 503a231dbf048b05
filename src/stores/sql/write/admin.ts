import type { AdminTable, Handlers } from '../operations.ts'
import type { StepStatement } from '../steps.ts'
import { changed, type WriteContext } from './context.ts'

/** Columns in the order in which `putRow` sends their cells; the first are the primary key. */
const adminColumns = {
  accounts: ['id', 'name', 'source', 'webhook_secret', 'limits', 'created_at'],
  access_keys: ['id', 'account_id', 'name', 'sha256', 'hint', 'scopes', 'limits', 'expires_at', 'revoked_at', 'source', 'created_at'],
  endpoints: ['account_id', 'name', 'routes', 'source', 'created_at'],
  token_secrets: ['key_id', 'secret', 'created_at'],
  signing_keys: ['id', 'secret', 'created_at'],
  meta: ['name', 'value'],
} as const satisfies Record<AdminTable, readonly string[]>

/** These tables are rarely written, so each statement is prepared at its first use. */
export function adminOperations(context: WriteContext): Pick<Handlers, 'putRow' | 'revokeKey' | 'removeTokenSecret' | 'removeEndpoint'> {
  const puts = new Map<AdminTable, StepStatement>()
  const revoke = context.prepare('UPDATE access_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const remove = context.prepare('DELETE FROM endpoints WHERE account_id = ? AND name = ?')
  const removeSecret = context.prepare('DELETE FROM token_secrets WHERE key_id = ?')
  return {
    *putRow({ table, cells }) {
      const put = puts.get(table) ?? context.prepare(putStatement(table))
      puts.set(table, put)
      yield* put.run(...cells)
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
  }
}

function putStatement(table: AdminTable): string {
  const columns: readonly string[] = adminColumns[table]
  const assignments = columns.map(column => `${column} = excluded.${column}`)
  // ON CONFLICT without a target would also replace a row with the same value in another unique
  // column (sha256); only the primary key may match.
  const primaryKey = table === 'endpoints' ? 'account_id, name' : columns[0]
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${primaryKey}) DO UPDATE SET ${assignments.join(', ')}`
}
