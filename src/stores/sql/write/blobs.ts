import type { BlobRow } from '../operations.ts'
import type { WriteContext } from './context.ts'

/** SQL: finds any row that points to a key. */
export const findReference = 'SELECT 1 FROM blobs WHERE key = ?1 UNION ALL SELECT 1 FROM files WHERE key = ?1 LIMIT 1'

/** Inserts the rows of new blobs of a task. */
export type InsertBlobs = (blobs: BlobRow[], accountId: string, taskId: string) => void

export function prepareBlobInsert(context: WriteContext): InsertBlobs {
  const insert = context.prepare(
    'INSERT INTO blobs (id, key, account_id, task_id, kind, media_type, bytes, sha256, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return (blobs, accountId, taskId) => {
    for (const blob of blobs) {
      insert.send(blob.id, blob.key, accountId, taskId, blob.kind, blob.mediaType, blob.bytes, blob.sha256, blob.expiresAt)
    }
  }
}
