import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DriverSpec, once, polled, streamed } from '../contract/driver.ts'
import { createFakeClock } from '../testing/clock.ts'
import { donePixel, fakeImageDriver } from '../testing/fake-driver.ts'
import { fakeTextDriver, says, type TextScript } from '../testing/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { newTestTask, openTestStore, silentLog } from '../testing/store.ts'
import { until } from '../testing/until.ts'
import { buildCatalogue, type Target } from './catalogue.ts'
import { endRun } from './end-run.ts'
import { type ErrorCode, type ErrorDetails, GatewayError } from './errors.ts'
import type { ImageGenerateRequest } from './requests/image.ts'
import type { Driver, Outcome } from './requests/job.ts'
import { createRouter } from './router.ts'
import { runClaim } from './run-claim.ts'
import { createTargetHealth } from './target-health.ts'
import type { JsonObject } from './task.ts'
import type { WorkerDeps } from './worker.ts'

const path = '/v1/ai/default/imgf/image/generate'
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const two = 'models:\n  - { id: fake, family: F1, group: P, targets: [{ driver: a, order: 1 }, { driver: b, order: 2 }] }\n'

/** A gateway whose model has the targets `a`, which runs `first`, and `b`, which works. */
async function pair(first: () => Promise<Outcome>) {
  const runs: string[] = []
  const a = once<ImageGenerateRequest>(() => {
    runs.push('a')
    return first()
  })
  const b = once<ImageGenerateRequest>(job => {
    runs.push('b')
    return donePixel(job)
  })
  const gateway = await startTestGateway({ drivers: [fakeImageDriver('a', a), fakeImageDriver('b', b)], yaml: two })
  return { runs, gateway, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

async function outcomeOf(gateway: TestGateway): Promise<string> {
  const { body } = await gateway.call(path, { body: { prompt: 'x', model: 'fake' } })
  const result = (await gateway.result(body.polling_url)) as { status: string; details?: { error?: string } }
  return result.details?.error ?? result.status
}

test('a task goes on to the next target when the first has provably not taken it on', async () => {
  const cases: [ErrorCode, ErrorDetails][] = [
    ['rate_limited', { retryAfterSeconds: 30 }],
    ['overloaded', {}],
    ['upstream_unreachable', { cause: refused }],
    ['upstream_quota_exhausted', {}],
  ]
  for (const [code, details] of cases) {
    await using shared = await pair(() => Promise.reject(new GatewayError(code, 'no', details)))
    assert.equal(await outcomeOf(shared.gateway), 'Ready', code)
    assert.deepEqual(shared.runs, ['a', 'b'], code)
  }
  await using shared = await pair(async () => ({ state: 'failed', code: 'upstream_auth_error', message: 'no' }))
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.deepEqual(shared.runs, ['a', 'b'])
})

test('a task of unknown fate is sent nowhere else and not again, and a refusal is the answer', async () => {
  for (const code of ['upstream_timeout', 'upstream_error', 'upstream_unreachable'] as const) {
    await using shared = await pair(() => Promise.reject(new GatewayError(code, 'no')))
    assert.equal(await outcomeOf(shared.gateway), code)
    assert.deepEqual(shared.runs, ['a'], code)
  }
  await using shared = await pair(async () => ({ state: 'failed', code: 'request_moderated', message: 'no' }))
  await outcomeOf(shared.gateway)
  assert.deepEqual(shared.runs, ['a'])
})

test('a target that asked for a pause is not asked by the next task', async () => {
  await using shared = await pair(() => Promise.reject(new GatewayError('rate_limited', 'no', { retryAfterSeconds: 30 })))
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.deepEqual(shared.runs, ['a', 'b', 'b'])
})

/** A polled driver that is done when the test says so. */
function slow(id: string) {
  const upstream: { settings: JsonObject[]; started: number; isDone: boolean } = { settings: [], started: 0, isDone: false }
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 20,
    start: async () => {
      upstream.started += 1
      return { state: 'started', handle: { id: 'u1' } }
    },
    check: async job => {
      upstream.settings.push(job.settings)
      return upstream.isDone ? donePixel(job) : { state: 'running' }
    },
  })
  return { upstream, driver: fakeImageDriver(id, offer) }
}

