/** What an error of SQLite means for the store. */
export type FaultKind =
  /** One statement was wrong; the database is fine. */
  | 'operation'
  /** Another process holds the database: nothing was committed, later writes may work again. */
  | 'busy'
  /** No room: nothing was committed, later writes may work again. */
  | 'disk-full'
  /** The disk cannot be trusted any more (I/O error, failed fsync, damage): no write may follow until restart. */
  | 'broken'

const primaryCodes = { busy: 5, noMemory: 7, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

const breaking: ReadonlySet<number> = new Set([
  primaryCodes.readOnly,
  primaryCodes.ioError,
  primaryCodes.corrupt,
  primaryCodes.cannotOpen,
  primaryCodes.notADatabase,
])

/** SQLITE_IOERR_SHMSIZE: no room to grow the index of the write-ahead log, which holds no data. */
const noRoomForLogIndex = 4874

/** Sorts an error thrown by `node:sqlite`. Anything that is not SQLite's is an `operation` fault. */
export function faultKind(error: unknown): FaultKind {
  const code = sqliteCode(error)
  if (code === undefined) return 'operation'
  const primary = code & 0xff
  if (primary === primaryCodes.full || code === noRoomForLogIndex) return 'disk-full'
  if (primary === primaryCodes.busy) return 'busy'
  return breaking.has(primary) ? 'broken' : 'operation'
}

/** Whether SQLite itself has failed, not what it gave back. */
export function isSqliteFault(error: unknown): boolean {
  return sqliteCode(error) !== undefined
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return faultKind(error) === 'busy'
}

/** The extended result code and text of SQLite, for logs. */
export function describeFault(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const code = sqliteCode(error)
  return code === undefined ? text : `${text} (SQLite ${code})`
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
