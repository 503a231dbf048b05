import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Offer } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'
import { needPostgres, type PostgresServer } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type Answer, type TestGateway, testKey } from '../../testing/gateway.ts'
import { relayYaml } from '../../testing/relay-gateway.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'
const chatPath = '/v1/ai/default/chat/completions'
const responsesPath = '/v1/ai/default/responses'
const chat = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }

const paced = 'sk-key-with-a-rate-00001'
const metered = 'sk-key-with-a-quota-0001'
const accounts = `accounts:
  - id: default
    keys: [{ name: paced, secret: ${paced}, rate_per_minute: 600 }, { name: metered, secret: ${metered}, quotas: { tokens: 1000000/day } }]
    endpoints: [{ name: default }]
`

async function startOutageNodes() {
  const upstream = await startFakeUpstream()
  const yaml = `${accounts}${relayYaml([{ url: upstream.baseUrl }])}  - { id: fake, family: F1, group: P, targets: [{ driver: f }] }\n`
  const started = await startTestNodes(2, { drivers: [fakeImageDriver('f', once(donePixel))], yaml })
  const [one, other] = started.nodes
  assert.ok(one && other)
  return {
    ...{ ...started, one, other, upstream },
    [Symbol.asyncDispose]: async () => {
      await started[Symbol.asyncDispose]()
      await upstream.close()
    },
  }
}

const submit = (node: TestGateway) => node.call(submitPath, { body: { model: 'fake', prompt: 'hill' } })

/** An answer that does not wait for the database takes at most this many milliseconds. Two seconds
 *  of the four allow for a process that gets no CPU time. The limit is shorter than the store's own
 *  timeouts for a query and for a connection. */
const atOnceMs = 4_000

async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  const took = performance.now() - start
  assert.ok(took < ms, `it took ${Math.round(took)} ms`)
  return result
}

async function refused(answer: Promise<Answer>): Promise<void> {
  const { status, headers, body } = await within(atOnceMs, () => answer)
  assert.equal(status, 503, JSON.stringify(body))
  assert.ok(Number(headers.get('retry-after')) > 0, 'it says when to try again')
}

/** Returns the number of records of calls, the number of different request ids in them, and the
 *  number of requests in the daily totals. */
async function ledger(databaseUrl: string): Promise<{ calls: number; ids: number; requests: number }> {
  const [sums] = await queryOnce(
    databaseUrl,
    `SELECT count(*)::int AS calls, count(DISTINCT request_id)::int AS ids,
      (SELECT sum(units)::int FROM usage_days WHERE unit = 'requests') AS requests FROM calls`,
  )
  return sums
}

function pollOf(submitted: Answer): string {
  const { pathname, search } = new URL(submitted.body.polling_url)
  return pathname + search
}

async function isReady(node: TestGateway, submitted: Answer): Promise<boolean> {
  return (await node.call(pollOf(submitted))).body.status === 'Ready'
}

interface Outage {
  begin(server: PostgresServer): Promise<void>
  end(server: PostgresServer): Promise<void>
}

const outages: Record<string, Outage> = {
  'is killed': { begin: server => server.kill(), end: server => server.restart() },
  hangs: {
    begin: async server => {
      server.signal('SIGSTOP')
      // The server keeps its connections open but no longer answers. The nodes notice this by a
      // query that gets no answer in time.
      await sleep(5_000)
    },
    end: async server => server.signal('SIGCONT'),
  },
}

for (const [how, outage] of Object.entries(outages))
  test(`while the database ${how}, submits are refused at once and relays continue`, needPostgres(18), async () => {
    await using started = await startOutageNodes()
    const { one, other, upstream, server, databaseUrl } = started
    const nodes = [one, other]
    for (const node of nodes)
      for (const key of [testKey, paced, metered]) assert.equal((await node.call(chatPath, { body: chat, key })).status, 200)
    const submitted = await submit(one)
    await until(() => isReady(other, submitted), 'the picture')
    const sentBefore = upstream.received.length
    // Continues the server even if the test fails, because a stopped process could not be shut
    // down.
    using _continued = { [Symbol.dispose]: () => server.signal('SIGCONT') }

    await outage.begin(server)
    // The test waits until both nodes know of the outage. A response that was relayed before that
    // would have been paid for, although it could not be stored.
    const areAway = async () => (await Promise.all(nodes.map(node => node.call('/readyz')))).every(({ status }) => status === 503)
    await within(atOnceMs, () => until(areAway, 'both nodes to know'))
    for (let turn = 0; turn < 3; turn++)
      for (const node of nodes) {
        await refused(submit(node))
        await refused(node.call(pollOf(submitted)))
        await refused(node.call(responsesPath, { body: { model: 'm', input: 'hello' } }))
        await refused(node.call(chatPath, { body: chat, key: metered }))
        for (const key of [testKey, paced])
          assert.equal((await within(atOnceMs, () => node.call(chatPath, { body: chat, key }))).status, 200)
      }
    assert.equal(upstream.received.length, sentBefore + 12, 'refused calls cost nothing')
    const ready = await within(atOnceMs, () => one.admin('/readyz'))
    assert.equal(ready.status, 503)
    assert.deepEqual(ready.body.problems, ['The database does not answer.'])
    assert.equal((await one.call('/healthz')).status, 200)
    assert.equal((await within(atOnceMs, () => one.admin('/metrics'))).status, 200)
    await refused(one.admin('/admin/nodes'))

    await outage.end(server)
    await within(15_000, async () => {
      for (const node of nodes) await until(async () => (await submit(node)).status === 200, 'a submit')
      for (const node of nodes) await until(async () => (await node.call('/readyz')).status === 200, 'a node that is ready')
      const again = await submit(other)
      await until(() => isReady(one, again), 'a new picture')
    })
    await until(async () => (await ledger(databaseUrl)).calls >= 18, 'the records')
    await sleep(1_000)
    assert.deepEqual(await ledger(databaseUrl), { calls: 18, ids: 18, requests: 18 })
  })

/** Offers of a target that calls `down` while it works, and then finishes its picture. */
const paidOffers: Record<string, (down: () => Promise<void>) => Offer<ImageGenerateRequest, ImageEvent>> = {
  'starts at an upstream': down => ({
    kind: 'polled',
    pollEveryMs: 10,
    start: async () => {
      await down()
      return { state: 'started', handle: { id: 'u1' } }
    },
    check: async job => donePixel(job),
    cancel: async () => {},
  }),
  'gets its picture': down =>
    once(async job => {
      await down()
      return donePixel(job)
    }),
}

for (const [how, offer] of Object.entries(paidOffers))
  test(`a task that ${how} while the database is down for a moment succeeds, and is sent once`, needPostgres(18), async () => {
    let isUp: Promise<void> | undefined
    let sent = 0
    const down = async () => {
      sent += 1
      await server.kill()
      isUp = sleep(1_500).then(() => server.restart())
    }
    await using started = await startTestNodes(1, { drivers: [fakeImageDriver('f', offer(down))], yaml: fakeModelYaml('f') })
    const { server, nodes } = started
    const [node] = nodes
    assert.ok(node)
    const submitted = await submit(node)
    assert.equal(submitted.status, 200)
    await until(() => isUp !== undefined, 'the outage')
    await isUp
    await until(async () => ['Ready', 'Error'].includes((await node.call(pollOf(submitted))).body.status), 'the end')
    assert.equal((await node.call(pollOf(submitted))).body.status, 'Ready')
    assert.equal(sent, 1)
  })
