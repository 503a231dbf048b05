import { errorMessage } from '@generation-gateway/kit/errors.ts'

/** The meaning of an SQLite error for the store. */
export type FaultKind =
  /** One statement failed; the database is fine. */
  | 'operation'
  /** Another process locks the database: nothing was committed, later writes may succeed. */
  | 'busy'
  /** The process has too little memory: nothing was committed, later writes may succeed. */
  | 'no-memory'
  /** The disk is full: nothing was committed, later writes may succeed. */
  | 'disk-full'
  /** The database file cannot be used reliably any more (I/O error, failed fsync, damage, no
   *  permission to write or open it): no further write is allowed until the gateway is
   *  restarted. */
  | 'broken'

const primaryCodes = { busy: 5, noMemory: 7, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

const breaking: ReadonlySet<number> = new Set([
  primaryCodes.readOnly,
  primaryCodes.ioError,
  primaryCodes.corrupt,
  primaryCodes.cannotOpen,
  primaryCodes.notADatabase,
])

/** SQLITE_IOERR_SHMSIZE: there is no room to enlarge the index of the write-ahead log. No data
 *  is lost, because the index can be rebuilt from the log. */
const noRoomForLogIndex = 4874

/** Classifies an error thrown by `node:sqlite`. An error from elsewhere is an `operation` fault. */
export function faultKind(error: unknown): FaultKind {
  const code = sqliteCode(error)
  if (code === undefined) return 'operation'
  const primary = code & 0xff
  if (primary === primaryCodes.full || code === noRoomForLogIndex) return 'disk-full'
  if (primary === primaryCodes.busy) return 'busy'
  // SQLite may already have rolled back the transaction, so none of its calls can be committed.
  if (primary === primaryCodes.noMemory) return 'no-memory'
  return breaking.has(primary) ? 'broken' : 'operation'
}

/** Returns true for an error of SQLite itself; false for an error in the processing of its
 *  results. */
export function isSqliteFault(error: unknown): boolean {
  return sqliteCode(error) !== undefined
}

/** Returns true when the error says that another connection holds the lock on the database. */
export function isBusy(error: unknown): boolean {
  return faultKind(error) === 'busy'
}

/** Returns the extended result code and text of SQLite, for logs. */
export function describeFault(error: unknown): string {
  const text = errorMessage(error)
  const code = sqliteCode(error)
  return code === undefined ? text : `${text} (SQLite ${code})`
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
