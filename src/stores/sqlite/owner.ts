import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { isBusy } from './faults.ts'
import { createLockFile, lockFile } from './file-lock.ts'

/** Time in milliseconds for which a start waits for the lock: longer than another process holds
 *  it to find out who the owner is, and short enough that a refused start is reported soon. */
const takeTimeoutMs = 1000

/** The process that owns a data directory. `url` is the address of its admin interface;
 *  undefined until the process has written it. */
export interface Owner {
  pid: number | undefined
  url: string | undefined
}

/** The lock on a data folder: an SQLite lock on its file `owner.db`. The operating system
 *  releases it when the process ends, even by SIGKILL. */
export interface OwnerLock {
  release(): void
}

/** Takes the data directory for this process. Throws `store_unavailable`, with the owner in the
 *  message, when another process owns the directory, and when the lock's file is damaged. */
export function takeOwnership(directory: string): OwnerLock {
  createLockFile(lockFileOf(directory))
  const database = lockOf(directory)
  if (database === undefined)
    throw new GatewayError('store_unavailable', `The data directory ${directory} is in use by ${describe(readNote(directory))}.`)
  writeNote(directory, { pid: process.pid, url: undefined })
  return {
    release() {
      rmSync(noteFile(directory), { force: true })
      database.close()
    },
  }
}

function lockOf(directory: string): DatabaseSync | undefined {
  try {
    return lockFile(lockFileOf(directory), takeTimeoutMs)
  } catch (error) {
    throw damaged(directory, error)
  }
}

function damaged(directory: string, cause: unknown): GatewayError {
  const says = `The lock ${lockFileOf(directory)} cannot be read: ${errorMessage(cause)}. When no gateway uses the folder, remove it.`
  return new GatewayError('store_unavailable', says, { cause })
}

/** Returns the running owner of the data directory; undefined when there is none. Throws
 *  `store_unavailable` when the lock's file is damaged. */
export function readOwner(directory: string): Owner | undefined {
  if (!existsSync(lockFileOf(directory))) return undefined
  try {
    using database = new DatabaseSync(lockFileOf(directory), { readOnly: true, timeout: 0 })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return undefined
  } catch (error) {
    if (isBusy(error)) return readNote(directory)
    throw damaged(directory, error)
  }
}

/** Stores the address of the owner's admin interface. Only the owner may call it. */
export function writeOwnerUrl(directory: string, url: string): void {
  writeNote(directory, { pid: process.pid, url })
}

function lockFileOf(directory: string): string {
  return join(directory, 'owner.db')
}

function noteFile(directory: string): string {
  return join(directory, 'owner.json')
}

function writeNote(directory: string, owner: Owner): void {
  const temporary = `${noteFile(directory)}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
  renameSync(temporary, noteFile(directory))
}

function readNote(directory: string): Owner {
  try {
    const note: { pid?: unknown; url?: unknown } = JSON.parse(readFileSync(noteFile(directory), 'utf8'))
    return { pid: typeof note.pid === 'number' ? note.pid : undefined, url: typeof note.url === 'string' ? note.url : undefined }
  } catch {
    // The owner has taken the lock but has not yet written its process id.
    return { pid: undefined, url: undefined }
  }
}

function describe(owner: Owner): string {
  const process = owner.pid === undefined ? 'another process' : `process ${owner.pid}`
  return owner.url === undefined ? process : `${process} (${owner.url})`
}
