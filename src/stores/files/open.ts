import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { Clock } from '../../core/ports/store.ts'
import { makeHashFolders } from './folders.ts'
import { scratchFolderOf } from './scratch.ts'
import { FileBlobStore } from './store.ts'

export interface FileStoreOptions {
  /** The data directory. */
  directory: string
  /** Folder of the blobs, as `ab/cdef...`. Default: `blobs` in the data directory. */
  blobsFolder?: string
  /** Folder of temporary files. Default: `gateway-scratch` in the data directory. Files that
   *  remain in the folder are not removed when the store is opened. */
  scratchFolder?: string
  clock?: Clock
  /** `remove` keeps a blob for this long after its last `adopt` or `keep`, because the row that
   *  refers to the blob may not be committed yet. Default 10 minutes. */
  keepAdoptedMs?: number
}

const defaultKeepAdoptedMs = 10 * 60 * 1000
/** A file in the folder `moving` that was not changed for this long was left by a process that
 *  has ended. */
const keepMovingMs = dayMs

/** Returns the folder for files that an engine or driver keeps between starts. */
export function engineFolderOf(directory: string, driver: string): string {
  return join(directory, 'engines', driver)
}

/** Opens the blob store. Folders get mode 0700, files 0600. */
export async function openFileStore(options: FileStoreOptions): Promise<BlobStore> {
  const { directory, scratchFolder = scratchFolderOf(directory), clock = { now: Date.now } } = options
  const { blobsFolder = join(directory, 'blobs'), keepAdoptedMs = defaultKeepAdoptedMs } = options
  const movingFolder = join(blobsFolder, 'moving')
  for (const folder of [directory, blobsFolder, movingFolder, scratchFolder]) await mkdir(folder, { recursive: true, mode: 0o700 })
  await makeHashFolders(blobsFolder)
  await removeLeft(movingFolder)
  const { dev: device } = await stat(blobsFolder)
  return new FileBlobStore({ blobsFolder, movingFolder, scratchFolder, device, clock, keepAdoptedMs })
}

async function removeLeft(movingFolder: string): Promise<void> {
  for (const name of await readdir(movingFolder)) {
    const file = join(movingFolder, name)
    const found = await stat(file).catch(() => undefined)
    if (found && found.ctimeMs < Date.now() - keepMovingMs) await rm(file, { force: true })
  }
}
