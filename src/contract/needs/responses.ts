import type { ResponseRecord } from '../../core/ports/store.ts'

/** Stored conversations of this account and endpoint. */
export interface Responses {
  /** Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>): Promise<void>
  /** Undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns the response and those it continues, oldest first. Deleted and expired ones have no
   *  content.
   *  Empty when the response itself does not exist. */
  chain(id: string): Promise<ResponseRecord[]>
  /** Deletes its content; later turns still find the turns before it. False when it does not
   *  exist. */
  remove(id: string): Promise<boolean>
}
