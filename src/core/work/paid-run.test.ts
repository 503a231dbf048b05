/** Tests what happens to paid work after a crash, a lost answer or a cancel between the submit and
 *  its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, polled, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Offer, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import type { Hold } from '../records/ledger.ts'
import { AbortedRun } from './aborted-run.ts'
import { endRun } from './end-run.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'

const hold = { lines: [{ unit: 'images', units: 1, costMicros: 40_000 }], quotas: [] }

/** Returns one submitted task on a driver with this offer, and a function that runs the task as a
 *  worker does. */
async function bench(offer: Offer<ImageGenerateRequest>, held: Hold = hold) {
  const opened = await openClaimBench(fakeImageDriver('p', offer), { hold: held })
  const { deps, store, clock } = opened
  opened.setTargets(opened.first)
  return {
    ...opened,
    /** Runs the claimed job, and stores how it ended, in the same way as the worker. */
    run: async (signal: AbortSignal = new AbortController().signal) => {
      const claim = await opened.claim()
      const fate = fateOf(claim)
      await runClaim(deps, claim, fate, signal).catch(error => endRun({ store, clock, claim, fate, signal }, toGatewayError(error)))
      return store.get('t1')
    },
    openLines: () => store.openLines({ limit: 10 }),
  }
}

/** Returns a polled offer that counts how often it is started; its generation is finished at the
 *  first poll. */
function counted(changes: Partial<PolledOffer<ImageGenerateRequest>> = {}) {
  const seen = { starts: 0, settings: [] as unknown[] }
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 1,
    start: async job => {
      seen.starts += 1
      seen.settings.push(job.settings)
      return { state: 'started', handle: { id: 'u1' } }
    },
    check: async job => {
      seen.settings.push(job.settings)
      return donePixel(job)
    },
    ...changes,
  })
  return { seen, offer }
}

/** Never resolves: simulates a call during which the process dies. */
const forever = () => new Promise<never>(() => {})

/** Runs the claimed job until `isReached` returns true, then simulates the death of the process. */
async function dieIn(run: Awaited<ReturnType<typeof bench>>, isReached: () => boolean): Promise<void> {
  const claimed = await run.claim()
  void runClaim(run.deps, claimed, fateOf(claimed), new AbortController().signal).catch(() => {})
  while (!isReached()) await new Promise(resolve => setImmediate(resolve))
  await run.die()
}

test('a paid submit during which its process dies is not sent again: unknown, with an open line', async () => {
  for (const kind of ['polled', 'once'] as const) {
    let starts = 0
    const start = () => {
      starts += 1
      return forever()
    }
    await using run = await bench(kind === 'once' ? once(start) : counted({ start }).offer)
    await dieIn(run, () => starts === 1)
    const task = await run.run()
    assert.equal(task?.failure?.code, 'outcome_unknown', kind)
    assert.equal(starts, 1)
    const [line] = await run.openLines()
    assert.deepEqual([line?.taskId, line?.target, line?.units], ['t1', 'fake#1', hold.lines])
  }
})

test('when a process dies between two pictures, the returned ones are charged and the rest is an open line', async () => {
  let runs = 0
  const offer = streamed<ImageGenerateRequest>(async function* (job) {
    runs += 1
    const { files } = await donePixel(job)
    for (const file of files) yield { type: 'file', file }
    await forever()
  })
  const group = { lines: [{ unit: 'images', units: 5, costMicros: 200_000 }], price: { images: 40_000 }, quotas: [] }
  await using run = await bench(offer, group)
  const outputs = async () => (await run.store.get('t1'))?.artifacts.length
  const claimed = await run.claim()
  void runClaim(run.deps, claimed, fateOf(claimed), new AbortController().signal).catch(() => {})
  while ((await outputs()) !== 1) await new Promise(resolve => setImmediate(resolve))
  await run.die()
  const task = await run.run()
  assert.deepEqual([task?.state, task?.failure?.code, task?.artifacts.length, runs], ['failed', 'outcome_unknown', 1, 1])
  const [line] = await run.openLines()
  assert.deepEqual(line?.units, [{ unit: 'images', units: 4, costMicros: 160_000 }])
  const [used] = await run.store.taskUsage('t1')
  assert.deepEqual([used?.unit, used?.units, used?.costMicros], ['images', 1, 40_000])
})

