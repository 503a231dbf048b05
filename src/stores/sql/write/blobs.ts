import type { BlobRow } from '../operations.ts'
import type { WriteContext } from './context.ts'

/** SQL that finds out whether any row refers to the blob with a key. */
export const findReference = 'SELECT 1 FROM blobs WHERE key = ?1 UNION ALL SELECT 1 FROM files WHERE key = ?1 LIMIT 1'

/** A new blob with its account and with the id of its task or response, in `taskId`. */
export interface TaskBlob extends BlobRow {
  accountId: string
  taskId: string
}

export function prepareBlobInsert(context: WriteContext): (blobs: readonly TaskBlob[]) => void {
  const insert = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO blobs (id, key, account_id, task_id, kind, media_type, bytes, sha256, expires_at)
       ${source(text(0), text(1), text(2), text(3), text(4), text(5), whole(6), text(7), whole(8))}`,
  )
  return blobs => {
    insert.send(
      blobs.map(({ id, key, accountId, taskId, kind, mediaType, bytes, sha256, expiresAt }) => [
        ...[id, key, accountId, taskId, kind, mediaType],
        ...[bytes, sha256, expiresAt],
      ]),
    )
  }
}
