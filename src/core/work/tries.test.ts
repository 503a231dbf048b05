/** Tests how many times a task is tried before its error is final. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, GatewayError, LostRunError, NotSentError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Offer, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import type { Claim } from '../ports/store.ts'
import { isFinal } from '../records/task.ts'
import { AbortedRun } from './aborted-run.ts'
import { endRun } from './end-run.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'

/** A time in ms that is longer than any wait between two tries. The test moves its clock by this
 *  much. */
const longestWaitMs = 400_000
const neverConnected = { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }

/** Runs the task on one target until it has ended, at most 30 times; returns the number of runs
 *  and the error it ended with. */
async function triesOn(driver: Parameters<typeof openClaimBench>[0]): Promise<[runs: number, code: ErrorCode | undefined]> {
  await using bench = await openClaimBench(driver)
  const { deps, store, clock } = bench
  bench.setTargets(bench.first)
  for (let runs = 1; runs <= 30; runs++) {
    const claim = await bench.claim()
    const fate = fateOf(claim)
    const { signal } = new AbortController()
    await runClaim(deps, claim, fate, signal).catch(error => endRun({ store, clock, claim, fate, signal }, toGatewayError(error)))
    const task = await store.get('t1')
    if (task?.state === 'failed') return [runs, task.failure?.code]
    clock.step(longestWaitMs)
    await store.heartbeat('node', clock.now(), 3_600_000)
  }
  return [Number.POSITIVE_INFINITY, undefined]
}

const image = (offer: Offer<ImageGenerateRequest>) => fakeImageDriver('f', offer)
const failing = (error: GatewayError) => async () => {
  throw error
}
const repeatable = (error: GatewayError) => image(once<ImageGenerateRequest>(failing(error), { isRepeatable: true }))
const started = (changes: Partial<PolledOffer<ImageGenerateRequest>>) =>
  image(
    polled<ImageGenerateRequest>({
      pollEveryMs: 0,
      start: async () => ({ state: 'started', handle: { id: 'u1' } }),
      check: async () => ({ state: 'running' }),
      pollsPerSecond: 10_000,
      ...changes,
    }),
  )

const unreachable = new GatewayError('upstream_unreachable', 'not there', neverConnected)
const cases: [what: string, driver: Parameters<typeof openClaimBench>[0], tries: number, code: ErrorCode][] = [
  ...(
    [
      ['internal_error', 3],
      ['disk_full', 5],
      ['inspection_busy', 5],
      ['store_unavailable', 5],
      ['rate_limited', 20],
      ['engine_busy', 20],
      ['overloaded', 20],
      ['upstream_error', 1],
      ['upstream_timeout', 1],
      ['invalid_request', 1],
    ] as const
  ).map(([code, tries]): (typeof cases)[number] => [code, repeatable(new GatewayError(code, 'no')), tries, code]),
  ['an upstream that was never connected', repeatable(unreachable), 20, 'upstream_unreachable'],
  ['a connection that broke', repeatable(new GatewayError('upstream_unreachable', 'cut')), 1, 'upstream_unreachable'],
  ['a request that was not sent', repeatable(new NotSentError('upstream_error', 'no token')), 20, 'upstream_error'],
  ['a run whose node ended', repeatable(new LostRunError('upstream_unreachable', 'gone')), 3, 'upstream_unreachable'],
  ['a started task whose polls meet a bug', started({ check: failing(new GatewayError('internal_error', 'no')) }), 3, 'internal_error'],
  ['a started task that is gone at its upstream', started({ check: failing(new GatewayError('gone', 'no')) }), 1, 'gone'],
  [
    'a start of unknown fate that cannot be looked up',
    started({
      start: failing(new GatewayError('outcome_unknown', 'no answer')),
      find: failing(new GatewayError('upstream_unreachable', 'not there')),
    }),
    12,
    'outcome_unknown',
  ],
]

for (const [what, driver, tries, code] of cases)
  test(`${what}: the task ends after ${tries} ${tries === 1 ? 'try' : 'tries'}`, async () =>
    assert.deepEqual(await triesOn(driver), [tries, code]))

