import type { Artifact } from '../records/task.ts'

export interface NewBlob {
  artifact: Artifact
  /** Key in the blob store. */
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
  /** Moves a finished temporary file into the store under its content hash; the bytes are on disk
   *  when it resolves. The store owns the file afterwards. Throws `disk_full`,
   *  `store_unavailable`. */
  adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }>
  /** Returns a readable stream of bytes `start` to `end` inclusive. Throws `gone` when the bytes
   *  are missing. */
  read(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream>
  /** Returns the path of a local file with the bytes, for engines; the store owns it, and nothing
   *  may write to it. */
  localFile(key: string): Promise<string>
  /** Treats the blob as adopted now, for a row that is about to point to it as well. Throws
   *  `gone` when the bytes are missing. */
  keep(key: string): Promise<void>
  /** Deletes the bytes; nothing happens when they are already gone. A blob adopted within the
   *  last 10 minutes is left alone, since a row may be about to point to it: `list` finds it
   *  later. */
  remove(key: string): Promise<void>
  /** Returns keys in order, after `after`, last adopted before `adoptedBefore`: for finding blobs
   *  that no row points to (`TaskStore.unreferenced`). */
  list(filter: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]>
  /** Returns a new empty folder for temporary files of one job or request, on the same file
   *  system; the caller removes it. */
  scratch(name: string): Promise<string>
  /** The text that `mark` has written last, by this node or another; undefined when there is none.
   *  Nodes that read the same text use the same blobs. */
  marker(): Promise<string | undefined>
  mark(text: string): Promise<void>
  /** Bytes free for new blobs. */
  freeBytes(): Promise<number>
}
