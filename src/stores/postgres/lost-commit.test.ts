import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Hold } from '../../core/records/ledger.ts'
import type { SqlStore } from '../sql/store.ts'
import { accessKey, callRecord, minute, newTask, startedAt } from '../suite/samples.ts'
import { openPostgresStore } from './open.ts'
import { type PostgresProxy, startProxy } from './testing/proxy.ts'
import { queryOnce } from './testing/query-once.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'
import type { PostgresTimes } from './times.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

describe('a commit whose answer was lost', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  for (const where of ['before-commit', 'after-commit'] as const)
    test(`is detected and answered once (${where})`, async context => {
      const { store, proxy, url } = await openBehindProxy(context, server)
      const signals: StoreSignal[] = []
      store.subscribe(signal => signals.push(signal))
      proxy.cutNextCommit(where)
      const outcomes = await Promise.all([store.submit(newTask('task-1')), store.recordCalls([callRecord('req-1')])])
      assert.deepEqual(outcomes[0], { outcome: 'created', taskId: 'task-1' })
      assert.equal(proxy.cuts(), 1)
      assert.equal((await store.calls({ from: 0, to: startedAt + 1, limit: 10 })).length, 1)
      assert.deepEqual(await queryOnce(url, 'SELECT count(*)::int AS tasks FROM tasks'), [{ tasks: 1 }])
      assert.deepEqual(signals, [{ kind: 'job', queue: 'studio' }])
      assert.deepEqual(await store.submit(newTask('task-2')), { outcome: 'created', taskId: 'task-2' })
    })

  test('is detected when it is not even known whether its connection had begun the transaction', async context => {
    const { store, proxy, url } = await openBehindProxy(context, server)
    // This lock makes the statements of the batch wait in the server until the connection has been
    // cut.
    const other = await connected(context, url)
    await other.query('BEGIN')
    await other.query('SELECT pg_advisory_xact_lock(7264001)')
    const submitted = store.submit(newTask('task-1'))
    await until(async () => (await queryOnce(url, waiting)).length === 1, 'the wait for the lock')
    proxy.cutAll(false)
    await sleep(50)
    await other.query('COMMIT')
    assert.deepEqual(await submitted, { outcome: 'created', taskId: 'task-1' })
    await until(async () => (await queryOnce(url, waiting)).length === 0, 'the end of the first transaction')
    assert.deepEqual(await queryOnce(url, 'SELECT count(*)::int AS tasks FROM tasks'), [{ tasks: 1 }])
  })

  test('fails its callers after a while, never counts a call twice, and keeps no hold of a refused call', async context => {
    const { store, proxy } = await openBehindProxy(context, server, { doubtMs: 5_000 })
    await store.heartbeat('node-1', startedAt, minute)
    const hold: Hold = { lines: [{ unit: 'images', units: 3, costMicros: 0 }], quotas: [quota] }
    proxy.cutNextCommit('after-commit', { isLast: true })
    const early = store.submit(newTask('task-1'))
    const work = Promise.allSettled([
      early,
      store.reserve(callRecord('req-1', { holdId: 'req-1' }), hold),
      store.recordCalls([callRecord('req-2')]),
    ])
    await until(() => proxy.cuts() === 1, 'the cut')
    let isEarlyOver = false
    early
      .catch(() => {})
      .finally(() => {
        isEarlyOver = true
      })
    await assert.rejects(store.submit(newTask('task-2')), { code: 'store_unavailable' })
    assert.equal(isEarlyOver, false, 'later writes are refused at once')
    await assert.rejects(early, { code: 'store_unavailable' })
    proxy.cutAll(false)
    const [submitted, reserved, recorded] = await work
    assert.equal(submitted.status === 'rejected' && submitted.reason.code, 'store_unavailable')
    assert.equal(reserved.status === 'rejected' && reserved.reason.code, 'store_unavailable')
    assert.equal(recorded.status, 'fulfilled')
    assert.equal((await store.calls({ from: 0, to: startedAt + 1, limit: 10 })).length, 1)
    await until(async () => (await store.quotaCounts([quota]))[0]?.held === 0, 'the end of the hold')
  })

  // In the following tests the caller of `recordCalls` waits until the outcome of the commit is
  // known, while the other callers are refused after `doubtMs`.

  test('leaves no task running that its caller cannot find again', async context => {
    const { store, proxy } = await openBehindProxy(context, server, { doubtMs: 0 })
    const idempotency = { key: 'k', bodySha256: 'b', expiresAt: startedAt + minute }
    proxy.cutNextCommit('after-commit', { isLast: true })
    const recorded = store.recordCalls([callRecord('req-1')])
    const refused = Promise.allSettled([
      store.submit(newTask('plain')),
      store.submit(newTask('with-key', { idempotency })),
      store.submit(newTask('with-reference', { clientReference: 'r' })),
    ])
    for (const outcome of await refused) assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'store_unavailable')
    proxy.cutAll(false)
    await recorded
    await until(async () => (await stateOf(store, 'plain')) === 'cancelled', 'the cancellation')
    assert.equal(await stateOf(store, 'with-reference'), 'queued')
    assert.deepEqual(await store.submit(newTask('again', { idempotency })), { outcome: 'replayed', taskId: 'with-key' })
    assert.equal(await stateOf(store, 'with-key'), 'queued')
  })

  test('is undone for refused callers even when the database refuses this at first', async context => {
    const { store, proxy, url } = await openBehindProxy(context, server, { doubtMs: 0, lockMs: 1_000 })
    const hold: Hold = { lines: [{ unit: 'images', units: 3, costMicros: 0 }], quotas: [quota] }
    proxy.cutNextCommit('after-commit', { isLast: true })
    const recorded = store.recordCalls([callRecord('req-1')])
    const refused = Promise.allSettled([store.reserve(callRecord('req-2'), hold), store.submit(newTask('task-1'))])
    for (const outcome of await refused) assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'store_unavailable')
    const other = await connected(context, url)
    await other.query('BEGIN')
    await other.query('SELECT FROM call_holds FOR UPDATE')
    proxy.cutAll(false)
    await recorded
    await until(async () => (await queryOnce(url, waiting)).length === 1, 'the wait for the row of the hold')
    await until(async () => (await queryOnce(url, waiting)).length === 0, 'the end of this wait by its limit')
    await other.query('COMMIT')
    await until(async () => (await store.quotaCounts([quota]))[0]?.held === 0, 'the end of the hold')
    await until(async () => (await stateOf(store, 'task-1')) === 'cancelled', 'the cancellation')
  })

  test("clears this node's cache of accounts and keys, although the caller was refused", async context => {
    const { store, proxy, url } = await openBehindProxy(context, server, { doubtMs: 0 })
    await store.accounts.putKey(accessKey('key-1'))
    const before = store.accounts.revision()
    const secretsBefore = store.secrets.revision()
    proxy.cutNextCommit('after-commit', { isLast: true })
    const recorded = store.recordCalls([callRecord('req-1')])
    const revoked = store.accounts.putKey(accessKey('key-1', { revokedAt: startedAt }))
    await assert.rejects(revoked, { code: 'store_unavailable' })
    // With this lock the node cannot read the number of changes of the database.
    const other = await connected(context, url)
    await other.query('BEGIN')
    await other.query('LOCK TABLE meta IN ACCESS EXCLUSIVE MODE')
    proxy.cutAll(false)
    await recorded
    assert.ok(store.accounts.revision() > before)
    assert.ok(store.secrets.revision() > secretsBefore)
    await other.query('COMMIT')
    assert.equal((await store.accounts.key('key-1'))?.revokedAt, startedAt)
  })

  test('is lost for good when the server is killed, and is written again', async context => {
    const own = await startPostgres({ version: 18, isDurable: true })
    context.after(() => own.stop())
    const { store, proxy, url } = await openBehindProxy(context, own)
    // The proxy lets no connection through before the server is back. Otherwise the store might
    // find out in time that the commit is lost, write the task again, and get an error from the
    // dying server.
    proxy.cutNextCommit('before-commit', { isLast: true })
    const submitted = store.submit(newTask('task-1'))
    await until(() => proxy.cuts() === 1, 'the cut')
    await own.kill()
    await own.restart()
    proxy.cutAll(false)
    assert.deepEqual(await submitted, { outcome: 'created', taskId: 'task-1' })
    assert.deepEqual(await queryOnce(url, 'SELECT count(*)::int AS tasks FROM tasks'), [{ tasks: 1 }])
  })
})

const quota = {
  id: 'images-5',
  subject: { kind: 'key' as const, id: 'key-1' },
  unit: 'images' as const,
  window: 'day' as const,
  startsAt: startedAt,
  endsAt: startedAt + 1_000 * minute,
  atMost: 5,
}
const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`

async function openBehindProxy(
  context: TestContext,
  server: PostgresServer,
  times: Partial<PostgresTimes> = { doubtMs: 60_000 },
): Promise<{ store: SqlStore; proxy: PostgresProxy; url: string }> {
  const url = await server.database()
  const proxy = await startProxy(url)
  const store = await openPostgresStore({ url: proxy.url, secretKey, times })
  context.after(async () => {
    await store.close()
    await proxy.stop()
  })
  return { store, proxy, url }
}

async function stateOf(store: SqlStore, taskId: string): Promise<string | undefined> {
  return (await store.get(taskId))?.state
}

async function connected(context: TestContext, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  context.after(() => client.end())
  return client
}