test('repeatable work is simply started again', async () => {
  let runs = 0
  const offer = once<ImageGenerateRequest>(
    job => {
      runs += 1
      return runs === 1 ? forever() : donePixel(job)
    },
    { isRepeatable: true },
  )
  await using run = await bench(offer)
  await dieIn(run, () => runs === 1)
  assert.equal((await run.run())?.state, 'succeeded')
  assert.deepEqual(await run.openLines(), [])
})

test('a lost start is looked up: a found one continues, an absent one is sent, and until then the task is unknown', async () => {
  for (const outcome of ['started', 'absent'] as const) {
    let looks = 0
    const { seen, offer } = counted({
      start: () => {
        seen.starts += 1
        return seen.starts === 1 ? forever() : Promise.resolve({ state: 'started', handle: { id: 'u2' } })
      },
      find: async () => {
        looks += 1
        if (looks === 1) throw new GatewayError('upstream_unreachable', 'not now')
        return outcome === 'started' ? { state: 'started', handle: { id: 'u1' } } : { state: 'absent' }
      },
    })
    await using run = await bench(offer)
    await dieIn(run, () => seen.starts === 1)
    assert.equal((await run.run())?.state, 'unknown')
    run.clock.step(300_000)
    assert.equal((await run.run())?.state, 'succeeded', outcome)
    assert.equal(seen.starts, outcome === 'started' ? 1 : 2)
    assert.deepEqual(await run.openLines(), [])
    assert.equal((await run.store.usage({ from: 0, to: run.clock.now() + 1 })).length, 1)
  }
})

test('a lost answer is looked up without a crash, too', async () => {
  const { seen, offer } = counted({
    start: async () => {
      seen.starts += 1
      throw new GatewayError('upstream_timeout', 'no answer')
    },
    find: async () => ({ state: 'started', handle: { id: 'u1' } }),
  })
  await using run = await bench(offer)
  assert.equal((await run.run())?.state, 'unknown')
  run.clock.step(300_000)
  assert.equal((await run.run())?.state, 'succeeded')
  assert.equal(seen.starts, 1)
})

test('a refusal leaves no mark: the task is tried again, without an open line', async () => {
  const { seen, offer } = counted({
    start: async () => {
      seen.starts += 1
      if (seen.starts === 1) throw new GatewayError('rate_limited', 'slow down', { retryAfterSeconds: 1 })
      return { state: 'started', handle: { id: 'u1' } }
    },
  })
  await using run = await bench(offer)
  assert.equal((await run.run())?.state, 'queued')
  run.clock.step(300_000)
  assert.equal((await run.run())?.state, 'succeeded')
  assert.equal(seen.starts, 2)
})

test('a paid answer that could not be stored is not paid again', async () => {
  let runs = 0
  const offer = once<ImageGenerateRequest>(async () => {
    runs += 1
    throw new GatewayError('disk_full', 'no room for the picture')
  })
  await using run = await bench(offer)
  assert.equal((await run.run())?.failure?.code, 'outcome_unknown')
  assert.equal(runs, 1)
  assert.equal((await run.openLines()).length, 1)
})

test('a cancelled task keeps an open line unless its upstream has confirmed the stop', async () => {
  for (const [cancel, lines] of [
    [undefined, 1],
    [async () => {}, 0],
    [() => Promise.reject(new GatewayError('upstream_error', 'cannot stop')), 1],
  ] as const) {
    const controller = new AbortController()
    const { offer } = counted({
      check: async () => {
        controller.abort(new AbortedRun('cancelled'))
        return { state: 'running' }
      },
      ...(cancel ? { cancel } : {}),
    })
    await using run = await bench(offer)
    assert.equal((await run.run(controller.signal))?.state, 'cancelled')
    assert.equal((await run.openLines()).length, lines)
  }
})

test('a failure reported by the upstream leaves no open line, unless the upstream may charge for it', async () => {
  for (const mayBeCharged of [undefined, true] as const) {
    const failed = { state: 'failed', code: 'content_moderated', message: 'no', ...(mayBeCharged ? { mayBeCharged } : {}) } as const
    const { offer } = counted({ check: async () => failed })
    await using run = await bench(offer)
    assert.equal((await run.run())?.failure?.code, 'content_moderated')
    assert.equal((await run.openLines()).length, mayBeCharged ? 1 : 0)
  }
})

