/** Tests nodes with different roles: a node without engines runs the requests of its callers on a
 *  node that has engines. */
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, type PostgresServer, startPostgres } from '../../stores/postgres/testing/server.ts'
import { fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { type TestGateway, testAdminKey, testKey } from '../../testing/gateway.ts'
import { probeEntry } from '../../testing/probe-family.ts'
import { startTestNodes, type TestNodes } from '../../testing/stores/nodes.ts'
import { gatedEngine } from './testing/gated-engine.ts'

const { skip } = needPostgres(18)
const drawPath = '/v1/ai/default/probe/draw'
const yaml = `models:
  - { id: mine, family: PROBE, group: plain, targets: [{ driver: gated }] }
  - { id: tasked, family: F1, group: P, targets: [{ driver: gated }] }
  - { id: backed, family: F1, group: P, targets: [{ driver: busy }, { driver: gated, order: 2 }] }
accounts: [{ id: default, endpoints: [{ name: default, routes: { F1: {}, PROBE: {} } }] }]
`
/** A service that refuses every request, so that the next target, an engine, is used. */
const busy = fakeImageDriver(
  'busy',
  once(async () => {
    throw new GatewayError('rate_limited', 'Too many requests.', { retryAfterSeconds: 1 })
  }),
)
const engineEnv = { GATEWAY_ROLES: 'work,engines', GATEWAY_ENGINE_WORKERS: '1' }

describe('nodes with roles', { skip }, () => {
  const engine = gatedEngine()
  let server: PostgresServer
  let started: TestNodes
  let api: TestGateway
  let first: TestGateway
  let second: TestGateway
  before(async () => {
    server = await startPostgres({ version: 18 })
    started = await startTestNodes(0, { server, drivers: [engine.spec, busy], families: [probeEntry], yaml })
    first = await started.start('engines-1', { env: engineEnv })
    second = await started.start('engines-2', { env: engineEnv })
    api = await started.start('api-1', { env: { GATEWAY_ROLES: 'api' } })
    await until(async () => (await gatedNodes()).length === 2, 'both engine nodes to be known')
  })
  after(async () => {
    await started?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  const gatedNodes = async (): Promise<string[]> => {
    const { engines } = (await api.admin('/readyz')).body
    return engines.find(({ id }: { id: string }) => id === 'gated')?.nodes ?? []
  }
  const draw = (prompt: string, more: object = {}) => api.call(drawPath, { body: { model: 'mine', prompt, ...more } })
  const runOf = (prompt: string) => until(() => engine.runs.findLast(run => run.prompt === prompt), `the run ${prompt}`)

  test('a node without the role api serves health and metrics only, and says so', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal((await first.admin(path)).status, 200, path)
    for (const path of ['/', '/docs', '/openapi.json', '/v1/models', '/admin/nodes', '/files/x', drawPath]) {
      const { status, body } = await first.admin(path)
      assert.equal(status, 404, path)
      assert.match(JSON.stringify(body), /does not have the role api/, path)
    }
    const { nodes } = (await api.admin('/admin/nodes')).body
    assert.deepEqual(
      nodes.map((node: { name: string; roles: string }) => [node.name, node.roles]),
      [
        ['api-1', 'api'],
        ['engines-1', 'work,engines'],
        ['engines-2', 'work,engines'],
      ],
    )
  })

  test('a call runs on an engine node, with its account and key, and is counted once', async () => {
    const usedBefore = await usedPictures()
    const { status, body } = await draw('a hill')
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.pictures.length, 1)
    const { job } = await runOf('a hill')
    assert.equal(job.account, 'default')
    assert.match(job.key ?? '', /^key_/)
    await until(async () => (await usedPictures()) === usedBefore + 1, 'the usage')
  })

  const usedPictures = async (): Promise<number> => {
    const { usage } = (await api.admin('/admin/usage?by=model')).body
    return usage.find((line: { model: string; unit: string }) => line.model === 'mine' && line.unit === 'images')?.units ?? 0
  }

  test('previews and finished pictures arrive during the run', async () => {
    const response = await fetch(api.url + drawPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mine', prompt: 'preview early hold', stream: true }),
    })
    let text = ''
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    })()
    await until(() => text.includes('event: picture'), 'the first picture')
    assert.match(text, /preview of preview early hold/)
    assert.doesNotMatch(text, /event: done/)
    ;(await runOf('preview early hold')).finish()
    await reading
    assert.equal(text.match(/event: picture/g)?.length, 2)
    assert.match(text, /event: done/)
  })

  test('calls are shared among the engine nodes', async () => {
    const calls = ['hold a', 'hold b', 'hold c', 'hold d'].map(prompt => draw(prompt))
    await until(() => ['hold a', 'hold b', 'hold c', 'hold d'].every(prompt => engine.runs.some(run => run.prompt === prompt)), 'all runs')
    const at = (node: TestGateway) => engine.runsAt(node).filter(({ prompt }) => /^hold [a-d]$/.test(prompt)).length
    assert.deepEqual([at(first), at(second)], [2, 2])
    const [served, sent] = await Promise.all([first, api].map(async node => (await node.admin('/metrics')).bytes.toString()))
    assert.match(served ?? '', /^gateway_node_role\{role="engines"\} 1$/m)
    assert.match(served ?? '', /^gateway_engine_runs\{engine="gated",state="running"\} 2$/m)
    assert.match(sent ?? '', /^gateway_node_role\{role="api"\} 1$/m)
    assert.match(sent ?? '', /^gateway_engine_runs_sent\{node="engines-2"\} 2$/m)
    for (const run of engine.runs) run.finish()
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 200, 200, 200],
    )
  })

  test('the run at the engine node ends when the caller disconnects', async () => {
    const stop = new AbortController()
    const left = fetch(api.url + drawPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mine', prompt: 'hold for nobody' }),
      signal: stop.signal,
    }).catch(() => undefined)
    const run = await runOf('hold for nobody')
    stop.abort()
    await left
    await until(() => run.isAborted, 'the end of the run')
  })

  test('errors of the engine reach the caller as if it ran locally', async () => {
    const refused = await draw('refuse this')
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.param, 'prompt')
    assert.match(refused.body.error.message, /draws no such thing/)
    assert.equal(
      engine.runs.some(({ prompt }) => prompt === 'refuse this'),
      false,
    )
    const before = engine.runs.length
    const busy = await draw('busy')
    assert.deepEqual([busy.status, busy.body.error.code, busy.headers.get('retry-after')], [429, 'engine_busy', '7'])
    assert.equal(engine.runs.length, before + 2, 'both nodes were tried')
    const crash = await draw('crash')
    assert.deepEqual([crash.status, crash.body.error.code], [500, 'internal_error'])
    assert.doesNotMatch(crash.bytes.toString(), /a fault of the engine/)
  })

  test('a task is accepted by the node without engines and runs on a node that has them', async () => {
    const submitted = await api.call('/v1/ai/default/imgf/image/generate', { body: { model: 'tasked', prompt: 'a task' } })
    assert.equal(submitted.status, 200, submitted.bytes.toString())
    assert.equal((await api.result(submitted.body.polling_url)).status, 'Ready')
    const { job } = await runOf('a task')
    assert.equal(job.request.prompt, 'a task')
  })

  test('a drained engine node finishes its runs and gets no further ones', async () => {
    const calls = ['hold e', 'hold f'].map(prompt => draw(prompt))
    await Promise.all(['hold e', 'hold f'].map(runOf))
    assert.equal((await api.admin('/admin/nodes/engines-2/drain', { method: 'POST' })).status, 200)
    await until(async () => (await gatedNodes()).join() === 'engines-1', 'the other nodes to know')
    assert.equal((await api.call('/readyz')).status, 200)
    const shown = async () => (await api.admin('/admin/nodes')).body.nodes.find(({ name }: { name: string }) => name === 'engines-2')
    assert.equal((await shown()).running, 1, 'an operator sees that the node still runs something')
    const before = engine.runsAt(second).length
    for (const prompt of ['g', 'h', 'i']) assert.equal((await draw(prompt)).status, 200)
    assert.equal(engine.runsAt(second).length, before)
    for (const run of engine.runs) run.finish()
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200)
    assert.equal((await api.admin('/admin/nodes/engines-2/resume', { method: 'POST' })).status, 200)
    await until(async () => (await gatedNodes()).length === 2, 'both engine nodes to be known')
  })

  test('a run of a node that ends moves to another node, unless its caller has received a part of it', async () => {
    const third = await started.start('engines-3', { env: engineEnv })
    await until(async () => (await gatedNodes()).length === 3, 'the third engine node')
    const prompts = ['hold j', 'hold k', 'hold l']
    const calls = prompts.map(prompt => draw(prompt))
    await until(
      () => engine.runsAt(third).length === 1 && prompts.every(prompt => engine.runs.some(run => run.prompt === prompt)),
      'the runs',
    )
    const [lost] = engine.runsAt(third)
    const seen = fetch(api.url + drawPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mine', prompt: 'early hold m', stream: true }),
    }).then(response => response.text())
    const shown = await runOf('early hold m')
    const usedBefore = await usedPictures()
    await third.gateway.stop(0)
    await until(() => engine.runs.filter(({ prompt }) => prompt === lost?.prompt).length === 2, 'the run to begin elsewhere')
    for (const run of engine.runs) run.finish()
    for (const { status, body } of await Promise.all(calls)) assert.deepEqual([status, body.pictures?.length], [200, 1])
    assert.match(await seen, shown.folder.startsWith(third.dataDir) ? /event: error.*engines-3/s : /event: done/)
    await until(async () => (await usedPictures()) >= usedBefore + 3, 'the usage')
    assert.equal(engine.runs.filter(({ prompt }) => prompt === 'early hold m').length, 1, 'a run that was seen is not repeated')
  })

  test('an access key, an admin key and no key are refused at the internal operation', async () => {
    for (const key of [testKey, testAdminKey, 'run1.e30.AAAA', false] as const) {
      const { status, body } = await first.call('/internal/engine-runs', { key, body: {} })
      assert.deepEqual([status, body.error.code], [401, 'invalid_api_key'], String(key))
    }
    assert.equal((await api.call('/internal/engine-runs', { key: testKey, body: {} })).status, 404)
    assert.doesNotMatch((await api.call('/openapi.json')).bytes.toString(), /internal\/engine-runs/)
  })
})

