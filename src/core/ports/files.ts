/** The port of files that belong to an account, not to a task: uploads, and resources a family
 *  makes from them (voices, subjects). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'

/** Owner of a file: no other account and no other family sees it. */
export interface FileOwner {
  accountId: string
  family: string
}

export interface StoredFile extends FileOwner {
  /** Unique for its owner. Lists are sorted by id, so ids of one owner must sort in order of
   *  creation (`newId`). */
  id: string
  /** Name of the endpoint that received it. */
  endpoint: string
  /** The family's purpose for it: `reference`, `vocal`, ... */
  purpose: string
  /** Key of its bytes in the blob store that adopted them; files and artifacts may share one. */
  key: string
  /** Hex. */
  sha256: string
  facts: FileFacts
  /** The name the caller gave. */
  name?: string
  /** Further facts that the family stores with it. */
  detail?: JsonObject
  createdAt: number
  /** From this time on no read returns it. */
  expiresAt: number
}

export interface FileFilter {
  purpose?: string
  /** Only files with an id below this one: pages run from newest to oldest. */
  before?: string
  /** 1 to 200. */
  limit: number
}

export interface FileStore {
  /** Writes a new file row. Resolves after the commit. Throws `conflict` when its owner has a
   *  file with this id, `store_unavailable`, `disk_full`. */
  put(file: StoredFile): Promise<void>
  /** Undefined when its owner has no file with this id, or it has expired. */
  get(owner: FileOwner, id: string, now: number): Promise<StoredFile | undefined>
  /** Newest first, without expired ones. */
  list(owner: FileOwner, filter: FileFilter, now: number): Promise<StoredFile[]>
  /** Hides the file from all reads at once. The next `TaskStore.sweep` deletes row and bytes, as
   *  it does for expired files; bytes that another row points to stay. False when `get` would not
   *  return it. */
  remove(owner: FileOwner, id: string, now: number): Promise<boolean>
}
