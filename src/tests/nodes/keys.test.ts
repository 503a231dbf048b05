/** What operators do to keys of a database that several nodes share. */
import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import { adminOperations } from '../../http/admin/admin-operations.ts'
import { openPostgresStore } from '../../stores/postgres/open.ts'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import type { SqlStore } from '../../stores/sql/store.ts'
import { accessKey } from '../../stores/suite/samples.ts'

const { skip } = needPostgres(18)
const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`

describe('keys of several nodes', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('new limits of a key do not bring it back when another node revokes it at the same time', async context => {
    const url = await server.database()
    const [one, other] = [await openStore(context, url), await openStore(context, url)]
    await one.accounts.putKey(accessKey('key-1'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    context.after(() => client.end())
    // Every write of a node waits for this lock. The nodes get it in the order of their requests.
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(7264001)')
    const untilWaiting = (count: number) => until(async () => (await queryOnce(url, waiting)).length === count, `${count} waiting writes`)
    const revoking = perform(one, 'keys revoke', { id: 'key-1' })
    await untilWaiting(1)
    const limiting = perform(other, 'keys limit', { id: 'key-1', rate_per_minute: 5, quotas: [] })
    await untilWaiting(2)
    await client.query('COMMIT')
    await Promise.all([revoking, limiting])
    const key = await one.accounts.key('key-1')
    assert.notEqual(key?.revokedAt, undefined)
    assert.deepEqual(key?.limits, { ratePerMinute: 5 })
  })
})

async function openStore(context: TestContext, url: string): Promise<SqlStore> {
  const store = await openPostgresStore({ url, secretKey: Buffer.alloc(32, 7) })
  context.after(() => store.close())
  return store
}

function perform(store: SqlStore, name: string, input: Record<string, unknown>): Promise<object> {
  const operation = adminOperations.find(each => each.name === name)
  assert.ok(operation)
  const unused = () => assert.fail('is not asked for')
  return operation.run({ store, requestOf: unused, clock: store.clock, catalogue: unused, familyIds: [] }, input)
}