const { lo: loopback = [] } = networkInterfaces()
const hasIpv6 = loopback.some(({ address }) => address === '::1')

test('an engine node is called at the IPv6 address in its settings, and listens there', { skip: skip ?? !hasIpv6 }, async () => {
  const engine = gatedEngine()
  await using started = await startTestNodes(0, { drivers: [engine.spec, busy], families: [probeEntry], yaml })
  const engines = await started.start('engines-1', { env: { ...engineEnv, HOST: '::', GATEWAY_NODE_URL: '::1' } })
  const api = await started.start('api-1', { env: { GATEWAY_ROLES: 'api' } })
  const { nodes } = (await api.admin('/admin/nodes')).body
  const { address } = nodes.find(({ name }: { name: string }) => name === 'engines-1')
  assert.equal(address, `http://[::1]:${new URL(engines.url).port}`)
  const call = await api.call(drawPath, { body: { model: 'mine', prompt: 'a hill' } })
  assert.equal(call.status, 200, call.bytes.toString())
  assert.equal(engine.runs.length, 1)
})

test('without an engine node, calls are refused for now, and tasks wait', { skip, timeout: 120_000 }, async () => {
  const engine = gatedEngine()
  await using started = await startTestNodes(0, { drivers: [engine.spec, busy], families: [probeEntry], yaml })
  const api = await started.start('api-1', { env: { GATEWAY_ROLES: 'api' } })
  const call = await api.call(drawPath, { body: { model: 'mine', prompt: 'a call' } })
  assert.deepEqual([call.status, call.body.error.code, call.headers.get('retry-after')], [503, 'capability_unavailable', '5'])
  assert.equal(call.headers.get('x-should-retry'), null)
  assert.match(call.body.error.message, /This node has no role engines, and of the nodes that have the engine gated, none answers/)
  const task = await api.call('/v1/ai/default/imgf/image/generate', { body: { model: 'tasked', prompt: 'a task' } })
  assert.equal(task.status, 200)
  const built = await api.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a built-in model' } })
  assert.equal(built.status, 200, built.bytes.toString())
  assert.equal((await api.call('/readyz')).status, 200)
  const { usage } = (await api.admin('/admin/usage')).body
  assert.deepEqual(usage, [], 'a refused call costs nothing')
  // This node has only the role work, so it does not take the task of an engine.
  await started.start('work-1', { env: { GATEWAY_ROLES: 'work' } })
  await until(async () => (await api.admin('/admin/nodes')).body.nodes.length === 2, 'the work node')
  assert.equal(engine.runs.length, 0)
  await started.start('engines-1', { env: engineEnv })
  assert.equal((await api.result(task.body.polling_url)).status, 'Ready')
  assert.equal(engine.runs.length, 1)
  // The node with the role work claims the task. The first target of the model refuses the task;
  // the second target is an engine on another node.
  const backed = await api.call('/v1/ai/default/imgf/image/generate', { body: { model: 'backed', prompt: 'a backed task' } })
  assert.equal((await api.result(backed.body.polling_url)).status, 'Ready')
  assert.equal(engine.runs.at(-1)?.prompt, 'a backed task')
})

