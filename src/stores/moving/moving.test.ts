import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { openFileStore } from '../files/open.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { leaseMs, queueCounts, startedAt } from '../suite/samples.ts'
import type { Manifest } from './archive.ts'
import { type ExportOptions, exportStore } from './export.ts'
import { importStore } from './import.ts'
import { movedTables } from './tables.ts'
import { fillStore } from './testing/full-store.ts'

const secretKey = Buffer.alloc(32, 7)
const progress = { show: () => {}, clear: () => {} }
const pictures = 12

test('everything in a data folder is moved into another one, and leases are returned', async context => {
  const { folder, root } = await exported(context)
  const manifest = await manifestOf(folder)
  for (const { name, rows } of manifest.tables) assert.ok(rows > 0, `${name} has rows`)
  assert.equal(manifest.blobs, pictures + 2)
  assert.ok(!(await readFile(join(folder, 'tables/accounts.jsonl'), 'utf8')).includes('whsec'), 'secrets stay sealed')
  for (const path of await filesOf(folder)) assert.equal((await stat(path)).mode & 0o077, 0, path)

  const imported = await importInto(join(root, 'target'), folder)
  assert.equal(imported.isContinued, false)
  const store = await openSqliteStore({ directory: join(root, 'target'), secretKey, clock: { now: () => startedAt } })
  const blobs = await openFileStore({ directory: join(root, 'target') })
  const tasks = await store.list({ limit: 100 })
  assert.equal(tasks.length, pictures + 4)
  for (const { artifacts } of tasks) for (const each of artifacts) await buffer(await blobs.read((await store.blob(each.id))?.key ?? ''))
  assert.deepEqual(await queueCounts(store), { ready: 2, leased: 0, parked: 1 })
  assert.equal((await store.get('task-3-leased'))?.state, 'queued')
  assert.equal((await store.accounts.accounts())[0]?.webhookSecret, 'whsec')
  assert.equal((await store.secrets.signingKeys())[0]?.secret.toString(), 'signing secret')
  assert.equal((await store.accounts.fileGeneration())?.sha256, 's')
  const left = await store.calls({ from: 0, to: startedAt + 1, limit: 10 })
  assert.deepEqual(left.map(call => [call.requestId, call.isEstimated === true]).sort(), [
    ['req-1', false],
    ['req-2', false],
    ['req-3', true],
  ])
  await store.heartbeat('node-2', startedAt + 10 * leaseMs, leaseMs)
  assert.equal((await store.claim('studio', 'node-2', 10, startedAt + 10 * leaseMs)).length, 2)
  await store.close()
})

test('an archive can be imported only into an empty store with the same secret key', async context => {
  const { folder, root, source } = await exported(context)
  const empty = join(root, 'empty')
  const wrongKey = importStore({ ...sqlite(empty), secretKey: Buffer.alloc(32, 8), folder, progress })
  await assert.rejects(wrongKey, { code: 'store_unavailable', message: /GATEWAY_SECRET_KEY is not that of the source/ })
  await assert.rejects(importInto(source, folder), { code: 'conflict', message: /not empty.*rows in access_keys/ })
  const store = await openSqliteStore({ directory: empty, secretKey })
  await assert.rejects(importInto(empty, folder), { message: /in use by process/ })
  await store.close()
  const [blob = ''] = (await filesOf(join(folder, 'blobs'))).filter(path => /[0-9a-f]{62}$/.test(path))
  const cutOff = join(empty, 'blobs', blob.slice(join(folder, 'blobs').length))
  await mkdir(dirname(cutOff), { recursive: true })
  await writeFile(cutOff, 'a copy that was cut off')
  await importInto(empty, folder)
  assert.deepEqual(await readFile(cutOff), await readFile(blob))
  await assert.rejects(importInto(empty, folder), { code: 'conflict', message: /not empty/ })
})

