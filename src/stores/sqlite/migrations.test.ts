import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadMigrations } from '../sql/migrations.ts'
import { newTask } from '../suite/samples.ts'
import { migrate } from './migrations.ts'
import { openSqliteStore } from './open.ts'

const secretKey = Buffer.alloc(32, 7)
const shippedFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

test('a data directory with an older schema is migrated with its rows', async context => {
  const directory = await temporaryDirectory(context)
  const store = await openSqliteStore({ directory, secretKey })
  await store.submit(newTask('task-1'))
  await store.close()

  const folder = await folderWith(context, 'ALTER TABLE tasks ADD COLUMN note TEXT; UPDATE tasks SET note = model;')
  const database = new DatabaseSync(join(directory, 'gateway.db'))
  const before = version(database)
  assert.deepEqual(migrate(database, loadMigrations(folder)), { from: before, to: before + 1 })
  assert.equal(version(database), before + 1)
  assert.equal(database.prepare('SELECT note FROM tasks').get()?.note, 'model-1')
  assert.deepEqual(migrate(database, loadMigrations(folder)), { from: before + 1, to: before + 1 })
  database.close()
})

test('a database newer than the program is refused and stays unchanged', async context => {
  const directory = await temporaryDirectory(context)
  await (await openSqliteStore({ directory, secretKey })).close()
  const database = new DatabaseSync(join(directory, 'gateway.db'))
  database.exec(`PRAGMA user_version = 99; UPDATE meta SET value = '98' WHERE name = 'compatible_from'`)
  database.close()
  const refusal = { code: 'store_unavailable', message: /schema version 99.*up to \d+/ }
  await assert.rejects(openSqliteStore({ directory, secretKey }), refusal)
  await assert.rejects(openSqliteStore({ directory, secretKey }), refusal)
})

test('a failing migration changes nothing, and undoes the migrations before it', async context => {
  const folder = await folderWith(context, 'CREATE TABLE extra (id TEXT); INSERT INTO missing VALUES (1);')
  const database = new DatabaseSync(':memory:')
  assert.throws(() => migrate(database, loadMigrations(folder)), /missing/)
  assert.equal(version(database), 0)
  assert.deepEqual(database.prepare('SELECT name FROM sqlite_schema').all(), [])
  assert.equal(database.isTransaction, false)
  database.close()
})

test('migrations are numbered without gaps', async context => {
  const folder = await folderWith(context, 'SELECT 1;')
  await writeFile(join(folder, '9999-too-far.sql'), 'SELECT 1;')
  assert.throws(() => loadMigrations(folder), { code: 'internal_error', message: /9999-too-far should be number/ })
})

/** Returns a folder with the shipped migrations and one more. */
async function folderWith(context: TestContext, sql: string): Promise<string> {
  const folder = await temporaryDirectory(context)
  await cp(shippedFolder, folder, { recursive: true })
  const next = String(loadMigrations(folder).length + 1).padStart(4, '0')
  await writeFile(join(folder, `${next}-next.sql`), sql)
  return folder
}

function version(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  context.after(() => rm(directory, { recursive: true }))
  return directory
}