test('a task whose engine node ends after the first file is run again on another node', { skip, timeout: 120_000 }, async () => {
  const engine = gatedEngine()
  await using started = await startTestNodes(0, { drivers: [engine.spec, busy], families: [probeEntry], yaml })
  const roles = (GATEWAY_ROLES: string) => ({ env: { ...engineEnv, GATEWAY_ROLES } })
  const nodes = [await started.start('engines-1', roles('engines')), await started.start('engines-2', roles('engines'))]
  await started.start('work-1', roles('work'))
  const api = await started.start('api-1', roles('api'))
  const task = await api.call('/v1/ai/default/imgf/image/generate', { body: { model: 'backed', prompt: 'early hold n' } })
  const outputs = async () => (await api.call(`/v1/tasks/${task.body.id}`)).body.outputs
  const [early] = await until(async () => ((await outputs()).length > 0 ? outputs() : undefined), 'the first file')
  assert.equal(engine.runs.length, 1)
  await nodes.find(node => engine.runsAt(node).length > 0)?.gateway.stop(0)
  await until(() => engine.runs.length === 2, 'the second run')
  for (const run of engine.runs) run.finish()
  assert.equal((await api.result(task.body.polling_url)).status, 'Ready')
  assert.equal((await outputs()).length, 2, 'the files of one run')
  assert.equal((await fetch(early.url)).status, 410)
})
