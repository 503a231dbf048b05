import type { CompletionPage } from '../../core/ports/responses.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'

/** The stored chat completions of the account and the endpoint that the request belongs to. */
export interface Completions {
  /** Stores a completion, or replaces the stored one with the same id. Resolves once it is on
   *  disk. */
  save(record: Pick<ResponseRecord, 'id' | 'model' | 'content' | 'metadata' | 'expiresAt'>): Promise<void>
  /** Returns a completion; undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns a page of completions; `hasMore` is true when further ones follow. Throws
   *  `invalid_request` when `after` is not the id of a completion in the store. The id of a deleted
   *  or expired completion is valid until the next sweep. */
  list(page: CompletionPage): Promise<{ records: ResponseRecord[]; hasMore: boolean }>
  /** Deletes a completion. Returns false when it does not exist. */
  remove(id: string): Promise<boolean>
}