for (const code of [
  ...(['upstream_unreachable', 'upstream_error', 'upstream_timeout', 'upstream_auth_error', 'upstream_quota_exhausted'] as const),
  ...(['rate_limited', 'overloaded', 'disk_full', 'inspection_busy', 'store_unavailable'] as const),
])
  test(`a started task whose polls fail with ${code} is polled again within a minute, however often it was tried before`, async () => {
    const refusals = 6
    const failedRuns = 12
    let starts = 0
    let polls = 0
    const driver = started({
      start: async () => {
        starts += 1
        if (starts <= refusals) throw new GatewayError('rate_limited', 'no')
        return { state: 'started', handle: { id: 'u1' } }
      },
      check: async job => {
        polls += 1
        if (polls <= failedRuns * 11) throw new GatewayError(code, 'no')
        return donePixel(job)
      },
    })
    await using bench = await openClaimBench(driver)
    const { deps, store, clock } = bench
    bench.setTargets(bench.first)
    while ((await store.get('t1'))?.state !== 'succeeded') {
      const claim = await bench.claim()
      const fate = fateOf(claim)
      const { signal } = new AbortController()
      await runClaim(deps, claim, fate, signal).catch(error => endRun({ store, clock, claim, fate, signal }, toGatewayError(error)))
      clock.step(polls === 0 ? longestWaitMs : 60_000)
      await store.heartbeat('node', clock.now(), 3_600_000)
    }
    assert.equal(starts, refusals + 1)
  })

test('a text is tried 5 times, also after errors in which an upstream may have answered', async () => {
  for (const code of ['upstream_error', 'upstream_timeout', 'upstream_unreachable'] as const) {
    const driver = fakeTextDriver('f', async function* () {
      yield await failing(new GatewayError(code, 'no'))()
    })
    assert.deepEqual(await triesOn(driver), [5, code], code)
  }
})

describe('a run that cannot read its inputs', () => {
  const away = new GatewayError('store_unavailable', 'The bucket does not answer.', { retryAfterSeconds: 5 })
  const input = { id: 'blob-1', kind: 'input', role: 'image', index: 0, mediaType: 'image/png', bytes: 1, sha256: 'a'.repeat(64) } as const

  /** Claims the task and runs it, while each read of its input fails. */
  async function openRuns(error: GatewayError, driver: Parameters<typeof openClaimBench>[0]) {
    const bench = await openClaimBench(driver, { inputs: [{ key: input.sha256, expiresAt: Number.MAX_SAFE_INTEGER, artifact: input }] })
    const { store, clock } = bench
    const blobs = { ...bench.deps.blobs, scratch: bench.deps.blobs.scratch.bind(bench.deps.blobs), localFile: failing(error) }
    const runOnce = async (abort?: AbortedRun): Promise<Claim> => {
      const claim = await bench.claim()
      const fate = fateOf(claim)
      const signal = abort ? AbortSignal.abort(abort) : new AbortController().signal
      const running = runClaim({ ...bench.deps, blobs }, claim, fate, signal)
      await running.catch(caught => endRun({ store, clock, claim, fate, signal }, toGatewayError(caught)))
      clock.step(longestWaitMs)
      await store.heartbeat('node', clock.now(), 3_600_000)
      return claim
    }
    return { bench, runOnce, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() }
  }

  test('counts no try when their store is unavailable', async () => {
    await using runs = await openRuns(away, repeatable(new GatewayError('internal_error', 'is not run')))
    for (let run = 1; run <= 8; run++) assert.equal((await runs.runOnce()).attempt, 1)
    assert.equal((await runs.bench.store.get('t1'))?.state, 'queued')
  })

  test('counts a try when they are damaged', async () => {
    await using runs = await openRuns(
      new GatewayError('store_unavailable', 'damaged'),
      repeatable(new GatewayError('internal_error', 'no')),
    )
    for (let run = 1; run <= 5; run++) assert.equal((await runs.runOnce()).attempt, run)
    assert.equal((await runs.bench.store.get('t1'))?.failure?.message, 'damaged')
  })

  test('keeps the mark of a start of unknown fate, also when its node stops', async () => {
    await using runs = await openRuns(away, started({}))
    const { store, clock } = runs.bench
    const mark = { driver: 'f', target: 'fake#1', model: 'm', settings: {} }
    const { token } = await runs.bench.claim()
    assert.ok(await store.sent('t1', token, mark, clock.now()))
    await runs.bench.stop()
    for (const abort of [undefined, new AbortedRun('draining'), undefined]) assert.deepEqual((await runs.runOnce(abort)).sent, mark)
    assert.ok(!isFinal((await store.get('t1'))?.state ?? 'failed'))
  })
})
