/** Accepted tasks whose model, target or driver has been removed from the configuration before
 *  they run. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import type { Task } from '../records/task.ts'
import { AbortedRun } from './aborted-run.ts'
import { endRun } from './end-run.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
import type { WorkerDeps } from './worker-deps.ts'

const hold = { lines: [{ unit: 'images', units: 1, costMicros: 40_000 }], quotas: [] }

/** Runs the claimed job, and stores how it ended, in the same way as the worker. */
async function runToEnd(
  run: Awaited<ReturnType<typeof openClaimBench>>,
  deps: WorkerDeps = run.deps,
  signal: AbortSignal = new AbortController().signal,
): Promise<Task | undefined> {
  const { store, clock } = run
  const claim = await run.claim()
  const fate = fateOf(claim)
  await runClaim(deps, claim, fate, signal).catch(error => endRun({ store, clock, claim, fate, signal }, toGatewayError(error)))
  return store.get('t1')
}

test('a task whose model or all targets are missing waits until they are back, and has all of its tries then', async () => {
  let runs = 0
  const offer = once<ImageGenerateRequest>(async job => {
    runs += 1
    if (runs < 5) throw new GatewayError('rate_limited', 'no', { retryAfterSeconds: 0 })
    assert.equal(job.attempt, 5)
    return donePixel(job)
  })
  await using run = await openClaimBench(fakeImageDriver('s', offer))
  const { clock, first } = run
  for (const gone of [[], [{ ...first, driver: 'gone' }], [{ ...first, unusable: 'The variable KEY is not set.' }]]) {
    run.setTargets(...gone)
    for (let waits = 0; waits < 10; waits++) {
      assert.equal((await runToEnd(run))?.state, 'queued')
      clock.step(30_000)
    }
  }
  run.setTargets(first)
  while (runs < 5) {
    await runToEnd(run)
    clock.step(60_000)
  }
  assert.equal((await run.store.get('t1'))?.state, 'succeeded')
})

test('a task whose model does not come back ends at its deadline and not before', async () => {
  await using run = await openClaimBench(fakeImageDriver('s', once(donePixel)))
  run.setTargets()
  const { store, clock } = run
  const { deadlineAt = 0 } = (await store.get('t1')) ?? {}
  while (clock.now() < deadlineAt - 30_000) {
    await runToEnd(run)
    clock.step(30_000)
    assert.deepEqual(await store.expireOverdue(clock.now(), 10), [])
  }
  clock.step(30_000)
  await store.expireOverdue(clock.now(), 10)
  assert.deepEqual((await store.get('t1'))?.failure?.code, 'deadline_exceeded')
})

test('a task fails when the upstream reports that it lacks the model', async () => {
  const offer = once<ImageGenerateRequest>(() =>
    Promise.reject(new GatewayError('model_not_found', 'The upstream service does not have the model.')),
  )
  await using run = await openClaimBench(fakeImageDriver('s', offer))
  const task = await runToEnd(run)
  assert.deepEqual([task?.state, task?.failure?.code], ['failed', 'model_not_found'])
})

test('a sent task waits for its driver, whether it was started or is of unknown fate, and is not sent again', async () => {
  for (const isStarted of [true, false]) {
    let starts = 0
    const offer = polled<ImageGenerateRequest>({
      pollEveryMs: 1,
      start: async () => {
        starts += 1
        if (!isStarted) throw new GatewayError('upstream_timeout', 'no answer')
        return { state: 'started', handle: { id: 'u1' } }
      },
      check: async job => {
        if (isStarted && job.attempt === 1) throw new GatewayError('upstream_error', 'down', { cause: { status: 500 } })
        return donePixel(job)
      },
      find: async () => ({ state: 'started', handle: { id: 'u1' } }),
      pollsPerSecond: 10_000,
    })
    await using run = await openClaimBench(fakeImageDriver('p', { ...offer, pollEveryMs: 0.001 }))
    const { clock } = run
    const sent = isStarted ? 'running' : 'unknown'
    assert.equal((await runToEnd(run))?.state, sent)
    for (let waits = 0; waits < 15; waits++) {
      clock.step(300_000 / 15)
      assert.equal((await runToEnd(run, { ...run.deps, drivers: new Map() }))?.state, sent)
      clock.step(30_000)
    }
    assert.equal((await runToEnd(run))?.state, 'succeeded')
    assert.equal(starts, 1)
  }
})

test('a stop or a cancellation while a sent task waits for its driver keeps what may have been paid', async () => {
  for (const why of ['draining', 'cancelled', 'expired'] as const) {
    let starts = 0
    const offer = polled<ImageGenerateRequest>({
      pollEveryMs: 1,
      start: async () => {
        starts += 1
        throw new GatewayError('upstream_timeout', 'no answer')
      },
      check: async job => donePixel(job),
      find: async () => ({ state: 'started', handle: { id: 'u1' } }),
    })
    await using run = await openClaimBench(fakeImageDriver('p', offer), { hold })
    const { clock, store } = run
    assert.equal((await runToEnd(run))?.state, 'unknown')
    clock.step(300_000)
    await runToEnd(run, { ...run.deps, drivers: new Map() }, AbortSignal.abort(new AbortedRun(why)))
    clock.step(300_000)
    if (why === 'draining') assert.equal((await runToEnd(run))?.state, 'succeeded')
    assert.equal(starts, 1)
    assert.equal((await store.openLines({ limit: 10 })).length, why === 'draining' ? 0 : 1)
  }
})

test('a task that was accepted before an invalid configuration runs after its correction, in the whole program', async () => {
  let letGo = () => {}
  const gate = new Promise<void>(resolve => {
    letGo = resolve
  })
  const driver = fakeImageDriver(
    'f',
    once(async job => {
      await gate
      return donePixel(job)
    }),
    1,
  )
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('f') })
  const submit = () => gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'x', model: 'fake' } })
  const tasks = [await submit(), await submit()].map(({ body }) => body)
  const file = join(gateway.dataDir, 'gateway.yaml')
  await writeFile(file, 'models: []\n')
  await gateway.gateway.reload()
  letGo()
  const waiting = await until(async () => {
    const { body } = await gateway.admin(`/admin/tasks/${tasks[1]?.id}`)
    return body.events.find((event: { type: string }) => event.type === 'task.retrying')
  }, 'the wait')
  assert.equal(waiting.data.reason, 'fake is not in the catalogue now.')
  assert.equal((await gateway.call(tasks[1]?.polling_url)).body.status, 'Pending')
  await writeFile(file, fakeModelYaml('f'))
  await gateway.gateway.reload()
  for (const task of tasks) assert.equal((await gateway.result(task.polling_url)).status, 'Ready')
})
