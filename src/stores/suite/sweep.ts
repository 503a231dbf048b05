import assert from 'node:assert/strict'
import type { NewBlob } from '../../core/ports/blobs.ts'
import type { TaskStore } from '../../core/ports/store.ts'
import { isRemoved } from '../../core/records/task.ts'
import { type Check, claimOne, day, leaseMs, minute, newBlob, newTask, startedAt, succeeded, usageLine } from './samples.ts'

const afterRetention = startedAt + 7 * day

export function sweepCases(check: Check): void {
  check('a sweep deletes finished tasks past their time with all that hangs on them, and keeps usage', async store => {
    const inputs = [newBlob('in-1', { kind: 'input' })]
    await store.submit(newTask('task-1', { inputs, clientReference: 'mine' }))
    const { token } = await claimOne(store)
    const usage = [usageLine('task-1:images')]
    await store.settle('task-1', token, succeeded({ outputs: [newBlob('out-1')], detail: { scene: 1 }, usage }))
    assert.deepEqual(await store.sweep(afterRetention - 1, 10), { tasks: 0, blobKeys: [] })
    const swept = await store.sweep(afterRetention, 10)
    assert.equal(swept.tasks, 1)
    assert.deepEqual(swept.blobKeys.sort(), ['content-in-1', 'content-out-1'])
    assert.equal(await store.get('task-1'), undefined)
    assert.equal(await store.blob('out-1'), undefined)
    assert.equal(await store.detail('task-1'), undefined)
    assert.deepEqual(await store.events('task-1', 0), [])
    assert.equal((await store.usage({ from: startedAt, to: startedAt + day })).length, 1)
    assert.equal((await store.submit(newTask('task-2', { clientReference: 'mine' }))).outcome, 'created')
  })

  check('content that another task still points to is kept until the last one goes', async store => {
    await finish(store, 'task-1', [newBlob('out-1', { key: 'shared' })])
    await store.submit(
      newTask('task-2', {
        expiresAt: afterRetention + day,
        inputs: [newBlob('in-2', { key: 'shared', kind: 'input', expiresAt: afterRetention + day })],
      }),
    )
    assert.deepEqual(await store.sweep(afterRetention, 10), { tasks: 1, blobKeys: [] })
    assert.deepEqual(await store.unreferenced(['shared', 'other']), ['other'])
    await store.cancel('task-2', afterRetention)
    assert.deepEqual(await store.sweep(afterRetention + day, 10), { tasks: 1, blobKeys: ['shared'] })
    assert.deepEqual(await store.unreferenced(['shared']), ['shared'])
  })

  check('content shared by two swept tasks is returned once', async store => {
    await finish(store, 'task-1', [newBlob('out-1', { key: 'shared' })])
    await finish(store, 'task-2', [newBlob('out-2', { key: 'shared' })])
    assert.deepEqual(await store.sweep(afterRetention, 10), { tasks: 2, blobKeys: ['shared'] })
  })

  check('unfinished tasks are never swept, nor their inputs', async store => {
    const inputs = [newBlob('in-1', { kind: 'input', expiresAt: startedAt })]
    await store.submit(newTask('task-1', { inputs, expiresAt: startedAt }))
    assert.deepEqual(await store.sweep(afterRetention, 10), { tasks: 0, blobKeys: [] })
    assert.ok(await store.blob('in-1'))
  })

  check('a removed task is listed no more and goes with the next sweep, with its files; what was counted stays', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded({ outputs: [newBlob('out-1')], usage: [usageLine('task-1:images')] }))
    assert.equal(await store.remove('task-1', startedAt), true)
    assert.deepEqual(await store.list({ limit: 10 }), [])
    assert.equal(isRemoved((await store.get('task-1')) ?? assert.fail('it waits for the sweep')), true)
    assert.deepEqual([await store.remove('task-1', startedAt), await store.remove('task-2', startedAt)], [false, false])
    assert.deepEqual(await store.sweep(startedAt, 10), { tasks: 1, blobKeys: ['content-out-1'] })
    assert.equal(await store.get('task-1'), undefined)
    assert.equal((await store.usage({ from: startedAt, to: startedAt + day })).length, 1)
  })

  check('a removed task that is running is cancelled, and goes after its end', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    assert.equal(await store.remove('task-1', startedAt), true)
    assert.equal((await store.get('task-1'))?.state, 'cancelling')
    assert.deepEqual(await store.list({ limit: 10 }), [])
    assert.equal((await store.sweep(afterRetention, 10)).tasks, 0)
    await store.settle('task-1', token, { ...succeeded({ outputs: [] }), state: 'cancelled' })
    assert.equal((await store.sweep(startedAt, 10)).tasks, 1)
  })

  check('a blob past its own end goes before its task', async store => {
    await finish(store, 'task-1', [newBlob('out-1', { expiresAt: startedAt + day }), newBlob('out-2')])
    assert.deepEqual(await store.sweep(startedAt + day, 10), { tasks: 0, blobKeys: ['content-out-1'] })
    assert.equal(await store.blob('out-1'), undefined)
    assert.ok(await store.blob('out-2'))
    assert.ok(await store.get('task-1'))
  })

  check('a task is kept until its webhook is delivered or given up', async store => {
    await store.submit(newTask('task-1', { webhook: { url: 'https://hooks.test' } }))
    await store.cancel('task-1', startedAt)
    assert.equal((await store.sweep(afterRetention, 10)).tasks, 0)
    await store.heartbeat('node-1', afterRetention, leaseMs)
    const [delivery] = await store.outbox.claim('node-1', 1, afterRetention)
    assert.ok(delivery)
    await store.outbox.failed(delivery.id, delivery.token, { now: afterRetention })
    assert.equal((await store.sweep(afterRetention, 10)).tasks, 1)
    assert.deepEqual(await store.outbox.dead({ limit: 10 }), [])
  })

  check('a sweep takes no more tasks than asked', async store => {
    for (const id of ['task-1', 'task-2', 'task-3']) await finish(store, id, [])
    assert.equal((await store.sweep(afterRetention, 2)).tasks, 2)
    assert.equal((await store.sweep(afterRetention, 2)).tasks, 1)
  })

  check('an idempotency key outlives the sweep of its task until its own end', async store => {
    const idempotency = { key: 'caller-key', bodySha256: 'a'.repeat(64), expiresAt: afterRetention + minute }
    await store.submit(newTask('task-1', { idempotency }))
    await store.cancel('task-1', startedAt)
    await store.sweep(afterRetention, 10)
    const repeat = newTask('task-2', { idempotency, createdAt: afterRetention })
    assert.deepEqual(await store.submit(repeat), { outcome: 'replayed', taskId: 'task-1' })
    await store.expireOverdue(afterRetention + minute, 10)
    assert.equal((await store.submit(repeat)).outcome, 'created')
  })
}

async function finish(store: TaskStore, id: string, outputs: NewBlob[]): Promise<void> {
  await store.submit(newTask(id))
  const { token } = await claimOne(store)
  assert.equal(await store.settle(id, token, succeeded({ outputs })), true)
}
