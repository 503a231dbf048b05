import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'

/** Creates an empty lock file if it does not exist. An existing file is not opened, because
 *  POSIX drops all locks that a process has on a file as soon as the process closes it once. */
export function createLockFile(file: string): void {
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
}

/** Locks a file until the returned database is closed or the process ends, even by SIGKILL.
 *  Returns undefined when another process still holds the lock after `timeoutMs` milliseconds. */
export function lockFile(file: string, timeoutMs: number): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: timeoutMs })
  try {
    // With the journal in memory, SQLite creates no further file next to the lock file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
