/** Imports an archive into an empty store. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { readMarker, writeMarker } from '../files/marker.ts'
import { joinBlobs } from '../join-blobs.ts'
import { openStore, type StoreSettings } from '../open.ts'
import { type BlobsPlace, mayBeShared } from '../open-blobs.ts'
import { placeOf } from '../s3/bucket.ts'
import { S3Client } from '../s3/client.ts'
import { bucketMarker } from '../s3/marker.ts'
import { usualPatience } from '../s3/retry.ts'
import { createSealBox, everyKey, type SealBox, type SecretKeys } from '../sql/seal.ts'
import { sealWord } from '../sql/secret-key/check-words.ts'
import type { Connection } from '../sql/statements.ts'
import { text } from '../sql/values.ts'
import { type ArchivedTable, blobsOf, type Manifest, readManifest, tableFile } from './archive.ts'
import { type BlobCopies, type CopyOptions, checkBlobs, copyBlobs, prepareFolder } from './blobs.ts'
import { checkBucket, copyToBucket } from './bucket-blobs.ts'
import { type MovedDatabase, openTarget } from './database.ts'
import { failed } from './export.ts'
import { insertPages } from './insert.ts'
import { readLines } from './lines.ts'
import { type Progress, showBlobs } from './progress.ts'
import { RowSum, readRows } from './rows.ts'
import { type MovedTable, movedTables } from './tables.ts'

export interface ImportOptions extends SecretKeys {
  settings: StoreSettings
  blobs: BlobsPlace
  folder: string
  progress: Progress
}

export interface Imported {
  manifest: Manifest
  blobs: BlobCopies
  /** True when this import has continued an earlier one that was interrupted. */
  isContinued: boolean
}

/** Imports an archive into the store that the settings name. The rows of the archive are checked
 *  before anything is written. An interrupted import continues from the last page of rows that
 *  it has written. Throws `invalid_request` when the archive is damaged or has other tables,
 *  `store_unavailable` when the secret key is not that of the source or when the store is in
 *  use, and `conflict` when the store is not empty. */
export async function importStore(options: ImportOptions): Promise<Imported> {
  const { settings, folder } = options
  const tables = movedTables()
  const manifest = await readManifest(folder, tables)
  const box = boxOfSource(manifest, options)
  await checkRows(tables, manifest, options)
  const target = await openTarget(settings)
  let blobs: BlobCopies
  let isContinued: boolean
  try {
    isContinued = await begin(target, tables, manifest)
    if (manifest.hasBlobs) await takePlace(target, options)
    await insertPages({ target, tables, folder, progress: options.progress })
    for (const table of tables) await compare(target, table, { manifest, progress: options.progress })
    blobs = await bringBlobs(target, manifest, options)
    await end(target, tables, box)
  } catch (error) {
    throw error instanceof GatewayError || 'syscall' in Object(error) ? error : failed(target, error)
  } finally {
    await target.close()
  }
  await handBack(settings, options)
  return { manifest, blobs, isContinued }
}

/** Returns a box that encrypts with the key of the source, which is one of the keys. */
function boxOfSource({ keyCheck, from }: Manifest, keys: SecretKeys): SealBox {
  const boxes = everyKey(keys).map(key => createSealBox({ secretKey: key }))
  const box = boxes.find(each => each.isCurrent(keyCheck, from.place))
  if (box !== undefined) return box
  throw new GatewayError(
    'store_unavailable',
    'GATEWAY_SECRET_KEY is not that of the source: the sealed values of the archive would not open. Set it to the key of the source (its file secret.key).',
    { field: 'GATEWAY_SECRET_KEY' },
  )
}

