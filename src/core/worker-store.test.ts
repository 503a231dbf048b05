import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '../contract/driver.ts'
import { donePixel } from '../testing/fake-driver.ts'
import { newTestTask, openTestStore, silentLog, type TestStore } from '../testing/store.ts'
import { until } from '../testing/until.ts'
import { buildCatalogue } from './catalogue.ts'
import { GatewayError } from './errors.ts'
import { createPollScheduler } from './poll-scheduler.ts'
import type { TaskStore } from './ports.ts'
import type { ImageGenerateRequest } from './requests/image.ts'
import type { Driver, Job, Outcome } from './requests/job.ts'
import { createRouter } from './router.ts'
import { createWorker, type Worker } from './worker.ts'

const clock = { now: () => Date.now() }
const target = { id: 'fake#1', driver: 'f', model: 'fake', order: 1, weight: 1, settings: {} }
const catalogue = buildCatalogue(
  [],
  [],
  [{ id: 'fake', title: 'Fake', families: ['F1'], capability: 'image.generate', targets: [target], source: 'yaml' }],
)

/** A worker on a store of which some calls are played by the test. */
function workerOn(
  { store, blobs }: TestStore,
  played: Partial<TaskStore>,
  run: (job: Job<ImageGenerateRequest>) => Promise<Outcome>,
): Worker {
  const driver: Driver = {
    id: 'f',
    title: 'f',
    queue: { name: 'fake:f', slots: 2 },
    offers: { 'image.generate': once(run, { isRepeatable: true }) },
  }
  const drivers = new Map([['f', driver]])
  const part = new Proxy(store, {
    get: (whole, name) => {
      const own: unknown = Reflect.get(played, name) ?? Reflect.get(whole, name)
      return typeof own === 'function' ? own.bind(name in played ? played : whole) : own
    },
  })
  return createWorker({
    store: part,
    blobs,
    router: createRouter(drivers, Math.random),
    catalogue: () => catalogue,
    drivers,
    polls: createPollScheduler(Math.random),
    wakeUrl: () => undefined,
    clock,
    log: silentLog,
  })
}

async function stop(worker: Worker): Promise<void> {
  await worker.stop(0)
  await worker.release()
}

test('an end that could not be stored is stored later, and the job does not stay with a node that has forgotten it', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  let failures = 2
  let runs = 0
  const failsTwice: TaskStore['settle'] = (id, token, settlement) => {
    if (failures === 0) return store.settle(id, token, settlement)
    failures -= 1
    return Promise.reject(new GatewayError('disk_full', 'full'))
  }
  const worker = workerOn(opened, { settle: failsTwice }, async () => {
    runs += 1
    throw new GatewayError('invalid_input_file', 'The input cannot be decoded.')
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(async () => (await store.get('t1'))?.state === 'failed', 'the end')
  assert.equal(runs, 1)
  await stop(worker)
})

test('a claim that comes back after the stop is not run, and its job is free again', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  let answer = () => {}
  const gate = new Promise<void>(resolve => {
    answer = resolve
  })
  let claims = 0
  const late: TaskStore['claim'] = async (...call) => {
    const claimed = await store.claim(...call)
    claims += claimed.length
    if (claimed.length > 0) await gate
    return claimed
  }
  let runs = 0
  const worker = workerOn(opened, { claim: late }, async job => {
    runs += 1
    return donePixel(job)
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(() => claims === 1, 'the claim')
  await worker.stop(0)
  answer()
  await sleep(0)
  await worker.release()
  assert.equal(runs, 0)
  assert.equal((await store.get('t1'))?.state, 'queued')
})

test('a node that is declared dead drops its work, and does it again under a new name', { timeout: 30_000 }, async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  const aborted: string[] = []
  let runs = 0
  const worker = workerOn(opened, {}, job => {
    runs += 1
    if (runs > 1) return donePixel(job)
    return new Promise((_, reject) => {
      job.signal.addEventListener('abort', () => {
        aborted.push(String(job.signal.reason))
        reject(job.signal.reason)
      })
    })
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(() => runs === 1, 'the first run')
  const name = worker.nodeId()
  // As another node would, once the lease of this one has run out.
  await store.requeueDead(clock.now() + 60_000)
  await until(async () => (await store.get('t1'))?.state === 'succeeded', 'the second run')
  assert.equal(runs, 2)
  assert.match(aborted[0] ?? '', /fenced/)
  assert.notEqual(worker.nodeId(), name)
  await stop(worker)
})

test('a task of unknown fate is not sent a second time', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  await store.heartbeat('other', clock.now(), 60_000)
  await store.submit(newTestTask('t1', clock.now()))
  const [claim] = await store.claim('fake:f', 'other', 1, clock.now())
  await store.sent('t1', claim?.token ?? 0, { driver: 'f', target: 'fake#1', model: 'm', settings: {} }, clock.now())
  await store.markUnknown('t1', claim?.token ?? 0, clock.now(), 'The answer to the submit was lost.', clock.now())
  let runs = 0
  const worker = workerOn(opened, {}, async job => {
    runs += 1
    return donePixel(job)
  })
  worker.start()
  const task = await until(async () => {
    const seen = await store.get('t1')
    return seen?.state === 'failed' ? seen : undefined
  }, 'the end')
  assert.equal(task.failure?.code, 'outcome_unknown')
  assert.equal(runs, 0)
  await stop(worker)
})
