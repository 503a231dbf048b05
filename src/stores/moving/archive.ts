/** The form of an archive: a folder with `archive.json`, the rows of each table as JSON lines in
 *  `tables/`, and the blobs in `blobs/` as the data folder has them. */
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { makeFolders } from '../files/data-folder.ts'
import { syncFolder } from '../files/folders.ts'
import type { StoreKind } from './database.ts'
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

const manifestName = 'archive.json'
const unfinishedName = 'UNFINISHED'
/** Longer than a list of many missing blobs. */
const manifestBytes = 64 * 1024 * 1024

export function tableFile(folder: string, table: string): string {
  return join(folder, 'tables', `${table}.jsonl`)
}

export function blobsOf(folder: string): string {
  return join(folder, 'blobs')
}

/** Prepares a folder for an export: a missing or empty one, or that of an export that was
 *  interrupted. Throws `conflict` for any other. */
export async function beginArchive(folder: string): Promise<void> {
  makeFolders(resolve(folder))
  const names = await readdir(folder)
  if (names.includes(manifestName) && !names.includes(unfinishedName))
    throw new GatewayError('conflict', `${folder} has an archive already; name a new folder.`)
  if (names.length > 0 && !names.includes(unfinishedName)) throw new GatewayError('conflict', `${folder} is not empty; name a new folder.`)
  await writeFile(join(folder, unfinishedName), 'gateway export has not ended; run it again.\n', { mode: 0o600 })
  await rm(join(folder, manifestName), { force: true })
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
}

/** Writes the manifest, which makes the archive whole. */
export async function endArchive(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const file = join(folder, manifestName)
  await writeDurably(`${file}.new`, `${JSON.stringify({ format, ...manifest }, null, 2)}\n`)
  await rename(`${file}.new`, file)
  await syncFolder(folder)
  await rm(join(folder, unfinishedName))
  await syncFolder(folder)
}

/** Reads the manifest. Throws `invalid_request` when there is none, it is damaged, or the archive
 *  has the schema of another program; `tables`: those of this program. */
export async function readManifest(folder: string, tables: readonly MovedTable[]): Promise<Manifest> {
  const file = join(folder, manifestName)
  const names = await readdir(folder)
  if (names.includes(unfinishedName)) throw wrong(`The export into ${folder} has not ended; run gateway export again.`)
  if (!names.includes(manifestName)) throw wrong(`${folder} is no archive of gateway export: it has no ${manifestName}.`)
  const text = await readFile(file)
  if (text.length > manifestBytes) throw wrong(`${file} has ${text.length} bytes; at most ${manifestBytes}.`)
  const manifest = manifestOf(text.toString(), file)
  assertSameSchema(manifest, tables)
  return manifest
}

function manifestOf(text: string, file: string): Manifest {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw wrong(`${file} is damaged: it is no JSON.`)
  }
  const found: Partial<Record<keyof Manifest, unknown>> = Object(parsed)
  if (found.format !== format) throw wrong(`${file} has format ${found.format}; this program reads ${format}.`)
  const isWhole =
    [found.id, found.program, found.madeAt, found.keyCheck, Object(found.from).place].every(each => typeof each === 'string') &&
    [found.blobs, found.blobBytes].every(Number.isSafeInteger) &&
    typeof found.hasBlobs === 'boolean' &&
    Array.isArray(found.missingBlobs) &&
    found.missingBlobs.every(each => typeof each === 'string') &&
    Array.isArray(found.tables) &&
    found.tables.every(isTable)
  if (!isWhole) throw wrong(`${file} is damaged: fields are missing or of the wrong type.`)
  // The cast is safe: every field was looked at.
  return parsed as Manifest
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
  const form = (list: readonly { name: string; columns: MovedTable['columns'] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns.map(column => [column.name, column.type])]))
  if (form(archived) === form(tables)) return
  const names = (list: readonly { name: string; columns: MovedTable['columns'] }[]) =>
    list.flatMap(({ name, columns }) => columns.map(column => `${name}.${column.name}`))
  const [here, there] = [new Set(names(tables)), new Set(names(archived))]
  const different = [...new Set([...here, ...there])].filter(each => here.has(each) !== there.has(each))
  throw wrong(
    `The archive has the schema of program version ${program}, which differs from this one${different.length > 0 ? ` in ${different.slice(0, 5).join(', ')}` : ''}. Import it with that version; gateway migrate brings the store up to date afterwards.`,
  )
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function wrong(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
