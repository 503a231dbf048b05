/** The port of stored responses. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { NewBlob, StoredBlob } from './blobs.ts'

/** A stored response (conversation turn), or a note of the upstream that stores it. */
export interface ResponseRecord {
  /** `resp_...` when made here; an upstream's may be any id that `isKeptId` accepts. */
  id: string
  accountId: string
  endpoint: string
  /** The response it continues. */
  parentId?: string
  model: string
  /** Target whose upstream stores it under the same id: the response was relayed, and its content
   *  is not stored here. */
  target?: string
  /** Background task that produces it. */
  taskId?: string
  /** Input items and the response as it was sent, both wire shapes; absent when relayed, deleted
   *  or expired. */
  content?: JsonObject
  createdAt: number
  /** From this time on no read returns it. */
  expiresAt: number
  isDeleted: boolean
}

export interface ResponseStore {
  /** Writes the response, or replaces the one with its id (a background response that has ended).
   *  `contentBlob` holds the content as JSON in place of `record.content`: its row is written in
   *  the same commit and swept after the response expires, is deleted or is replaced. A response
   *  of a task that was deleted in the meantime stays deleted. Resolves after the commit is on
   *  disk. Throws `conflict` when the id belongs to another account or endpoint,
   *  `store_unavailable`, `disk_full`. */
  put(record: ResponseRecord, contentBlob?: NewBlob): Promise<void>
  /** Returns the blob with the content of a response; undefined when its content is not stored as
   *  a blob. */
  contentBlob(id: string): Promise<StoredBlob | undefined>
  /** Undefined when unknown or expired; a deleted response is returned as a tombstone. */
  get(id: string, now: number): Promise<ResponseRecord | undefined>
  /** Notes the outcome of a response that an upstream stores: replaces `content`, and adds the
   *  ids of its items. Does nothing when the response belongs to another account or endpoint, or
   *  is deleted. */
  note(
    id: string,
    owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>,
    note: { items: readonly string[]; content: JsonObject },
  ): Promise<void>
  /** Returns the response of this account and endpoint that the item was noted for; upstreams
   *  assign item ids, and two of them may assign the same. Undefined when there is no such
   *  response. */
  ofItem(itemId: string, owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>, now: number): Promise<ResponseRecord | undefined>
  /** Returns the response and its ancestors of the same account and endpoint, oldest first, at
   *  most 1,000; expired ones appear as tombstones. Empty when the response itself is unknown. */
  chain(id: string, now: number): Promise<ResponseRecord[]>
  /** Leaves a tombstone with its parent. False when it is unknown or deleted already. */
  remove(id: string, now: number): Promise<boolean>
  /** Deletes responses that expired before `now`, and tombstones that no response continues; at
   *  most `limit`. Returns how many. */
  sweep(now: number, limit: number): Promise<number>
}
