/** The port of stored responses. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { NewBlob, StoredBlob } from './blobs.ts'

/** `response`: a turn of the Responses interface. `completion`: a chat completion. */
export type StoredKind = 'response' | 'completion'

/** A stored response (one turn of a conversation) or a stored chat completion. When an upstream
 *  stores the content, this record only says so (`target`). */
export interface ResponseRecord {
  /** `completion` for a stored chat completion; absent for a response. */
  kind?: 'completion'
  /** Names and values by which completions are found; responses have none. */
  metadata?: Readonly<Record<string, string>>
  /** Id of the response or completion. When this gateway created a response, its id begins with
   *  `resp_`. An upstream's id must pass `isKeptId`. */
  id: string
  accountId: string
  endpoint: string
  /** Id of the response that this one continues. */
  parentId?: string
  model: string
  /** Target whose upstream stores the response under the same id. The response was then relayed
   *  to the caller, and its content is not stored here. */
  target?: string
  /** Id of the background task that produces the response. */
  taskId?: string
  /** The input items and the response, or the messages and the completion, in the form in which
   *  they were sent; absent when the answer was relayed, was deleted or has expired. */
  content?: JsonObject
  /** Size of the content in bytes when it is stored as a blob; only `chain` reports it. */
  contentBytes?: number
  createdAt: number
  /** Expiry, Unix milliseconds; from then on no read returns the response. */
  expiresAt: number
  isDeleted: boolean
}

/** A response and the earlier turns of its conversation, whose contents are read one at a time. */
export interface StoredChain {
  /** The records, oldest first, at most 1,000. Deleted and expired records have no content and are
   *  marked `isDeleted`. Contents that are stored as blobs are absent; `contentBytes` is their
   *  size. Empty when the response itself does not exist. */
  records: readonly ResponseRecord[]
  /** Number of bytes of all contents that are stored as blobs. */
  blobBytes: number
  /** Returns one of the records with its content; a tombstone when it was deleted or has expired in
   *  the meantime. May wait while other accounts read. Throws `gone` when the content is lost. */
  withContent(record: ResponseRecord): Promise<ResponseRecord>
}

/** A page of stored completions of one account and endpoint. */
export interface CompletionPage {
  model?: string
  /** Only completions of these models are listed; of all models when it is absent or empty. */
  models?: readonly string[]
  /** Only completions whose metadata has all of these names and values are listed. */
  metadata?: Readonly<Record<string, string>>
  /** Id of the completion after which the page begins; it may have been deleted or have expired
   *  in the meantime. */
  after?: string
  /** `asc` begins with the oldest completion, `desc` with the newest. */
  order: 'asc' | 'desc'
  limit: number
}

export interface ResponseStore {
  /** Writes a response, or replaces the response with this id (a background response is written
   *  again when it has ended). Resolves after the commit is on disk. `contentBlob` contains the
   *  content as JSON in place of `record.content`: the blob's row is written in the same commit,
   *  and a sweep deletes it after the response has expired or was deleted or replaced. A
   *  response that was deleted together with its task stays deleted. Throws `store_unavailable`,
   *  `disk_full`, and `conflict` when the id belongs to another account or endpoint. */
  put(record: ResponseRecord, contentBlob?: NewBlob): Promise<void>
  /** Returns the blob that contains a response's content; undefined when the content is in the
   *  row of the response. */
  contentBlob(id: string): Promise<StoredBlob | undefined>
  /** Returns the response with this id; undefined when it is unknown or has expired. A deleted
   *  response is returned without content, marked `isDeleted` (a tombstone). */
  get(id: string, now: number): Promise<ResponseRecord | undefined>
  /** Returns a page of the completions whose content is stored here and that are neither deleted
   *  nor expired. Contents that are stored as blobs are absent. Undefined when the completion
   *  `after` is unknown, so that the start of the page cannot be found: it never existed, or a
   *  sweep has removed it. */
  completions(
    owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>,
    page: CompletionPage,
    now: number,
  ): Promise<ResponseRecord[] | undefined>
  /** Records the outcome of a response that an upstream stores: replaces its `content` and adds the
   *  ids of its items. Does nothing when the response belongs to another account or endpoint, or
   *  was deleted. */
  note(
    id: string,
    owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>,
    note: { items: readonly string[]; content: JsonObject },
  ): Promise<void>
  /** Returns the response of this account and endpoint that contains the item with this id;
   *  undefined when there is none. The owner is required, because upstreams assign item ids and two
   *  upstreams may assign the same id. */
  ofItem(itemId: string, owner: Pick<ResponseRecord, 'accountId' | 'endpoint'>, now: number): Promise<ResponseRecord | undefined>
  /** Returns the response and the earlier turns of its conversation in the same account and
   *  endpoint, oldest first, at most 1,000. Contents that are stored as blobs are absent, and
   *  `contentBytes` is their size. Expired turns have no content and are marked `isDeleted`
   *  (tombstones). Empty when the response itself is unknown. */
  chain(id: string, now: number): Promise<ResponseRecord[]>
  /** Deletes the content of a response and leaves a tombstone, which keeps the id of its parent.
   *  False when the response is unknown or was deleted before. */
  remove(id: string, now: number): Promise<boolean>
  /** Handles at most `limit` rows and returns their number. Deletes responses that expired before
   *  `now`, but turns a response in the middle of its conversation into a tombstone (a row without
   *  content). Also deletes tombstones that no later turn continues, and expired tombstones whose
   *  earlier turn no longer exists. */
  sweep(now: number, limit: number): Promise<number>
}
