import type { ResponseRecord } from '../../core/ports/store.ts'

/** Stored conversations of this account and endpoint. */
export interface Responses {
  /** Stores a response. Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>): Promise<void>
  /** Returns a response; undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns the response and those it continues, oldest first. Deleted and expired responses
   *  have no content. Empty when the response itself does not exist. */
  chain(id: string): Promise<ResponseRecord[]>
  /** Deletes the content of a response; later turns still find the turns before it. Returns false
   *  when the response does not exist. */
  remove(id: string): Promise<boolean>
}
