import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import { needPostgres, type PostgresServer } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import type { Answer, TestGateway } from '../../testing/gateway.ts'
import { startTestNodes } from '../../testing/nodes.ts'
import { relayYaml } from '../../testing/relay-gateway.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'
const chatPath = '/v1/ai/default/chat/completions'
const responsesPath = '/v1/ai/default/responses'
const chat = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }

async function startOutageNodes() {
  const upstream = await startFakeUpstream()
  const yaml = `${relayYaml([{ url: upstream.baseUrl }])}  - { id: fake, family: F1, group: P, targets: [{ driver: f }] }\n`
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

async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  const took = performance.now() - start
  assert.ok(took < ms, `it took ${Math.round(took)} ms`)
  return result
}

async function refused(answer: Promise<Answer>): Promise<void> {
  const { status, headers, body } = await within(1_000, () => answer)
  assert.equal(status, 503, JSON.stringify(body))
  assert.ok(Number(headers.get('retry-after')) > 0, 'it says when to try again')
}

/** Records of calls, and the requests counted in the usage of the day. */
async function ledger(databaseUrl: string): Promise<{ calls: number; ids: number; requests: number; tokens: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: calls } = await client.query('SELECT count(*)::int AS calls, count(DISTINCT request_id)::int AS ids FROM calls')
    const { rows: days } = await client.query(`SELECT unit, sum(units)::float8 AS units FROM usage_days GROUP BY unit`)
    const unitsOf = (unit: string) => days.find(row => row.unit === unit)?.units ?? 0
    return { ...calls[0], requests: unitsOf('requests'), tokens: unitsOf('output_tokens') }
  } finally {
    await client.end()
  }
}

/** Stops or continues all processes of the server, as a machine that hangs. */
function signalServer(server: PostgresServer, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const { pid } = server
  assert.ok(pid !== undefined)
  const children = readdirSync('/proc').filter(name => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
    } catch {
      return false
    }
  })
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal)
}

for (const [how, { away, back }] of Object.entries({
  'is killed': { away: (server: PostgresServer) => server.kill(), back: (server: PostgresServer) => server.restart() },
  hangs: {
    away: async (server: PostgresServer) => {
      signalServer(server, 'SIGSTOP')
      // Nobody is told; it takes a look without an answer.
      await sleep(6_000)
    },
    back: async (server: PostgresServer) => signalServer(server, 'SIGCONT'),
  },
}))
  test(
    `while the database ${how}, submits are refused at once and relays go on; their records are written once`,
    needPostgres(18),
    async () => {
      await using started = await startOutageNodes()
      const { one, other, upstream, server, databaseUrl } = started
      const nodes = [one, other]
      for (const node of nodes) assert.equal((await node.call(chatPath, { body: chat })).status, 200)
      const submitted = await submit(one)
      const { pathname, search } = new URL(submitted.body.polling_url)
      await until(async () => (await other.call(pathname + search)).body.status === 'Ready', 'the picture')
      const sentBefore = upstream.received.length

      await away(server)
      for (let turn = 0; turn < 3; turn++)
        for (const node of nodes) {
          await refused(submit(node))
          await refused(node.call(pathname + search))
          await refused(node.call(responsesPath, { body: { model: 'm', input: 'hello' } }))
          assert.equal((await within(1_000, () => node.call(chatPath, { body: chat }))).status, 200)
        }
      assert.equal(upstream.received.length, sentBefore + 6, 'refused calls cost nothing')
      const ready = await within(1_500, () => one.admin('/readyz'))
      assert.equal(ready.status, 503)
      assert.deepEqual(ready.body.problems, ['The database does not answer.'])
      assert.equal((await one.call('/healthz')).status, 200)
      assert.equal((await within(1_500, () => one.admin('/metrics'))).status, 200)
      await refused(one.admin('/admin/nodes'))

      await back(server)
      const from = performance.now()
      for (const node of nodes) await until(async () => (await submit(node)).status === 200, 'a submit')
      for (const node of nodes) await until(async () => (await node.call('/readyz')).status === 200, 'a node that is ready')
      const { polling_url } = (await submit(other)).body
      const poll = new URL(polling_url).pathname + new URL(polling_url).search
      await until(async () => (await one.call(poll)).body.status === 'Ready', 'a new picture')
      assert.ok(performance.now() - from < 5_000, `it took ${performance.now() - from} ms`)
      const counted = await until(async () => {
        const now = await ledger(databaseUrl)
        return now.calls >= 8 && now
      }, 'the records')
      await sleep(1_000)
      assert.deepEqual(await ledger(databaseUrl), counted)
      assert.deepEqual([counted.calls, counted.ids, counted.requests], [8, 8, 8])
    },
  )
