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

/** What a link to the bytes themselves must say. */
export interface DirectLink {
  mediaType: string
  /** Value of the header `content-disposition`. */
  disposition: string
  /** Seconds for which the link is valid; the store may shorten the time. */
  seconds: number
}

export interface BlobStore {
  /** Names the place of the blobs in messages: `folder of blobs /srv/blobs`,
   *  `bucket s3://media/gateway`. */
  readonly place: string
  /** Moves a finished temporary file into the store, and returns the key of its bytes, their number
   *  and their SHA-256 (hex). Equal content may have one key or several. The bytes are durable when
   *  it resolves; from then on the file belongs to the store. Throws `disk_full`,
   *  `store_unavailable`. */
  adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }>
  /** Returns a readable stream of bytes `start` to `end` inclusive. A stream that cannot be read to
   *  its end fails; it never ends early. Throws `gone` when the bytes are missing. */
  read(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream>
  /** Returns the path of a local file that contains the bytes, for engines. The store may create
   *  the file in `folder`, a folder of `scratch`; it stays while `folder` exists and the blob is
   *  not removed. The file belongs to the store and must not be changed. Throws `gone`,
   *  `disk_full`, `store_unavailable`. */
  localFile(key: string, folder: string): Promise<string>
  /** Protects the bytes for a further row that is about to refer to them, as if they had been
   *  adopted just now, and returns the key that this row must use. Throws `gone` when the bytes are
   *  missing. */
  keep(key: string): Promise<string>
  /** Deletes the bytes; does nothing when they have been deleted already. A blob that was adopted
   *  within the last 10 minutes stays, because a row may be about to refer to it; `list` finds it
   *  later. */
  remove(key: string): Promise<void>
  /** Returns the keys after `after` of blobs that were adopted before `adoptedBefore`, in order.
   *  Used to find blobs that no row refers to (`TaskStore.unreferenced`). */
  list(filter: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]>
  /** Returns a new empty folder for the temporary files of one job or request, on the file system
   *  of the store. The caller removes it. */
  scratch(name: string): Promise<string>
  /** Returns the text that a node of this gateway wrote with `mark`; undefined when none did.
   *  Two nodes that read the same text know that they use the same blob store. */
  marker(): Promise<string | undefined>
  mark(text: string): Promise<void>
  /** Returns the number of bytes that are free on the local disk for new files. */
  freeBytes(): Promise<number>
  /** Returns a sentence that says why blobs can neither be stored nor read at present; undefined
   *  when they can. */
  problem(): Promise<string | undefined>
  /** Returns a URL from which callers may read the bytes directly; undefined when the gateway has
   *  to send them. */
  directLink(key: string, link: DirectLink): Promise<string | undefined>
}
