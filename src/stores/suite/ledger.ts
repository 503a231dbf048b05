import assert from 'node:assert/strict'
import type { TaskStore } from '../../core/ports/store.ts'
import { type Hold, holdOf, type Quota, sharesOf } from '../../core/records/ledger.ts'
import { type Check, claimOne, countOf, day, getTask, key, newTask, startedAt, succeeded, usageLine } from './samples.ts'

const account = { kind: 'account', id: 'account-1' } as const
const price = { images: 40_000 }
const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: {} }

/** Returns a hold of some pictures under the quotas, at the given time. */
function pictures(count: number, quotas: readonly Quota[], at = startedAt): Hold {
  return holdOf(price, [{ unit: 'images', units: count }], sharesOf(quotas, key, at))
}

const daily: Quota = { unit: 'images', window: 'day', atMost: 10 }
const budget: Quota = { unit: 'cost', window: 'month', atMost: 0.4 }

const used = (images: number) => [usageLine('task-1:images', { units: images, costMicros: images * 40_000 })]

export function ledgerCases(check: Check): void {
  submitCases(check)
  openLineCases(check)
  accountLimitCases(check)
}

function submitCases(check: Check): void {
  check('of 64 submits at once as many get in as the budget has room for, and a refused one writes nothing', async store => {
    const submits = Array.from({ length: 64 }, (_, index) => store.submit(newTask(`task-${index}`, { hold: pictures(1, [daily, budget]) })))
    const outcomes = await Promise.all(submits)
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 10)
    const refused = outcomes.find(({ outcome }) => outcome === 'over-quota')
    assert.ok(refused?.outcome === 'over-quota')
    const { quota, ...rest } = refused.refusal
    assert.equal(quota.unit, 'images')
    assert.deepEqual(rest, { used: 0, held: 10, wanted: 1 })
    assert.equal((await store.list({ limit: 200 })).length, 10)
    assert.deepEqual(await countOf(store, daily), [0, 10])
    assert.deepEqual(await countOf(store, budget), [0, 400_000])
  })

  check('a hold ends with the task: what was used counts, in the window of the submit', async store => {
    await store.submit(newTask('task-1', { hold: pictures(4, [daily, budget]) }))
    const { token, hold } = await claimOne(store)
    assert.deepEqual(hold, pictures(4, [daily, budget]))
    await store.settle('task-1', token, succeeded({ usage: used(3), at: startedAt + 2 * day }))
    assert.deepEqual(await countOf(store, daily), [3, 0])
    assert.deepEqual(await countOf(store, budget), [120_000, 0])
    assert.deepEqual(await countOf(store, daily, startedAt + 2 * day), [0, 0])
  })

  check('the hold of a task that runs grows where its quotas have room, and only for who has the lease', async store => {
    await store.submit(newTask('task-1', { hold: pictures(4, [daily, budget]) }))
    const { token } = await claimOne(store)
    const { lines } = pictures(9, [])
    assert.equal(await store.growHold('task-1', token + 1, lines), 'lost')
    assert.equal(await store.growHold('task-1', token, lines), 'held')
    assert.deepEqual(await countOf(store, daily), [0, 9])
    assert.deepEqual(await countOf(store, budget), [0, 360_000])
    const refusal = await store.growHold('task-1', token, pictures(11, []).lines)
    assert.ok(typeof refusal === 'object')
    assert.deepEqual([refusal.quota.unit, refusal.held, refusal.wanted], ['images', 9, 2])
    assert.deepEqual(await countOf(store, daily), [0, 9])
    await store.settle('task-1', token, succeeded({ usage: used(9), at: startedAt }))
    assert.deepEqual(await countOf(store, daily), [9, 0])
  })

  check('a failed, cancelled or expired task gives its hold back', async store => {
    for (const id of ['task-1', 'task-2', 'task-3']) await store.submit(newTask(id, { hold: pictures(3, [daily]) }))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, { state: 'failed', outputs: [], usage: [], at: startedAt })
    assert.deepEqual(await countOf(store, daily), [0, 6])
    await store.cancel('task-2', startedAt)
    assert.deepEqual(await countOf(store, daily), [0, 3])
    await store.expireOverdue(startedAt + day, 10)
    assert.deepEqual(await countOf(store, daily), [0, 0])
    assert.deepEqual(await store.openLines({ limit: 10 }), [])
  })

  check('counted requests stay counted, whatever came of them', async store => {
    const requests: Quota = { unit: 'requests', window: 'hour', atMost: 2 }
    for (const id of ['task-1', 'task-2']) await store.submit(newTask(id, { hold: pictures(1, [requests]) }))
    await store.cancel('task-1', startedAt)
    assert.deepEqual(await countOf(store, requests), [1, 1])
    assert.equal((await store.submit(newTask('task-3', { hold: pictures(1, [requests]) }))).outcome, 'over-quota')
    const later = startedAt + 3_600_000
    assert.equal((await store.submit(newTask('task-4', { hold: pictures(1, [requests], later), createdAt: later }))).outcome, 'created')
  })

  check('a repeat of a submit holds nothing twice', async store => {
    const idempotency = { key: 'k', bodySha256: 'b', expiresAt: startedAt + day }
    for (const id of ['task-1', 'task-2']) await store.submit(newTask(id, { idempotency, hold: pictures(3, [daily]) }))
    assert.deepEqual(await countOf(store, daily), [0, 3])
  })

  check('counters survive closing and opening again', async (store, underTest) => {
    await store.submit(newTask('task-1', { hold: pictures(3, [daily]) }))
    assert.deepEqual(await countOf(await underTest.reopen(), daily), [0, 3])
  })
}

