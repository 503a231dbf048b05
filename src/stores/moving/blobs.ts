/** Copies and checks the blobs to which rows of a database refer. In their folder, a blob's path
 *  consists of the first two digits of its key and the rest: `ab/cdef...`. */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFolders, makeHashFolders, syncFolder } from '../files/folders.ts'
import { hashFile } from '../files/hash.ts'
import type { Connection } from '../sql/statements.ts'
import { optionalNumber, text } from '../sql/values.ts'

const keyPattern = /^[0-9a-f]{64}$/

export interface BlobCopies {
  /** Number of blobs to which rows refer and that the target now has. */
  blobs: number
  bytes: number
  /** Keys of blobs to which rows refer, but that the source does not have, or whose bytes do not
   *  match the hash in the key. */
  missing: string[]
}

export interface CopyOptions {
  from: string
  to: string
  connection: Connection
  /** Called with the totals so far each time that one more blob was copied, or was found in the
   *  target. */
  onBlob(copied: { blobs: number; bytes: number }): void
}

/** Copies the blobs to which rows refer into another folder, and checks the SHA-256 of each copy.
 *  A blob that the target already has is neither copied nor checked, unless the source has it with
 *  another length. Throws the errors of the file system. */
export async function copyBlobs({ from, to, connection, onBlob }: CopyOptions): Promise<BlobCopies> {
  const moving = await prepareFolder(to)
  const keysOf = namedKeys(connection)
  const done: BlobCopies = { blobs: 0, bytes: 0, missing: [] }
  for (const prefix of hashFolders) {
    const present = new Set(await readdir(join(to, prefix)))
    let isChanged = false
    for await (const { key } of keysOf(prefix)) {
      const target = blobFile(to, key)
      const there = keyPattern.test(key) && present.has(key.slice(2)) ? await lengthOf(target) : undefined
      const isThere = there !== undefined && there === ((await lengthOf(blobFile(from, key))) ?? there)
      const bytes = isThere ? there : await copyChecked({ key, from, target, moving })
      if (bytes === undefined) done.missing.push(key)
      else {
        isChanged ||= !isThere
        done.blobs += 1
        done.bytes += bytes
        onBlob(done)
      }
    }
    if (isChanged) await syncFolder(join(to, prefix))
  }
  return done
}

interface CheckOptions {
  folder: string
  connection: Connection
  onBlob(count: number): void
  /** True to accept a blob without reading it when its length equals the length in its row. */
  trustsLength?: boolean
}

/** Returns the keys of blobs to which rows refer, but that are missing, or whose bytes do not
 *  match the hash in the key. */
export async function checkBlobs(options: CheckOptions): Promise<string[]> {
  const keysOf = namedKeys(options.connection)
  const damaged: string[] = []
  let count = 0
  for (const prefix of hashFolders)
    for await (const { key, bytes } of keysOf(prefix)) {
      const file = blobFile(options.folder, key)
      const isTrusted = options.trustsLength === true && bytes !== undefined && (await lengthOf(file)) === bytes
      if (!isTrusted && !(await isWhole(file, key))) damaged.push(key)
      options.onBlob(++count)
    }
  return damaged
}

async function isWhole(file: string, sha256: string): Promise<boolean> {
  const handle = await openIfThere(file)
  if (handle === undefined) return false
  return (await hashFile(handle).finally(() => handle.close())).sha256 === sha256
}

async function lengthOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined
    throw error
  }
}

/** Creates the folder of blobs with its subfolders. Returns the path of the subfolder for files
 *  that are still being copied. */
export async function prepareFolder(folder: string): Promise<string> {
  const moving = join(folder, 'moving')
  await mkdir(moving, { recursive: true, mode: 0o700 })
  await makeHashFolders(folder)
  return moving
}

export function blobFile(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), key.slice(2))
}

const keysAtOnce = 5_000

export interface NamedKey {
  key: string
  /** Length according to a row; undefined when only rows of stored files refer to the key,
   *  because these have no length. */
  bytes: number | undefined
}

/** Returns a function that yields, each once and in order, the keys to which rows refer and that
 *  begin with the given two hex digits. Keys that do not begin with two hex digits are yielded too:
 *  with the last prefix that sorts before the key, or with `00` when none does. */
export function namedKeys(connection: Connection): (prefix: string) => AsyncGenerator<NamedKey> {
  const inRange = 'key >= ?1 AND key < ?2'
  const named = `SELECT key, bytes FROM blobs WHERE ${inRange} UNION ALL SELECT key, CAST(NULL AS BIGINT) FROM files WHERE ${inRange}`
  const find = connection.prepare(`SELECT key, max(bytes) AS bytes FROM (${named}) AS named GROUP BY key ORDER BY key LIMIT ${keysAtOnce}`)
  return async function* (prefix) {
    const index = hashFolders.indexOf(prefix)
    let from = index === 0 ? '' : prefix
    for (;;) {
      const rows = await find.all(from, hashFolders[index + 1] ?? '\u{10ffff}')
      for (const row of rows) yield { key: text(row, 'key'), bytes: optionalNumber(row, 'bytes') ?? undefined }
      if (rows.length < keysAtOnce) return
      // The next page begins at the smallest text after the last key.
      from = `${text(rows.at(-1) ?? {}, 'key')}\u0001`
    }
  }
}

interface Copy {
  key: string
  from: string
  target: string
  moving: string
}

/** Returns the number of bytes; undefined when the source lacks the blob, or when the blob's bytes
 *  do not match the hash in its key. */
async function copyChecked({ key, from, target, moving }: Copy): Promise<number | undefined> {
  if (!keyPattern.test(key)) return undefined
  const source = await openIfThere(blobFile(from, key))
  if (source === undefined) return undefined
  const half = join(moving, `copy-${key}`)
  const written = await open(half, 'w', 0o600)
  let copied: { sha256: string; bytes: number }
  try {
    copied = await hashFile(source, written)
    await written.sync()
  } finally {
    await source.close()
    await written.close()
  }
  if (copied.sha256 === key) {
    await rename(half, target)
    return copied.bytes
  }
  await rm(half)
  return undefined
}
