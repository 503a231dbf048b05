/** Scratch folders `gateway-scratch/<node>` for temporary files. Each has a lock file beside it;
 *  the operating system releases the lock when the process of the node ends. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createLockFile, lockFile } from '../sqlite/file-lock.ts'

export interface Scratch {
  /** The folder for temporary files of this node: empty, mode 0700. */
  folder: string
  /** Removes the folder and releases the name of the node. Must be called only when nothing uses
   *  the folder any more. */
  close(): Promise<void>
}

/** A lock of SQLite on an empty file: the operating system releases it when the process ends,
 *  even by SIGKILL. */
interface ScratchLock {
  release(): void
}

/** Beginning of the names of lock files. No name of a node begins with a dot, so a lock file
 *  never has the name of a node's folder. */
const lockPrefix = '.lock-'
/** Time in ms for which a start waits for the lock of its own folder. Another node that starts
 *  at the same moment may briefly hold this lock while it removes the folders of ended nodes. */
const ownLockTimeoutMs = 1_000

/** Returns the folder of all scratch folders of a data directory. Every start removes everything
 *  in it except the folders of running nodes, so no other program should use a folder of this
 *  name. */
export function scratchFolderOf(directory: string): string {
  return join(directory, 'gateway-scratch')
}

/** Makes the scratch folder of the node, and removes those of nodes whose process has ended.
 *  Throws `store_unavailable` when a running process uses the data directory under this name. */
export async function openScratch(directory: string, node: string): Promise<Scratch> {
  const common = scratchFolderOf(directory)
  mkdirSync(common, { recursive: true, mode: 0o700 })
  const lock = tryLock(common, node, ownLockTimeoutMs)
  if (lock === undefined) {
    const sentence = `Another process uses the data directory ${directory} under the node name ${node}; GATEWAY_NODE_NAME gives this one another.`
    throw new GatewayError('store_unavailable', sentence, { field: 'GATEWAY_NODE_NAME' })
  }
  const folder = join(common, node)
  try {
    await removeLeft(common, node)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    folder,
    async close() {
      await removeIfPossible(folder)
      lock.release()
    },
  }
}

/** Removes everything that no running node has locked. */
async function removeLeft(common: string, own: string): Promise<void> {
  const entries = await readdir(common)
  const names = new Set(entries.map(entry => (entry.startsWith(lockPrefix) ? entry.slice(lockPrefix.length) : entry)))
  names.delete(own)
  for (const name of names) {
    const lock = tryLock(common, name, 0)
    if (lock === undefined) continue
    try {
      await rm(join(common, name), { recursive: true, force: true })
    } finally {
      lock.release()
    }
  }
}

/** Returns the lock of a scratch folder; undefined while another process holds it. */
function tryLock(common: string, name: string, timeoutMs: number): ScratchLock | undefined {
  const file = join(common, lockPrefix + name)
  for (;;) {
    createLockFile(file)
    const before = inodeOf(file)
    const database = lockFile(file, timeoutMs)
    if (database === undefined) return undefined
    const release = () => {
      // The lock file is removed before the lock is released, because afterwards another process
      // could hold the lock.
      rmSync(file, { force: true })
      database.close()
    }
    // When the inode has changed, the earlier holder of the lock has removed the file meanwhile. A
    // lock on the removed file would keep no other process away, so the lock is taken again.
    if (before !== undefined && before === inodeOf(file)) return { release }
    database.close()
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}

/** Removes the folder. A folder that still gets files, or that contains a file in use (Windows),
 *  stays until the next start removes it. */
async function removeIfPossible(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {})
}
