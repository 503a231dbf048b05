import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'

/** Creates an empty lock file. One that exists is not opened: closing it would drop the locks that
 *  this process already holds on it. */
export function createLockFile(file: string): void {
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
}

/** Locks a file until the returned database is closed or the process ends, even by kill -9.
 *  Undefined when another process still holds the lock after `timeoutMs`. */
export function lockFile(file: string, timeoutMs: number): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: timeoutMs })
  try {
    // No journal appears beside the file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
