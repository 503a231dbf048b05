import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Hold } from '../../core/records/ledger.ts'
import type { SqlStore } from '../sql/store.ts'
import { callRecord, minute, newTask, startedAt, succeeded } from '../suite/samples.ts'
import { openPostgresStore } from './open.ts'
import { queryOnce } from './testing/query-once.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

describe('two nodes on one database', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('a signal of one node reaches the other', async context => {
    const [one, other] = await openNodes(context, server)
    const heard = listen(other)
    await one.heartbeat('node-1', startedAt, minute)
    await one.submit(newTask('task-1'))
    const [claim] = await one.claim('studio', 'node-1', 1, startedAt)
    assert.ok(claim)
    await one.settle('task-1', claim.token, succeeded())
    await until(() => heard.some(signal => signal.kind === 'task' && signal.state === 'succeeded'), 'the end of the task')
    assert.ok(heard.some(signal => signal.kind === 'job' && signal.queue === 'studio'))
    assert.equal((await other.get('task-1'))?.state, 'succeeded')
  })

  for (const isCut of [false, true])
    test(`a changed endpoint and a cancellation reach the other node${isCut ? ' right after notifications were cut off' : ''}`, async context => {
      const [one, other] = await openNodes(context, server)
      await other.heartbeat('node-2', startedAt, minute)
      await one.submit(newTask('task-1'))
      assert.equal((await other.claim('studio', 'node-2', 1, startedAt)).length, 1)
      const heard = listen(other)
      if (isCut) await cutListeners(one.url)
      const before = other.accounts.revision()
      const ownBefore = one.accounts.revision()
      const start = performance.now()
      await one.accounts.putEndpoint({ accountId: 'account-1', name: 'e', routes: { '*': {} }, source: 'admin', createdAt: startedAt })
      await one.cancel('task-1', startedAt)
      await until(() => other.accounts.revision() > before, 'a new revision')
      await until(() => heard.some(signal => signal.kind === 'cancel' && signal.taskId === 'task-1'), 'the cancel')
      assert.ok(performance.now() - start < 10_000)
      assert.equal((await other.accounts.endpoint('account-1', 'e'))?.name, 'e')
      await sleep(2_500)
      assert.equal(one.accounts.revision(), ownBefore + 1, 'the own write is counted once')
    })

  for (const isolation of ['read committed', 'repeatable read', 'serializable'])
    test(`quotas and limits are exact over both nodes, however many requests come at once, in a database that is ${isolation}`, async context => {
      const nodes = await openNodes(context, server, `SET default_transaction_isolation = '${isolation}'`)
      const quota = { subject: { kind: 'key' as const, id: 'key-1' }, unit: 'images' as const, window: 'day' as const }
      const times = { startsAt: startedAt, endsAt: startedAt + 1_000 * minute }
      const quotas: Hold['quotas'] = [50, 70].map(atMost => ({ id: `images-${atMost}`, ...quota, ...times, atMost }))
      const hold: Hold = { lines: [{ unit: 'images', units: 1, costMicros: 0 }], quotas }
      const outcomes = await Promise.all(
        Array.from({ length: 120 }, (_, index) =>
          nodes[index % 2]?.submit(newTask(`task-${String(index).padStart(3, '0')}`, { hold: index % 3 === 0 ? hold : reversed(hold) })),
        ),
      )
      assert.equal(outcomes.filter(outcome => outcome?.outcome === 'created').length, 50)
      assert.equal(outcomes.filter(outcome => outcome?.outcome === 'over-quota').length, 70)
      assert.deepEqual(await nodes[1].quotaCounts(quotas), [
        { used: 0, held: 50 },
        { used: 0, held: 50 },
      ])
      // The limit is checked by counting jobs, not by a counter, so no two transactions write the
      // same row.
      const limited = { keyId: 'key-2', concurrencyLimit: 3 }
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => sleep(index).then(() => nodes[index % 2]?.submit(newTask(`parked-${index}`, limited)))),
      )
      const { queues } = await nodes[0].stats()
      assert.deepEqual(
        queues.map(({ ready, parked }) => ({ ready, parked })),
        [{ ready: 53, parked: 57 }],
      )
    })

  test('calls of a dead node are counted by the other, once its heartbeats are missing', async context => {
    const [one, other] = await openNodes(context, server)
    await one.heartbeat('node-1', startedAt, 15_000)
    const lines = [{ unit: 'output_tokens' as const, units: 300, costMicros: 30 }]
    await one.reserve(callRecord('req-1', { holdId: 'req-1' }), { lines, quotas: [] })
    await other.requeueDead(startedAt + 14_000)
    assert.deepEqual(await other.calls({ from: 0, to: startedAt + 1, limit: 10 }), [])
    await other.requeueDead(startedAt + 16_000)
    await other.requeueDead(startedAt + 17_000)
    const calls = await other.calls({ from: 0, to: startedAt + 1, limit: 10 })
    assert.deepEqual(
      calls.map(({ requestId, units, isEstimated }) => [requestId, units, isEstimated]),
      [['req-1', lines, true]],
    )
    // The node was not dead but only suspended. The record that it writes itself now replaces the
    // record that another node wrote for it.
    const used = [{ unit: 'output_tokens' as const, units: 120, costMicros: 12 }]
    await one.recordCalls([callRecord('req-1', { holdId: 'req-1', units: used })])
    assert.equal(await one.heartbeat('node-1', startedAt + 18_000, 15_000), false)
    const corrected = await other.calls({ from: 0, to: startedAt + 1, limit: 10 })
    assert.deepEqual(
      corrected.map(({ requestId, units }) => [requestId, units]),
      [['req-1', used]],
    )
    const totals = await other.usage({ from: startedAt, to: startedAt + 1 })
    assert.deepEqual(
      totals.map(({ unit, units, costMicros }) => [unit, units, costMicros]),
      [
        ['output_tokens', 120, 12],
        ['requests', 1, 0],
      ],
    )
  })

  test('a killed server loses nothing that was acknowledged, and both nodes recover by themselves', async context => {
    const [one, other] = await openNodes(context, server)
    const acknowledged: string[] = []
    let isOver = false
    const submitting = [one, other].map(async (node, lane) => {
      for (let count = 0; !isOver; count++) {
        const id = `task-${lane}-${String(count).padStart(5, '0')}`
        try {
          await node.submit(newTask(id))
          acknowledged.push(id)
        } catch (error) {
          assert.ok(error instanceof GatewayError && error.code === 'store_unavailable', String(error))
          await sleep(20)
        }
      }
    })
    await until(() => acknowledged.length > 50, 'the first submits')
    await server.kill()
    await assert.rejects(one.submit(newTask('task-lost')), { code: 'store_unavailable' })
    await assert.rejects(one.get('task-0-00001'), { code: 'store_unavailable' })
    await server.restart()
    const back = performance.now()
    const [first, second] = [0, 1].map(lane => acknowledged.filter(id => id.startsWith(`task-${lane}-`)).length)
    await until(
      () => [0, 1].every(lane => acknowledged.filter(id => id.startsWith(`task-${lane}-`)).length > (lane === 0 ? first : second)!),
      'submits on both',
    )
    assert.ok(performance.now() - back < 15_000)
    isOver = true
    await Promise.all(submitting)
    for (const id of acknowledged) assert.equal((await other.get(id))?.id, id)
    const heard = listen(other)
    await until(async () => {
      await one.submit(newTask(`task-again-${performance.now()}`))
      return heard.some(({ kind }) => kind === 'job')
    }, 'notifications after the restart')
  })
})

type Node = SqlStore & { url: string }

/** Opens two nodes on one new database. `setting` is a setting of this database:
 *  `SET name = value`. */
async function openNodes(context: TestContext, server: PostgresServer, setting?: string): Promise<[Node, Node]> {
  const url = await server.database()
  if (setting !== undefined) await queryOnce(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} ${setting}`)
  const open = async (nodeName: string): Promise<Node> => {
    const store = await openPostgresStore({ url, secretKey, nodeName })
    context.after(() => store.close())
    return Object.assign(store, { url })
  }
  return [await open('one'), await open('other')]
}

function listen(store: SqlStore): StoreSignal[] {
  const heard: StoreSignal[] = []
  store.subscribe(signal => heard.push(signal))
  return heard
}

function reversed(hold: Hold): Hold {
  return { ...hold, quotas: hold.quotas.toReversed() }
}

/** Closes the connections on which nodes receive notifications. The nodes open them again after
 *  a second. */
async function cutListeners(url: string): Promise<void> {
  await queryOnce(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% listens'`)
}
