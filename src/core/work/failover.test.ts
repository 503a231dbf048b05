import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { once, polled, streamed } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, type ErrorDetails, GatewayError, NotSentError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { fakeTextDriver, says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import type { Claim } from '../ports/store.ts'
import { createRouter } from '../routing/router.ts'
import { AbortedRun } from './aborted-run.ts'
import { endRun } from './end-run.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
import type { WorkerDeps } from './worker-deps.ts'

const path = '/v1/ai/default/imgf/image/generate'
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const two = 'models:\n  - { id: fake, family: F1, group: P, targets: [{ driver: a, order: 1 }, { driver: b, order: 2 }] }\n'

/** Returns a gateway whose model has two targets: `a`, which runs `first`, and `b`, which works. */
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

test('a task fails over to the next target when the first has certainly not accepted it', async () => {
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
  for (const code of ['upstream_error', 'upstream_unreachable', 'upstream_timeout'] as const) {
    await using shared = await pair(() => Promise.reject(new NotSentError(code, 'no token')))
    assert.equal(await outcomeOf(shared.gateway), 'Ready', code)
    assert.deepEqual(shared.runs, ['a', 'b'], code)
  }
  await using shared = await pair(async () => ({ state: 'failed', code: 'upstream_auth_error', message: 'no' }))
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.deepEqual(shared.runs, ['a', 'b'])
})

test('a task of unknown fate is not sent to another target or again, and a refusal is the result', async () => {
  for (const code of ['upstream_timeout', 'upstream_error', 'upstream_unreachable'] as const) {
    await using shared = await pair(() => Promise.reject(new GatewayError(code, 'no')))
    assert.equal(await outcomeOf(shared.gateway), 'outcome_unknown', code)
    assert.deepEqual(shared.runs, ['a'], code)
  }
  await using shared = await pair(async () => ({ state: 'failed', code: 'request_moderated', message: 'no' }))
  await outcomeOf(shared.gateway)
  assert.deepEqual(shared.runs, ['a'])
})

test('a target that requested a pause gets no further task until then', async () => {
  await using shared = await pair(() => Promise.reject(new GatewayError('rate_limited', 'no', { retryAfterSeconds: 30 })))
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.equal(await outcomeOf(shared.gateway), 'Ready')
  assert.deepEqual(shared.runs, ['a', 'b', 'b'])
})

/** Returns a polled driver that finishes when the test allows it. */
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

test('a running task survives a reload that removes its target and its model', async () => {
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

const open = () => new AbortController().signal
const runOne = (deps: WorkerDeps, claim: Claim, signal: AbortSignal) => runClaim(deps, claim, fateOf(claim), signal)

/** Returns a polled driver whose first poll ends the run in the way that the test sets. */
function breaking() {
  const seen: JsonObject[] = []
  let looks = 0
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 0.001,
    pollsPerSecond: 10_000,
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

test('a started task that is claimed again keeps the settings with which it was started', async () => {
  const { seen, driver } = breaking()
  await using run = await openClaimBench(driver)
  const claim = await run.claim()
  await assert.rejects(runOne(run.deps, claim, open()), { code: 'upstream_error' })
  await run.store.reschedule('t1', claim.token, run.clock.now(), 'down', run.clock.now())
  run.setTargets({ ...run.first, settings: { url: 'new' } })
  await runOne(run.deps, await run.claim(), open())
  assert.equal((await run.store.get('t1'))?.state, 'succeeded')
  assert.deepEqual(seen.at(-1), { url: 'old' })
})

test('after a restart, a started task continues without its target; without its driver it fails, naming the driver', async () => {
  const { driver, seen } = breaking()
  await using run = await openClaimBench(driver)
  const claim = await run.claim()
  await assert.rejects(runOne(run.deps, claim, open()))
  await run.store.reschedule('t1', claim.token, run.clock.now(), 'down', run.clock.now())
  run.setTargets()
  const again = await run.claim()
  const withoutDriver = { ...run.deps, drivers: new Map() }
  await assert.rejects(runOne(withoutDriver, again, open()), { code: 'capability_unavailable', message: /fake#1/ })
  const restarted = { ...run.deps, router: createRouter(run.deps.drivers, () => 0.5) }
  await runOne(restarted, again, open())
  assert.equal((await run.store.get('t1'))?.state, 'succeeded')
  assert.deepEqual(seen.at(-1), { url: 'old' })
})

test('after a restart, a task whose service returned an unsafe file fails over; the file is fetched once', async () => {
  const seen: unknown[] = []
  let isDown = true
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 0,
    start: async () => ({ state: 'started', handle: {} }),
    check: async job => {
      seen.push(job.settings.url)
      if (isDown) throw new GatewayError('upstream_error', 'down')
      if (job.settings.url === 'old') throw new UnsafeFileError()
      return donePixel(job)
    },
  })
  await using run = await openClaimBench(fakeImageDriver('s', offer))
  const claim = await run.claim()
  const stopped = new AbortController()
  const first = assert.rejects(runOne(run.deps, claim, stopped.signal))
  await until(() => seen.length > 0, 'the first look')
  stopped.abort(new AbortedRun('draining'))
  await first
  await run.store.reschedule('t1', claim.token, run.clock.now(), 'stopped', run.clock.now())
  isDown = false
  seen.length = 0
  await runOne(run.deps, await run.claim(), open())
  assert.equal((await run.store.get('t1'))?.state, 'succeeded')
  assert.deepEqual(seen, ['old', 'second'])
})

test('a task waits while the breakers of all targets are open, and does not fail', async () => {
  await using run = await openClaimBench(fakeImageDriver('s', once(donePixel)))
  const { deps, clock, store } = run
  for (const id of ['fake#1', 'fake#2']) deps.router.health.failed(id, new GatewayError('rate_limited', 'no', { retryAfterSeconds: 40 }))
  const claim = await run.claim()
  const failure = await runOne(deps, claim, open()).then(
    () => assert.fail('it ran'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof GatewayError)
  assert.equal(failure.retryAfterSeconds, 40)
  await endRun({ store, clock, claim, fate: fateOf(claim), signal: open() }, failure)
  assert.equal((await store.get('t1'))?.state, 'queued')
  clock.step(39_000)
  assert.deepEqual(await store.claim('fake:s', 'node', 1, clock.now()), [])
  clock.step(1_000)
  await runOne(deps, await run.claim(), open())
  assert.equal((await store.get('t1'))?.state, 'succeeded')
})

test('a text answer is stored whole with its task', async () => {
  const script: TextScript = async function* () {
    yield { type: 'reasoning', part: 'summary', delta: 'Hm.' }
    yield* says('one two')
  }
  await using run = await openClaimBench(fakeTextDriver('t', script))
  await runOne(run.deps, await run.claim(), open())
  const { result } = (await run.store.get('t1')) ?? {}
  assert.deepEqual(result?.output, [
    { type: 'reasoning', summary: ['Hm.'], content: [] },
    { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'one two' }] },
  ])
  assert.equal(result?.finish, 'stop')
})

test('text fails over after a fault, but not once it has begun', async () => {
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
    await using run = await openClaimBench(fakeTextDriver('t', script))
    const ran = runOne(run.deps, await run.claim(), open())
    await (isLate ? assert.rejects(ran, { code: 'upstream_error' }) : ran)
    assert.deepEqual(seen, tried)
  }
})

test('a stream of files that has begun does not fail over', async () => {
  const seen: unknown[] = []
  const offer = streamed<ImageGenerateRequest>(async function* (job) {
    seen.push(job.settings.url)
    const { files } = await donePixel(job)
    for (const file of files) yield { type: 'file', file }
    throw new GatewayError('overloaded', 'busy')
  })
  await using run = await openClaimBench(fakeImageDriver('s', offer))
  await assert.rejects(runOne(run.deps, await run.claim(), open()), { code: 'overloaded' })
  assert.deepEqual(seen, ['old'])
})

test('a run that was stopped from outside does not count for or against its target', async () => {
  const controller = new AbortController()
  const offer = once<ImageGenerateRequest>(async () => {
    controller.abort(new Error('stopped'))
    throw new GatewayError('upstream_auth_error', 'no')
  })
  await using run = await openClaimBench(fakeImageDriver('s', offer))
  await assert.rejects(runOne(run.deps, await run.claim(), controller.signal))
  assert.equal(run.deps.router.health.mayTry('fake#1'), true)
})
