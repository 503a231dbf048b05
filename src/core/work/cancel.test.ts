/** Cancels a task at every moment between its claim and the work of its driver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Offer, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel } from '../../testing/fakes/fake-driver.ts'
import { newTestTask, openTestStore, type TestStore } from '../../testing/stores/store.ts'
import { stopWorker, workerOn } from '../../testing/worker.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { TaskStore } from '../ports/store.ts'

const clock = { now: () => Date.now() }

/** Returns a gate: the first caller that passes it waits until the test opens it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isReached = false
  return {
    pass: async (): Promise<void> => {
      isReached = true
      await promise
    },
    reached: () => until(() => isReached, 'the gate'),
    open: resolve,
  }
}

interface Scene {
  offer: Offer<ImageGenerateRequest>
  store?: (store: TaskStore) => Partial<TaskStore>
  blobs?: (blobs: BlobStore) => Partial<BlobStore>
  stopWithinMs?: number
}

/** Runs two tasks on a worker with one slot. `t1` is cancelled. `t2` waits behind it, so it can
 *  succeed only when the slot of `t1` is free again. */
async function play(scene: Scene, cancel: (opened: TestStore) => Promise<void>): Promise<void> {
  await using opened = await openTestStore(clock)
  const { store, blobs } = opened
  const played = { store: scene.store?.(store) ?? {}, blobs: scene.blobs?.(blobs) ?? {} }
  const deps = scene.stopWithinMs === undefined ? {} : { stopWithinMs: scene.stopWithinMs }
  const worker = workerOn(opened, { offer: scene.offer, ...played, slots: 1, deps })
  await store.submit(newTestTask('t1', clock.now()))
  worker.start()
  await cancel(opened)
  await store.submit(newTestTask('t2', clock.now()))
  await until(async () => (await store.get('t2'))?.state === 'succeeded', 'the next task')
  assert.equal((await store.get('t1'))?.state, 'cancelled')
  await until(() => worker.running() === 0, 'the end of the runs')
  await stopWorker(worker)
}

/** Returns an offer that records the tasks for which it was started. */
function noting(isRepeatable: boolean, run: (job: Job<ImageGenerateRequest>) => Promise<Outcome> = donePixel) {
  const started: string[] = []
  const offer = once<ImageGenerateRequest>(
    job => {
      started.push(job.id)
      return run(job)
    },
    isRepeatable ? { isRepeatable } : {},
  )
  return { started, offer }
}

test('a task that is cancelled while its claim is answered is not started', async () => {
  const { started, offer } = noting(true)
  const held = gate()
  const store = (whole: TaskStore): Partial<TaskStore> => ({
    claim: async (...call) => {
      // Simulates an answer of the store that arrives late: the claim was read before the cancel,
      // and reaches the worker after the cancel signal.
      const claims = await whole.claim(...call)
      if (claims.some(claim => claim.task.id === 't1')) await held.pass()
      return claims
    },
  })
  await play({ offer, store }, async opened => {
    await held.reached()
    assert.equal(await opened.store.cancel('t1', clock.now()), 'cancelling')
    held.open()
  })
  assert.deepEqual(started, ['t2'])
})

test('a task that is cancelled while its inputs are prepared is not started', async () => {
  for (const isRepeatable of [true, false]) {
    const { started, offer } = noting(isRepeatable)
    const held = gate()
    const blobs = (whole: BlobStore): Partial<BlobStore> => ({
      scratch: async name => {
        if (name.startsWith('t1')) await held.pass()
        return whole.scratch(name)
      },
    })
    await play({ offer, blobs }, async opened => {
      await held.reached()
      await opened.store.cancel('t1', clock.now())
      held.open()
    })
    assert.deepEqual(started, ['t2'])
  }
})

