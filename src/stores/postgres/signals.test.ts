import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import { createPollScheduler } from '../../core/work/poll-scheduler.ts'
import type { SqlStore } from '../sql/store.ts'
import { signalSuite } from '../suite/signals.ts'
import { channel } from './notices.ts'
import { openPostgresStore } from './open.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

describe('signals by notifications', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  signalSuite('postgres', async () => {
    const url = await server.database()
    const [one, other] = [await openPostgresStore({ url, secretKey }), await openPostgresStore({ url, secretKey })]
    const dispose = async () => void (await Promise.all([one.close(), other.close()]))
    return { one: one.signals, other: other.signals, dispose }
  })

  test('the callback of an upstream at one node ends the wait of the polling task on the other', async context => {
    const { one, other } = await openNodes(context, server)
    const polls = createPollScheduler(() => 0.5)
    one.signals.subscribe(signal => signal.kind === 'wake' && polls.wake(signal.taskId))
    const request = { targetId: 'target', waitMs: 3_600_000, perSecond: 10, signal: AbortSignal.timeout(30_000) }
    const turn = polls.turn({ ...request, taskId: 'task-1' })
    other.signals.publish({ kind: 'wake', taskId: 'task-1' })
    await turn
  })

  test('notifications that no gateway has sent are ignored', async context => {
    const { one, other, url } = await openNodes(context, server)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const heard: string[] = []
    one.subscribe(({ kind }) => heard.push(kind))
    one.signals.subscribe(({ kind }) => heard.push(kind))
    // None of these signals may be passed on: `unreadable` concerns only the node that claimed the
    // job, and the others lack fields or are of no known kind.
    const forged = '{"session":"x","signals":[{"kind":"unreadable"},{"kind":"job"},{"kind":"cancel","taskId":7},{"kind":"constructor"}]}'
    for (const payload of ['', 'null', '{', '[]', '{"session":"x"}', '{"session":"x","signals":7,"news":[null,3]}', forged])
      await client.query('SELECT pg_notify($1, $2)', [channel, payload])
    await client.end()
    other.signals.publish({ kind: 'wake', taskId: 'task-1' })
    await until(() => heard.length > 0, 'the signal after them')
    assert.deepEqual(heard, ['wake'])
  })

  test('while the database is unavailable, publishing reaches this node without an error; afterwards it reaches all', async context => {
    const { one, other } = await openNodes(context, server)
    const heard: string[] = []
    const wakes = (name: string) => (signal: { kind: string; taskId?: string }) => void heard.push(`${name} ${signal.taskId}`)
    one.signals.subscribe(wakes('one'))
    other.signals.subscribe(wakes('other'))
    await server.kill()
    one.signals.publish({ kind: 'wake', taskId: 'lost' })
    assert.deepEqual(heard, ['one lost'])
    await server.restart()
    await until(() => {
      one.signals.publish({ kind: 'wake', taskId: 'later' })
      return heard.includes('other later')
    }, 'a signal after the restart')
  })
})

async function openNodes(context: TestContext, server: PostgresServer): Promise<{ one: SqlStore; other: SqlStore; url: string }> {
  const url = await server.database()
  const open = async (): Promise<SqlStore> => {
    const store = await openPostgresStore({ url, secretKey })
    context.after(() => store.close())
    return store
  }
  return { one: await open(), other: await open(), url }
}
