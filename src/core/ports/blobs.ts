import type { Readable } from 'node:stream'
import type { Artifact } from '../records/task.ts'

export interface NewBlob {
  artifact: Artifact
  /** Key of the bytes in the blob store. */
  key: string
  expiresAt: number
}

export interface StoredBlob {
  id: string
  key: string
  accountId: string
  taskId: string
  mediaType: string
  bytes: number
  sha256: string
  expiresAt: number
}

/** The properties of a link with which a caller reads the bytes directly from the store. */
export interface DirectLink {
  mediaType: string
  /** Value of the header `content-disposition`. */
  disposition: string
  /** Time in seconds for which the link is valid. The store may shorten it. */
  seconds: number
}

export interface BlobStore {
  /** Name and location of the blob store for messages: `folder of blobs /srv/blobs`, `bucket
   *  s3://media/gateway`. */
  readonly place: string
  /** Moves a finished temporary file into the store. Returns the key of its bytes, their number and
   *  their SHA-256 (hex); files with equal content may have the same key or different ones. When
   *  the promise resolves, the bytes are durable and the file belongs to the store. Throws
   *  `disk_full`, `store_unavailable`. */
  adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }>
  /** Returns a stream of bytes `start` to `end` inclusive; the caller reads or destroys it. If
   *  the stream cannot be read to its end, it fails with an error instead of ending early.
   *  Throws `gone` when the bytes are missing, and `store_unavailable`. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Returns the path of a local file that contains the bytes, for engines. The store may create
   *  this file in `folder`, which `scratch` has created. The file exists until `folder` or the blob
   *  is removed. The file belongs to the store and must not be changed. Throws `gone`, `disk_full`,
   *  `store_unavailable`. */
  localFile(key: string, folder: string): Promise<string>
  /** Prepares the blob for a further database row that refers to it: resets the age of the blob, so
   *  that `remove` does not delete it in the next 10 minutes. Returns the key that the new row must
   *  contain. Throws `gone` when the bytes are missing, `store_unavailable`, `disk_full`. */
  keep(key: string): Promise<string>
  /** Deletes the bytes; does nothing when they have been deleted already. A blob that was adopted
   *  within the last 10 minutes is not deleted, because a database row that refers to it may be
   *  written soon. If no such row is written, a later `list` returns the blob. */
  remove(key: string): Promise<void>
  /** Returns the keys of blobs that were adopted before `adoptedBefore`, in order, beginning
   *  with the first key after `after`. Used to find blobs to which no row refers
   *  (`TaskStore.unreferenced`). */
  list(filter: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]>
  /** Returns a new empty folder for the temporary files of one job or request, on the file system
   *  of the store. The caller removes it. */
  scratch(name: string): Promise<string>
  /** Returns the text that a node of this gateway wrote with `mark`; undefined when none did.
   *  Two nodes that read the same text know that they use the same blob store. */
  marker(): Promise<string | undefined>
  /** Writes the text as the marker when there is no marker yet, and returns the marker that is
   *  there afterwards. When several nodes do this at once, all of them get the same marker. */
  mark(text: string): Promise<string>
  /** Returns the number of free bytes on the local disk, where new files are written first. */
  freeBytes(): Promise<number>
  /** Returns a sentence that says why blobs can be neither stored nor read now; undefined when
   *  they can. */
  problem(): Promise<string | undefined>
  /** Returns a URL from which a caller can read the bytes without the gateway; undefined when
   *  the gateway has to send them. */
  directLink(key: string, link: DirectLink): Promise<string | undefined>
}
