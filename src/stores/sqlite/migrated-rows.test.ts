/** Tests that rows which an older version has written are read correctly: each test writes rows
 *  in the way of that version, and reads them through the present store. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadMigrations } from '../sql/migrations.ts'
import type { SqlStore } from '../sql/store.ts'
import { callRecord, claimOne, day, startedAt } from '../suite/samples.ts'
import { migrate } from './migrations.ts'
import { openSqliteStore } from './open.ts'

const shipped = loadMigrations(fileURLToPath(new URL('./migrations/', import.meta.url)))

/** Opens the store on a database that had the schema `version` when `sql` wrote into it. */
async function openAfter(context: TestContext, version: number, sql: string): Promise<SqlStore> {
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

test('0007: a large request is separated from the inputs of its task; a small one and its files stay', async context => {
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

test('0008: tokens and costs of a call become units, 0 becomes none, and new records join the old ones', async context => {
  const columns = [
    'id, at, source_id, request_id, status, ms, estimated, input_tokens, output_tokens, cached_input_tokens, reasoning_tokens',
    'input_cost_micros, cached_input_cost_micros, output_cost_micros',
  ].join(', ')
  const sql = `INSERT INTO call_sources VALUES (7, 'account-1', 'key-1', 'default', 'chat.create', 'acme-eu', 'model-1');
    INSERT INTO calls (${columns}) VALUES
      (1, ${startedAt}, 7, 'req-1', 200, 412, 0, 100, 20, 60, 5, 40, 30, 200),
      (2, ${startedAt}, 7, 'req-2', 499, 3, 1, 7, 0, 0, 0, 0, 0, 0),
      (5, ${startedAt}, 7, 'req-3', 200, 412, 0, 0, 0, 0, 0, 0, 0, 0);`
  const store = await openAfter(context, 7, sql)
  const fresh = callRecord('req-4')
  await store.recordCalls([fresh])
  assert.deepEqual(await store.calls({ from: 0, to: startedAt + 1, limit: 10 }), [
    fresh,
    callRecord('req-3', { units: [] }),
    callRecord('req-2', { status: 499, ms: 3, isEstimated: true, units: [{ unit: 'input_tokens', units: 7, costMicros: 0 }] }),
    callRecord('req-1', {
      units: [
        { unit: 'input_tokens', units: 100, costMicros: 40 },
        { unit: 'cached_input_tokens', units: 60, costMicros: 30 },
        { unit: 'output_tokens', units: 20, costMicros: 200 },
        { unit: 'reasoning_tokens', units: 5, costMicros: 0 },
      ],
    }),
  ])
  await store.sweep(startedAt + 91 * day, 10)
  assert.deepEqual(await store.calls({ from: 0, to: startedAt + 1, limit: 10 }), [])
})

test('0008: a call that was in progress when an older version was killed counts as the amount held for it', async context => {
  const hold = JSON.stringify({ lines: [{ unit: 'output_tokens', units: 300, costMicros: 3_000 }], quotas: [] })
  const { units: _, ...facts } = callRecord('req-1')
  const record = JSON.stringify({ ...facts, inputTokens: 0, outputTokens: 0, inputCostMicros: 0, holdId: 'req-1' })
  const sql = `INSERT INTO call_holds (id, hold, at, record) VALUES ('req-1', '${hold}', ${startedAt}, '${record}')`
  const store = await openAfter(context, 7, sql)
  assert.deepEqual(await store.calls({ from: 0, to: startedAt + 1, limit: 10 }), [
    callRecord('req-1', { isEstimated: true, units: [{ unit: 'output_tokens', units: 300, costMicros: 3_000 }] }),
  ])
})

test('0017: a waiting webhook gets the account of its task', async context => {
  const sql = `${insertTask('task-1', '{}', null)}
    UPDATE tasks SET webhook_url = 'http://receiver.test/hook';
    INSERT INTO outbox (id, task_id, state, run_at) VALUES ('wh_task-1', 'task-1', 'due', ${startedAt});`
  const store = await openAfter(context, 16, sql)
  await store.heartbeat('node-1', startedAt, 1_000)
  const [delivery] = await store.outbox.claim('node-1', 1, startedAt)
  assert.deepEqual([delivery?.id, delivery?.accountId], ['wh_task-1', 'a'])
})
