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
  /** Moves a finished temporary file into the store under its content hash; the bytes are on disk when it resolves. Owner of the file afterwards. Throws `disk_full`, `store_unavailable`. */
  adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }>
  /** A readable stream of bytes `start` to `end` inclusive. Throws `gone` when the bytes are missing. */
  read(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream>
  /** A local file with the bytes, for engines; owned by the store, never written to. */
  localFile(key: string): Promise<string>
  /** As if the blob had been adopted now, for a row that is about to point to it as well. Throws `gone` when the bytes are missing. */
  keep(key: string): Promise<void>
  /** Deletes the bytes; nothing happens when they are already gone. A blob adopted within the last 10 minutes is left alone, since a row may be about to point to it: `list` finds it later. */
  remove(key: string): Promise<void>
  /** Keys in order, after `after`, last adopted before `adoptedBefore`: for finding blobs no row points to (`TaskStore.unreferenced`). */
  list(filter: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]>
  /** A new empty folder for temporary files of one job or request, on the same file system; removed by the caller. */
  scratch(name: string): Promise<string>
  /** Bytes free for new blobs. */
  freeBytes(): Promise<number>
}
