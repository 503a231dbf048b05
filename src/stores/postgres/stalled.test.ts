import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newTask } from '../suite/samples.ts'
import { openPostgresStore } from './open.ts'
import { startProxy } from './testing/proxy.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'
import { startTimes, usualTimes } from './times.ts'
import { whileOthersWait } from './while-others-wait.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

describe('a node that is suspended in the middle of a transaction', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('delays the others only for a short while, and its own calls are written once', async context => {
    assert.ok(usualTimes.idleMs < usualTimes.lockMs && usualTimes.lockMs < usualTimes.statementMs && usualTimes.statementMs <= 15_000)
    const times = { idleMs: 700, lockMs: 20_000, answerMs: 30_000, statementMs: 25_000 }
    const url = await server.database()
    const proxy = await startProxy(url)
    const stopped = await openPostgresStore({ url: proxy.url, secretKey, times })
    const other = await openPostgresStore({ url, secretKey, times })
    context.after(async () => {
      await Promise.all([stopped.close(), other.close()])
      await proxy.stop()
    })
    const stalled = proxy.stallNextCommit()
    const submitted = stopped.submit(newTask('task-1'))
    await stalled
    const start = performance.now()
    assert.equal((await other.submit(newTask('task-2'))).outcome, 'created')
    assert.ok(performance.now() - start < 10_000, 'the lock was given back by the server')
    assert.equal(await other.get('task-1'), undefined)
    assert.deepEqual(await submitted, { outcome: 'created', taskId: 'task-1' })
    assert.equal((await other.get('task-1'))?.id, 'task-1')
  })

  test('every session has its own limits', async context => {
    const { url, store } = await openNode(context, server)
    await store.submit(newTask('task-1'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    context.after(() => client.end())
    await client.query('BEGIN')
    await client.query('LOCK TABLE tasks')
    const refused = { code: 'store_unavailable', message: 'The database does not answer.' }
    await assert.rejects(store.submit(newTask('task-2')), refused)
    await assert.rejects(store.get('task-1'), refused)
    await client.query('COMMIT')
    assert.equal((await store.get('task-1'))?.id, 'task-1')
    assert.equal((await store.submit(newTask('task-2'))).outcome, 'created')
  })
})

test('work at a start keeps its lock, however long it takes', { skip }, async context => {
  const server = await startPostgres({ version: 18 })
  context.after(() => server.stop())
  const options = { url: server.url, times: { ...startTimes, idleMs: 4_500 }, name: 'starts' }
  const steps: string[] = []
  let second: Promise<unknown> | undefined
  const first = whileOthersWait(options, async () => {
    steps.push('first begins')
    second = whileOthersWait(options, async () => steps.push('second'))
    await sleep(5_500)
    steps.push('first ends')
  })
  await first
  await second
  assert.deepEqual(steps, ['first begins', 'first ends', 'second'])
})

async function openNode(context: TestContext, server: PostgresServer) {
  const url = await server.database()
  const store = await openPostgresStore({ url, secretKey, times: { statementMs: 8_000, lockMs: 600 } })
  context.after(() => store.close())
  return { url, store }
}
