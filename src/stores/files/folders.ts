import { mkdirSync } from 'node:fs'
import { mkdtemp, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFault } from './faults.ts'

/** Calls fsync on the folder, so that the names of new files in it survive a crash. Windows has no
 *  such call and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** The names of the folders of blobs: `00` to `ff`, the first two digits of a key. */
export const hashFolders: readonly string[] = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/** Creates the folders `00` to `ff` and makes them durable (fsync). Storing a blob then never has
 *  to create a folder. The calls are synchronous, because nothing is served yet at the first start
 *  of a data folder, and 256 calls in the thread pool take twice the CPU time. */
export async function makeHashFolders(folder: string): Promise<void> {
  const present = new Set(await readdir(folder))
  const missing = hashFolders.filter(name => !present.has(name))
  for (const name of missing) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  if (missing.length > 0) await syncFolder(folder)
}

/** Creates a new empty folder for temporary files, whose name begins with `name`. Throws
 *  `disk_full`, `store_unavailable`. */
export async function newScratchFolder(parent: string, name: string): Promise<string> {
  const safeName = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  try {
    return await mkdtemp(join(parent, `${safeName}-`))
  } catch (error) {
    throw writeFault(error)
  }
}