function openLineCases(check: Check): void {
  check('a task of unknown fate keeps its hold as an open line until it is charged or released', async store => {
    for (const id of ['task-1', 'task-2']) {
      await store.submit(newTask(id, { hold: pictures(2, [daily]) }))
      const { token } = await claimOne(store)
      await store.sent(id, token, mark, startedAt)
      await store.settle(id, token, { state: 'failed', outputs: [], usage: [], isOpen: true, at: startedAt + 1 })
    }
    assert.equal((await store.stats()).openLines, 2)
    const [line, other] = await store.openLines({ limit: 10 })
    assert.deepEqual(line, {
      taskId: 'task-2',
      accountId: 'account-1',
      keyId: 'key-1',
      model: 'model-1',
      target: 'acme-eu',
      units: [{ unit: 'images', units: 2, costMicros: 80_000 }],
      at: startedAt + 1,
    })
    assert.equal(other?.taskId, 'task-1')
    assert.deepEqual(await store.openLines({ taskId: 'task-2', limit: 10 }), [line])
    assert.deepEqual(await store.openLines({ taskId: 'task-2', accountId: 'account-2', limit: 10 }), [])
    assert.deepEqual(await countOf(store, daily), [0, 4])
    assert.equal(await store.settleOpenLine('task-1', 'charge', startedAt + 2), true)
    assert.deepEqual(await countOf(store, daily), [2, 2])
    assert.equal(await store.settleOpenLine('task-2', 'release', startedAt + 2), true)
    assert.deepEqual(await countOf(store, daily), [2, 0])
    assert.equal(await store.settleOpenLine('task-2', 'charge', startedAt + 2), false)
    assert.deepEqual(await store.openLines({ limit: 10 }), [])
    const totals = await store.usage({ from: startedAt, to: startedAt + 1 })
    assert.deepEqual(
      totals.map(({ unit, units, costMicros }) => [unit, units, costMicros]),
      [['images', 2, 80_000]],
    )
  })

  check('what a task of unknown fate has given is used, and the rest is its open line; all of it leaves none', async store => {
    const requests: Quota = { unit: 'requests', window: 'day', atMost: 10 }
    for (const [id, given] of [['task-1', 3] as const, ['task-2', 3] as const, ['task-3', 4] as const]) {
      await store.submit(newTask(id, { hold: pictures(4, [daily, budget, requests].slice(id === 'task-1' ? 0 : 3)) }))
      const { token } = await claimOne(store)
      await store.sent(id, token, mark, startedAt)
      const usage = [usageLine(`${id}:images`, { units: given, costMicros: given * 40_000 })]
      await store.settle(id, token, { state: 'failed', outputs: [], usage, isOpen: true, at: startedAt + 1 })
    }
    const lines = await store.openLines({ limit: 10 })
    assert.deepEqual(
      lines.map(({ taskId, units }) => [taskId, units]),
      ['task-2', 'task-1'].map(id => [id, [{ unit: 'images', units: 1, costMicros: 40_000 }]]),
    )
    assert.deepEqual(await countOf(store, daily), [3, 1])
    assert.deepEqual(await countOf(store, budget), [120_000, 40_000])
    assert.deepEqual(await countOf(store, requests), [0, 1])
    await store.settleOpenLine('task-1', 'charge', startedAt + 2)
    await store.settleOpenLine('task-2', 'release', startedAt + 2)
    assert.deepEqual(await countOf(store, daily), [4, 0])
    assert.deepEqual(await countOf(store, budget), [160_000, 0])
    assert.deepEqual(await countOf(store, requests), [1, 0])
    for (const [id, images] of [['task-1', 4] as const, ['task-2', 3] as const])
      assert.deepEqual(
        (await store.taskUsage(id)).map(({ unit, units, costMicros }) => [unit, units, costMicros]),
        [['images', images, images * 40_000]],
      )
    const totals = await store.usage({ from: startedAt, to: startedAt + day })
    assert.equal(
      totals.reduce((sum, { units }) => sum + units, 0),
      11,
    )
  })

  check('what was sent and is ended by the store itself leaves an open line', async store => {
    for (const id of ['task-1', 'task-2']) {
      await store.submit(newTask(id, { hold: pictures(1, [daily]) }))
      const { token } = await claimOne(store)
      await store.sent(id, token, mark, startedAt)
      await store.markUnknown(id, token, startedAt + day, 'no answer', startedAt)
    }
    assert.equal(await store.cancel('task-1', startedAt), 'cancelled')
    await store.expireOverdue(startedAt + 2 * day, 10)
    assert.equal((await getTask(store, 'task-2')).state, 'expired')
    assert.deepEqual(new Set((await store.openLines({ limit: 10 })).map(({ taskId }) => taskId)), new Set(['task-1', 'task-2']))
    assert.deepEqual(await store.openLines({ accountId: 'account-2', limit: 10 }), [])
  })

  check('a mark without a handle is taken away when the job is handed back, and kept when its fate is unknown', async store => {
    await store.submit(newTask('task-1', { hold: pictures(1, []) }))
    const first = await claimOne(store)
    await store.sent('task-1', first.token, mark, startedAt)
    await store.reschedule('task-1', first.token, startedAt, 'refused', startedAt)
    assert.equal((await getTask(store, 'task-1')).state, 'queued')
    const second = await claimOne(store)
    assert.equal(second.sent, undefined)
    await store.sent('task-1', second.token, mark, startedAt)
    await store.markUnknown('task-1', second.token, startedAt, 'no answer', startedAt)
    assert.deepEqual((await claimOne(store)).sent, mark)
  })
}