test('a task that is cancelled while the mark is saved is not sent and leaves no open line', async () => {
  const { started, offer } = noting(false)
  const held = gate()
  const store = (whole: TaskStore): Partial<TaskStore> => ({
    sent: async (id, ...rest) => {
      if (id === 't1') await held.pass()
      return whole.sent(id, ...rest)
    },
  })
  await play({ offer, store }, async opened => {
    await held.reached()
    await opened.store.cancel('t1', clock.now())
    held.open()
    await until(async () => (await opened.store.get('t1'))?.state === 'cancelled', 'the end')
    assert.deepEqual(await opened.store.openLines({ limit: 10 }), [])
  })
  assert.deepEqual(started, ['t2'])
})

test('a task that is cancelled between its start and its first poll is stopped upstream and not polled', async () => {
  const requested: string[] = []
  const held = gate()
  const offer = polled<ImageGenerateRequest>({
    pollEveryMs: 1,
    start: async job => ({ state: 'started', handle: { id: job.id } }),
    check: async job => {
      requested.push(`check ${job.id}`)
      return donePixel(job)
    },
    cancel: async job => {
      requested.push(`cancel ${job.id}`)
    },
  })
  const store = (whole: TaskStore): Partial<TaskStore> => ({
    sent: async (id, token, mark, now) => {
      if (id === 't1' && mark.handle) await held.pass()
      return whole.sent(id, token, mark, now)
    },
  })
  await play({ offer, store }, async opened => {
    await held.reached()
    await opened.store.cancel('t1', clock.now())
    held.open()
  })
  assert.deepEqual(requested, ['cancel t1', 'check t2'])
})

test('a task that is cancelled while its failed run is handed back ends at once and not after the wait', async () => {
  const { started, offer } = noting(true, async job => {
    if (job.id === 't1') throw new GatewayError('overloaded', 'busy', { retryAfterSeconds: 60 })
    return donePixel(job)
  })
  const held = gate()
  const store = (whole: TaskStore): Partial<TaskStore> => ({
    reschedule: async (...call) => {
      await held.pass()
      return whole.reschedule(...call)
    },
  })
  await play({ offer, store }, async opened => {
    await held.reached()
    await opened.store.cancel('t1', clock.now())
    held.open()
    await until(async () => (await opened.store.get('t1'))?.state === 'cancelled', 'the end')
  })
  assert.deepEqual(started, ['t1', 't2'])
})

test('a retried task that is cancelled during its next claim is not started again', async () => {
  const { started, offer } = noting(true, async job => {
    if (job.id === 't1') throw new GatewayError('overloaded', 'busy', { retryAfterSeconds: 0 })
    return donePixel(job)
  })
  const held = gate()
  const store = (whole: TaskStore): Partial<TaskStore> => ({
    claim: async (...call) => {
      const claims = await whole.claim(...call)
      if (claims.some(claim => claim.attempt === 2)) await held.pass()
      return claims
    },
  })
  await play({ offer, store }, async opened => {
    await held.reached()
    await opened.store.cancel('t1', clock.now())
    held.open()
  })
  assert.deepEqual(started, ['t1', 't2'])
})

test('a driver that ignores a cancellation keeps neither its task nor its slot, and its late result is dropped', async () => {
  const late = gate()
  let isDone = false
  const { started, offer } = noting(true, async job => {
    if (job.id === 't1') {
      await late.pass()
      isDone = true
    }
    return donePixel(job)
  })
  await play({ offer, stopWithinMs: 1 }, async opened => {
    await late.reached()
    await opened.store.cancel('t1', clock.now())
    await until(async () => (await opened.store.get('t1'))?.state === 'cancelled', 'the end')
    late.open()
    await until(() => isDone, 'the late answer')
  })
  assert.deepEqual(started, ['t1', 't2'])
})

test('a task whose deadline passed before its claim is not started', async () => {
  const { started, offer } = noting(true)
  await using opened = await openTestStore(clock)
  const { store } = opened
  const worker = workerOn(opened, { offer, store: { expireOverdue: async () => [] } })
  await store.submit(newTestTask('t1', clock.now(), { deadlineAt: clock.now() - 1 }))
  worker.start()
  await until(async () => (await store.get('t1'))?.state === 'expired', 'the end')
  assert.deepEqual(started, [])
  await stopWorker(worker)
})
