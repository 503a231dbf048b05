/** Links blobs from the folder of a running gateway into a backup. */
import { constants, existsSync } from 'node:fs'
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashFolders, syncFolder } from '../files/folders.ts'
import { SqliteConnection } from '../sqlite/connection.ts'
import { openForReading } from '../sqlite/database.ts'
import { type BlobCopies, blobFile, namedKeys } from './blobs.ts'
import type { Progress } from './progress.ts'

interface LinkOptions {
  from: string
  to: string
  /** Folder for files that are still being copied. */
  moving: string
}

/** Links every blob in the folder that the backup does not have yet. */
export async function linkAll({ progress, ...options }: LinkOptions & { progress: Progress }): Promise<void> {
  let linked = 0
  for (const prefix of hashFolders) {
    const present = new Set(await readdir(join(options.to, prefix)))
    const folder = join(options.from, prefix)
    for (const rest of existsSync(folder) ? await readdir(folder) : []) {
      if (!present.has(rest)) await linkBlob(prefix + rest, options)
      linked += 1
    }
    progress.show(`blobs: ${linked}`)
  }
}

/** Links every blob to which rows of the copied database refer, and removes all other blobs from
 *  the backup. */
export async function linkNamed({ database: file, ...options }: LinkOptions & { database: string }): Promise<BlobCopies> {
  using database = openForReading(file)
  const keysOf = namedKeys(new SqliteConnection(database))
  const done: BlobCopies = { blobs: 0, bytes: 0, missing: [] }
  for (const prefix of hashFolders) {
    const left = new Set(await readdir(join(options.to, prefix)))
    for await (const { key } of keysOf(prefix)) {
      const isThere = left.delete(key.slice(2)) || (await linkBlob(key, options)) || (await linkLater(key, options))
      if (isThere) {
        done.blobs += 1
        done.bytes += (await stat(blobFile(options.to, key))).size
      } else done.missing.push(key)
    }
    for (const rest of left) await rm(join(options.to, prefix, rest))
    await syncFolder(join(options.to, prefix))
  }
  return done
}

/** Tries again, after 100 ms, to link a blob that was not found. Before a file store removes a
 *  blob, it moves the file to another folder; it moves the file back if the blob was adopted again
 *  just then. */
async function linkLater(key: string, options: LinkOptions): Promise<boolean> {
  await sleep(100)
  return linkBlob(key, options)
}

/** Copies a file with mode 0600. Where the file system supports it, the copy shares the blocks
 *  of the original. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const handle = await open(to, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const noLinks: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'])

/** Links one blob, or copies it where links are not possible. Returns false when the blob does
 *  not exist. */
async function linkBlob(key: string, { from, to, moving }: LinkOptions): Promise<boolean> {
  const [source, target] = [blobFile(from, key), blobFile(to, key)]
  try {
    await link(source, target)
    return true
  } catch (error) {
    const { code } = Object(error)
    if (code === 'ENOENT') return false
    if (code === 'EEXIST') return true
    if (!noLinks.has(code)) throw error
  }
  const half = join(moving, key)
  try {
    await copyDurably(source, half)
  } catch (error) {
    if (Object(error).code === 'ENOENT') return false
    throw error
  }
  await rename(half, target)
  return true
}