/** Reads all rows of the archive and compares their number and hash with the manifest. */
async function checkRows(tables: readonly MovedTable[], manifest: Manifest, { folder, progress }: ImportOptions): Promise<void> {
  for (const table of tables) {
    const file = tableFile(folder, table.name)
    const found = new RowSum()
    for await (const line of readLines(file, table)) {
      found.add(line.text)
      if (found.rows % 1_000 === 0) progress.show(`checking ${table.name}: ${found.rows}`)
    }
    const { rows, sha256 } = archivedOf(manifest, table)
    if (found.rows !== rows)
      throw new GatewayError('invalid_request', `${file} is damaged: it has ${found.rows} lines; archive.json says ${rows}.`)
    if (found.end() !== sha256)
      throw new GatewayError('invalid_request', `${file} is damaged: its rows have another SHA-256 than archive.json says.`)
  }
}

/** Returns the entry of the table in the manifest. It is always there, because `readManifest`
 *  has compared the tables with those of this program. */
function archivedOf({ tables }: Manifest, { name }: MovedTable): ArchivedTable {
  const archived = tables.find(each => each.name === name)
  if (archived === undefined) throw new TypeError(`the manifest has no table ${name}`)
  return archived
}

/** Checks that the target is empty and that no node uses it, and records in it that this import is
 *  running, so that no gateway starts before the import has ended. Returns true, without these
 *  checks, when an interrupted import of the same archive has already made this record. Throws
 *  `conflict` or `store_unavailable`. */
async function begin(target: MovedDatabase, tables: readonly MovedTable[], { id }: Manifest): Promise<boolean> {
  const { connection, place } = target
  const found = await connection.prepare(`SELECT value FROM meta WHERE name = 'import'`).get()
  if (found !== undefined) {
    if (JSON.parse(text(found, 'value')).archive === id) return true
    throw new GatewayError('conflict', `An import of another archive into ${place} has not ended. Continue that one, or empty the store.`)
  }
  const nodes = await target.liveNodes()
  if (nodes > 0)
    throw new GatewayError('store_unavailable', `${nodes} nodes are at work on ${place}. Stop them, and import into an empty store.`)
  for (const { name, only } of tables) {
    // This table is not empty even in a new store, because migrations insert the names of units.
    if (name === 'call_units') continue
    const row = await connection.prepare(`SELECT 1 AS one FROM ${name} ${only === undefined ? '' : `WHERE ${only}`} LIMIT 1`).get()
    if (row !== undefined)
      throw new GatewayError('conflict', `The store is not empty: ${place} has rows in ${name}. An archive goes into an empty store.`)
  }
  await target.run('BEGIN')
  await target.run('DELETE FROM call_units')
  const state = { archive: id, table: 0, line: 0, offset: 0 }
  await connection.prepare(`INSERT INTO meta (name, value) VALUES ('import', ?)`).run(JSON.stringify(state))
  await target.run('COMMIT')
  return false
}

/** Checks that the bucket or the shared folder of the blobs belongs to no other database, and marks
 *  it as belonging to the target database, as a gateway does at its start. Throws
 *  `store_unavailable`. */
async function takePlace({ connection, kind }: MovedDatabase, { blobs: place }: ImportOptions): Promise<void> {
  if (kind !== 'postgres' && !mayBeShared(place)) return
  const marked = 'bucket' in place ? bucketMarker(new S3Client(place.bucket, usualPatience)) : await folderMarker(place.folder)
  const find = connection.prepare('SELECT value FROM meta WHERE name = ?')
  const put = preparePut(connection)
  const fact = async (name: string): Promise<string | undefined> => {
    const row = await find.get(name)
    return row && text(row, 'value')
  }
  await joinBlobs({ fact, setFact: async (name, value) => void (await put.run(name, value)) }, marked)
}

async function folderMarker(folder: string): Promise<Parameters<typeof joinBlobs>[1]> {
  await prepareFolder(folder)
  return { place: `folder of blobs ${folder}`, marker: () => readMarker(folder), mark: id => writeMarker(folder, id) }
}

