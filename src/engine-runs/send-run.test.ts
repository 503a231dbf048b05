/** Tests runs on another node that sends nothing, sends wrong answers, has no free place, or breaks
 *  the connection. */
import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { noSettings } from '@generation-gateway/kit/driver.ts'
import { GatewayError, LostRunError, NotServedError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Job, OnceOffer } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { Clock } from '../core/ports/store.ts'
import { driverTools } from '../testing/driver-tools.ts'
import { EngineNodes } from './engine-nodes.ts'
import { type EngineLink, remoteEngine } from './remote-engine.ts'
import { runTokenKey } from './run-token.ts'
import { createRunAgent, NodeFailure, sendRun } from './send-run.ts'
import { all, done, listening, lyingNode, secret, setUp } from './testing/run-node.ts'
import { frameOf, wireErrorOf } from './wire.ts'

test('a node that falls silent is given up, before its answer and during it', async context => {
  const server = createServer((_request, response) => {
    if (answers) response.writeHead(200).write(frameOf({ type: 'event', event: { says: 'a word' } }))
  })
  let answers = false
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The first event of the second run has to arrive within this time, even on a busy machine.
  const agent = createRunAgent(2_500)
  context.after(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { job } = await setUp(context)
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sender = { key: runTokenKey(secret), from: 'api', clock: { now: Date.now }, agent }
  const run = async () =>
    sendRun(sender, { id: 'n', name: 'stuck', address }, { engine: 'e', capability: 'image.generate', job: await job() })
  for (answers of [false, true]) {
    const parts = await run()
    if (answers) assert.equal((await parts.next()).value?.type, 'event')
    const silent = await parts.next().catch((error: unknown) => error)
    assert.ok(silent instanceof NodeFailure && silent.isAway && silent.failure.code === 'upstream_unreachable')
  }
})

test('a fault of this node with a file is not blamed on the other node, and keeps its name', async context => {
  const { folder, job, run, places } = await setUp(context)
  const failureOf = async (given: Job<JsonObject>) => {
    const error = await all(run(given)).catch((thrown: unknown) => thrown)
    await until(() => places.busy === 0, 'the end of the run')
    assert.ok(error instanceof GatewayError && !(error instanceof LostRunError), String(error))
    return [error.code, Object(error.cause).code]
  }
  const missing = { role: 'image', mediaType: 'image/png', path: join(folder, 'none.png'), bytes: 3 } as const
  assert.deepEqual(await failureOf(await job({ inputs: [missing] })), ['internal_error', 'ENOENT'])

  const sending = await lyingNode(context, response => {
    response.writeHead(200)
    const file = { type: 'file', file: { mediaType: 'image/png' }, extension: '.png', isOutcome: true, bytes: 3 }
    response.end(Buffer.concat([frameOf(file), Buffer.from('abc'), frameOf({ type: 'outcome', outcome: done })]))
  })
  const handle = await open(join(folder, 'any'), 'w')
  await handle.close()
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  context.mock.method(Object.getPrototypeOf(handle), 'writeFile', () => Promise.reject(full))
  const unwritten = await all(sending(await job())).catch((thrown: unknown) => thrown)
  assert.ok(unwritten instanceof GatewayError, String(unwritten))
  assert.equal(unwritten.code, 'disk_full')
})

test('an answer can neither write outside the folder of its job nor fill the memory', async context => {
  const { job } = await setUp(context)
  const file = { type: 'file', file: { mediaType: 'image/png' }, extension: '/../../outside.png', isOutcome: true, bytes: 3 }
  const frames = [frameOf(file), Buffer.from('abc'), frameOf({ ...file, extension: '.png' }), Buffer.from('def')]
  const run = await lyingNode(context, response => {
    response.writeHead(200)
    response.end(Buffer.concat([...frames, frameOf({ type: 'outcome', outcome: done })]))
  })
  const given = await job()
  // Another target of the same task may get its files from the same node, in the same folder.
  for (const _ of [1, 2]) {
    const [part] = await all(run(given))
    assert.ok(part?.type === 'outcome' && part.outcome.state === 'done')
    const paths = part.outcome.files.map(({ path }) => path)
    assert.deepEqual(
      paths.map(path => [dirname(path), extname(path)]),
      [
        [given.scratch, ''],
        [given.scratch, '.png'],
      ],
    )
  }
  const large = await lyingNode(context, response => {
    response.writeHead(200)
    response.write(frameOf({ type: 'event', event: {}, bytes: 2 ** 40 }))
  })
  const refused = await all(large(given)).catch((error: unknown) => error)
  assert.ok(refused instanceof GatewayError && refused.code === 'payload_too_large')
  let sent = 0
  const endless = await lyingNode(context, response => {
    response.writeHead(502)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', more)
    more()
  })
  const failure = await all(endless(given)).catch((error: unknown) => error)
  assert.ok(failure instanceof NodeFailure && failure.failure.code === 'upstream_error')
  assert.ok(sent < 50_000_000)
})

test('a node that accepts no more connections counts as busy, not as rate-limited', async context => {
  const { job } = await setUp(context)
  for (const code of ['rate_limited', 'too_many_connections'] as const) {
    const run = await lyingNode(context, response => {
      const error = new GatewayError(code, 'The access key has 64 connections open.', { retryAfterSeconds: 5 })
      response.writeHead(error.status).end(JSON.stringify({ error: wireErrorOf(error) }))
    })
    const busy = await all(run(await job())).catch((error: unknown) => error)
    assert.ok(busy instanceof NodeFailure && !busy.isAway)
    assert.deepEqual([busy.failure.code, busy.failure.retryAfterSeconds], ['engine_busy', 5])
  }
})

/** Returns an offer of the engine `e` that runs on nodes at these addresses. */
async function offerAt(
  context: TestContext,
  addresses: readonly string[],
  { clock = { now: Date.now }, ...changes }: Pick<EngineLink, 'mostOfAccount'> & { clock?: Clock } = {},
): Promise<OnceOffer<JsonObject>> {
  const facts = { version: '1', startedAt: 0, state: 'ready' as const, running: 0, deliveries: 0, schema: 1, engines: { e: true as const } }
  const listed = addresses.map((address, index) => {
    const name = `node-${index}`
    const shown = { ...facts, name, address }
    return { id: name, name, facts: shown, beatAt: 0, aliveUntil: 0, isAlive: true, leasedJobs: 0, leasedWebhooks: 0 }
  })
  const nodes = new EngineNodes({ nodes: { list: async () => listed }, clock, alarm: { failed: () => {}, worked: () => {} } })
  await nodes.look()
  const agent = createRunAgent()
  context.after(() => agent.destroy())
  const declared = { id: 'e', title: 'E', settings: noSettings, capabilities: [], queue: 'engine:e' }
  const link = { nodes, sender: { key: runTokenKey(secret), from: 'api', clock, agent }, ...changes }
  const driver = remoteEngine({ ...declared, offers: { 'image.generate': { kind: 'once' } } }, link).open(driverTools())
  // The cast is needed because the type of the offers ties the request to the capability.
  return driver.offers['image.generate'] as unknown as OnceOffer<JsonObject>
}

test('a run during which connections break is lost after three nodes, in a later run after one, and also with fewer nodes', async context => {
  const { job } = await setUp(context)
  let asked = 0
  const address = await listening(context, response => {
    asked += 1
    response.writeHead(200).flushHeaders()
    response.req.resume().on('end', () => response.destroy())
  })
  // Nothing listens at port 1.
  const gone = 'http://127.0.0.1:1'
  for (const [addresses, attempt, expected] of [
    [[address, gone, address, gone, address, gone, address, gone, address], 1, 3],
    [[address, address, address], 2, 1],
    [[address, address], 1, 2],
    [[address, gone], 1, 1],
  ] as const) {
    asked = 0
    const offer = await offerAt(context, addresses)
    const failure = await offer.run(await job({ attempt })).catch((error: unknown) => error)
    assert.ok(failure instanceof LostRunError && failure.code === 'upstream_unreachable', String(failure))
    assert.equal(asked, expected)
  }
})

test('a node that closes a connection before it answers is called once more, and its run is not lost', async context => {
  const { job } = await setUp(context)
  let asked = 0
  const address = await listening(context, response => {
    asked += 1
    if (asked < 2) return void response.destroy()
    response.writeHead(200).end(frameOf({ type: 'outcome', outcome: done }))
  })
  const offer = await offerAt(context, [address])
  assert.equal((await offer.run(await job())).state, 'done')
  asked = -10
  const failure = await offer.run(await job()).catch((error: unknown) => error)
  assert.ok(failure instanceof NotServedError, String(failure))
  assert.equal(asked, -8)
})

test('a node that has started after the token was issued gets a new token', async context => {
  const { node, job, clock, server } = await setUp(context)
  let asked = 0
  let stale = 1
  server.on('request', () => asked++)
  // The node refuses the tokens of the first `stale` requests.
  const offer = await offerAt(context, [node.address], { clock: { now: () => clock.at - (asked < stale ? 1 : 0) } })
  assert.equal((await offer.run(await job())).state, 'done')
  assert.equal(asked, 2)
  stale = 100
  await assert.rejects(offer.run(await job()), { code: 'overloaded' })
  assert.equal(asked, 4)
})

test('one account cannot occupy all places of a node for runs of other nodes', async context => {
  const { job } = await setUp(context)
  const waiting: ServerResponse[] = []
  const address = await listening(context, response => void waiting.push(response))
  const offer = await offerAt(context, [address], { mostOfAccount: 2 })
  const runs = [offer.run(await job()), offer.run(await job())]
  const refused = await offer.run(await job()).catch((error: unknown) => error)
  assert.ok(refused instanceof GatewayError && refused.code === 'engine_busy' && refused.retryAfterSeconds === 5)
  runs.push(offer.run(await job({ account: 'other' })))
  await until(() => waiting.length === 3, 'the runs of both accounts')
  for (const response of waiting) response.writeHead(200).end(frameOf({ type: 'outcome', outcome: done }))
  for (const { state } of await Promise.all(runs)) assert.equal(state, 'done')
  const further = offer.run(await job())
  await until(() => waiting.length === 4, 'a further run')
  waiting[3]?.writeHead(200).end(frameOf({ type: 'outcome', outcome: done }))
  await further
})

test('of processes that share an address, one that accepts runs is found beside one that drains', async context => {
  const { node, job, clock, duty, connections } = await setUp(context)
  const offer = await offerAt(context, [node.address], { clock })
  // Each try reads the reason twice while the node is draining, so the first two tries are refused
  // and the third is accepted.
  let asked = 0
  Object.defineProperty(duty, 'reason', { get: () => (++asked < 5 ? 'This node is draining.' : undefined), configurable: true })
  assert.equal((await offer.run(await job())).state, 'done')
  assert.equal(connections(), 3, 'each try has a connection of its own')
  Object.defineProperty(duty, 'reason', { get: () => 'This node is draining.', configurable: true })
  const refused = await offer.run(await job()).catch((error: unknown) => error)
  assert.ok(refused instanceof GatewayError)
  assert.deepEqual([refused.code, refused.retryAfterSeconds], ['capability_unavailable', 5])
})
