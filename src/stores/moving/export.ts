/** Writes the whole contents of a store into an archive. */
import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreSettings } from '../open.ts'
import type { BlobsPlace } from '../open-blobs.ts'
import { isKey, sha256Of } from '../s3/keys.ts'
import { createSealBox, type SecretKeys } from '../sql/seal.ts'
import { assertKeys, checkWords } from '../sql/secret-key/check-words.ts'
import { type ArchivedTable, beginArchive, blobsOf, endArchive, tableFile } from './archive.ts'
import { type BlobCopies, copyBlobs } from './blobs.ts'
import { copyFromBucket } from './bucket-blobs.ts'
import { type MovedDatabase, openSource } from './database.ts'
import { LineWriter } from './lines.ts'
import { type Progress, showBlobs } from './progress.ts'
import { RowSum, readRows } from './rows.ts'
import { type MovedTable, movedTables, namesBlobs } from './tables.ts'

export interface ExportOptions extends SecretKeys {
  settings: StoreSettings
  blobs: BlobsPlace
  folder: string
  /** False to leave the blobs out, because the target has them already or gets them in another
   *  way. */
  withBlobs: boolean
  /** Version of the program. */
  program: string
  progress: Progress
}

export interface Exported {
  tables: ArchivedTable[]
  blobs: BlobCopies
  /** Number of nodes that used the database during the export. */
  liveNodes: number
}

/** Exports the store that the settings name. All rows are in their state of one moment, even
 *  while nodes use the database. When an interrupted export is run again, it writes the rows
 *  again and keeps the blobs that it has already copied. Throws `conflict` when the folder is
 *  neither empty nor left by an interrupted export, `store_unavailable` when the store cannot be
 *  read, and the errors of the file system. */
export async function exportStore(options: ExportOptions): Promise<Exported> {
  const { settings, folder, program, withBlobs } = options
  const source = await openSource(settings)
  try {
    const keyCheck = await checkedKey(source, options)
    await beginArchive(folder)
    const liveNodes = await source.liveNodes()
    // SQLite needs no transaction, because the data folder is locked and no other process can
    // write.
    if (source.kind === 'postgres') await source.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const tables: ArchivedTable[] = []
    for (const table of movedTables()) tables.push(await exportTable(source, table, options))
    const blobs = withBlobs ? await exportBlobs(source, options) : { blobs: 0, bytes: 0, missing: [] }
    await endArchive(folder, {
      ...{ id: randomUUID(), program, madeAt: new Date().toISOString(), from: { kind: source.kind, place: source.place } },
      ...{ keyCheck, tables, hasBlobs: withBlobs },
      ...{ blobs: blobs.blobs, blobBytes: blobs.bytes, missingBlobs: blobs.missing },
    })
    return { tables, blobs, liveNodes }
  } catch (error) {
    throw error instanceof GatewayError || 'syscall' in Object(error) ? error : failed(source, error)
  } finally {
    await source.close()
  }
}

/** Returns the stored check word for the secret key. Throws `store_unavailable` when the key is
 *  not the one of the store, while the store needs several keys, when no gateway has started on
 *  the store yet, and when an import into it has not been completed. */
async function checkedKey({ connection, place }: MovedDatabase, keys: SecretKeys): Promise<string> {
  const find = connection.prepare('SELECT value FROM meta WHERE name = ?')
  if ((await find.get('import')) !== undefined)
    throw new GatewayError('store_unavailable', `An import into ${place} has not ended; there is nothing whole to export.`)
  const words = await checkWords(connection)
  const [word] = words
  if (word === undefined) throw new GatewayError('store_unavailable', `No gateway has started on ${place} yet; there is nothing to export.`)
  assertKeys(words, createSealBox(keys), place)
  if (words.length > 1)
    throw new GatewayError('store_unavailable', `Secrets in ${place} are encrypted with several keys: run gateway reencrypt first.`)
  return word.value
}

async function exportTable(
  { connection }: MovedDatabase,
  table: MovedTable,
  { folder, blobs, withBlobs, progress }: ExportOptions,
): Promise<ArchivedTable> {
  const file = tableFile(folder, table.name)
  const keyAt = namesBlobs(table) && withBlobs && 'bucket' in blobs ? table.columns.findIndex(({ name }) => name === 'key') : -1
  const lines = await LineWriter.create(`${file}.new`)
  const sum = new RowSum()
  try {
    for await (const page of readRows(connection, table)) {
      for (const row of page) {
        // In an archive the key of a blob is the SHA-256 of its content, wherever the blob comes
        // from.
        const key = row[keyAt]
        if (typeof key === 'string' && isKey(key)) row[keyAt] = sha256Of(key)
        const cells = JSON.stringify(row)
        sum.add(cells)
        await lines.add(cells)
      }
      progress.show(`rows of ${table.name}: ${sum.rows}`)
    }
  } finally {
    await lines.end()
  }
  await rename(`${file}.new`, file)
  return { name: table.name, columns: table.columns, rows: sum.rows, sha256: sum.end() }
}

function exportBlobs({ connection }: MovedDatabase, { folder, blobs, progress }: ExportOptions): Promise<BlobCopies> {
  const copying = { connection, onBlob: showBlobs(progress) }
  if ('bucket' in blobs) return copyFromBucket(blobs.bucket, blobsOf(folder), copying)
  return copyBlobs({ from: blobs.folder, to: blobsOf(folder), ...copying })
}

export function failed({ describe }: MovedDatabase, error: unknown): GatewayError {
  return new GatewayError('store_unavailable', `The database failed: ${describe(error)}.`, { cause: error })
}
