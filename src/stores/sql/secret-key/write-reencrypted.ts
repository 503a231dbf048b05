import type { Handlers, SealedTable } from '../operations.ts'
import type { StepStatement } from '../steps.ts'
import type { WriteContext } from '../write/context.ts'

/** The column of each table that contains encrypted texts, and the primary key of the table. */
export const sealedColumns = {
  accounts: { key: 'id', column: 'webhook_secret' },
  tasks: { key: 'id', column: 'webhook_secret' },
  jobs: { key: 'task_id', column: 'target_settings' },
  token_secrets: { key: 'key_id', column: 'secret' },
  signing_keys: { key: 'id', column: 'secret' },
} as const satisfies Record<SealedTable, { key: string; column: string }>

/** Returns the writes of `gateway reencrypt`. Their statements are prepared when they are first
 *  used, because gateways do not use them. */
export function reencryptOperations(context: WriteContext): Pick<Handlers, 'reencrypt' | 'reencrypted'> {
  const updates = new Map<SealedTable, StepStatement>()
  return {
    *reencrypt({ table, rows }) {
      const { key, column } = sealedColumns[table]
      // A row that was changed after it was read keeps its new value.
      const update = updates.get(table) ?? context.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ? AND ${column} = ?`)
      updates.set(table, update)
      for (const [id, before, after] of rows) update.send(after, id, before)
      yield* context.sentReplies()
      return undefined
    },
    *reencrypted({ word, others }) {
      const remove = context.prepare('DELETE FROM meta WHERE name = ?')
      for (const name of others) remove.send(name)
      yield* context
        .prepare(`INSERT INTO meta (name, value) VALUES ('key_check', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
        .run(word)
      return undefined
    },
  }
}
