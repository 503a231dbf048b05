/** The port (interface to the store) for files that belong to an account and not to a task:
 *  uploads, and what a family creates from them (voices, subjects). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'

/** Owner of a file. Other accounts, and other families of the same account, do not see the file. */
export interface FileOwner {
  accountId: string
  family: string
}

export interface StoredFile extends FileOwner {
  /** Id of the file, unique for its owner. Lists are sorted by id, so the ids of an owner must be
   *  in the order of their creation (`newId`). */
  id: string
  /** Name of the endpoint that received the file. */
  endpoint: string
  /** The purpose of the file in its family: `reference`, `vocal`, ... */
  purpose: string
  /** Key of the file's bytes in the blob store; other files and artifacts may have the same key. */
  key: string
  /** SHA-256 of the bytes in hex. */
  sha256: string
  facts: FileFacts
  /** The file name that the caller sent. */
  name?: string
  /** Further facts that the family stores with the file. */
  detail?: JsonObject
  createdAt: number
  /** Expiry, Unix milliseconds; from then on no read returns the file. */
  expiresAt: number
}

export interface FileFilter {
  purpose?: string
  /** Only files with a lower id than this one are returned. Pages go from the newest file to the
   *  oldest, so this is the last id of the previous page. */
  before?: string
  /** Largest number of files to return, 1 to 200. */
  limit: number
}

export interface FileStore {
  /** Writes the row of a new file. Resolves after the commit. Throws `store_unavailable`,
   *  `disk_full`, and `conflict` when the owner already has a file with this id. */
  put(file: StoredFile): Promise<void>
  /** Returns a file of the owner; undefined when the owner has no file with this id or the file has
   *  expired. */
  get(owner: FileOwner, id: string, now: number): Promise<StoredFile | undefined>
  /** Returns the files of the owner that have not expired, newest first. */
  list(owner: FileOwner, filter: FileFilter, now: number): Promise<StoredFile[]>
  /** Removes a file: from now on no read returns it. The next `TaskStore.sweep` deletes its row,
   *  and also its bytes unless another row refers to them. False when `get` would not return the
   *  file. */
  remove(owner: FileOwner, id: string, now: number): Promise<boolean>
}
