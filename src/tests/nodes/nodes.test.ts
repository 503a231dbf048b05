import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { version } from '../../config/settings.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import type { TestOptions } from '../../testing/gateway.ts'
import { probeEntry } from '../../testing/probe-family.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'
const yaml = `models:
  - { id: fake, family: F1, group: P, targets: [{ driver: f }] }
  - { id: told, family: PROBE, group: plain, targets: [{ driver: f }] }
accounts: [{ id: default, endpoints: [{ name: default, routes: { F1: {}, PROBE: {} } }] }]
`

const usual = { drivers: [fakeImageDriver('f', once(donePixel))], families: [probeEntry], yaml }

const { skip } = needPostgres(18)

describe('nodes that an operator inspects and drains', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  async function twoNodes(context: TestContext, options: TestOptions = {}) {
    const started = await startTestNodes(2, { server, ...usual, ...options })
    context.after(() => started[Symbol.asyncDispose]())
    const [one, other] = started.nodes
    assert.ok(one && other)
    await until(async () => (await one.admin('/admin/nodes')).body.nodes.length === 2, 'the heartbeats of both nodes')
    return { ...started, one, other }
  }

  test('every node lists all nodes with their facts, and the queues', async context => {
    const { one, other } = await twoNodes(context)
    const { nodes } = (await other.admin('/admin/nodes')).body
    assert.deepEqual(
      nodes.map((node: { name: string; state: string; version: string; address: string }) => [
        node.name,
        node.state,
        node.version,
        node.address,
      ]),
      [
        ['node-1', 'ready', version, one.url],
        ['node-2', 'ready', version, other.url],
      ],
    )
    const { body: ready } = await one.admin('/readyz')
    assert.deepEqual(ready.node, { name: 'node-1', state: 'ready', version, roles: ['api', 'work', 'engines'] })
    assert.deepEqual(ready.store, { kind: 'postgresql', version: ready.store.version, schema: nodes[0].schema, nodes: 2 })
    assert.match(ready.store.version, /^18\./)
  })

  test('a drained node accepts nothing new and finishes its work; the others continue; resume ends it', async context => {
    const gates = new Map<string, PromiseWithResolvers<void>>(['one', 'two', 'three'].map(name => [name, Promise.withResolvers<void>()]))
    const runs: string[] = []
    const held = once<Parameters<typeof donePixel>[0]['request']>(async job => {
      runs.push(job.request.prompt)
      await gates.get(job.request.prompt)?.promise
      return donePixel(job)
    })
    // Each of the two nodes has its own driver with one slot.
    const { one, other } = await twoNodes(context, { drivers: [fakeImageDriver('f', held, 1)] })
    const drawing = ['one', 'two'].map(prompt => other.call('/v1/ai/default/probe/draw', { body: { model: 'told', prompt } }))
    await until(() => runs.includes('one') || runs.includes('two'), 'the first run')
    const [first = ''] = runs

    const ordered = await one.admin('/admin/nodes/node-2/drain', { method: 'POST' })
    assert.deepEqual(ordered.body, { name: 'node-2', order: 'drain', nodes: 1 })
    const at = performance.now()
    await until(async () => (await other.call('/readyz')).status === 503, 'node-2 to drain')
    // A draining node still accepts tasks for a few seconds, until load balancers have noticed. The
    // other node runs this task.
    const accepted = await other.call(submitPath, { body: { model: 'fake', prompt: 'early' } })
    assert.equal(accepted.status, 200)
    const refused = await until(async () => {
      const answer = await other.call(submitPath, { body: { model: 'fake', prompt: 'four' } })
      return answer.status === 503 ? answer : undefined
    }, 'a refusal')
    assert.ok(performance.now() - at < 15_000)
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.match((await other.admin('/readyz')).body.problems[0], /draining/)
    assert.equal((await one.call('/readyz')).status, 200)
    await until(async () => (await one.admin('/admin/nodes')).body.nodes[1].state === 'draining', 'its state')

    // The draining node has accepted two calls. The second waits for the slot of the first.
    gates.get(first)?.resolve()
    const second = first === 'one' ? 'two' : 'one'
    await until(() => runs.includes(second), 'the run of the second call')
    gates.get(second)?.resolve()
    assert.deepEqual(
      (await Promise.all(drawing)).map(({ status }) => status),
      [200, 200],
    )

    const submitted = await one.call(submitPath, { body: { model: 'fake', prompt: 'three' } })
    await until(() => runs.includes('three'), 'a run at the other node')
    const { pathname, search } = new URL(submitted.body.polling_url)
    assert.equal((await other.call(pathname + search)).body.status, 'Pending', 'polls go on')
    const { nodes } = (await other.admin('/admin/nodes')).body
    assert.deepEqual([nodes[0].leased, nodes[1].leased], [1, 0])
    gates.get('three')?.resolve()

    assert.equal((await other.admin('/admin/nodes/node-2/resume', { method: 'POST' })).status, 200)
    await until(async () => (await other.call('/readyz')).status === 200, 'node-2 to take work')
    assert.equal((await other.call(submitPath, { body: { model: 'fake', prompt: 'five' } })).status, 200)
  })

  test('an order ends with a restart, and must name a living node', async context => {
    const { one, other, start } = await twoNodes(context)
    assert.equal((await one.admin('/admin/nodes/node-2/drain', { method: 'POST' })).status, 200)
    await until(async () => (await other.call('/readyz')).status === 503, 'node-2 to drain')
    await other.stop()
    const gone = await one.admin('/admin/nodes/node-2/drain', { method: 'POST' })
    assert.equal(gone.status, 404)
    assert.match(gone.body.error.message, /no living node node-2; there are node-1/)
    const again = await start('node-2')
    assert.equal((await again.call('/readyz')).status, 200)
    assert.equal((await again.call(submitPath, { body: { model: 'fake', prompt: 'hill' } })).status, 200)
  })
})
