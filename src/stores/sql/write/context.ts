import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StoreSignal } from '../../../core/ports/store.ts'

/** Shared by the groups of write operations inside the writer thread. */
export interface WriteContext {
  prepare(sql: string): StatementSync
  /** Notifies the listeners after the commit; dropped when the transaction is rolled back. */
  signal(signal: StoreSignal): void
  /** Adds a row to the history of a task. `data` is JSON. */
  appendEvent(taskId: string, at: number, type: string, data: string): void
  /** Returns the signals since the last call, and empties the list. */
  takeSignals(): StoreSignal[]
}

export function createWriteContext(database: DatabaseSync): WriteContext {
  let signals: StoreSignal[] = []
  let queues = new Set<string>()
  const insertEvent = database.prepare(
    `INSERT INTO task_events (task_id, sequence, at, type, data)
     VALUES (?1, (SELECT coalesce(max(sequence), 0) + 1 FROM task_events WHERE task_id = ?1), ?2, ?3, ?4)`,
  )
  return {
    prepare: sql => database.prepare(sql),
    signal(signal) {
      // One signal per queue and commit is enough to wake its workers.
      if (signal.kind === 'job') {
        if (queues.has(signal.queue)) return
        queues.add(signal.queue)
      }
      signals.push(signal)
    },
    appendEvent(taskId, at, type, data) {
      insertEvent.run(taskId, at, type, data)
    },
    takeSignals() {
      const taken = signals
      signals = []
      queues = new Set()
      return taken
    },
  }
}

/** True when a statement changed at least one row. */
export function changed(result: { changes: number | bigint }): boolean {
  return result.changes !== 0
}
