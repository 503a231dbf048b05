import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel } from '../../testing/fakes/fake-driver.ts'
import { onlyEmbedded } from '../../testing/stores/database.ts'
import { newTestTask, openTestStore } from '../../testing/stores/store.ts'
import { stopWorker, workerOn } from '../../testing/worker.ts'
import type { StoreSignal, TaskStore } from '../ports/store.ts'
import { isFinal } from '../records/task.ts'

const clock = { now: () => Date.now() }
const free = (run: (job: Job<ImageGenerateRequest>) => Promise<Outcome>) => once(run, { isRepeatable: true })

test('an end that could not be stored is stored later, and the job does not stay with a node that no longer runs it', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  let failures = 2
  let runs = 0
  const failsTwice: TaskStore['settle'] = (id, token, settlement) => {
    if (failures === 0) return store.settle(id, token, settlement)
    failures -= 1
    return Promise.reject(new GatewayError('disk_full', 'full'))
  }
  const worker = workerOn(opened, {
    store: { settle: failsTwice },
    offer: free(async () => {
      runs += 1
      throw new GatewayError('invalid_input_file', 'The input cannot be decoded.')
    }),
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(async () => (await store.get('t1'))?.state === 'failed', 'the end')
  assert.equal(runs, 1)
  await stopWorker(worker)
})

test('a result waits for a blob store that is briefly unavailable, and is not made again', async () => {
  await using opened = await openTestStore(clock)
  const { store, blobs } = opened
  let failures = 2
  let runs = 0
  const worker = workerOn(opened, {
    blobs: {
      adopt: file => {
        if (failures === 0) return blobs.adopt(file)
        failures -= 1
        return Promise.reject(new GatewayError('store_unavailable', 'The bucket is away.', { retryAfterSeconds: 0.1 }))
      },
    },
    offer: once(async job => {
      runs += 1
      return donePixel(job)
    }),
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  const ended = await until(async () => {
    const task = await store.get('t1')
    return task && isFinal(task.state) ? task : undefined
  }, 'the end')
  assert.deepEqual([ended.state, ended.artifacts.length, runs, failures], ['succeeded', 1, 1, 0])
  await stopWorker(worker)
})

test('while the blob store is unusable nothing is claimed, and the task runs when it is usable again', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  let problem: string | undefined = 'The bucket does not answer.'
  const looks = { claims: 0, queues: 0 }
  const worker = workerOn(opened, {
    deps: { blobProblem: () => problem },
    store: {
      claim: (...call) => {
        looks.claims += 1
        return store.claim(...call)
      },
      claimPinned: (...call) => {
        looks.queues += 1
        return store.claimPinned(...call)
      },
    },
    offer: once(donePixel),
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(() => looks.queues > 1, 'two looks for jobs whose callers wait')
  assert.deepEqual([looks.claims, (await store.get('t1'))?.state], [0, 'queued'])
  problem = undefined
  await until(async () => (await store.get('t1'))?.state === 'succeeded', 'the end')
  await stopWorker(worker)
})

test('a claim that is answered after the stop is not run, and its job is released', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  let answer = () => {}
  const gate = new Promise<void>(resolve => {
    answer = resolve
  })
  let claims = 0
  let isAnswered = false
  const late: TaskStore['claim'] = async (...call) => {
    const claimed = await store.claim(...call)
    claims += claimed.length
    if (claimed.length > 0) {
      await gate
      isAnswered = true
    }
    return claimed
  }
  let runs = 0
  const worker = workerOn(opened, {
    store: { claim: late },
    offer: free(async job => {
      runs += 1
      return donePixel(job)
    }),
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(() => claims === 1, 'the claim')
  await worker.stop(0)
  answer()
  await until(() => isAnswered, 'the answer')
  await worker.release()
  assert.equal(runs, 0)
  assert.equal((await store.get('t1'))?.state, 'queued')
})

test('a node that is declared dead drops its work, and continues under a new name', { timeout: 30_000 }, async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  const aborted: string[] = []
  let runs = 0
  const worker = workerOn(opened, {
    offer: free(job => {
      runs += 1
      if (runs > 1) return donePixel(job)
      return new Promise((_, reject) => {
        job.signal.addEventListener('abort', () => {
          aborted.push(String(job.signal.reason))
          reject(job.signal.reason)
        })
      })
    }),
  })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(() => runs === 1, 'the first run')
  const name = worker.nodeId()
  // Does what another node would do after this node's lease has expired.
  await store.requeueDead(clock.now() + 60_000)
  await until(async () => (await store.get('t1'))?.state === 'succeeded', 'the second run')
  assert.equal(runs, 2)
  assert.match(aborted[0] ?? '', /fenced/)
  assert.notEqual(worker.nodeId(), name)
  await stopWorker(worker)
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
  const worker = workerOn(opened, {
    offer: free(async job => {
      runs += 1
      return donePixel(job)
    }),
  })
  worker.start()
  const task = await until(async () => {
    const seen = await store.get('t1')
    return seen?.state === 'failed' ? seen : undefined
  }, 'the end')
  assert.equal(task.failure?.code, 'outcome_unknown')
  assert.equal(runs, 0)
  await stopWorker(worker)
})

test('a damaged task fails, and the others of its claim run', onlyEmbedded('damages a row in the file of the embedded store'), async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  const worker = workerOn(opened, { offer: free(donePixel) })
  for (const id of ['t1', 't2', 't3']) await store.submit(newTestTask(id, clock.now()))
  damage(opened.directory, 't1')
  worker.start()
  for (const id of ['t2', 't3']) await until(async () => (await store.get(id))?.state === 'succeeded', `the end of ${id}`)
  const [last] = await until(async () => {
    const events = await store.events('t1', 1)
    return events.some(event => event.type === 'task.failed') ? events.slice(-1) : undefined
  }, 'the end of t1')
  assert.deepEqual(last?.data, { code: 'internal_error', message: 'What is stored of the task cannot be read.' })
  assert.equal((await store.stats()).queues.length, 0, 'no job is left')
  await stopWorker(worker)
})

test('a task that briefly cannot be read is claimed again without using up a try', async () => {
  await using opened = await openTestStore(clock)
  const { store } = opened
  const listeners: ((signal: StoreSignal) => void)[] = []
  const postponed: number[] = []
  let isFirst = true
  const played: Partial<TaskStore> = {
    subscribe: listener => {
      listeners.push(listener)
      return store.subscribe(listener)
    },
    claim: async (...call) => {
      const claims = await store.claim(...call)
      if (!isFirst || claims.length === 0) return claims
      isFirst = false
      for (const { task, token } of claims) {
        const job = { taskId: task.id, token, wasSent: false, isPassing: true, error: new Error('busy') }
        for (const listener of listeners) listener({ kind: 'unreadable', job })
      }
      return []
    },
    postpone: (id, token, runAt, reason, now) => {
      postponed.push(runAt - now)
      return store.postpone(id, token, now, reason, now)
    },
  }
  const attempts: number[] = []
  const offer = free(job => {
    attempts.push(job.attempt)
    return donePixel(job)
  })
  const worker = workerOn(opened, { store: played, offer })
  worker.start()
  await store.submit(newTestTask('t1', clock.now()))
  await until(async () => (await store.get('t1'))?.state === 'succeeded', 'the end')
  assert.deepEqual([postponed, attempts], [[5_000], [1]])
  await stopWorker(worker)
})

/** Corrupts the stored rows of a task, as a failing disk or an edit by hand would. */
function damage(directory: string, taskId: string): void {
  const database = new DatabaseSync(join(directory, 'gateway.db'))
  database.prepare(`UPDATE tasks SET request = '{' WHERE id = ?`).run(taskId)
  database.close()
}
