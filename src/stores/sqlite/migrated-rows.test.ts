/** Rows that an older version has written come out right: each test writes them as that version did, and reads them through the store of today. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { claimOne, startedAt } from '../suite-samples.ts'
import { loadMigrations, migrate } from './migrations.ts'
import { openSqliteStore } from './open.ts'
import type { SqliteStore } from './store.ts'

const shipped = loadMigrations(fileURLToPath(new URL('./migrations/', import.meta.url)))

/** The store on a database that had the schema `version` when `sql` wrote into it. */
async function openAfter(context: TestContext, version: number, sql: string): Promise<SqliteStore> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  const database = new DatabaseSync(join(directory, 'gateway.db'))
  migrate(database, shipped.slice(0, version))
  database.exec(sql)
  database.close()
  const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), clock: { now: () => startedAt } })
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  return store
}

const artifact = (id: string, role: string, mediaType: string) =>
  `{"id":"${id}","kind":"input","role":"${role}","index":0,"mediaType":"${mediaType}","bytes":3,"sha256":"s"}`

function insertTask(id: string, request: string, inputs: string | null): string {
  const columns =
    'id, account_id, key_id, endpoint, family, capability, model, state, request, inputs, public_url, created_at, deadline_at, expires_at'
  const times = `${startedAt}, ${startedAt + 1_000}, ${startedAt + 2_000}`
  const quoted = inputs === null ? 'NULL' : `'${inputs}'`
  return `INSERT INTO tasks (${columns}) VALUES ('${id}', 'a', 'k', 'e', 'F1', 'image.generate', 'm', 'queued', '${request}', ${quoted}, 'http://g', ${times});
    INSERT INTO jobs (task_id, queue, account_id, key_id, state, run_at, deadline_at) VALUES ('${id}', 'studio', 'a', 'k', 'ready', ${startedAt}, ${startedAt + 1_000});`
}

test('0007: a large request is apart from the inputs of its task, a small one and its files stay', async context => {
  const file = artifact('file-1', 'image', 'image/png')
  const request = artifact('request-1', 'request', 'application/json')
  const store = await openAfter(
    context,
    6,
    [
      insertTask('both', '{"$blob":"request-1"}', `[${file},${request}]`),
      insertTask('large', '{"$blob":"request-1"}', `[${request}]`),
      insertTask('small', '{"prompt":"x"}', `[${file}]`),
    ].join('\n'),
  )
  const idsOf = async (id: string) => (await store.get(id))?.artifacts.map(each => each.id)
  assert.deepEqual(await store.request('both'), { blobId: 'request-1' })
  assert.deepEqual(await idsOf('both'), ['file-1'])
  assert.deepEqual([await store.request('large'), await idsOf('large')], [{ blobId: 'request-1' }, []])
  assert.deepEqual([await store.request('small'), await idsOf('small')], [{ inline: { prompt: 'x' } }, ['file-1']])
  assert.deepEqual((await claimOne(store)).request, { blobId: 'request-1' })
})
