import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { newTask } from '../suite/samples.ts'
import { DatabaseClock, type NodeClocks } from './database-clock.ts'
import { openPostgresStore } from './open.ts'
import { startProxy } from './testing/proxy.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

test('a measured clock follows the database, whatever the network delay and the local clock', async () => {
  const clocks = { steadyMs: 1_000, wallMs: 5 }
  let wayMs = 40
  const clock = new DatabaseClock(
    async () => {
      clocks.steadyMs += wayMs / 4
      const time = 1_800_000_000_000 + clocks.steadyMs
      clocks.steadyMs += (wayMs * 3) / 4
      wayMs /= 2
      return time
    },
    { wall: () => clocks.wallMs + clocks.steadyMs, steady: () => clocks.steadyMs },
  )
  await clock.measure()
  const errorMs = () => Math.abs(clock.now() - (1_800_000_000_000 + clocks.steadyMs))
  assert.ok(errorMs() <= 2, `the best of several: wrong by ${errorMs()}`)
  wayMs = 4_000
  await clock.measure()
  assert.ok(errorMs() <= 2, 'a slow answer changes nothing')
  wayMs = 1
  await clock.measure()
  assert.ok(errorMs() <= 1)
})

describe('nodes with different clocks', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('agree about the time of the database', async context => {
    const early = await openNode(context, server, { aheadMs: -3_600_000 })
    const late = await openNode(context, server, { aheadMs: 86_400_000 })
    assert.ok(Math.abs(early.store.clock.now() - late.store.clock.now()) < 500)
    assert.ok(Number.isInteger(early.store.clock.now()))
  })

  test('accept no work after a jump until they have compared their clock again', async context => {
    const { store, proxy, clocks } = await openNode(context, server, { aheadMs: 0 })
    const now = store.clock.now()
    await store.heartbeat('node-1', now, 15_000)
    await store.submit(newTask('task-1', { createdAt: now, deadlineAt: now + 60_000 }))
    const [claim] = await store.claim('studio', 'node-1', 1, store.clock.now())
    assert.ok(claim)
    proxy.cutAll(true)
    clocks.aheadMs = 3_600_000
    assert.ok(store.clock.now() - now < 60_000, 'the jump is not felt')
    const refused = { code: 'store_unavailable', message: /clock of this node has jumped/ }
    assert.throws(() => store.assertWritable(), refused)
    await assert.rejects(store.heartbeat('node-1', now, 15_000), refused)
    await assert.rejects(store.claim('studio', 'node-1', 1, now), refused)
    await assert.rejects(store.submit(newTask('task-2')), refused)
    await assert.rejects(store.requeueDead(now), refused)
    proxy.cutAll(false)
    await until(() => isWritable(() => store.assertWritable()), 'the new measurement')
    assert.equal(await store.heartbeat('node-1', store.clock.now(), 15_000), true)
    assert.equal(await store.progress('task-1', claim.token, 50, store.clock.now()), true)
  })
})

async function openNode(context: TestContext, server: PostgresServer, clocks: { aheadMs: number }) {
  const proxy = await startProxy(await server.database())
  const nodeClocks: NodeClocks = { wall: () => Date.now() + clocks.aheadMs, steady: () => performance.now() }
  const store = await openPostgresStore({ url: proxy.url, secretKey, nodeClocks })
  context.after(async () => {
    await store.close()
    await proxy.stop()
  })
  return { store, proxy, clocks }
}

function isWritable(assertWritable: () => void): boolean {
  try {
    assertWritable()
    return true
  } catch {
    return false
  }
}
