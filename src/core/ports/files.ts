/** The port of files that belong to an account, not to a task: uploads, and what a family makes of them (voices, subjects). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'

/** Whose a file is: no other account and no other family sees it. */
export interface FileOwner {
  accountId: string
  family: string
}

export interface StoredFile extends FileOwner {
  /** Unique for its owner. Lists are in the order of ids: those of an owner must sort as they were made (`newId`). */
  id: string
  /** Name of the endpoint it came through. */
  endpoint: string
  /** What the family has it for: `reference`, `vocal`, ... */
  purpose: string
  /** Key of its bytes in the blob store, where it was adopted; files and artifacts may share one. */
  key: string
  /** Hex. */
  sha256: string
  facts: FileFacts
  /** As the caller named it. */
  name?: string
  /** What else the family keeps of it. */
  detail?: JsonObject
  createdAt: number
  /** Past it nothing finds it any more. */
  expiresAt: number
}

export interface FileFilter {
  purpose?: string
  /** Only files with an id below this one: pages run from new to old. */
  before?: string
  /** 1 to 200. */
  limit: number
}

export interface FileStore {
  /** Writes a new one. Resolves after the commit. Throws `conflict` when its owner has a file of this id, `store_unavailable`, `disk_full`. */
  put(file: StoredFile): Promise<void>
  /** Undefined when its owner has none of this id, or it is past its end. */
  get(owner: FileOwner, id: string, now: number): Promise<StoredFile | undefined>
  /** Newest first, without those past their end. */
  list(owner: FileOwner, filter: FileFilter, now: number): Promise<StoredFile[]>
  /** From now on nothing finds it. Row and bytes go with the next `TaskStore.sweep`, as those past their end do; bytes that anything else points to stay. False when `get` would not find it. */
  remove(owner: FileOwner, id: string, now: number): Promise<boolean>
}
