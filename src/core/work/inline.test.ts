/** Tasks for whose result a caller waits. Such tasks are tried only once, unless their node
 *  dies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import type { Task } from '../records/task.ts'
import { AbortedRun } from './aborted-run.ts'
import { endRun } from './end-run.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'

type Bench = Awaited<ReturnType<typeof openClaimBench>>
const hold = { lines: [{ unit: 'images', units: 1, costMicros: 40_000 }], quotas: [] }
const inline = { pin: 'node', isInline: true, hold } as const

/** Runs the claimed job, and stores how it ended, in the same way as the worker. */
async function runToEnd(run: Bench, signal: AbortSignal = new AbortController().signal): Promise<Task | undefined> {
  const { store, clock } = run
  const claim = await run.claim()
  const fate = fateOf(claim)
  await runClaim(run.deps, claim, fate, signal).catch(error => endRun({ store, clock, claim, fate, signal }, toGatewayError(error)))
  return store.get('t1')
}

const failing = (code: 'overloaded' | 'rate_limited' | 'engine_busy') =>
  once<ImageGenerateRequest>(async () => {
    throw new GatewayError(code, 'no', { retryAfterSeconds: 0 })
  })

test('an inline task gets its error instead of another try; its one try calls all targets', async () => {
  for (const code of ['overloaded', 'rate_limited', 'engine_busy'] as const) {
    await using run = await openClaimBench(fakeImageDriver('s', failing(code)), inline)
    const ended = await runToEnd(run)
    assert.deepEqual([ended?.state, ended?.failure?.code], ['failed', code])
    assert.deepEqual(await run.store.openLines({ limit: 1 }), [])
  }
  await using run = await openClaimBench(fakeImageDriver('s', failing('overloaded')), { hold })
  assert.equal((await runToEnd(run))?.state, 'queued', 'one that nobody waits for')
  const offer = once<ImageGenerateRequest>(async job => (job.settings.url === 'old' ? failing('overloaded').run(job) : donePixel(job)))
  await using second = await openClaimBench(fakeImageDriver('s', offer), inline)
  assert.equal((await runToEnd(second))?.state, 'succeeded')
})

test('a missing model, and a paid start of unknown fate, are errors of the inline task, too', async () => {
  await using missing = await openClaimBench(fakeImageDriver('s', failing('overloaded')), inline)
  missing.setTargets()
  assert.equal((await runToEnd(missing))?.failure?.code, 'model_not_found')
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 1,
    start: async () => {
      throw new GatewayError('upstream_timeout', 'no answer')
    },
    check: async () => ({ state: 'running' }),
    find: async () => ({ state: 'absent' }),
  })
  await using lost = await openClaimBench(fakeImageDriver('s', offer), inline)
  assert.equal((await runToEnd(lost))?.failure?.code, 'outcome_unknown')
  assert.equal((await lost.store.openLines({ limit: 1 })).length, 1)
})

test('after the death of its node, an inline task is retried like any other', async () => {
  let runs = 0
  const offer = once<ImageGenerateRequest>(
    async job => {
      runs += 1
      if (runs === 1) throw new GatewayError('overloaded', 'no', { retryAfterSeconds: 0 })
      return donePixel(job)
    },
    { isRepeatable: true },
  )
  await using run = await openClaimBench(fakeImageDriver('s', offer), inline)
  run.setTargets(run.first)
  await run.claim()
  await run.die()
  assert.equal((await runToEnd(run))?.state, 'queued')
  assert.equal((await runToEnd(run))?.state, 'succeeded')
})

test('a stop hands an inline task back, so an accepted task is not lost', async () => {
  const stopping = new AbortController()
  const offer = once<ImageGenerateRequest>(
    async job => {
      if (job.attempt > 1) return donePixel(job)
      stopping.abort(new AbortedRun('draining'))
      throw stopping.signal.reason
    },
    { isRepeatable: true },
  )
  await using run = await openClaimBench(fakeImageDriver('s', offer), inline)
  assert.equal((await runToEnd(run, stopping.signal))?.state, 'queued')
  await run.stop()
  assert.equal((await runToEnd(run))?.state, 'succeeded')
})
