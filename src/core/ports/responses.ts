/** The port of stored responses. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { NewBlob, StoredBlob } from './blobs.ts'

/** A stored response (conversation turn) or a note where it is stored. */
export interface ResponseRecord {
  /** `resp_...` of ours; an upstream's may be anything that `isKeptId` takes. */
  id: string
  accountId: string
  endpoint: string
  /** The response it continues. */
  parentId?: string
  model: string
  /** Target whose upstream keeps it, under the same id: it was relayed, and nothing of it is stored here. */
  target?: string
  /** Task that makes it in the background. */
  taskId?: string
  /** Input items and the response as it was sent, both wire shapes; absent when relayed, deleted or expired. */
  content?: JsonObject
  createdAt: number
  /** Past it nothing finds it any more. */
  expiresAt: number
  isDeleted: boolean
}

export interface ResponseStore {
  /** Writes it, or replaces the one with its id (a background response that has ended). `contentBlob` holds the content as JSON in place of `record.content`: its row is written in the
   *  same commit and swept after the response's end, deletion or replacement. A response of a task that was deleted in the meantime stays deleted. Resolves after the commit is on disk. Throws `conflict` when the id is another account's or endpoint's,
   *  `store_unavailable`, `disk_full`. */
  put(record: ResponseRecord, contentBlob?: NewBlob): Promise<void>
  /** The blob with the content of a response; undefined when its content is no blob. */
  contentBlob(id: string): Promise<StoredBlob | undefined>
  /** Undefined when unknown or past its end; a deleted one comes as a tombstone. */
  get(id: string, now: number): Promise<ResponseRecord | undefined>
  /** Notes what has come of a response that an upstream keeps: `content` in place of what is there, and the ids of its items. Does nothing when it is another account's or endpoint's, or once the response is deleted. */
  note(
    id: string,
    owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>,
    note: { items: readonly string[]; content: JsonObject },
  ): Promise<void>
  /** A response of this account and endpoint that an item was noted for; ids of items are an upstream's, and two may give the same. Undefined when there is none. */
  ofItem(itemId: string, owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>, now: number): Promise<ResponseRecord | undefined>
  /** The response and its ancestors of the same account and endpoint, oldest first, at most 1,000; expired ones come as tombstones. Empty when the response itself is unknown. */
  chain(id: string, now: number): Promise<ResponseRecord[]>
  /** Leaves a tombstone with its parent. False when it is unknown or deleted already. */
  remove(id: string, now: number): Promise<boolean>
  /** Forgets what ended before `now`, and tombstones nobody continues; at most `limit`. Returns how many. */
  sweep(now: number, limit: number): Promise<number>
}