function accountLimitCases(check: Check): void {
  check("an account's limit counts the jobs of all its keys, and the oldest that waits goes on", async store => {
    const jobs = [
      ['task-1', 'key-1'],
      ['task-2', 'key-2'],
      ['task-3', 'key-3'],
      ['task-4', 'key-2'],
    ] as const
    for (const [index, [id, keyId]] of jobs.entries())
      await store.submit(newTask(id, { keyId, accountConcurrencyLimit: 2, createdAt: startedAt + index }))
    await store.submit(newTask('other', { accountId: 'account-2', keyId: 'key-9', accountConcurrencyLimit: 2, createdAt: startedAt + 9 }))
    const claims = await claimAll(store)
    assert.deepEqual(new Set(claims.keys()), new Set(['task-1', 'task-2', 'other']))
    await store.settle('task-1', claims.get('task-1') ?? 0, succeeded())
    const next = await claimAll(store)
    assert.deepEqual([...next.keys()], ['task-3'])
    await store.settle('task-3', next.get('task-3') ?? 0, succeeded())
    assert.deepEqual([...(await claimAll(store)).keys()], ['task-4'])
  })

  check('a key that its own limit holds back does not hold back the other keys of its account', async store => {
    const limits = { accountConcurrencyLimit: 2 }
    await store.submit(newTask('task-1', { ...limits, keyId: 'key-1', concurrencyLimit: 1 }))
    await store.submit(newTask('task-2', { ...limits, keyId: 'key-2', createdAt: startedAt + 1 }))
    await store.submit(newTask('task-3', { ...limits, keyId: 'key-1', concurrencyLimit: 1, createdAt: startedAt + 2 }))
    await store.submit(newTask('task-4', { ...limits, keyId: 'key-3', createdAt: startedAt + 3 }))
    const claims = await claimAll(store)
    await store.settle('task-2', claims.get('task-2') ?? 0, succeeded())
    assert.deepEqual([...(await claimAll(store)).keys()], ['task-4'])
  })

  check('limits of an account come with each of its keys', async ({ accounts }) => {
    const limits = { ratePerMinute: 60, quotas: [daily] }
    await accounts.putAccount({ id: account.id, name: 'A', source: 'admin', limits, createdAt: startedAt })
    const own = { concurrentTasks: 2 }
    const scopes = { endpoints: [], families: [], models: [] }
    const facts = { id: 'key-1', accountId: account.id, name: 'k', sha256: 'hash', hint: 'wxyz', scopes, source: 'admin' } as const
    await accounts.putKey({ ...facts, limits: own, createdAt: startedAt })
    const found = await accounts.keyBySha256('hash')
    assert.deepEqual(found?.limits, own)
    assert.deepEqual(found?.accountLimits, limits)
  })
}

/** Claims all due jobs. Returns the fencing tokens by task id. */
async function claimAll(store: TaskStore): Promise<Map<string, number>> {
  await store.heartbeat('node-1', startedAt, 15_000)
  const claims = await store.claim('studio', 'node-1', 10, startedAt + 100)
  return new Map(claims.map(({ task, token }) => [task.id, token]))
}
