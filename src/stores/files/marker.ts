/** The file in a folder of blobs that names the database to which the blobs belong. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, writeFault } from './faults.ts'
import { syncFolder } from './folders.ts'

const markerFile = 'gateway-blobs.txt'

/** Returns the id that the nodes of a database have written into the folder of their blobs;
 *  undefined when the folder has none. */
export async function readMarker(blobsFolder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(blobsFolder, markerFile), 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Writes the id unless the folder already has one, and returns the id that the folder then has.
 *  Throws `disk_full` and `store_unavailable`. */
export async function writeMarker(blobsFolder: string, id: string): Promise<string> {
  const marker = join(blobsFolder, markerFile)
  const written = join(blobsFolder, `marker-${randomUUID()}`)
  try {
    await writeFile(written, `${id}\n`, { mode: 0o600, flush: true })
    // Creating a hard link never replaces a file, and readers never see an incomplete file.
    await link(written, marker).catch(error => {
      if (Object(error).code === 'EEXIST') return undefined
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(Object(error).code)) throw error
      // This file system has no hard links.
      return writeFile(marker, `${id}\n`, { mode: 0o600, flush: true, flag: 'wx' })
    })
    await syncFolder(blobsFolder)
    return (await readMarker(blobsFolder)) ?? ''
  } catch (error) {
    throw writeFault(error)
  } finally {
    await rm(written, { force: true })
  }
}
