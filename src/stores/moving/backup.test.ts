import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { hourMs } from '@generation-gateway/kit/units.ts'
import { openFileStore } from '../files/open.ts'
import type { SqlStore } from '../sql/store.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { claimOne, day, newBlob, newTask, startedAt, succeeded } from '../suite/samples.ts'
import { backUp } from './backup.ts'
import { checkBackup, restore } from './restore.ts'
import { fillStore } from './testing/full-store.ts'

const secretKey = Buffer.alloc(32, 7)
const progress = { show: () => {}, clear: () => {} }

test('a backup of a store in use has every blob that its rows name, while others are added and deleted', async context => {
  const { root, dataDir } = await newFolder(context)
  const store = await openSqliteStore({ directory: dataDir, secretKey, synchronous: 'OFF' })
  context.after(() => store.close())
  // The clock stood an hour earlier when the blobs were stored. A removal deletes them immediately
  // then, because it spares only blobs that were stored a few minutes ago.
  const anHourAgo = Date.now() - hourMs
  const old = await openFileStore({ directory: dataDir, clock: { now: () => anHourAgo } })
  const blobs = await openFileStore({ directory: dataDir })
  const finish = async (id: string, through: typeof blobs) => {
    await store.submit(newTask(id))
    const { token } = await claimOne(store)
    const file = join(await through.scratch('t'), 'f')
    await writeFile(file, randomBytes(3_000))
    const { key } = await through.adopt(file)
    await store.settle(id, token, succeeded({ outputs: [newBlob(`blob-${id}`, { key, expiresAt: startedAt + day })] }))
  }
  for (let index = 0; index < 150; index++) await finish(`old-${index}`, old)
  let isOver = false
  let removed = 0
  const removing = (async () => {
    for (; !isOver && removed < 150; removed++) {
      await store.remove(`old-${removed}`, startedAt)
      for (const key of (await store.sweep(startedAt + 1, 500)).blobKeys) await blobs.remove(key)
    }
  })()
  const adding = (async () => {
    for (let index = 0; !isOver; index++) await finish(`new-${index}`, blobs)
  })()
  try {
    // On a busy machine the removals may not run during the first three rounds, so more rounds
    // follow until enough tasks were removed.
    for (let round = 0; round < 3 || (removed <= 10 && round < 30); round++) {
      const folder = join(root, `backup-${round}`)
      const manifest = await backUp(options(dataDir, folder))
      assert.deepEqual(manifest.missingBlobs, [])
      assert.equal((await blobFiles(folder)).length, manifest.blobs, 'blobs that nothing names are left out')
      await checkBackup({ folder, progress })
    }
  } finally {
    isOver = true
    await Promise.all([removing, adding])
  }
  assert.ok(removed > 10, `${removed} tasks were removed meanwhile`)
})

