import assert from 'node:assert/strict'
import { type Hold, sharesOf } from '../../core/records/ledger.ts'
import { type Check, key, leaseMs, minute, newTask, queueCounts, startedAt, succeeded, usageLine } from './samples.ts'

const now = startedAt + minute

/** Adds the cases for writes that wait at the same time and are run as a group: each still takes
 *  those before it into account. */
export function groupCases(check: Check): void {
  check('of submits at once with one idempotency key one is created, also after a refusal', async store => {
    const idempotency = { key: 'i-1', bodySha256: 'a', expiresAt: startedAt + minute }
    const quotas = sharesOf([{ unit: 'images', window: 'day', atMost: 1 }], key, startedAt)
    const holdOf = (units: number): Hold => ({ lines: [{ unit: 'images', units, costMicros: 0 }], quotas })
    const outcomes = await Promise.all([
      store.submit(newTask('task-1', { idempotency, hold: holdOf(2) })),
      store.submit(newTask('task-2', { idempotency, hold: holdOf(1) })),
      store.submit(newTask('task-3', { idempotency, hold: holdOf(1) })),
      store.submit(newTask('task-4', { idempotency: { ...idempotency, bodySha256: 'b' } })),
      store.submit(newTask('task-5', { hold: holdOf(1) })),
    ])
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['over-quota', 'created', 'replayed', 'conflict', 'over-quota'],
    )
    assert.deepEqual(await store.quotaCounts(quotas), [{ used: 0, held: 1 }])
  })

  check('of submits at once with one client reference one is created', async store => {
    const outcomes = await Promise.all(['task-1', 'task-2'].map(id => store.submit(newTask(id, { clientReference: 'ref-1' }))))
    assert.deepEqual(outcomes, [
      { outcome: 'created', taskId: 'task-1' },
      { outcome: 'reference-taken', taskId: 'task-1' },
    ])
  })

  check('submits at once are parked beyond the limits, and settlements at once make as many ready', async store => {
    const limits = (keyId: string) => ({ keyId, concurrencyLimit: 3, accountConcurrencyLimit: 5 })
    const ids = Array.from({ length: 12 }, (_, index) => `task-${String(index).padStart(2, '0')}`)
    await Promise.all(
      ids.map((id, index) => store.submit(newTask(id, { ...limits(index % 2 === 0 ? 'key-1' : 'key-2'), createdAt: startedAt + index }))),
    )
    assert.deepEqual(await queueCounts(store), { ready: 5, leased: 0, parked: 7 })
    await store.heartbeat('node-1', now, leaseMs)
    for (let left = 7; left > 0; left -= 3) {
      const claims = await store.claim('studio', 'node-1', 3, now)
      const settled = await Promise.all(claims.map(({ task, token }) => store.settle(task.id, token, succeeded())))
      assert.deepEqual(settled, [true, true, true])
      assert.deepEqual(await queueCounts(store), { ready: Math.min(5, left + 2), leased: 0, parked: Math.max(0, left - 3) })
    }
  })

  check('of settlements at once with one token the first ends the task, and a lost lease ends none', async store => {
    for (const id of ['task-1', 'task-2']) await store.submit(newTask(id))
    await store.heartbeat('node-1', now, leaseMs)
    const [one, other] = await store.claim('studio', 'node-1', 2, now)
    assert.ok(one && other)
    const usage = [usageLine('task-1:images')]
    const settled = await Promise.all([
      store.settle('task-2', other.token + 1, succeeded()),
      store.settle('task-1', one.token, succeeded({ usage })),
      store.settle('task-1', one.token, succeeded({ usage })),
    ])
    assert.deepEqual(settled, [false, true, false])
    assert.equal((await store.get('task-2'))?.state, 'running')
    assert.deepEqual(await store.taskUsage('task-1'), usage)
  })

  check('a write that is invalid fails alone among those at once', async store => {
    const results = await Promise.allSettled([
      store.submit(newTask('task-1')),
      store.submit(newTask('task-1')),
      store.submit(newTask('task-2', { hold: { lines: [{ unit: 'images', units: -1, costMicros: 0 }], quotas: [] } })),
      store.submit(newTask('task-3')),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    assert.equal((await store.events('task-3', 0)).length, 1)
  })
}