test('a task that is cancelled just before sending is not sent', async () => {
  const controller = new AbortController()
  const { seen, offer } = counted()
  await using run = await bench(offer)
  const { store } = run.deps
  run.deps.store = new Proxy(store, {
    get: (whole, name) => {
      if (name === 'sent') controller.abort(new AbortedRun('cancelled'))
      const own: unknown = Reflect.get(whole, name)
      return typeof own === 'function' ? own.bind(whole) : own
    },
  })
  assert.equal((await run.run(controller.signal))?.state, 'cancelled')
  assert.equal(seen.starts, 0)
  assert.deepEqual(await run.openLines(), [])
})

test('a started task keeps the credential of its submit; when that is refused, it uses the current one of its target', async () => {
  let isRevoked = false
  const stopping = new AbortController()
  const { seen, offer } = counted({
    check: async job => {
      seen.settings.push(job.settings)
      if (isRevoked && job.settings.url === 'old') throw new GatewayError('upstream_auth_error', 'no')
      if (!isRevoked) {
        stopping.abort(new AbortedRun('draining'))
        throw stopping.signal.reason
      }
      return donePixel(job)
    },
    pollsPerSecond: 10_000,
  })
  await using run = await bench(offer)
  const claimed = await run.claim()
  const fate = fateOf(claimed)
  await assert.rejects(runClaim(run.deps, claimed, fate, stopping.signal))
  await endRun({ store: run.store, clock: run.clock, claim: claimed, fate, signal: stopping.signal }, new GatewayError('draining', 'stop'))
  run.setTargets({ ...run.first, settings: { url: 'new' } })
  seen.settings.length = 0
  isRevoked = true
  const task = await run.run()
  assert.equal(task?.state, 'succeeded', JSON.stringify(task?.failure))
  assert.deepEqual(seen.settings[0], { url: 'old' })
  assert.deepEqual(seen.settings.at(-1), { url: 'new' })
  assert.equal(seen.starts, 1)
})

test('a start that its upstream recognises is repeated only there until its fate is known', async () => {
  const seen: unknown[] = []
  const answers = ['die', 'refused', 'limited', 'started']
  const { offer } = counted({
    isIdempotent: true,
    start: async job => {
      seen.push(job.settings.url)
      const answer = answers.shift()
      if (answer === 'die') return forever()
      if (answer === 'limited') throw new GatewayError('rate_limited', 'slow down')
      const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      if (answer === 'refused') throw new GatewayError('upstream_unreachable', 'not there', { cause })
      return { state: 'started', handle: { id: 'u1' } }
    },
  })
  await using run = await bench(offer)
  run.setTargets(run.first, { ...run.first, id: 'fake#2', order: 2, settings: { url: 'second' } })
  await dieIn(run, () => seen.length === 1)
  for (const state of ['unknown', 'unknown', 'succeeded']) {
    assert.equal((await run.run())?.state, state)
    run.clock.step(300_000)
  }
  assert.deepEqual(seen, ['old', 'old', 'old', 'old'])
  assert.deepEqual(await run.openLines(), [])
})

test('an error before a lost start is looked up does not send it again', async () => {
  let starts = 0
  await using run = await bench(
    counted({
      start: () => {
        starts += 1
        return forever()
      },
    }).offer,
  )
  await dieIn(run, () => starts === 1)
  run.deps.blobs = { ...run.deps.blobs, scratch: () => Promise.reject(new GatewayError('disk_full', 'no room')) }
  assert.equal((await run.run())?.failure?.code, 'outcome_unknown')
  assert.equal((await run.openLines()).length, 1)
  assert.equal(starts, 1)
})

test('a target that reported the end of a task is not polled again while the next target delays it', async () => {
  const looked: unknown[] = []
  let limits = 1
  const { offer } = counted({
    start: async job => {
      if (job.settings.url === 'second' && limits-- > 0) throw new GatewayError('rate_limited', 'slow down')
      return { state: 'started', handle: { url: String(job.settings.url) } }
    },
    check: async (job, handle) => {
      looked.push(handle.url)
      return handle.url === 'old' ? { state: 'failed', code: 'overloaded', message: 'no' } : donePixel(job)
    },
  })
  await using run = await bench(offer)
  run.setTargets(run.first, { ...run.first, id: 'fake#2', order: 2, settings: { url: 'second' } })
  assert.equal((await run.run())?.state, 'queued')
  run.setTargets({ ...run.first, id: 'fake#2', settings: { url: 'second' } })
  run.clock.step(300_000)
  assert.equal((await run.run())?.state, 'succeeded')
  assert.deepEqual(looked, ['old', 'second'])
})
