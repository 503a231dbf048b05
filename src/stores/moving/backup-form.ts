/** The form of a backup: a folder like the data folder, with `backup.json` beside. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { makeFolders } from '../files/data-folder.ts'
import { syncFolder } from '../files/folders.ts'
import { megabytes } from './export.ts'

export interface BackupManifest {
  format: typeof backupFormat
  program: string
  madeAt: string
  schemaVersion: number
  /** Files beside the blobs, by their path in the folder. */
  files: { path: string; bytes: number; sha256: string }[]
  blobs: number
  blobBytes: number
  /** Keys that rows name and whose blob the data folder does not have. */
  missingBlobs: string[]
}

const backupFormat = 1
const manifestName = 'backup.json'
const unfinishedName = 'UNFINISHED'
export const databaseName = 'gateway.db'
/** Prepares a folder for a backup: a missing or empty one, or that of a backup that was
 *  interrupted. Throws `conflict` for any other. */
export async function beginBackup(folder: string): Promise<void> {
  makeFolders(resolve(folder))
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes(unfinishedName))
    throw new GatewayError('conflict', `${folder} is not empty; each backup needs a new folder.`)
  await writeFile(join(folder, unfinishedName), 'gateway backup has not ended; run it again.\n', { mode: 0o600 })
}

/** Writes the manifest, which makes the backup whole. */
export async function endBackup(folder: string, manifest: Omit<BackupManifest, 'format'>): Promise<BackupManifest> {
  const whole: BackupManifest = { format: backupFormat, ...manifest }
  const file = join(folder, manifestName)
  await writeFile(`${file}.new`, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await rm(join(folder, unfinishedName))
  await syncFolder(folder)
  return whole
}

/** Reads the manifest of a backup. Throws `invalid_request` when there is none or it is damaged. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const names = await readdir(folder)
  const wrong = (message: string) => new GatewayError('invalid_request', message)
  if (names.includes(unfinishedName)) throw wrong(`The backup into ${folder} has not ended; run gateway backup again.`)
  if (!names.includes(manifestName)) throw wrong(`${folder} is no backup: it has no ${manifestName}.`)
  const file = join(folder, manifestName)
  let parsed: unknown
  try {
    parsed = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new GatewayError('invalid_request', `${file} is damaged: it is no JSON.`, { cause })
  }
  const found: Partial<Record<keyof BackupManifest, unknown>> = Object(parsed)
  if (found.format !== backupFormat) throw wrong(`${file} has format ${found.format}; this program reads ${backupFormat}.`)
  const isWhole =
    Array.isArray(found.files) &&
    found.files.every(isListedFile) &&
    Number.isSafeInteger(found.blobs) &&
    Array.isArray(found.missingBlobs) &&
    found.missingBlobs.every(each => typeof each === 'string')
  if (!isWhole) throw wrong(`${file} is damaged: fields are missing or of the wrong type.`)
  // The cast is safe: every field that is used was looked at.
  return parsed as BackupManifest
}

/** A path must not lead out of the folder. */
function isListedFile(value: unknown): boolean {
  const { path, bytes, sha256 } = Object(value)
  return typeof path === 'string' && !path.split(/[/\\]/).includes('..') && Number.isSafeInteger(bytes) && typeof sha256 === 'string'
}

export function describeBackup({ blobs, blobBytes, files }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return `${blobs} blobs (${megabytes(blobBytes)}) and ${files.length} files (${megabytes(bytes)})`
}
