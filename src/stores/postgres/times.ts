/** Limits of the store on PostgreSQL, in milliseconds; 0 is no limit. */
export interface PostgresTimes {
  /** A connection is made within this time. */
  connectMs: number
  /** A start waits this long for a server that is not there yet. */
  patienceMs: number
  /** The server ends a statement that takes longer. */
  statementMs: number
  /** The server ends a wait for a lock that takes longer. Longer than `idleMs`: by then the server
   *  has ended the transaction of a node that was stopped in the middle of it. */
  lockMs: number
  /** The server ends a session that leaves a transaction open and sends nothing. */
  idleMs: number
  /** A connection is given up when an answer takes longer: the server, or the network to it, has
   *  stopped. */
  answerMs: number
  /** Callers whose commit lost its answer wait this long for its outcome. */
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

/** Limits of a start: it waits for the migration and the checks of the nodes that start with it. */
export const startTimes: PostgresTimes = { ...usualTimes, statementMs: 60_000, lockMs: 60_000, idleMs: 60_000, answerMs: 65_000 }

/** Limits of a migration: it takes as long as it needs, unless its node has stopped. */
export const migrationTimes: PostgresTimes = { ...startTimes, statementMs: 0, lockMs: 0, answerMs: 0 }

/** Limits of a command that works on the whole database. */
export const toolTimes: PostgresTimes = { ...migrationTimes, idleMs: 0 }
