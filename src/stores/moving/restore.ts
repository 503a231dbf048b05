/** Restores a backup into an empty data folder. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { makeFolders } from '../files/data-folder.ts'
import { syncFolder } from '../files/folders.ts'
import { SqliteConnection } from '../sqlite/connection.ts'
import { databaseName, openForReading } from '../sqlite/database.ts'
import { takeOwnership } from '../sqlite/owner.ts'
import { restoringName } from '../sqlite/restoring.ts'
import { sumOf } from './backup.ts'
import { type BackupManifest, readBackup } from './backup-form.ts'
import { checkBlobs, copyBlobs } from './blobs.ts'
import { copyDurably } from './link-blobs.ts'
import { type Progress, showBlobs } from './progress.ts'

export interface RestoreOptions {
  folder: string
  progress: Progress
}

/** Checks the SHA-256 of each file of a backup and of each blob to which rows refer, except the
 *  blobs that the manifest lists as missing. Throws `invalid_request`, which names the damaged file
 *  or blob, and the errors of the file system. */
export async function checkBackup({ folder, progress }: RestoreOptions): Promise<BackupManifest> {
  const manifest = await readBackup(folder)
  for (const { path, bytes, sha256 } of manifest.files) {
    progress.show(`checking ${path}`)
    const found = await sumOf(join(folder, path))
    if (found.bytes === bytes && found.sha256 === sha256) continue
    throw new GatewayError('invalid_request', `${join(folder, path)} is damaged: it has another SHA-256 than backup.json says.`)
  }
  using database = openForReading(join(folder, databaseName))
  const blobs = join(folder, 'blobs')
  const onBlob = (count: number) => progress.show(`checking blobs: ${count} of ${manifest.blobs}`)
  const damaged = await checkBlobs({ folder: blobs, connection: new SqliteConnection(database), onBlob })
  assertKnown(damaged, manifest, blobs)
  return manifest
}

/** Checks a backup and restores it. The data folder must be empty or contain an interrupted
 *  restore. No gateway starts on the folder before the restore has ended. Throws `conflict` when
 *  the data folder contains anything else, `store_unavailable` when another process uses it,
 *  `invalid_request` when the backup is damaged, and the errors of the file system. */
export async function restore(options: RestoreOptions & { dataDir: string; blobsFolder: string }): Promise<BackupManifest> {
  const { folder, dataDir, blobsFolder, progress } = options
  await assertEmpty(dataDir)
  const manifest = await checkBackup(options)
  makeFolders(resolve(dataDir))
  await chmod(dataDir, 0o700)
  await writeFile(join(dataDir, restoringName), 'gateway restore has not ended; run it again.\n', { mode: 0o600 })
  const lock = takeOwnership(dataDir)
  try {
    using database = openForReading(join(folder, databaseName))
    const onBlob = showBlobs(progress, manifest.blobs)
    const from = join(folder, 'blobs')
    const { missing } = await copyBlobs({ from, to: blobsFolder, connection: new SqliteConnection(database), onBlob })
    assertKnown(missing, manifest, from)
    for (const { path } of manifest.files) await restoreFile(join(folder, path), join(dataDir, path))
    await syncFolder(dataDir)
    await rm(join(dataDir, restoringName))
    await syncFolder(dataDir)
  } finally {
    lock.release()
  }
  return manifest
}

async function restoreFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyDurably(from, `${to}.new`)
  await rename(`${to}.new`, to)
}

function assertKnown(damaged: readonly string[], { missingBlobs }: BackupManifest, folder: string): void {
  const known = new Set(missingBlobs)
  const others = damaged.filter(key => !known.has(key))
  if (others.length === 0) return
  throw new GatewayError('invalid_request', `${folder} lacks ${others.length} blobs that rows name, or has them damaged: ${others[0]}.`)
}

/** Names of folders that a new, empty file system contains. */
const harmless: ReadonlySet<string> = new Set(['lost+found'])

async function assertEmpty(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const names = await readdir(dataDir)
  if (names.includes(restoringName) || names.every(name => harmless.has(name))) return
  throw new GatewayError(
    'conflict',
    `The data folder ${dataDir} is not empty; a backup goes into an empty one. Move the old one away first.`,
  )
}
