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

export interface BlobStore {
  /** Moves a finished temporary file into the store and returns its key, which is derived from a
   *  hash of the contents. When the promise resolves, the bytes are on disk and the file belongs
   *  to the store. Throws `disk_full`, `store_unavailable`. */
  adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }>
  /** Returns a readable stream of bytes `start` to `end` inclusive. Throws `gone` when the bytes
   *  are missing. */
  read(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream>
  /** Returns the path of a local file that contains the bytes, for engines. The file belongs to the
   *  store and must not be changed. */
  localFile(key: string): Promise<string>
  /** Resets the age of the blob, as if it had been adopted just now: a further row is about to
   *  refer to it, so `remove` must not delete it in the next 10 minutes. Throws `gone` when the
   *  bytes are missing. */
  keep(key: string): Promise<void>
  /** Deletes the bytes; does nothing when they have been deleted already. A blob that was
   *  adopted within the last 10 minutes stays, because a row may be about to refer to it. If no
   *  row does, `list` returns the blob later. */
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
  mark(text: string): Promise<void>
  /** Returns the number of bytes that are free for new blobs. */
  freeBytes(): Promise<number>
}