/** Compares the rows of the target with those of the archive. */
async function compare(
  { connection }: MovedDatabase,
  table: MovedTable,
  { manifest, progress }: { manifest: Manifest; progress: Progress },
): Promise<void> {
  const archived = archivedOf(manifest, table)
  const sum = new RowSum()
  for await (const page of readRows(connection, table)) {
    for (const row of page) sum.add(JSON.stringify(row))
    progress.show(`comparing ${table.name}: ${sum.rows}`)
  }
  if (sum.rows === archived.rows && sum.end() === archived.sha256) return
  throw new GatewayError(
    'store_unavailable',
    `After the import ${table.name} has other rows than the archive (${sum.rows}; the archive has ${archived.rows}): another program has written meanwhile. Empty the store and import again.`,
  )
}

async function bringBlobs(
  target: MovedDatabase,
  manifest: Manifest,
  { folder, blobs: place, progress }: ImportOptions,
): Promise<BlobCopies> {
  const { connection } = target
  const known = new Set(manifest.missingBlobs)
  const copied = manifest.hasBlobs
    ? await copyIn(place, { from: blobsOf(folder), connection, onBlob: showBlobs(progress) })
    : { blobs: 0, bytes: 0, missing: await checkThere(place, connection, progress) }
  const lost = copied.missing.filter(key => !known.has(key))
  if (lost.length === 0) return copied
  const [where, advice] = manifest.hasBlobs
    ? [`The archive is damaged: ${blobsOf(folder)}`, '']
    : [
        `The archive has no blobs, and ${'bucket' in place ? placeOf(place.bucket) : place.folder}`,
        ' Copy the blobs of the source there, and run the import again.',
      ]
  throw new GatewayError('invalid_request', `${where} lacks ${lost.length} blobs that rows name, or has them damaged: ${lost[0]}.${advice}`)
}

function copyIn(place: BlobsPlace, { from, ...copying }: Omit<CopyOptions, 'to'>): Promise<BlobCopies> {
  return 'bucket' in place ? copyToBucket(from, place.bucket, copying) : copyBlobs({ from, to: place.folder, ...copying })
}

/** Returns the keys to which rows refer, but whose blob is missing from the folder or bucket, or
 *  has the wrong length. The bytes of a blob of the right length are not read. */
function checkThere(place: BlobsPlace, connection: Connection, progress: Progress): Promise<string[]> {
  const onChecked = (count: number) => progress.show(`checking blobs: ${count}`)
  return 'bucket' in place
    ? checkBucket(place.bucket, { connection, onBlob: ({ blobs }) => onChecked(blobs) })
    : checkBlobs({ folder: place.folder, connection, onBlob: onChecked, trustsLength: true })
}

/** Completes the import, after which gateways may start on the store. */
async function end(target: MovedDatabase, tables: readonly MovedTable[], box: SealBox): Promise<void> {
  const { connection, kind, place } = target
  await target.run('BEGIN')
  if (kind === 'postgres')
    for (const { name, key } of tables.filter(table => table.isNumbered)) {
      const largest = `(SELECT max(${key[0]}) FROM ${name})`
      await target.run(`SELECT setval(pg_get_serial_sequence('${name}', '${key[0]}'), ${largest}) WHERE ${largest} IS NOT NULL`)
    }
  await preparePut(connection).run('key_check', sealWord(box, place))
  await connection.prepare(`DELETE FROM meta WHERE name = 'import'`).run()
  await target.run('COMMIT')
}

/** Prepares the statement that writes a row of `meta`. */
function preparePut(connection: Connection): ReturnType<Connection['prepare']> {
  return connection.prepare('INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
}

/** Makes the jobs ready again that nodes of the source had leased, and records the calls that
 *  these nodes had in progress. A gateway does the same at its start. */
async function handBack(settings: StoreSettings, keys: SecretKeys): Promise<void> {
  const store = await openStore(settings, { secretKey: keys.secretKey, fallbackKeys: keys.fallbackKeys ?? [] })
  try {
    await store.requeueDead(Date.now())
  } finally {
    await store.close()
  }
}
