import type { StoreSignal } from '../../core/ports/store.ts'
import type { Answer, Call } from '../sql/operations.ts'
import type { FaultKind } from './faults.ts'

/** Message to the writer thread: some of the waiting calls, or the request to close. */
export type WriterRequest = { kind: 'calls'; calls: Call[] } | { kind: 'close' }

/** Message from the writer thread: `ready` or `refused` at its start, then one `done` or
 *  `failed` for each transaction. A transaction may contain the calls of several requests. */
export type WriterReply =
  | { kind: 'ready' }
  | { kind: 'refused'; message: string }
  /** Sent after the commit. Answers are in the order of the calls. */
  | { kind: 'done'; requests: number; answers: Answer[]; signals: StoreSignal[] }
  /** The transaction failed, so none of its calls was committed; `calls` is their number. */
  | { kind: 'failed'; requests: number; calls: number; fault: Exclude<FaultKind, 'operation'>; message: string }
  /** A checkpoint failed: earlier commits are safe, and no further ones will follow. */
  | { kind: 'broken'; message: string }
  | { kind: 'closed' }

/** Start options of the writer thread. */
export interface WriterOptions {
  databaseFile: string
  synchronous: 'FULL' | 'OFF'
  migrationsFolder: string
}
