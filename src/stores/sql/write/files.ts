import type { Handlers } from '../operations.ts'
import { changed, type WriteContext } from './context.ts'

export function fileOperations(context: WriteContext): Pick<Handlers, 'putFile' | 'removeFile'> {
  const insert = context.prepare(
    `INSERT INTO files (account_id, family, id, endpoint, purpose, key, sha256, facts, name, detail, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const end = context.prepare('UPDATE files SET expires_at = 0 WHERE account_id = ? AND family = ? AND id = ? AND expires_at > ?')
  return {
    *putFile({ cells }) {
      return changed(yield* insert.run(...cells))
    },
    *removeFile({ accountId, family, id, now }) {
      return changed(yield* end.run(accountId, family, id, now))
    },
  }
}
