/** Scratch folders: `gateway-scratch/<node>`, each with a lock beside it that ends with the
 *  process of its node. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createLockFile, lockFile } from '../sqlite/file-lock.ts'

export interface Scratch {
  /** The folder for temporary files of this node: empty, mode 0700. */
  folder: string
  /** Removes the folder and gives the name of the node free. Call it once nothing uses it. */
  close(): Promise<void>
}

/** A lock of SQLite on an empty file: the operating system ends it with the process, even by
 *  kill -9. */
interface ScratchLock {
  release(): void
}

/** No name of a node begins with a dot. */
const lockPrefix = '.lock-'
/** Outlasts a node that clears up at this moment. */
const ownLockTimeoutMs = 1_000

/** Returns the folder of all scratch folders of a data directory. Every start empties it, except
 *  for the folders of nodes that run, so no other program may use its name. */
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
      // Removed while it is locked, so that no other process can hold it.
      rmSync(file, { force: true })
      database.close()
    }
    // Otherwise its earlier holder has removed the file meanwhile: this lock keeps nobody away.
    if (before !== undefined && before === inodeOf(file)) return { release }
    database.close()
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}

/** A folder that still gets files, or a file that is in use (Windows), stays for the next start. */
async function removeIfPossible(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {})
}
