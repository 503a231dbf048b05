/** The form of an archive: a folder with `archive.json`, the rows of each table as JSON lines in
 *  `tables/`, and the blobs in `blobs/` as the data folder has them. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreKind } from './database.ts'
import { beginFolder, endFolder, type ManifestForm, readManifestFile } from './manifest-file.ts'
import type { MovedTable } from './tables.ts'

/** Grows with the form of the archive, and with a migration that changes the meaning of stored
 *  values while their columns stay. */
const format = 1

export interface ArchivedTable {
  name: string
  columns: MovedTable['columns']
  rows: number
  /** SHA-256 of the rows without their line checks, hex. */
  sha256: string
}

export interface Manifest {
  format: typeof format
  /** Random; an import that was interrupted continues with the same archive only. */
  id: string
  /** Version of the program that made it. */
  program: string
  madeAt: string
  from: { kind: StoreKind; place: string }
  /** A word sealed with the secret key of the source. */
  keyCheck: string
  tables: ArchivedTable[]
  /** False: the archive has rows only. */
  hasBlobs: boolean
  blobs: number
  blobBytes: number
  /** Keys that rows name and whose blob the source does not have, or only damaged. */
  missingBlobs: string[]
}

/** The limit is longer than a list of many missing blobs. */
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

/** Prepares a folder for an export: a missing or empty one, or that of an export that was
 *  interrupted. Throws `conflict` for any other. */
export async function beginArchive(folder: string): Promise<void> {
  await beginFolder(folder, form, names =>
    names.includes(form.name) ? `${folder} has an archive already; name a new folder.` : `${folder} is not empty; name a new folder.`,
  )
  await rm(join(folder, form.name), { force: true })
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
}

/** Writes the manifest, which makes the archive whole. */
export function endArchive(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  return endFolder(folder, form, { format, ...manifest })
}

/** Reads the manifest. Throws `invalid_request` when there is none, it is damaged, or the archive
 *  has the schema of another program; `tables`: those of this program. */
export async function readManifest(folder: string, tables: readonly MovedTable[]): Promise<Manifest> {
  // The cast is safe: every field was looked at.
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