test('an export needs a stopped gateway, its own folder and the schema of the program', async context => {
  const { root, source, folder } = await exported(context)
  await assert.rejects(exportStore(exporting(source, folder)), { code: 'conflict', message: /has an archive already/ })
  await assert.rejects(exportStore(exporting(source, root)), { code: 'conflict', message: /not empty/ })
  await assert.rejects(exportStore(exporting(join(root, 'none'), join(root, 'a'))), { message: /There is no database/ })
  const wrongKey = exportStore({ ...exporting(source, join(root, 'b')), secretKey: Buffer.alloc(32, 8) })
  await assert.rejects(wrongKey, { message: /does not open with this secret key/ })
  const store = await openSqliteStore({ directory: source, secretKey })
  await assert.rejects(exportStore(exporting(source, join(root, 'c'))), { message: /in use by process/ })
  await store.close()
  await assert.rejects(importInto(join(root, 'd'), source), { code: 'invalid_request', message: /no archive/ })
})

test('a blob that the source lacks or has damaged is reported, and the rest is moved', async context => {
  const { root, source, folder } = await exported(context)
  const [lost = '', damaged = ''] = (await filesOf(join(source, 'blobs'))).filter(path => !path.includes('moving'))
  await rm(lost)
  await writeFile(damaged, 'x')
  const { blobs } = await exportStore(exporting(source, join(root, 'again')))
  assert.equal(blobs.missing.length, 2)
  assert.equal((await importInto(join(root, 'target'), join(root, 'again'))).blobs.blobs, pictures)
  // A damaged blob in an archive that contains blobs is an error.
  const inArchive = (await filesOf(join(folder, 'blobs')))[0] ?? ''
  await writeFile(inArchive, 'x')
  await assert.rejects(importInto(join(root, 'other'), folder), { code: 'invalid_request', message: /lacks 1 blobs that rows name/ })
})

test('an archive without blobs uses those in the folder of the target', async context => {
  const { root, source } = await exported(context)
  const folder = join(root, 'rows')
  await exportStore({ ...exporting(source, folder), withBlobs: false })
  const target = join(root, 'target')
  await assert.rejects(importInto(target, folder), { message: /has no blobs, and .* lacks 14 blobs.*Copy the blobs of the source/ })
  await assert.rejects(openSqliteStore({ directory: target, secretKey }), { message: /An import into the data directory has not ended/ })
  await cp(join(source, 'blobs'), join(target, 'blobs'), { recursive: true })
  const [copied = ''] = (await filesOf(join(target, 'blobs'))).filter(path => /[0-9a-f]{62}$/.test(path))
  const whole = await readFile(copied)
  await writeFile(copied, whole.subarray(1))
  await assert.rejects(importInto(target, folder), { message: /lacks 1 blobs that rows name, or has them damaged/ })
  await writeFile(copied, whole)
  assert.equal((await importInto(target, folder)).isContinued, true)
  await (await openSqliteStore({ directory: target, secretKey })).close()
})

test('a damaged archive is refused with file and line, and nothing is written', async context => {
  const { root, folder } = await exported(context)
  const events = join(folder, 'tables/task_events.jsonl')
  const whole = await readFile(events, 'utf8')
  const lines = whole.split('\n')
  const withLine = (line: string) => [...lines.slice(0, 2), line, ...lines.slice(3)].join('\n')
  const row = (text: string) => withLine(`[${crc32(text)},${text}]`)
  const changes: [content: string | Buffer, message: RegExp][] = [
    [whole.slice(0, -20), new RegExp(`task_events.jsonl, line ${lines.length - 1}, is damaged: it is no JSON`)],
    [withLine('not JSON'), /task_events.jsonl, line 3, is damaged: it is no JSON/],
    [withLine((lines[2] ?? '').replace('task.', 'tusk.')), /line 3, is damaged: its check does not fit/],
    [withLine('{"a":1}'), /line 3, is damaged: it is no list/],
    [row('[1,2]'), /line 3, is damaged: it has 2 values; the table has 5 columns/],
    [row('["x","{}",1,"task-1","t"]'), /line 3, is damaged: column at is no integer/],
    [row('[1,"{}",1.5,"task-1","t"]'), /line 3, is damaged: column sequence is no integer/],
    [row('[1,"{}",1e300,"task-1","t"]'), /line 3, is damaged: column sequence is no integer/],
    [row('[1,"{}",1,{"a":1},"t"]'), /line 3, is damaged: column task_id is no text/],
    [row('[1,"{}",1,"task-1","t"]'), /task_events.jsonl is damaged: its rows have another SHA-256/],
    [[...lines.slice(0, 2), ...lines.slice(3)].join('\n'), /task_events.jsonl is damaged: it has \d+ lines; archive.json says \d+/],
    [Buffer.alloc(100_000), /line 1, is damaged/],
    ['', /it has 0 lines/],
  ]
  const target = join(root, 'target')
  for (const [content, message] of changes) {
    await writeFile(events, content)
    await assert.rejects(importInto(target, folder), { code: 'invalid_request', message }, String(message))
  }
  await rm(events)
  await assert.rejects(importInto(target, folder), { code: 'ENOENT' })
  await assert.rejects(stat(target), { code: 'ENOENT' })
  await writeFile(events, whole)
  await importInto(target, folder)
})

