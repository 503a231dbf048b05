/** Tests how a node runs an engine on another node, without the rest of the program. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse, request as startRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noSettings, once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError, TargetRefusal, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, Job, Offer, Offers, OnceOffer } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { NodeFacts } from '../core/records/node.ts'
import { Connections } from '../http/connection/connections.ts'
import { createWrongKeys } from '../http/connection/wrong-keys.ts'
import { Exchange } from '../http/request/exchange.ts'
import { driverTools } from '../testing/driver-tools.ts'
import { EngineNodes } from './engine-nodes.ts'
import { remoteEngine } from './remote-engine.ts'
import { RunPlaces } from './run-places.ts'
import { digestOf, RunTokens, runTokenKey, signRun } from './run-token.ts'
import { createRunAgent, NodeFailure, type RemotePart, sendRun } from './send-run.ts'
import { serveRuns } from './serve-runs.ts'
import { enginePath, frameOf, wireErrorOf } from './wire.ts'

type AnyOffer = Offer<JsonObject, object>

const secret = Buffer.alloc(32, 7)

/** Starts a node with the engine `e`, which offers `image.generate`; returns it with the
 *  functions to run the engine there. */
async function setUp(context: TestContext, offer: AnyOffer, { slots = 4, accountSlots = 4, silenceMs = 10_000, mostPerKey = 1_000 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-runs-'))
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const duty: { reason: string | undefined } = { reason: undefined }
  const places = new RunPlaces({ slots, accountSlots })
  // The cast is needed because the type `Offers` ties the request type to the capability, and
  // `AnyOffer` does not.
  const offers = { 'image.generate': offer } as Offers
  const queue = { name: 'engine:e', slots, accountSlots }
  const state = { address: '' }
  const connections = new Connections({ most: 1_000, mostPerKey, mostPerAddress: 1_000 })
  const handler = serveRuns({
    tokens: new RunTokens(runTokenKey(secret), clock, () => state.address),
    engines: new Map([['e', { id: 'e', title: 'E', queue, offers }]]),
    places: new Map([['e', places]]),
    duty,
    blobs: { scratch: name => mkdtemp(join(folder, `${name}-`)) },
    subRequests: () => async () => undefined,
    http: { connections, wrongKeys: createWrongKeys(clock) },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    silenceMs,
  })
  const server = createServer()
  connections.watch(server, (request, response) => void handler(new Exchange(request, response, false)))
  let opened = 0
  server.on('connection', () => {
    opened += 1
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = createRunAgent()
  context.after(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const node = { id: 'n1', name: 'east', address: state.address }
  const job = async (changes: Partial<Job<JsonObject>> = {}): Promise<Job<JsonObject>> => ({
    ...{ id: 'task', account: 'acme', key: 'key_1', request: { prompt: 'a hill' }, inputs: [], model: 'm', settings: { seed: 1 } },
    ...{ attempt: 1, scratch: await mkdtemp(join(folder, 'caller-')), signal: new AbortController().signal, progress: () => {} },
    ...changes,
  })
  const sender = { key: runTokenKey(secret), from: 'api', clock, agent }
  const run = (given: Job<JsonObject>) => sendRun(sender, node, { engine: 'e', capability: 'image.generate', job: given })
  return { folder, clock, duty, places, node, job, run, server, connections: () => opened }
}

async function all(parts: AsyncIterable<RemotePart>): Promise<RemotePart[]> {
  const found: RemotePart[] = []
  for await (const part of parts) found.push(part)
  return found
}

const done: Done = { state: 'done', files: [], report: {}, usage: [] }

test('the engine gets the job with its files, and its events and files come back byte for byte', async context => {
  const seen: { job: Job<JsonObject>; bytes: Buffer }[] = []
  const { folder, job, run } = await setUp(
    context,
    streamed<JsonObject, object>(async function* (given) {
      seen.push({ job: given, bytes: await readFile(given.inputs[0]?.path ?? '') })
      given.progress(0.25)
      yield { type: 'event', event: { type: 'sound', bytes: Buffer.from([0, 255, 1]) } }
      yield { type: 'event', event: { type: 'notice', says: 'ü' } }
      const [early, late] = [join(given.scratch, 'early.png'), join(given.scratch, 'late.mp3')]
      await writeFile(early, Buffer.alloc(3_000_000, 5))
      await writeFile(late, '')
      yield { type: 'file', file: { path: early, mediaType: 'image/png', width: 3 } }
      const files = [{ path: late, mediaType: 'audio/mpeg', role: 'sound' }]
      yield { type: 'outcome', outcome: { ...done, files, report: { seed: '1' }, detail: { scene: [1] } } }
    }),
  )
  const path = join(folder, 'input')
  await writeFile(path, Buffer.alloc(2_000_000, 9))
  const input = { path, role: 'image', mediaType: 'image/png', bytes: 2_000_000, width: 7, origin: { detail: { a: 1 }, index: 2 } }
  const progress: number[] = []
  const parts = await all(run(await job({ inputs: [input], progress: fraction => progress.push(fraction) })))
  const [{ job: got, bytes } = assert.fail('no run')] = seen
  assert.deepEqual(
    [got.id, got.request, got.settings, got.model, got.account, got.key],
    ['task', { prompt: 'a hill' }, { seed: 1 }, 'm', 'acme', 'key_1'],
  )
  assert.deepEqual({ ...got.inputs[0], path }, input)
  assert.ok(bytes.equals(Buffer.alloc(2_000_000, 9)))
  assert.deepEqual(progress, [0.25])
  const [sound, notice, early, outcome] = parts
  assert.deepEqual(sound, { type: 'event', event: { type: 'sound', bytes: Buffer.from([0, 255, 1]) } })
  assert.deepEqual(notice, { type: 'event', event: { type: 'notice', says: 'ü' } })
  assert.ok(early?.type === 'file' && early.file.path.endsWith('.png') && early.file.width === 3)
  assert.ok((await readFile(early.file.path)).equals(Buffer.alloc(3_000_000, 5)))
  assert.ok(outcome?.type === 'outcome' && outcome.outcome.state === 'done')
  const { files, report, detail } = outcome.outcome
  assert.deepEqual([files.map(({ role }) => role), report, detail], [['sound'], { seed: '1' }, { scene: [1] }])
  assert.equal((await readFile(files[0]?.path ?? '')).length, 0)
})

test('errors keep their code, field, reasons and kind', async context => {
  const thrown: unknown[] = [
    new TargetRefusal('invalid_request', 'prompt is odd.', { field: 'prompt', reasons: ['a'], retryAfterSeconds: 9 }),
    new UnsafeFileError(),
    new Error('secret detail'),
  ]
  const { job, run } = await setUp(
    context,
    once(async () => {
      throw thrown.shift()
    }),
  )
  const refusal = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(refusal instanceof TargetRefusal)
  assert.deepEqual(
    [refusal.code, refusal.message, refusal.field, refusal.reasons, refusal.retryAfterSeconds],
    ['invalid_request', 'prompt is odd.', 'prompt', ['a'], 9],
  )
  assert.ok((await all(run(await job())).catch((error: unknown) => error)) instanceof UnsafeFileError)
  const fault = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(fault instanceof GatewayError && fault.code === 'internal_error' && !fault.message.includes('secret'))
})

test('a reader who stops to read holds the engine back, and one who leaves ends the run', async context => {
  let made = 0
  let ended = false
  const { job, run, places } = await setUp(
    context,
    streamed<JsonObject, object>(async function* ({ signal }) {
      signal.addEventListener('abort', () => {
        ended = true
      })
      for (; made < 200; made++) yield { type: 'event', event: { bytes: Buffer.alloc(1_000_000) } }
      yield { type: 'outcome', outcome: done }
    }),
  )
  const parts = run(await job())
  await parts.next()
  let before = -1
  for (let same = 0; same < 10; same = made === before ? same + 1 : 0) {
    before = made
    await sleep(20)
  }
  assert.ok(made < 60, `${made} MB were made for a reader who took one`)
  await parts.return(undefined)
  await until(() => ended && places.busy === 0, 'the end of the run')
  assert.ok(made < 60)
})

test('a node that stops in the middle is told apart from an engine that fails', async context => {
  const { job, run, server } = await setUp(
    context,
    streamed<JsonObject, object>(async function* () {
      server.closeAllConnections()
      yield { type: 'outcome', outcome: done }
    }),
  )
  const broken = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(broken instanceof NodeFailure && broken.isAway && broken.failure.code === 'upstream_unreachable')
  server.close()
  const unreachable = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(unreachable instanceof NodeFailure && unreachable.isAway)
})

test('places are divided among accounts, and a node that is full or drains says so', async context => {
  const gates: PromiseWithResolvers<void>[] = []
  const order: string[] = []
  const { job, run, places, duty } = await setUp(
    context,
    once(async ({ account = '' }) => {
      const gate = Promise.withResolvers<void>()
      order.push(account)
      gates.push(gate)
      await gate.promise
      return done
    }),
    { slots: 2, accountSlots: 1 },
  )
  const calls = [all(run(await job())), all(run(await job()))]
  await until(() => places.waiting === 1, 'the second run of the account to wait')
  calls.push(all(run(await job({ account: 'other' }))))
  await until(() => order.length === 2, 'the run of the other account')
  assert.deepEqual(order, ['acme', 'other'])
  const more = Array.from({ length: 64 }, async () => all(run(await job())).catch((error: unknown) => error))
  await until(() => places.waiting === 64, 'all of them to wait')
  const full = await Promise.race(more)
  assert.ok(full instanceof NodeFailure && full.failure.code === 'engine_busy' && full.failure.retryAfterSeconds === 5)
  duty.reason = 'This node is draining.'
  const draining = await all(run(await job({ account: 'third' }))).catch((error: unknown) => error)
  assert.ok(draining instanceof NodeFailure && draining.failure.code === 'draining')
  const timer = setInterval(() => {
    for (const gate of gates) gate.resolve()
  }, 5)
  context.after(() => clearInterval(timer))
  for (const call of calls) assert.equal((await call).at(-1)?.type, 'outcome')
  await Promise.all(more)
  assert.deepEqual([places.busy, places.waiting], [0, 0])
})

test('only a token of the same secret, for this node and request, is accepted, once, for 30 s', async context => {
  const { node, clock } = await setUp(
    context,
    once(async () => done),
  )
  const body = frameOf({ version: 1, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs: [] })
  const head = digestOf(body.subarray(4))
  let count = 0
  const claims = () => ({ run: `run-${++count}`, engine: 'e', account: 'acme', key: 'k', from: 'api', to: node.address, head })
  const key = runTokenKey(secret)
  const send = async (token: string, sent: Buffer = body): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-gateway-frames' }
    const answer = await fetch(node.address + enginePath, { method: 'POST', headers, body: new Uint8Array(sent) })
    const text = await answer.text()
    return `${answer.status} ${/"(?:type|code)":"(\w+)"/.exec(text)?.[1]} ${/[^:]*(?=\."})/.exec(text)?.[0].trim() ?? ''}`.trim()
  }
  const valid = signRun(key, claims(), clock.now())
  assert.equal(await send(valid), '200 outcome')
  assert.equal(await send(valid), '401 invalid_api_key the token was used before')
  const late = signRun(key, claims(), clock.now())
  clock.at += 30_000
  assert.equal(await send(late), '401 invalid_api_key the token has expired')
  const now = clock.now()
  assert.equal(
    await send(signRun(key, { ...claims(), to: 'http://10.0.0.9:8080' }, now)),
    '401 invalid_api_key the token is for another node',
  )
  const foreign = 'only nodes of the same database may use it, with a token of their own'
  assert.equal(await send(signRun(runTokenKey(Buffer.alloc(32, 8)), claims(), now)), `401 invalid_api_key ${foreign}`)
  assert.equal(await send(signRun(secret, claims(), now)), `401 invalid_api_key ${foreign}`, 'the secret key itself signs nothing')
  const [version, payload, mac] = signRun(key, claims(), now).split('.')
  const altered = Buffer.from(JSON.stringify({ ...claims(), account: 'victim', exp: now + 1_000 })).toString('base64url')
  assert.equal(await send([version, altered, mac].join('.')), `401 invalid_api_key ${foreign}`)
  assert.equal(await send([version, payload, ''].join('.')), `401 invalid_api_key ${foreign}`)
  const other = frameOf({
    version: 1,
    capability: 'image.generate',
    model: 'm',
    settings: { file: '/x' },
    request: {},
    attempt: 1,
    inputs: [],
  })
  assert.match(await send(signRun(key, claims(), now), other), /^200 error/, 'the token is bound to its request')
  assert.match(await send(signRun(key, { ...claims(), engine: 'openai-compatible' }, now)), /^503 capability_unavailable/)
})

test('a request that is too large, of another version or cut short is refused', async context => {
  let ran = 0
  const { job, run, node, clock } = await setUp(
    context,
    once(async () => {
      ran += 1
      return done
    }),
  )
  const large = await all(run(await job({ request: { prompt: 'x'.repeat(17 * 2 ** 20) } }))).catch((error: unknown) => error)
  assert.ok(large instanceof GatewayError && large.code === 'payload_too_large')
  const head = { version: 2, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs: [] }
  const short = { ...head, version: 1, inputs: [{ role: 'image', mediaType: 'image/png', bytes: 10 }] }
  for (const sent of [head, short]) {
    const frame = frameOf(sent)
    const claims = {
      run: `v${sent.version}`,
      engine: 'e',
      account: '',
      key: '',
      from: 'api',
      to: node.address,
      head: digestOf(frame.subarray(4)),
    }
    const token = signRun(runTokenKey(secret), claims, clock.now())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-gateway-frames' }
    const answer = await fetch(node.address + enginePath, { method: 'POST', headers, body: new Uint8Array(frame) })
    assert.match(await answer.text(), /"type":"error"/)
  }
  assert.equal(ran, 0)
})

test('a node that falls silent in the middle of its request loses its place', async context => {
  const { node, places, clock } = await setUp(
    context,
    once(async () => done),
    { silenceMs: 100 },
  )
  const inputs = [{ role: 'image', mediaType: 'image/png', bytes: 10 }]
  const frame = frameOf({ version: 1, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs })
  const claims = { run: 'r', engine: 'e', account: '', key: '', from: 'api', to: node.address, head: digestOf(frame.subarray(4)) }
  const sent = startRequest(node.address + enginePath, {
    method: 'POST',
    headers: { authorization: `Bearer ${signRun(runTokenKey(secret), claims, clock.now())}` },
  })
  sent.on('response', response => response.on('error', () => {}).resume())
  const cut = new Promise(resolve => sent.on('error', () => {}).on('close', resolve))
  sent.write(frame)
  await until(() => places.busy === 1, 'the place')
  await cut
  await until(() => places.busy === 0, 'the place to be free')
})

test('the limit of connections of an access key does not limit the runs of a node', async context => {
  const both = Promise.withResolvers<void>()
  let running = 0
  const { job, run } = await setUp(
    context,
    once(async () => {
      if (++running === 2) both.resolve()
      await both.promise
      return done
    }),
    { mostPerKey: 1 },
  )
  for (const parts of await Promise.all([all(run(await job())), all(run(await job()))])) assert.equal(parts.at(-1)?.type, 'outcome')
})

test('a node that falls silent is given up, before its answer and in the middle of it', async context => {
  const server = createServer((_request, response) => {
    if (answers) response.writeHead(200).write(frameOf({ type: 'event', event: { says: 'a word' } }))
  })
  let answers = false
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const agent = createRunAgent(300)
  context.after(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { job } = await setUp(
    context,
    once(async () => done),
  )
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

/** Starts a server in place of a node; returns its address. */
async function listening(context: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the function that runs a job on a node that answers every request by `answer`. */
async function lyingNode(context: TestContext, answer: (response: ServerResponse) => void) {
  const address = await listening(context, answer)
  const agent = createRunAgent()
  context.after(() => agent.destroy())
  const sender = { key: runTokenKey(secret), from: 'api', clock: { now: Date.now }, agent }
  return (job: Job<JsonObject>) => sendRun(sender, { id: 'n', name: 'east', address }, { engine: 'e', capability: 'image.generate', job })
}

test('an answer cannot write outside the folder of its job, nor fill the memory', async context => {
  const { job } = await setUp(
    context,
    once(async () => done),
  )
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

test('a node that takes no more connections counts as busy, not as a rate limit of the engine', async context => {
  const { job } = await setUp(
    context,
    once(async () => done),
  )
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

test('a run during which three nodes broke off fails and is not sent to a fourth', async context => {
  const { job, clock } = await setUp(
    context,
    once(async () => done),
  )
  let asked = 0
  const address = await listening(context, response => {
    asked += 1
    response.destroy()
  })
  const facts = { version: '1', startedAt: 0, state: 'ready' as const, running: 0, deliveries: 0, schema: 1, engines: { e: true as const } }
  const listed = Array.from({ length: 9 }, (_, index) => {
    const name = `node-${index}`
    // Every second node cannot be reached.
    const shown = { ...facts, name, address: index % 2 === 0 ? address : 'http://127.0.0.1:1' }
    return { id: name, name, facts: shown, beatAt: 0, aliveUntil: 0, isAlive: true, leasedJobs: 0, leasedWebhooks: 0 }
  })
  const nodes = new EngineNodes({ nodes: { list: async () => listed }, clock, alarm: { failed: () => {}, worked: () => {} } })
  await nodes.look()
  const agent = createRunAgent()
  context.after(() => agent.destroy())
  const declared = { id: 'e', title: 'E', settings: noSettings, capabilities: [], queue: 'engine:e' }
  const link = { nodes, sender: { key: runTokenKey(secret), from: 'api', clock, agent } }
  const driver = remoteEngine({ ...declared, offers: { 'image.generate': { kind: 'once' } } }, link).open(driverTools())
  // The cast is needed because the type of the offers ties the request to the capability.
  const offer = driver.offers['image.generate'] as unknown as OnceOffer<JsonObject>
  const failure = await offer.run(await job()).catch((error: unknown) => error)
  assert.ok(failure instanceof GatewayError && failure.code === 'upstream_unreachable')
  assert.equal(asked, 3)
})

test('of processes that share an address, one that takes runs is found beside one that drains', async context => {
  const { node, job, clock, duty, connections } = await setUp(
    context,
    once(async () => done),
  )
  const facts: NodeFacts = {
    ...{ name: 'east-1', version: '1', startedAt: 0, state: 'ready', running: 0, deliveries: 0, schema: 1 },
    ...{ address: node.address, engines: { e: true } },
  }
  const listed = { id: 'n', name: 'east-1', facts, beatAt: 0, aliveUntil: 0, isAlive: true, leasedJobs: 0, leasedWebhooks: 0 }
  const nodes = new EngineNodes({ nodes: { list: async () => [listed] }, clock, alarm: { failed: () => {}, worked: () => {} } })
  await nodes.look()
  const agent = createRunAgent()
  context.after(() => agent.destroy())
  const declared = { id: 'e', title: 'E', settings: noSettings, capabilities: [], queue: 'engine:e' }
  const link = { nodes, sender: { key: runTokenKey(secret), from: 'api', clock, agent } }
  const driver = remoteEngine({ ...declared, offers: { 'image.generate': { kind: 'once' } } }, link).open(driverTools())
  // The cast is needed because the type of the offers ties the request to the capability.
  const offer = driver.offers['image.generate'] as unknown as OnceOffer<JsonObject>
  // Each refusal reads the reason twice.
  let asked = 0
  Object.defineProperty(duty, 'reason', { get: () => (++asked < 5 ? 'This node is draining.' : undefined), configurable: true })
  assert.equal((await offer.run(await job())).state, 'done')
  assert.equal(connections(), 3, 'each try has a connection of its own')
  Object.defineProperty(duty, 'reason', { get: () => 'This node is draining.', configurable: true })
  const refused = await offer.run(await job()).catch((error: unknown) => error)
  assert.ok(refused instanceof GatewayError)
  assert.deepEqual([refused.code, refused.retryAfterSeconds], ['capability_unavailable', 5])
})
