import type { StoredChain } from '../../core/ports/responses.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'

/** Stored conversations of this account and endpoint. */
export interface Responses {
  /** Stores a response. Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>): Promise<void>
  /** Returns a response; undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns the same as `get`, but without content that is large. */
  find(id: string): Promise<ResponseRecord | undefined>
  /** Calls `read` with the response and the earlier responses that it continues, and returns the
   *  result. When their contents are large, waits until few other callers read such contents;
   *  rejects when the caller disconnects. `read` must not read another response, because it would
   *  wait for itself. */
  readChain<Result>(id: string, read: (chain: StoredChain) => Promise<Result>): Promise<Result>
  /** Deletes the content of a response; later turns still find the turns before it. Returns false
   *  when the response does not exist. */
  remove(id: string): Promise<boolean>
}