test('a row that the database refuses is named, although its checksums are right', async context => {
  const { root, folder } = await exported(context)
  const file = join(folder, 'tables/accounts.jsonl')
  const text = (await readFile(file, 'utf8')).replace(/^\[\d+,(.*)\]\n$/, '$1').replace('"account-1"', 'null')
  await writeFile(file, `[${crc32(text)},${text}]\n`)
  const manifest = await manifestOf(folder)
  const tables = manifest.tables.map(each => (each.name === 'accounts' ? { ...each, sha256: sha256(`${text}\n`) } : each))
  await writeFile(join(folder, 'archive.json'), JSON.stringify({ ...manifest, tables }))
  const refusal = { code: 'invalid_request', message: /accounts.jsonl, line 1, does not fit into the store: NOT NULL/ }
  await assert.rejects(importInto(join(root, 'target'), folder), refusal)
})

test('a manifest that is damaged, of another format or of another schema is refused', async context => {
  const { root, folder } = await exported(context)
  const manifest = await manifestOf(folder)
  const [first, ...others] = manifest.tables
  const changes: [text: string, message: RegExp][] = [
    ['{', /archive.json is damaged: it is no JSON/],
    ['[]', /has format undefined; this program reads 1/],
    [JSON.stringify({ ...manifest, format: 2 }), /has format 2/],
    [JSON.stringify({ ...manifest, tables: 'x' }), /is damaged: fields are missing/],
    [JSON.stringify({ ...manifest, blobs: undefined }), /is damaged: fields are missing/],
    [JSON.stringify({ ...manifest, tables: others }), /differs from this one in access_keys\./],
    [JSON.stringify({ ...manifest, tables: [{ ...first, columns: [] }, ...others] }), /differs from this one in access_keys\.account_id/],
  ]
  for (const [text, message] of changes) {
    await writeFile(join(folder, 'archive.json'), text)
    await assert.rejects(importInto(join(root, 'target'), folder), { code: 'invalid_request', message })
  }
})

test('every table has a primary key, and only the rows of nodes are not moved', () => {
  const tables = movedTables()
  assert.ok(tables.length >= 24 && tables.every(({ key }) => key.length > 0))
  assert.deepEqual(
    tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => name),
    ['call_sources', 'call_units', 'calls', 'responses'],
  )
})

/** Creates a data folder with contents and exports it into an archive. */
async function exported(context: TestContext): Promise<{ root: string; source: string; folder: string }> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-archive-'))
  context.after(() => rm(root, { recursive: true }))
  const [source, folder] = [join(root, 'source'), join(root, 'archive')]
  const store = await openSqliteStore({ directory: source, secretKey })
  await fillStore(store, await openFileStore({ directory: source }), pictures)
  await store.close()
  await exportStore(exporting(source, folder))
  return { root, source, folder }
}

function exporting(dataDir: string, folder: string): ExportOptions {
  return { ...sqlite(dataDir), secretKey, folder, withBlobs: true, program: '1', progress }
}

function importInto(dataDir: string, folder: string) {
  return importStore({ ...sqlite(dataDir), secretKey, folder, progress })
}

function sqlite(dataDir: string) {
  return { settings: { dataDir, databaseUrl: undefined, nodeName: 'n' }, blobs: { folder: join(dataDir, 'blobs'), isShared: false } }
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'))
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
