import type { FileFilter, StoredFile } from '../../core/ports/files.ts'
import type { Artifact } from '../../core/records/task.ts'
import type { CallFile } from '../call-file.ts'

/** Files of the account in this family: uploads of its callers, or files that the family
 *  created. */
export interface Files {
  /** Stores a file: a file of the call is moved, an output of a task is copied. Resolves when the
   *  file is on disk. Throws `store_unavailable`, `disk_full`, and `gone` for an output that was
   *  deleted after its lifetime. */
  keep(file: CallFile | Artifact, kept: NewStoredFile): Promise<StoredFile>
  /** Stores a text as a file of this media type; otherwise like `keep`. */
  keepText(text: { text: string; mediaType: string }, kept: NewStoredFile): Promise<StoredFile>
  /** Returns a file; undefined when the account has no file with this id in this family, or the
   *  file has expired. */
  get(id: string): Promise<StoredFile | undefined>
  /** Returns the files that match, the newest first. */
  list(filter: FileFilter): Promise<StoredFile[]>
  /** Deletes a file; returns false when there is no such file. The next sweep deletes its bytes,
   *  unless a task or another file refers to the same bytes. */
  remove(id: string): Promise<boolean>
}

export interface NewStoredFile extends Pick<StoredFile, 'purpose' | 'name' | 'detail'> {
  /** Milliseconds from now. */
  lifetimeMs: number
}