test('a running task survives a reload that takes its target and its model out', async () => {
  const { upstream, driver } = slow('p')
  await using gateway = await startTestGateway({
    drivers: [driver],
    yaml: 'models: [{ id: fake, family: F1, group: P, targets: [{ driver: p }] }]\n',
  })
  const { body } = await gateway.call(path, { body: { prompt: 'x', model: 'fake' } })
  await until(() => upstream.settings.length > 0, 'the first poll')
  await writeFile(join(gateway.dataDir, 'gateway.yaml'), 'models: []\n')
  await gateway.gateway.reload()
  const polls = upstream.settings.length
  await until(() => upstream.settings.length > polls + 1, 'polls after the reload')
  upstream.isDone = true
  assert.equal((await gateway.result(body.polling_url)).status, 'Ready')
  assert.equal(upstream.started, 1)
})

/** Runs one claim at a time on the embedded store, with a catalogue the test exchanges. */
async function bench(spec: DriverSpec, target: Partial<Target> = {}) {
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const driver: Driver = spec.open({
    packs: { file: () => undefined, howToGet: () => '' },
    scratchDirectory: opened.directory,
    allowPrivateUrls: false,
    cores: 0,
    log: silentLog,
  })
  const drivers = new Map([[driver.id, driver]])
  const capability = driver.offers['text.respond'] ? 'text.respond' : 'image.generate'
  const catalogueOf = (...targets: Target[]) =>
    buildCatalogue([], [], targets.length ? [{ id: 'fake', title: 'Fake', families: ['F1'], capability, targets, source: 'yaml' }] : [])
  const first: Target = { id: 'fake#1', driver: driver.id, model: 'm', order: 1, weight: 1, settings: { url: 'old' }, ...target }
  let catalogue = catalogueOf(first, { ...first, id: 'fake#2', order: 2, settings: { url: 'second' } })
  const router = createRouter(drivers, () => 0.5, createTargetHealth({ clock, random: () => 0, log: silentLog }))
  const { store, blobs } = opened
  const deps: WorkerDeps = { store, blobs, router, catalogue: () => catalogue, drivers, clock, log: silentLog }
  await store.heartbeat('node', clock.now(), 3_600_000)
  await store.submit(newTestTask('t1', clock.now(), { queue: driver.queue.name, capability }))
  return {
    deps,
    store,
    clock,
    setTargets: (...targets: Target[]) => {
      catalogue = catalogueOf(...targets)
    },
    first,
    claim: async () => {
      const [claim] = await store.claim(driver.queue.name, 'node', 1, clock.now())
      assert.ok(claim)
      return claim
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const open = () => new AbortController().signal

/** A polled driver whose first look ends the run as it is told. */
function breaking() {
  const seen: JsonObject[] = []
  let looks = 0
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 0.001,
    start: async () => ({ state: 'started', handle: { id: 'u1' } }),
    check: async job => {
      seen.push(job.settings)
      looks += 1
      if (looks <= 11) throw new GatewayError('upstream_error', 'down')
      return donePixel(job)
    },
  })
  return { seen, driver: fakeImageDriver('p', offer) }
}

test('a started task that is claimed again goes on with the settings it was started with', async () => {
  const { seen, driver } = breaking()
  await using run = await bench(driver)
  const claim = await run.claim()
  await assert.rejects(runClaim(run.deps, claim, open()), { code: 'upstream_error' })
  assert.equal(claim.started?.target, 'fake#1')
  await run.store.reschedule('t1', claim.token, run.clock.now(), 'down', run.clock.now())
  run.setTargets({ ...run.first, settings: { url: 'new' } })
  await runClaim(run.deps, await run.claim(), open())
  assert.equal((await run.store.get('t1'))?.state, 'succeeded')
  assert.deepEqual(seen.at(-1), { url: 'old' })
})

test('after a restart a started task whose target is gone fails with its name', async () => {
  const { driver } = breaking()
  await using run = await bench(driver)
  const claim = await run.claim()
  await assert.rejects(runClaim(run.deps, claim, open()))
  await run.store.reschedule('t1', claim.token, run.clock.now(), 'down', run.clock.now())
  run.setTargets()
  const restarted = { ...run.deps, router: createRouter(run.deps.drivers, () => 0.5) }
  await assert.rejects(runClaim(restarted, await run.claim(), open()), { code: 'capability_unavailable', message: /fake#1/ })
})

test('a task whose targets are all left alone waits for the first of them, and is not failed', async () => {
  await using run = await bench(fakeImageDriver('s', once(donePixel)))
  const { deps, clock, store } = run
  for (const id of ['fake#1', 'fake#2']) deps.router.health.failed(id, new GatewayError('rate_limited', 'no', { retryAfterSeconds: 40 }))
  const claim = await run.claim()
  const failure = await runClaim(deps, claim, open()).then(
    () => assert.fail('it ran'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof GatewayError)
  assert.equal(failure.retryAfterSeconds, 40)
  await endRun({ store, clock, claim, signal: open() }, failure)
  assert.equal((await store.get('t1'))?.state, 'queued')
  clock.step(39_000)
  assert.deepEqual(await store.claim('fake:s', 'node', 1, clock.now()), [])
  clock.step(1_000)
  await runClaim(deps, await run.claim(), open())
  assert.equal((await store.get('t1'))?.state, 'succeeded')
})

test('an answer in text is kept whole with its task', async () => {
  const script: TextScript = async function* () {
    yield { type: 'reasoning', part: 'summary', delta: 'Hm.' }
    yield* says('one two')
  }
  await using run = await bench(fakeTextDriver('t', script))
  await runClaim(run.deps, await run.claim(), open())
  const { result } = (await run.store.get('t1')) ?? {}
  assert.deepEqual(result?.output, [
    { type: 'reasoning', summary: ['Hm.'], content: [] },
    { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'one two' }] },
  ])
  assert.equal(result?.finish, 'stop')
})

test('text goes on to the next target after a fault, but not once it has begun', async () => {
  for (const [isLate, tried] of [
    [false, ['old', 'second']],
    [true, ['old']],
  ] as const) {
    const seen: unknown[] = []
    const script: TextScript = async function* (job) {
      seen.push(job.settings.url)
      if (isLate) yield { type: 'text', delta: 'o' }
      if (job.settings.url === 'old') throw new GatewayError('upstream_error', 'down')
      yield* says('one')
    }
    await using run = await bench(fakeTextDriver('t', script))
    const ran = runClaim(run.deps, await run.claim(), open())
    await (isLate ? assert.rejects(ran, { code: 'upstream_error' }) : ran)
    assert.deepEqual(seen, tried)
  }
})

test('a stream of files that has begun is not begun again elsewhere', async () => {
  const seen: unknown[] = []
  const offer = streamed<ImageGenerateRequest>(async function* (job) {
    seen.push(job.settings.url)
    yield { type: 'file', file: { path: 'unused', mediaType: 'image/png' } }
    throw new GatewayError('overloaded', 'busy')
  })
  await using run = await bench(fakeImageDriver('s', offer))
  await assert.rejects(runClaim(run.deps, await run.claim(), open()), { code: 'overloaded' })
  assert.deepEqual(seen, ['old'])
})

test('a run that was stopped from outside says nothing about its target', async () => {
  const controller = new AbortController()
  const offer = once<ImageGenerateRequest>(async () => {
    controller.abort(new Error('stopped'))
    throw new GatewayError('upstream_auth_error', 'no')
  })
  await using run = await bench(fakeImageDriver('s', offer))
  await assert.rejects(runClaim(run.deps, await run.claim(), controller.signal))
  assert.equal(run.deps.router.health.mayTry('fake#1'), true)
})
