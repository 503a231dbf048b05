/** An engine runs on this machine: no vendor charges for a run, and the outcome of a run is
 *  always known, however it ends (docs/decisions/0031). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineEngine, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Offer, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import Type from 'typebox'
import { AbortedRun } from '../core/work/aborted-run.ts'
import { endRun } from '../core/work/end-run.ts'
import { runClaim } from '../core/work/run-claim.ts'
import { fateOf } from '../core/work/run-fate.ts'
import { engines, missingEngines } from '../engines.ts'
import { openClaimBench } from '../testing/claim-bench.ts'
import { driverTools } from '../testing/driver-tools.ts'

test('each offer of each engine is repeatable, and none is polled', async () => {
  assert.deepEqual(missingEngines, [])
  for (const engine of engines) {
    const driver = engine.open(driverTools({ cores: 0 }))
    try {
      for (const capability of engine.capabilities) {
        const offer = driver.offers[capability] as Pick<Offer<never>, 'kind' | 'isRepeatable'> | undefined
        assert.equal(offer?.isRepeatable, true, `${engine.id} ${capability}`)
        assert.notEqual(offer?.kind, 'polled', `${engine.id} ${capability}`)
      }
    } finally {
      await driver.close?.()
    }
  }
})

/** Returns an engine with one streamed operation that declares neither whether its runs can be
 *  repeated nor whether their outcome can be unknown. */
function engineThat(run: StreamedOffer<ImageGenerateRequest, ImageEvent>['run']) {
  const [id, title] = ['own', 'An engine']
  return defineEngine({
    id,
    title,
    kind: 'engine',
    settings: Type.Object({}),
    capabilities: ['image.generate'],
    open: () => ({ id, title, queue: { name: 'engine:own', slots: 1 }, offers: { 'image.generate': streamed(run) } }),
  })
}

const hold = { lines: [{ unit: 'images', units: 1, costMicros: 40_000 }], quotas: [] }

test('a run of an engine leaves no open line and no unknown outcome, however it ends', async () => {
  const errors = [
    new TypeError('spawn failed'),
    ...(['internal_error', 'engine_timeout', 'upstream_error', 'upstream_timeout', 'invalid_request'] as const).map(
      code => new GatewayError(code, 'It broke.'),
    ),
  ]
  for (const error of errors) {
    const spec = engineThat(async function* () {
      yield* []
      throw error
    })
    await using bench = await openClaimBench(spec, { hold })
    bench.setTargets(bench.first)
    const { signal } = new AbortController()
    const claim = { ...(await bench.claim()), isInline: true as const }
    const fate = fateOf(claim)
    await runClaim(bench.deps, claim, fate, signal).catch(failure => endRun({ ...bench, claim, fate, signal }, toGatewayError(failure)))
    assert.equal((await bench.store.get('t1'))?.failure?.code, toGatewayError(error).code)
    assert.deepEqual(await bench.store.openLines({ limit: 10 }), [])
  }
})

test('a caller who disconnects while an engine works leaves no open line', async () => {
  const controller = new AbortController()
  const spec = engineThat(async function* ({ signal }) {
    yield* []
    controller.abort(new AbortedRun('cancelled'))
    signal.throwIfAborted()
  })
  await using bench = await openClaimBench(spec, { hold })
  bench.setTargets(bench.first)
  const claim = await bench.claim()
  const fate = fateOf(claim)
  const { signal } = controller
  await runClaim(bench.deps, claim, fate, signal).catch(failure => endRun({ ...bench, claim, fate, signal }, toGatewayError(failure)))
  assert.equal((await bench.store.get('t1'))?.state, 'cancelled')
  assert.deepEqual(await bench.store.openLines({ limit: 10 }), [])
})

test('events before a failure count only if a caller received them', async () => {
  for (const isHeard of [true, false]) {
    const spec = engineThat(async function* () {
      yield { type: 'event', event: { type: 'told' } as never }
      throw new GatewayError('internal_error', 'It broke.')
    })
    await using bench = await openClaimBench(spec, { hold })
    bench.setTargets(bench.first)
    const { signal } = new AbortController()
    const claim = { ...(await bench.claim()), isInline: true as const }
    const fate = fateOf(claim)
    const deps = { ...bench.deps, hears: () => isHeard }
    await runClaim(deps, claim, fate, signal).catch(failure => endRun({ ...bench, claim, fate, signal }, toGatewayError(failure)))
    assert.equal(fate.hasTold, isHeard)
  }
})
