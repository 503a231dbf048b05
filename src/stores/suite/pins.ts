import assert from 'node:assert/strict'
import type { NewTask, TaskStore } from '../../core/ports/store.ts'
import { type Check, claimOne, collectSignals, getTask, leaseMs, minute, newTask, startedAt, succeeded } from './samples.ts'

const here: Partial<NewTask> = { pin: 'node-1', isInline: true }
const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: {}, handle: { id: 'upstream-1' } }
const afterLease = startedAt + leaseMs

/** Claims jobs for the node. Returns the task ids, each with true when a caller may be waiting
 *  for the task. */
async function claimed(store: TaskStore, nodeId: string, now = startedAt): Promise<[id: string, isInline: boolean][]> {
  await store.heartbeat(nodeId, now, leaseMs)
  return (await store.claim('studio', nodeId, 10, now)).map(({ task, isInline = false }) => [task.id, isInline])
}

/** Adds the cases for jobs that are pinned to one node. */
export function pinCases(check: Check): void {
  check('a pinned job goes to its node alone, and hides no other of its account', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    await store.submit(newTask('task-1', here))
    await store.submit(newTask('task-2', { createdAt: startedAt + 1 }))
    assert.deepEqual(await claimed(store, 'node-2', startedAt + 1), [['task-2', false]])
    assert.deepEqual(await claimed(store, 'node-2', startedAt + 1), [])
    assert.deepEqual(await claimed(store, 'node-1', startedAt + 1), [['task-1', true]])
    const task = await getTask(store, 'task-1')
    assert.equal('pin' in task || 'isInline' in task, false)
  })

  check('a pinned job takes its turn like any other, and its node claims others as well', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    for (const [index, changes] of [{ accountId: 'account-2' }, here, here, {}].entries())
      await store.submit(newTask(`task-${index}`, { createdAt: startedAt + index, ...changes }))
    assert.deepEqual(await claimed(store, 'node-1', startedAt + 5), [
      ['task-0', false],
      ['task-1', true],
      ['task-2', true],
      ['task-3', false],
    ])
  })

  check('a node that drains claims the jobs that are pinned to it, and no others', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    await store.submit(newTask('task-1'))
    for (const [index, pin] of ['node-1', 'node-2', 'node-1', 'node-1'].entries())
      await store.submit(newTask(`task-${index + 2}`, { pin, isInline: true, createdAt: startedAt + index }))
    const claims = await store.claimPinned('studio', 'node-1', 2, startedAt + 5)
    assert.deepEqual(
      claims.map(({ task, isInline, attempt }) => [task.id, task.state, isInline, attempt]),
      [
        ['task-2', 'running', true, 1],
        ['task-4', 'running', true, 1],
      ],
    )
    assert.deepEqual(await store.claimPinned('film', 'node-1', 2, startedAt + 5), [])
    assert.deepEqual(await store.claimPinned('studio', 'node-1', 0, startedAt + 5), [])
    assert.equal((await store.claimPinned('studio', 'node-1', 2, startedAt + 5)).length, 1)
    assert.deepEqual(await claimed(store, 'node-1', startedAt + 5), [['task-1', false]])
    assert.deepEqual(await store.claimPinned('studio', 'node-3', 2, startedAt + 5), [], 'it has no heartbeat')
  })

  check('when its node is declared dead before it has claimed the job, any node goes on with it', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    await store.submit(newTask('task-1', here))
    await store.heartbeat('node-2', afterLease - 1, leaseMs)
    assert.equal(await store.requeueDead(afterLease - 1), 0)
    assert.deepEqual(await claimed(store, 'node-2', afterLease - 1), [])
    const signals = collectSignals(store)
    assert.equal(await store.requeueDead(afterLease), 0)
    assert.deepEqual(signals, [{ kind: 'job', queue: 'studio' }])
    assert.deepEqual(await claimed(store, 'node-2', afterLease), [['task-1', false]])
  })

  check('when its node dies with the job, it is tried again like any task', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    for (const [id, changes] of [
      ['task-1', here],
      ['task-2', { isInline: true }],
    ] as const)
      await store.submit(newTask(id, changes))
    assert.deepEqual(await claimed(store, 'node-1'), [
      ['task-1', true],
      ['task-2', true],
    ])
    assert.equal(await store.requeueDead(afterLease), 2)
    assert.deepEqual(await claimed(store, 'node-2', afterLease), [
      ['task-1', false],
      ['task-2', false],
    ])
    assert.deepEqual((await store.events('task-1', 0)).at(-1)?.data, { attempt: 2 })
  })

  check('when its node stops, what it holds and what waits for it is any node’s', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    await store.submit(newTask('task-1', here))
    await claimOne(store)
    await store.submit(newTask('task-2', here))
    const signals = collectSignals(store)
    assert.equal(await store.release('node-1', startedAt), 1)
    assert.deepEqual(
      signals.filter(({ kind }) => kind === 'job'),
      [{ kind: 'job', queue: 'studio' }],
    )
    assert.deepEqual(await claimed(store, 'node-2'), [
      ['task-1', false],
      ['task-2', false],
    ])
  })

  check('a job that its node gives back is still its own, for nobody who waits', async store => {
    for (const giveBack of ['reschedule', 'postpone', 'markUnknown'] as const) {
      await store.heartbeat('node-1', startedAt, leaseMs)
      await store.submit(newTask(giveBack, here))
      const { token } = await claimOne(store)
      if (giveBack === 'markUnknown') await store.sent(giveBack, token, mark, startedAt)
      await store[giveBack](giveBack, token, startedAt, 'stopping', startedAt)
      assert.deepEqual(await claimed(store, 'node-2'), [])
      assert.deepEqual(await claimed(store, 'node-1'), [[giveBack, false]])
    }
  })

  check('a pin to a node that is not there is taken away with those of the dead', async store => {
    await store.submit(newTask('task-1', { pin: 'node-9', isInline: true }))
    assert.deepEqual(await claimed(store, 'node-2'), [])
    await store.requeueDead(startedAt)
    assert.deepEqual(await claimed(store, 'node-2'), [['task-1', false]])
  })

  check('pins do not outlive the process that has the nodes', async (store, underTest) => {
    await store.heartbeat('node-1', startedAt, minute)
    await store.submit(newTask('task-1', here))
    const again = await underTest.reopen()
    // In a store that several nodes share, the other nodes notice the end of a node only because
    // its heartbeats are missing.
    await again.requeueDead(startedAt + minute)
    assert.deepEqual(await claimed(again, 'node-2'), [['task-1', false]])
  })

  check('a parked job keeps its pin until its turn', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs)
    for (const id of ['task-1', 'task-2']) await store.submit(newTask(id, { ...here, concurrencyLimit: 1 }))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded())
    assert.deepEqual(await claimed(store, 'node-2'), [])
    assert.deepEqual(await claimed(store, 'node-1'), [['task-2', true]])
  })

  check('a repeat of a pinned submit finds the task', async store => {
    const idempotency = { key: 'caller-key', bodySha256: 'a'.repeat(64), expiresAt: startedAt + minute }
    await store.submit(newTask('task-1', { ...here, idempotency }))
    assert.deepEqual(await store.submit(newTask('task-2', { ...here, pin: 'node-2', idempotency })), {
      outcome: 'replayed',
      taskId: 'task-1',
    })
  })
}
