/** The format of a backup: a folder with the layout of the data folder and, in addition, the
 *  manifest `backup.json`. */
import { beginFolder, endFolder, type ManifestForm, readManifestFile } from './manifest-file.ts'
import { megabytes } from './progress.ts'

export interface BackupManifest {
  format: typeof backupFormat
  program: string
  madeAt: string
  schemaVersion: number
  /** All files except the blobs, with their paths relative to the folder. */
  files: { path: string; bytes: number; sha256: string }[]
  blobs: number
  blobBytes: number
  /** Keys of blobs that rows refer to, but that the data folder does not have. */
  missingBlobs: string[]
}

const backupFormat = 1
const form: ManifestForm = { command: 'backup', name: 'backup.json', noun: 'backup', format: backupFormat }

/** Prepares a folder for a backup. The folder may be missing, empty, or left by an interrupted
 *  backup. Throws `conflict` for any other folder. */
export function beginBackup(folder: string): Promise<void> {
  return beginFolder(folder, form, () => `${folder} is not empty; each backup needs a new folder.`)
}

/** Writes the manifest, which marks the backup as complete. */
export async function endBackup(folder: string, manifest: Omit<BackupManifest, 'format'>): Promise<BackupManifest> {
  const whole: BackupManifest = { format: backupFormat, ...manifest }
  await endFolder(folder, form, whole)
  return whole
}

/** Reads the manifest of a backup. Throws `invalid_request` when the backup is incomplete, or when
 *  its manifest is missing or damaged. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  // The cast is safe: `isManifest` has checked every field that is used.
  return (await readManifestFile(folder, form, isManifest)) as BackupManifest
}

function isManifest(found: Partial<Record<keyof BackupManifest, unknown>>): boolean {
  return (
    Array.isArray(found.files) &&
    found.files.every(isListedFile) &&
    Number.isSafeInteger(found.blobs) &&
    Array.isArray(found.missingBlobs) &&
    found.missingBlobs.every(each => typeof each === 'string')
  )
}

/** Returns true for an entry of `files` whose fields are valid. A path with `..` is refused,
 *  because it could lead out of the folder. */
function isListedFile(value: unknown): boolean {
  const { path, bytes, sha256 } = Object(value)
  return typeof path === 'string' && !path.split(/[/\\]/).includes('..') && Number.isSafeInteger(bytes) && typeof sha256 === 'string'
}

export function describeBackup({ blobs, blobBytes, files }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return `${blobs} blobs (${megabytes(blobBytes)}) and ${files.length} files (${megabytes(bytes)})`
}
