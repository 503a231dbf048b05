/** The commands of an operator, and the access keys of a database that several nodes share. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import { adminOperations } from '../../http/admin/admin-operations.ts'
import { openPostgresStore } from '../../stores/postgres/open.ts'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import type { SqlStore } from '../../stores/sql/store.ts'
import { accessKey } from '../../stores/suite/samples.ts'
import { type TestGateway, testAdminKey, testKey } from '../../testing/gateway.ts'
import { endOfCommand } from '../../testing/program.ts'
import { startTestNodes, type TestNodes } from '../../testing/stores/nodes.ts'

const { skip } = needPostgres(18)
const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`

describe('keys of several nodes', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test("an operator's commands with another GATEWAY_ACCESS_KEY leave the key of the nodes valid", async context => {
    const { one, command } = await oneNode(context)
    const listed = await command(['keys', 'list', '--json'], { GATEWAY_ACCESS_KEY: 'sk-of-the-operators-shell' })
    assert.deepEqual([listed.code, listed.error], [0, ''])
    const { keys } = JSON.parse(listed.out)
    assert.deepEqual(
      keys.map((key: { name: string; revokedAt?: number }) => [key.name, key.revokedAt]),
      [['GATEWAY_ACCESS_KEY', undefined]],
    )
    assert.equal((await one.call('/v1/models')).status, 200)
  })

  test('commands create no key when the operator has revoked all of them', async context => {
    const { one, command } = await oneNode(context)
    const [key] = (await one.admin('/admin/keys')).body.keys
    assert.equal((await command(['keys', 'revoke', key.id])).code, 0)
    const listed = await command(['keys', 'list', '--json'])
    assert.deepEqual([listed.code, listed.error], [0, ''])
    assert.equal(JSON.parse(listed.out).keys.length, 1)
    await until(async () => (await one.call('/v1/models', { key: testKey })).status === 401, 'the revocation')
  })

  test('a command on a new database creates the default account with its first key', async context => {
    const { command } = await started(context, 0)
    const made = await command(['keys', 'create', 'ci', '--json'])
    assert.equal(made.code, 0, made.error)
    assert.match(made.error, /First start\. Access key of the default account: sk-/)
    assert.equal(JSON.parse(made.out).key.accountId, 'default')
  })

  test('new limits of a key do not undo a simultaneous revocation by another node', async context => {
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

  async function oneNode(context: TestContext): Promise<{ one: TestGateway; command: Command }> {
    const { nodes, command } = await started(context, 1)
    const [one] = nodes
    assert.ok(one)
    return { one, command }
  }

  async function started(context: TestContext, count: number): Promise<TestNodes & { command: Command }> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-operator-'))
    context.after(() => rm(dataDir, { recursive: true }))
    const opened = await startTestNodes(count, { server })
    context.after(() => opened[Symbol.asyncDispose]())
    const env = { ...opened.envOf('operator'), GATEWAY_ADMIN_KEY: testAdminKey, GATEWAY_DATA_DIR: dataDir }
    return { ...opened, command: (args, more) => endOfCommand(args, { env: { ...env, ...more } }) }
  }
})

/** Runs a command of an operator on the database of the nodes, with its own data folder. */
type Command = (args: string[], more?: Record<string, string>) => ReturnType<typeof endOfCommand>

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
