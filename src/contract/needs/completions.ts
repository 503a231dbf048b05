import type { CompletionPage } from '../../core/ports/responses.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'

/** Stored chat completions of this account and endpoint. */
export interface Completions {
  /** Stores a completion, or replaces the one with the same id. Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'model' | 'content' | 'metadata' | 'expiresAt'>): Promise<void>
  /** Returns a completion; undefined when it is unknown, deleted or expired. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns a page of completions, and whether further ones follow. Throws `invalid_request` when
   *  `after` is no stored completion. */
  list(page: CompletionPage): Promise<{ records: ResponseRecord[]; hasMore: boolean }>
  /** Deletes a completion. Returns false when it does not exist. */
  remove(id: string): Promise<boolean>
}
