import type { OperationName, Operations } from './operations.ts'

/** Runs write operations, many of them in one transaction. */
export interface Writer {
  /** Runs one write. Resolves with its output after the commit. Throws `disk_full` when nothing was
   *  written, `store_unavailable` when nothing was written or the outcome is unknown, and
   *  `internal_error` when the write itself was invalid. */
  run<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>
  /** Throws `store_unavailable` with the reason while the store cannot write. */
  assertWritable(): void
  /** Returns true while the database does not answer. */
  isAway(): boolean
}
