import type { ResponseRecord } from '../../core/ports/store.ts'

/** Stored conversations of this account and endpoint. */
export interface Responses {
  /** Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>): Promise<void>
  /** Undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** The response and those it continues, oldest first. Deleted and expired ones have no content.
   *  Empty when the response itself is not there. */
  chain(id: string): Promise<ResponseRecord[]>
  /** Deletes its contents; later turns still find what came before it. False when it is not there. */
  remove(id: string): Promise<boolean>
}
