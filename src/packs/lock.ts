import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const retryMs = 250
/** Longest time in ms that a setup waits for another one. No installation takes this long, even
 *  on a slow line. */
const longestWaitMs = 2 * 60 * 60 * 1000
const sqliteBusy = 5

export interface PacksLock {
  release(): void
}

/** Locks the folder, which must exist, so that no other setup writes into it. When another setup
 *  has the lock, calls `onWait` once and waits. The lock is an SQLite lock, so the operating
 *  system releases it when the process ends. Throws an `AbortError` when `signal` is aborted, and
 *  an error after a wait of two hours. */
export async function takeLock(directory: string, options: { signal?: AbortSignal | undefined; onWait(): void }): Promise<PacksLock> {
  for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += retryMs) {
    const lock = tryLock(join(directory, 'setup.lock'))
    if (lock) return lock
    if (waitedMs === 0) options.onWait()
    await sleep(retryMs, undefined, options.signal ? { signal: options.signal } : {})
  }
  throw new Error(`another setup has been writing into ${directory} for two hours`)
}

function tryLock(file: string): PacksLock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
}
