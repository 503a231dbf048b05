/** Backs up a data folder, also while a gateway runs on it. */
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { minuteMs } from '@generation-gateway/kit/units.ts'
import { hashFile } from '../files/hash.ts'
import { assertDatabase, databaseName, openForReading } from '../sqlite/database.ts'
import { schemaState } from '../sqlite/migrations.ts'
import { type BackupManifest, beginBackup, endBackup } from './backup-form.ts'
import { type BlobCopies, prepareFolder } from './blobs.ts'
import { copyDurably, linkAll, linkNamed } from './link-blobs.ts'
import type { Progress } from './progress.ts'

export interface BackupOptions {
  dataDir: string
  blobsFolder: string
  /** The folder of the backup. */
  folder: string
  /** Version of the program. */
  program: string
  progress: Progress
}

/** Key files: `secret.key` decrypts stored secrets, the other two give access to the gateway. */
const keyFiles = ['secret.key', 'admin.key', 'access.key'] as const

/** Time in milliseconds, after a blob was stored (`adopt`), for which the blob certainly exists: a
 *  file store keeps every blob for 10 minutes, even when no row refers to it. This is one minute
 *  less, as a margin. */
const keptMs = 9 * minuteMs
const passMs = 4 * minuteMs
const passesAtMost = 5

/** Copies the database in its state at one moment, every blob to which its rows refer, the files
 *  of the engines, and the key files. Blobs become hard links where the file system allows it.
 *  Throws `conflict` when the folder is neither empty nor left by an interrupted backup,
 *  `invalid_request` when it is inside a folder that is backed up, `store_unavailable` when
 *  there is no database or an import into it is not complete, and the errors of the file system.
 *
 *  No blob is lost between the copies, although a running gateway removes blobs meanwhile. A
 *  blob to which the copied database refers existed before that copy. Either the pass over the
 *  blobs before the copy has linked it, or it was adopted after that pass began. In the second
 *  case the gateway keeps it for 10 minutes, and within that time the pass after the copy links
 *  it. When the two passes and the copy took longer and a blob was not found, they are done
 *  again, up to 5 times in all. */
export async function backUp(options: BackupOptions): Promise<BackupManifest> {
  const { dataDir, folder, program } = options
  assertDatabase(dataDir)
  assertOutside(options)
  await beginBackup(folder)
  const blobs = await copyDatabaseAndBlobs(options)
  const files = [databaseName, ...(await copyEngines(options)), ...(await copyKeys(options))]
  return endBackup(folder, {
    ...{ program, madeAt: new Date().toISOString(), schemaVersion: schemaVersionOf(folder) },
    files: await Promise.all(files.map(async path => ({ path, ...(await sumOf(join(folder, path))) }))),
    ...{ blobs: blobs.blobs, blobBytes: blobs.bytes, missingBlobs: blobs.missing },
  })
}

/** Returns the SHA-256 (hex) and the length of a file. */
export async function sumOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const handle = await open(file, 'r')
  return hashFile(handle).finally(() => handle.close())
}

function assertOutside({ dataDir, blobsFolder, folder }: BackupOptions): void {
  for (const inside of [dataDir, blobsFolder])
    if (`${resolve(folder)}${sep}`.startsWith(`${resolve(inside)}${sep}`))
      throw new GatewayError('invalid_request', `${folder} is inside ${inside}, which is to be backed up; name another folder.`)
}

async function copyDatabaseAndBlobs(options: BackupOptions): Promise<BlobCopies> {
  const { dataDir, blobsFolder, folder, progress } = options
  const target = join(folder, 'blobs')
  const moving = await prepareFolder(target)
  for (let round = 1; ; round++) {
    let startedAt = 0
    // A further pass is quick, because it links only the blobs that have been added meanwhile.
    // Passes are repeated until one takes at most `passMs`, but not more than `passesAtMost` times.
    for (let passes = 1; passes === 1 || (performance.now() - startedAt > passMs && passes <= passesAtMost); passes++) {
      startedAt = performance.now()
      await linkAll({ from: blobsFolder, to: target, moving, progress })
    }
    progress.show('copying the database')
    await copyDatabase(join(dataDir, databaseName), join(folder, databaseName))
    const blobs = await linkNamed({ from: blobsFolder, to: target, moving, database: join(folder, databaseName) })
    const isCertain = performance.now() - startedAt < keptMs
    if (blobs.missing.length === 0 || isCertain || round === passesAtMost) return blobs
  }
}

/** Number of pages that SQLite copies in one step: all of them. In several steps, every write of
 *  the gateway would restart the copy from the beginning. */
const allPages = 2 ** 31 - 1

/** Copies a database, which may be in use, in its state at one moment. The copy is a single file
 *  without a write-ahead log. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  await (await open(to, 'wx', 0o600)).close()
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copy.close()
  }
  const handle = await open(to, 'r+')
  await handle.sync().finally(() => handle.close())
}

/** Copies the files that engines keep between starts. Returns their paths relative to the
 *  folder. */
async function copyEngines({ dataDir, folder }: BackupOptions): Promise<string[]> {
  const root = join(dataDir, 'engines')
  const entries = existsSync(root) ? await readdir(root, { recursive: true, withFileTypes: true }) : []
  const copied: string[] = []
  for (const entry of entries) {
    // A database's write-ahead log and its index are skipped: `copyDatabase` writes their contents
    // into the copy of the database.
    if (!entry.isFile() || /-(wal|shm|journal)$/.test(entry.name)) continue
    const path = relative(dataDir, join(entry.parentPath, entry.name))
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    const isDatabase = await beginsWith(join(dataDir, path), 'SQLite format 3\0')
    await (isDatabase ? copyDatabase : copyDurably)(join(dataDir, path), join(folder, path))
    copied.push(path)
  }
  return copied.sort()
}

async function beginsWith(file: string, text: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(text.length), 0, text.length, 0)
    return buffer.subarray(0, bytesRead).toString('latin1') === text
  } finally {
    await handle.close()
  }
}

async function copyKeys({ dataDir, folder }: BackupOptions): Promise<string[]> {
  const copied: string[] = []
  for (const name of keyFiles) {
    if (!existsSync(join(dataDir, name))) continue
    await copyDurably(join(dataDir, name), join(folder, name))
    copied.push(name)
  }
  return copied
}

/** Returns the version of the copied database's schema. Throws `store_unavailable` when an
 *  import into the data folder has not been completed. */
function schemaVersionOf(folder: string): number {
  using database = openForReading(join(folder, databaseName))
  if (database.prepare(`SELECT 1 FROM meta WHERE name = 'import'`).get() !== undefined)
    throw new GatewayError('store_unavailable', 'An import into the data folder has not ended; there is nothing whole to back up.')
  return schemaState(database).version
}
