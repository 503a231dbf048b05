/** The format of an archive: a folder with the manifest `archive.json`, the rows of each table
 *  as JSON lines in `tables/`, and the blobs in `blobs/`, in the same layout as in the data
 *  folder. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreKind } from './database.ts'
import { beginFolder, endFolder, type ManifestForm, readManifestFile } from './manifest-file.ts'
import type { MovedTable } from './tables.ts'

/** Version of the format. It is increased when the format of the archive changes, and when a
 *  migration changes the meaning of stored values without changing their columns. */
const format = 1

export interface ArchivedTable {
  name: string
  columns: MovedTable['columns']
  rows: number
  /** SHA-256 (hex) of the JSON texts of the rows. The checksum that each line contains is left
   *  out. */
  sha256: string
}

export interface Manifest {
  format: typeof format
  /** A random id of the archive. An interrupted import continues only with the archive of the
   *  same id. */
  id: string
  /** Version of the program that wrote the archive. */
  program: string
  madeAt: string
  from: { kind: StoreKind; place: string }
  /** A known word that was encrypted with the secret key of the source. The import uses it to
   *  check that the target has the same key. */
  keyCheck: string
  tables: ArchivedTable[]
  /** False when the archive contains only rows, without blobs. */
  hasBlobs: boolean
  blobs: number
  blobBytes: number
  /** Keys of blobs that rows refer to, but that are missing or damaged in the source. */
  missingBlobs: string[]
}

/** `maxBytes` leaves room for a long list of missing blobs. */
const form: ManifestForm = {
  ...{ command: 'export', name: 'archive.json', noun: 'archive of gateway export', format },
  maxBytes: 64 * 1024 * 1024,
}

export function tableFile(folder: string, table: string): string {
  return join(folder, 'tables', `${table}.jsonl`)
}

export function blobsOf(folder: string): string {
  return join(folder, 'blobs')
}

/** Prepares a folder for an export. The folder may be missing, empty, or left by an interrupted
 *  export. Throws `conflict` for any other folder. */
export async function beginArchive(folder: string): Promise<void> {
  await beginFolder(folder, form, names =>
    names.includes(form.name) ? `${folder} has an archive already; name a new folder.` : `${folder} is not empty; name a new folder.`,
  )
  await rm(join(folder, form.name), { force: true })
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
}

/** Writes the manifest, which marks the archive as complete. */
export function endArchive(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  return endFolder(folder, form, { format, ...manifest })
}

/** Reads the manifest. `tables` are the tables of this program. Throws `invalid_request` when the
 *  archive is incomplete, when its manifest is missing or damaged, or when its tables differ from
 *  `tables`. */
export async function readManifest(folder: string, tables: readonly MovedTable[]): Promise<Manifest> {
  // The cast is safe: `isManifest` has checked every field that is used.
  const manifest = (await readManifestFile(folder, form, isManifest)) as Manifest
  assertSameSchema(manifest, tables)
  return manifest
}

function isManifest(found: Partial<Record<keyof Manifest, unknown>>): boolean {
  return (
    [found.id, found.program, found.madeAt, found.keyCheck, Object(found.from).place].every(each => typeof each === 'string') &&
    [found.blobs, found.blobBytes].every(Number.isSafeInteger) &&
    typeof found.hasBlobs === 'boolean' &&
    Array.isArray(found.missingBlobs) &&
    found.missingBlobs.every(each => typeof each === 'string') &&
    Array.isArray(found.tables) &&
    found.tables.every(isTable)
  )
}

function isTable(value: unknown): boolean {
  const { name, columns, rows, sha256 } = Object(value)
  return (
    typeof name === 'string' &&
    Array.isArray(columns) &&
    columns.every(column => typeof Object(column).name === 'string' && typeof Object(column).type === 'string') &&
    Number.isSafeInteger(rows) &&
    typeof sha256 === 'string'
  )
}

function assertSameSchema({ program, tables: archived }: Manifest, tables: readonly MovedTable[]): void {
  const schema = (list: readonly Pick<MovedTable, 'name' | 'columns'>[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns.map(column => [column.name, column.type])]))
  if (schema(archived) === schema(tables)) return
  const names = (list: readonly Pick<MovedTable, 'name' | 'columns'>[]) =>
    list.flatMap(({ name, columns }) => columns.map(column => `${name}.${column.name}`))
  const [here, there] = [new Set(names(tables)), new Set(names(archived))]
  const different = [...new Set([...here, ...there])].filter(each => here.has(each) !== there.has(each))
  throw new GatewayError(
    'invalid_request',
    `The archive has the schema of program version ${program}, which differs from this one${different.length > 0 ? ` in ${different.slice(0, 5).join(', ')}` : ''}. Import it with that version; gateway migrate brings the store up to date afterwards.`,
  )
}
