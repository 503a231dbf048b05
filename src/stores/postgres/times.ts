/** Time limits of the store on PostgreSQL, in milliseconds; 0 means no limit. */
export interface PostgresTimes {
  /** Limit for opening a connection. */
  connectMs: number
  /** Time for which a start waits for a server that does not accept connections yet. */
  patienceMs: number
  /** Limit for a statement; the server cancels a longer one. */
  statementMs: number
  /** Limit for a wait for a lock; the server cancels a longer one. In `usualTimes` it is longer
   *  than `idleMs`. When a node hangs in the middle of a transaction, the server therefore ends
   *  that transaction, and releases its lock, before other nodes give up. */
  lockMs: number
  /** Time after which the server closes a session that has a transaction open and sends nothing. */
  idleMs: number
  /** Limit for an answer. A connection on which an answer takes longer is dropped, because the
   *  server or the network hangs. */
  answerMs: number
  /** Time for which callers wait for the outcome of a commit when the connection was lost before
   *  its answer. */
  doubtMs: number
}

export const usualTimes: PostgresTimes = {
  connectMs: 5_000,
  patienceMs: 5_000,
  statementMs: 15_000,
  lockMs: 10_000,
  idleMs: 5_000,
  answerMs: 20_000,
  doubtMs: 10_000,
}

/** Limits during a start, which may have to wait for the migration and the checks of other nodes
 *  that start at the same time. */
export const startTimes: PostgresTimes = { ...usualTimes, statementMs: 60_000, lockMs: 60_000, idleMs: 60_000, answerMs: 65_000 }

/** Limits of a migration: its statements, and their waits for locks, may take any time. The server
 *  closes its session only when the node sends no statement for a minute during a transaction. */
export const migrationTimes: PostgresTimes = { ...startTimes, statementMs: 0, lockMs: 0, answerMs: 0 }

/** Limits of a command that works on the whole database, such as an export. Only the two limits for
 *  connecting apply. */
export const toolTimes: PostgresTimes = { ...migrationTimes, idleMs: 0 }