test('a restored folder has everything, with keys and files of engines; links into the old folder are removed', async context => {
  const { root, dataDir } = await newFolder(context)
  const first = await openSqliteStore({ directory: dataDir, secretKey })
  await fillStore(first, await openFileStore({ directory: dataDir }), 5)
  await mkdir(join(dataDir, 'engines/search'), { recursive: true })
  const index = new DatabaseSync(join(dataDir, 'engines/search/index.db'))
  index.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('in the log')`)
  await writeFile(join(dataDir, 'engines/search/notes.txt'), 'notes')
  await writeFile(join(dataDir, 'secret.key'), 'the key', { mode: 0o644 })
  const folder = join(root, 'backup')
  const manifest = await backUp(options(dataDir, folder))
  assert.deepEqual(
    manifest.files.map(({ path }) => path),
    ['gateway.db', 'engines/search/index.db', 'engines/search/notes.txt', 'secret.key'],
  )
  const inode = async (at: string) => (await stat((await blobFiles(at))[0] ?? '')).ino
  assert.equal(await inode(folder), await inode(dataDir), 'blobs are hard links')
  for (const path of await filesOf(folder)) assert.equal((await stat(path)).mode & 0o077, 0, path)
  index.close()
  await first.close()

  const target = join(root, 'restored')
  await restore({ folder, progress, dataDir: target, blobsFolder: join(target, 'blobs') })
  assert.notEqual(await inode(target), await inode(folder))
  for (const path of await filesOf(target)) assert.equal((await stat(path)).mode & 0o077, 0, path)
  const [before, after] = [await contentsOf(dataDir), await contentsOf(target)]
  assert.deepEqual(after, before)
  assert.equal(await readFile(join(target, 'secret.key'), 'utf8'), 'the key')
  assert.equal(await readFile(join(target, 'engines/search/notes.txt'), 'utf8'), 'notes')
  const copy = new DatabaseSync(join(target, 'engines/search/index.db'))
  assert.equal(copy.prepare('SELECT a FROM t').get()?.a, 'in the log')
  copy.close()
  const store = await openSqliteStore({ directory: target, secretKey })
  assert.equal((await store.accounts.accounts())[0]?.webhookSecret, 'whsec')
  await store.close()
})

test('a folder that a killed process has left is backed up with the contents of its write-ahead log', async context => {
  const { root, dataDir } = await newFolder(context)
  const store = await openSqliteStore({ directory: dataDir, secretKey })
  await store.submit(newTask('task-1'))
  // Copies the database files with the write-ahead log, as a killed process would leave them.
  await mkdir(join(root, 'left'))
  for (const name of ['gateway.db', 'gateway.db-wal']) await writeFile(join(root, 'left', name), await readFile(join(dataDir, name)))
  await store.close()
  const folder = join(root, 'backup')
  await backUp(options(join(root, 'left'), folder))
  const target = join(root, 'restored')
  await restore({ folder, progress, dataDir: target, blobsFolder: join(target, 'blobs') })
  assert.equal((await tasksOf(target)).length, 1)
})

test('a backup is refused when files of engines or blobs cannot be read, and is complete when there are none', async context => {
  for (const place of ['engines', 'blobs/00']) {
    const { root, dataDir } = await newFolder(context)
    const store = await openSqliteStore({ directory: dataDir, secretKey })
    await openFileStore({ directory: dataDir })
    await store.close()
    await rm(join(dataDir, place), { recursive: true, force: true })
    await backUp(options(dataDir, join(root, 'without')))
    await writeFile(join(dataDir, place), 'a file where a folder is expected')
    await assert.rejects(backUp(options(dataDir, join(root, 'backup'))), { code: 'ENOTDIR' })
    await assert.rejects(checkBackup({ folder: join(root, 'backup'), progress }))
  }
})

test('an interrupted backup or restore is neither used nor mixed with another, and can be continued', async context => {
  const { root, dataDir } = await newFolder(context)
  const store = await openSqliteStore({ directory: dataDir, secretKey })
  await fillStore(store, await openFileStore({ directory: dataDir }), 3)
  const folder = join(root, 'backup')
  const stops = { show: () => assert.fail('stopped'), clear: () => {} }
  await assert.rejects(backUp({ ...options(dataDir, folder), progress: stops }), /stopped/)
  await assert.rejects(checkBackup({ folder, progress }), { message: /backup into .* has not ended/ })
  await backUp(options(dataDir, folder))
  await assert.rejects(backUp(options(dataDir, folder)), { code: 'conflict', message: /is not empty/ })
  await assert.rejects(backUp(options(dataDir, join(dataDir, 'backup'))), { code: 'invalid_request', message: /is inside/ })
  await store.close()

  const target = join(root, 'restored')
  let shown = 0
  // Stops the restore when it shows its second blob. The check before the restore shows no lines
  // that begin with `blobs`.
  const later = { show: (text: string) => assert.ok(!/^blobs/.test(text) || ++shown < 2, 'stopped'), clear: () => {} }
  const restoring = { folder, progress, dataDir: target, blobsFolder: join(target, 'blobs') }
  await assert.rejects(restore({ ...restoring, progress: later }), /stopped/)
  await assert.rejects(openSqliteStore({ directory: target, secretKey }), {
    code: 'store_unavailable',
    message: /restore into .* has not ended/,
  })
  await restore(restoring)
  assert.equal((await tasksOf(target)).length, 7)
  await assert.rejects(restore(restoring), { code: 'conflict', message: /is not empty/ })
})

test('a damaged backup is refused before anything is written', async context => {
  const { root, dataDir } = await newFolder(context)
  const store = await openSqliteStore({ directory: dataDir, secretKey })
  await fillStore(store, await openFileStore({ directory: dataDir }), 3)
  await store.close()
  const folder = join(root, 'backup')
  await backUp(options(dataDir, folder))
  const manifest = await readFile(join(folder, 'backup.json'), 'utf8')
  const target = join(root, 'restored')
  const refused = (message: RegExp) =>
    assert.rejects(restore({ folder, progress, dataDir: target, blobsFolder: join(target, 'blobs') }), { code: 'invalid_request', message })
  for (const [text, message] of [
    ['{', /no JSON/],
    ['{"format":2}', /has format 2/],
    ['{"format":1}', /is damaged/],
    [manifest.replace('"gateway.db"', '"../gateway.db"'), /is damaged/],
  ] as const) {
    await writeFile(join(folder, 'backup.json'), text)
    await refused(message)
  }
  await writeFile(join(folder, 'backup.json'), manifest)
  const [blob = ''] = await blobFiles(folder)
  const whole = await readFile(blob)
  // The blob is a hard link to the file in the data folder, so it is replaced by a new file instead
  // of being changed.
  await rm(blob)
  await refused(/lacks 1 blobs that rows name/)
  await writeFile(blob, whole.subarray(1))
  await refused(/has them damaged/)
  await writeFile(blob, whole)
  const database = await readFile(join(folder, 'gateway.db'))
  database[5_000] = (database[5_000] ?? 0) ^ 1
  await writeFile(join(folder, 'gateway.db'), database)
  await refused(/gateway.db is damaged: it has another SHA-256/)
  await assert.rejects(stat(target), { code: 'ENOENT' })
})

async function newFolder(context: TestContext): Promise<{ root: string; dataDir: string }> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-backup-'))
  context.after(() => rm(root, { recursive: true }))
  return { root, dataDir: join(root, 'data') }
}

function options(dataDir: string, folder: string) {
  return { dataDir, blobsFolder: join(dataDir, 'blobs'), folder, program: '1', progress }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

async function blobFiles(folder: string): Promise<string[]> {
  return (await filesOf(join(folder, 'blobs'))).filter(path => /[0-9a-f]{62}$/.test(path)).sort()
}

/** Returns every row of every table. */
async function contentsOf(dataDir: string): Promise<Record<string, unknown>> {
  const database = new DatabaseSync(join(dataDir, 'gateway.db'), { readOnly: true })
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).all()
  const contents = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()])
  database.close()
  return Object.fromEntries(contents)
}

async function tasksOf(directory: string): Promise<Awaited<ReturnType<SqlStore['list']>>> {
  const store = await openSqliteStore({ directory, secretKey })
  return store.list({ limit: 100 }).finally(() => store.close())
}
