/** Work that was begun on one node continues on others. Changes and limits apply on all nodes. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import pg from 'pg'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { type Finish, fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import type { TestGateway } from '../../testing/gateway.ts'
import { startTestNodes, type TestNodes } from '../../testing/stores/nodes.ts'

const { skip } = needPostgres(18)
const responses = '/v1/ai/default/responses'
const pictures = '/v1/ai/default/imgf/image/generate'
/** Time in ms within which a change on one node has to take effect on the others. `cut`: while no
 *  notifications of the database arrive. The best of up to three rounds counts, because a busy
 *  machine may stop any process for seconds. */
const feltMs = { usual: 2_000, cut: 5_000 }
const rounds = 3

const yaml = `models:
  - { id: fake, family: responses, targets: [{ driver: fake-text }] }
  - { id: drawn, family: F1, group: P, targets: [{ driver: f }] }
`

interface Run {
  finish(): void
  wasStopped: boolean
}

/** The run of the latest request whose prompt contains `wait`, on any of the nodes; undefined until
 *  it has begun. */
let held: Run | undefined
const runOfHeld = () => until(() => held, 'the run')

const text = fakeTextDriver('fake-text', async function* ({ request, signal }) {
  const prompt = JSON.stringify(request)
  if (!prompt.includes('wait')) {
    yield { type: 'text', delta: `I read ${request.items.length} items.` }
    return
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = { finish: resolve, wasStopped: false }
  held = run
  const stopped = new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  stopped.catch(() => {
    run.wasStopped = true
  })
  yield { type: 'text', delta: 'One ' }
  await Promise.race([promise, stopped])
  yield { type: 'text', delta: 'two.' } satisfies { type: 'text'; delta: string } | Finish
})

describe('across nodes', { skip }, () => {
  let started: TestNodes
  let one: TestGateway
  let other: TestGateway
  before(async () => {
    started = await startTestNodes(3, { drivers: [text, fakeImageDriver('f', once(donePixel))], yaml })
    const [first, second] = started.nodes
    assert.ok(first && second)
    one = first
    other = second
  })
  after(() => started?.[Symbol.asyncDispose]())

  const respond = async (node: TestGateway, body: object) => {
    const answer = await node.call(responses, { body: { model: 'fake', ...body } })
    assert.equal(answer.status, 200, answer.bytes.toString())
    return answer.body
  }
  const statusAt = async (node: TestGateway, id: string): Promise<string> => (await node.call(`${responses}/${id}`)).body.status

  test('a background response can be read and streamed at another node', async () => {
    held = undefined
    const { id } = await respond(one, { input: 'wait', background: true, stream: false })
    await until(async () => (await statusAt(other, id)) === 'in_progress', 'the start')
    // A response is `in_progress` a little before its run begins.
    const run = await runOfHeld()
    const streaming = other.call(`${responses}/${id}?stream=true`)
    run.finish()
    const streamed = (await streaming).bytes.toString()
    assert.match(streamed, /response\.completed/)
    assert.equal((await other.call(`${responses}/${id}`)).body.output[0].content[0].text, 'One two.')
  })

  test('a background response can be cancelled at another node', async () => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; least >= feltMs.usual && round < rounds; round++) {
      held = undefined
      const { id } = await respond(one, { input: 'wait', background: true })
      await until(async () => (await statusAt(other, id)) === 'in_progress', 'the start')
      const run = await runOfHeld()
      const start = performance.now()
      // It is not known which node runs the response, so the cancel is sent to all other nodes, one
      // after the other.
      assert.equal((await other.call(`${responses}/${id}/cancel`, { method: 'POST', body: {} })).status, 200)
      await until(() => run.wasStopped, 'the stop of the run')
      least = Math.min(least, performance.now() - start)
      await until(async () => (await statusAt(one, id)) === 'cancelled', 'the end')
    }
    assert.ok(least < feltMs.usual, `felt after ${least} ms`)
  })

  test('a conversation can be continued at another node', async () => {
    const first = await respond(one, { input: 'first' })
    const second = await respond(other, { input: 'second', previous_response_id: first.id })
    assert.equal(second.output[0].content[0].text, 'I read 3 items.')
    const { body } = await one.call(`${responses}/${second.id}/input_items`)
    assert.equal(body.data.length, 3)
  })

  test('the events of a task can be streamed at another node', async () => {
    const submitted = await one.call(pictures, { body: { prompt: 'a hill', model: 'drawn' } })
    const { bytes } = await other.call(`/v1/ai/default/imgf/get_result/events?id=${submitted.body.id}`)
    assert.match(bytes.toString(), /task\.succeeded/)
  })

  for (const isCut of [false, true])
    test(`changes of keys and endpoints apply at another node${isCut ? ', also without notifications' : ''}`, async context => {
      if (isCut) await cutListeners(context, started.databaseUrl)
      const kind = isCut ? 'cut' : 'usual'
      const least = new Map<string, number>()
      const isLate = () => [...least.values()].some(ms => ms >= feltMs[kind])
      const felt = async (what: string, look: () => Promise<boolean>) => {
        const start = performance.now()
        await until(look, what)
        least.set(what, Math.min(least.get(what) ?? Number.POSITIVE_INFINITY, Math.round(performance.now() - start)))
      }
      const read = async (key: string, path = '/v1/ai/default/imgf/get_result?id=none') => (await other.call(path, { key })).status
      for (let round = 0; round === 0 || (isLate() && round < rounds); round++) {
        const name = `${kind}-${round}`
        const { secret, key } = (await one.admin('/admin/keys', { body: { name } })).body
        await felt('a new key', async () => (await read(secret)) === 404)
        const path = `/v1/ai/${name}/imgf/get_result?id=none`
        const seen = (await other.call(path, { key: secret })).body.error
        assert.equal(seen.code, 'endpoint_not_found')
        assert.equal((await one.admin('/admin/endpoints', { body: { name } })).status, 200)
        await felt('a new endpoint', async () => (await other.call(path, { key: secret })).body.error?.code !== 'endpoint_not_found')
        assert.equal((await one.admin(`/admin/keys/${key.id}`, { method: 'DELETE' })).status, 200)
        await felt('a revoked key', async () => (await read(secret)) === 401)
      }
      assert.ok(!isLate(), `felt after ms: ${JSON.stringify([...least])}`)
    })

  test('a rate limit applies over all nodes, and all of it can be used', async () => {
    const limit = 60
    const made = await one.admin('/admin/keys', { body: { name: 'limited', rate_per_minute: limit } })
    assert.equal(made.status, 200, made.bytes.toString())
    const key = made.body.secret
    const statuses: number[] = []
    await Promise.all(
      started.nodes.map(async node => {
        for (let count = 0; count < 40; count++) statuses.push((await node.call('/v1/usage', { key })).status)
      }),
    )
    const accepted = statuses.filter(status => status === 200).length
    assert.ok(accepted <= limit && accepted >= limit * 0.95, `${accepted} of 120 requests accepted, for ${limit} a minute`)
    assert.equal(statuses.filter(status => status === 429).length, statuses.length - accepted)
  })
})

/** Ends the database connections on which nodes receive notifications, again and again until the
 *  test is over. */
async function cutListeners(context: TestContext, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const cut = () =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND application_name LIKE '%listens%'`,
    )
  assert.ok(((await cut()).rowCount ?? 0) > 0, 'no connection listens')
  const timer = setInterval(() => void cut().catch(() => {}), 100)
  context.after(async () => {
    clearInterval(timer)
    await client.end()
  })
}
