import assert from 'node:assert/strict'
import {
  type Check,
  claimOne,
  collectSignals,
  day,
  eventTypes,
  getTask,
  leaseMs,
  minute,
  newBlob,
  newTask,
  queueCounts,
  startedAt,
  succeeded,
  usageLine,
} from './samples.ts'

const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: { api_key: 'sk-secret' }, handle: { id: 'upstream-1' } }

export function endingCases(check: Check): void {
  settleCases(check)
  parkedCases(check)
  cancelCases(check)
  deadlineCases(check)
  usageCases(check)
}

function settleCases(check: Check): void {
  check('a settled task has its result, outputs, end and history, and its job is gone', async store => {
    await store.submit(newTask('task-1', { inputs: [newBlob('in-1', { kind: 'input' })] }))
    const { token } = await claimOne(store)
    const output = newBlob('out-1')
    assert.equal(await store.settle('task-1', token, succeeded({ outputs: [output], detail: { scene: ['fox'] } })), true)
    const task = await getTask(store, 'task-1')
    assert.equal(task.state, 'succeeded')
    assert.equal(task.progress, 100)
    assert.equal(task.finishedAt, startedAt + minute)
    assert.deepEqual(task.result, { seed: 7 })
    assert.deepEqual(
      task.artifacts.map(artifact => artifact.id),
      ['in-1', 'out-1'],
    )
    assert.equal((await store.blob('out-1'))?.key, output.key)
    assert.deepEqual(await queueCounts(store), { ready: 0, leased: 0, parked: 0 })
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running', 'task.succeeded'])
  })

  check('a failed task keeps its failure and its progress', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.progress('task-1', token, 30, startedAt)
    const failure = { code: 'upstream_error', message: 'The upstream failed.', reasons: ['violence'] } as const
    await store.settle('task-1', token, {
      state: 'failed',
      failure: { ...failure, reasons: ['violence'] },
      outputs: [],
      usage: [],
      at: startedAt,
    })
    const task = await getTask(store, 'task-1')
    assert.equal(task.state, 'failed')
    assert.deepEqual(task.failure, failure)
    assert.equal(task.progress, 30)
    const last = (await store.events('task-1', 0)).at(-1)
    assert.deepEqual(last?.data, { code: 'upstream_error', message: 'The upstream failed.' })
  })

  check('of two settlements of one lease only the first counts', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    const usage = [usageLine('task-1:images')]
    const failure = { code: 'internal_error', message: 'No.' } as const
    const answers = await Promise.all([
      store.settle('task-1', token, succeeded({ usage })),
      store.settle('task-1', token, { state: 'failed', failure, outputs: [], usage, at: startedAt }),
    ])
    assert.deepEqual(answers, [true, false])
    assert.equal((await getTask(store, 'task-1')).state, 'succeeded')
    assert.equal((await store.usage({ from: startedAt, to: startedAt + day }))[0]?.units, 1)
  })

  check('the detail of a settlement is found by its task and by the bytes of its output', async store => {
    for (const id of ['task-1', 'task-2']) {
      await store.submit(newTask(id))
      const { token } = await claimOne(store)
      const outputs = [newBlob(`out-${id}`, { key: 'same-content' }), newBlob(`more-${id}`, { key: 'more', index: 1 })]
      await store.settle(id, token, succeeded({ outputs, detail: { scene: id } }))
    }
    assert.deepEqual(await store.detail('task-1'), { scene: 'task-1' })
    assert.equal(await store.detail('task-3'), undefined)
    assert.deepEqual(await store.origin('account-1', 'sha-of-same-content'), { detail: { scene: 'task-2' }, index: 0 })
    assert.equal((await store.origin('account-1', 'sha-of-more'))?.index, 1)
    assert.equal(await store.origin('account-2', 'sha-of-same-content'), undefined)
    assert.equal(await store.origin('account-1', 'sha-of-other'), undefined)
  })

  check('an uploaded input is no origin', async store => {
    await store.submit(newTask('task-1', { inputs: [newBlob('in-1', { key: 'upload', kind: 'input' })] }))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded({ outputs: [newBlob('out-1')], detail: { scene: 1 } }))
    assert.equal(await store.origin('account-1', 'sha-of-upload'), undefined)
  })

  check('signals tell of each move of a task', async store => {
    const signals = collectSignals(store)
    await store.submit(newTask('task-1', { webhook: { url: 'https://hooks.test' } }))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded())
    assert.deepEqual(signals, [
      { kind: 'job', queue: 'studio' },
      { kind: 'task', taskId: 'task-1', state: 'running' },
      { kind: 'task', taskId: 'task-1', state: 'succeeded' },
      { kind: 'webhook' },
    ])
  })

  check('a settlement that cannot be written leaves the task with its holder', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    const twice = [newBlob('out-1'), newBlob('out-1')]
    const signals = collectSignals(store)
    await assert.rejects(store.settle('task-1', token, succeeded({ outputs: twice })), { code: 'internal_error' })
    assert.equal((await getTask(store, 'task-1')).state, 'running')
    assert.deepEqual(signals, [])
    assert.equal(await store.settle('task-1', token, succeeded({ outputs: [newBlob('out-1')] })), true)
  })
}

function parkedCases(check: Check): void {
  check('settling a task makes the oldest parked job of the key ready', async store => {
    for (const [index, id] of ['task-1', 'task-2', 'task-3'].entries()) {
      await store.submit(newTask(id, { concurrencyLimit: 1, createdAt: startedAt + index }))
    }
    const { token } = await claimOne(store)
    const signals = collectSignals(store)
    await store.settle('task-1', token, succeeded())
    assert.deepEqual(await queueCounts(store), { ready: 1, leased: 0, parked: 1 })
    assert.ok(signals.some(signal => signal.kind === 'job'))
    assert.equal((await claimOne(store, 'node-1', startedAt + 5)).task.id, 'task-2')
  })

  check('cancelling and expiring unpark too, and a parked job can be cancelled', async store => {
    await store.submit(newTask('task-1', { concurrencyLimit: 1, deadlineAt: startedAt + 1 }))
    for (const id of ['task-2', 'task-3', 'task-4']) await store.submit(newTask(id, { concurrencyLimit: 1 }))
    assert.equal(await store.cancel('task-2', startedAt), 'cancelled')
    assert.deepEqual(await queueCounts(store), { ready: 1, leased: 0, parked: 2 })
    await store.expireOverdue(startedAt + 1, 10)
    assert.deepEqual(await queueCounts(store), { ready: 1, leased: 0, parked: 1 })
    assert.equal(await store.cancel('task-3', startedAt + 2), 'cancelled')
    assert.deepEqual(await queueCounts(store), { ready: 1, leased: 0, parked: 0 })
    assert.equal((await claimOne(store, 'node-1', startedAt + 3)).task.id, 'task-4')
  })
}

function cancelCases(check: Check): void {
  check('a waiting task is cancelled at once, with event and webhook', async store => {
    await store.submit(newTask('task-1', { webhook: { url: 'https://hooks.test' } }))
    assert.equal(await store.cancel('task-1', startedAt + 1), 'cancelled')
    const task = await getTask(store, 'task-1')
    assert.equal(task.state, 'cancelled')
    assert.equal(task.failure?.code, 'cancelled')
    assert.equal(task.finishedAt, startedAt + 1)
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.cancelled'])
    assert.equal((await store.stats()).webhooksDue, 1)
    assert.deepEqual(await queueCounts(store), { ready: 0, leased: 0, parked: 0 })
  })

  check('a held task is cancelling, its holder is told and settles it', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    const signals = collectSignals(store)
    assert.equal(await store.cancel('task-1', startedAt + 1), 'cancelling')
    assert.equal(await store.cancel('task-1', startedAt + 2), 'cancelling')
    assert.ok(signals.some(signal => signal.kind === 'cancel' && signal.taskId === 'task-1'))
    assert.equal(await store.progress('task-1', token, 50, startedAt + 2), false)
    assert.equal(await store.settle('task-1', token, { state: 'cancelled', outputs: [], usage: [], at: startedAt + 3 }), true)
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running', 'task.cancelling', 'task.cancelled'])
  })

  check('a holder that had finished may still settle a cancelling task as succeeded', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.cancel('task-1', startedAt + 1)
    assert.equal(await store.settle('task-1', token, succeeded()), true)
    assert.equal((await getTask(store, 'task-1')).state, 'succeeded')
  })

  check('a started task that waits becomes cancelling and due at once, for its next claimer to stop it', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.sent('task-1', token, mark, startedAt)
    await store.reschedule('task-1', token, startedAt + minute, 'look later', startedAt)
    const signals = collectSignals(store)
    assert.equal(await store.cancel('task-1', startedAt + 1), 'cancelling')
    assert.ok(signals.some(signal => signal.kind === 'job'))
    const claim = await claimOne(store, 'node-1', startedAt + 1)
    assert.equal(claim.task.state, 'cancelling')
    assert.deepEqual(claim.sent, mark)
  })

  check('a cancelling task whose node dies is cancelling for its next claimer', async store => {
    await store.submit(newTask('task-1'))
    await claimOne(store)
    await store.cancel('task-1', startedAt + 1)
    await store.requeueDead(startedAt + leaseMs)
    assert.equal((await claimOne(store, 'node-2', startedAt + leaseMs)).task.state, 'cancelling')
  })

  check('a task of unknown fate is cancelled at once and its holder loses the lease', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.markUnknown('task-1', token, startedAt, 'no answer', startedAt)
    const second = await claimOne(store)
    assert.equal(await store.cancel('task-1', startedAt + 1), 'cancelled')
    assert.equal(await store.settle('task-1', second.token, succeeded()), false)
  })

  check('finished tasks stay as they are, and missing ones are told apart', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded())
    const before = await getTask(store, 'task-1')
    assert.equal(await store.cancel('task-1', startedAt + minute), 'final')
    assert.deepEqual(await getTask(store, 'task-1'), before)
    assert.equal(await store.cancel('task-2', startedAt), 'missing')
  })

  check('a task cancelled in the commit of its claim is never lost between the two', async store => {
    await store.heartbeat('node-1', startedAt, minute)
    await store.submit(newTask('task-1'))
    const [claims, outcome] = await Promise.all([store.claim('studio', 'node-1', 1, startedAt), store.cancel('task-1', startedAt)])
    assert.equal(outcome, 'cancelling')
    assert.equal(claims[0]?.task.state, 'cancelling')
  })
}

function deadlineCases(check: Check): void {
  check('tasks past their deadline expire with event and webhook, and their holders are told', async store => {
    const changes = { deadlineAt: startedAt + 100, webhook: { url: 'https://hooks.test' } }
    for (const id of ['task-1', 'task-2']) await store.submit(newTask(id, changes))
    await store.submit(newTask('task-3'))
    const { token } = await claimOne(store)
    const signals = collectSignals(store)
    assert.deepEqual(await store.expireOverdue(startedAt + 99, 10), [])
    assert.deepEqual(await store.expireOverdue(startedAt + 100, 10), ['task-1'], 'its holder is to stop it, and has a minute for that')
    assert.equal((await getTask(store, 'task-1')).state, 'running')
    assert.deepEqual(await store.expireOverdue(startedAt + 100 + minute, 10), ['task-1'])
    for (const id of ['task-1', 'task-2']) {
      const task = await getTask(store, id)
      assert.equal(task.state, 'expired')
      assert.equal(task.failure?.code, 'deadline_exceeded')
      assert.equal((await eventTypes(store, id)).at(-1), 'task.expired')
    }
    assert.equal((await getTask(store, 'task-3')).state, 'queued')
    assert.equal((await store.stats()).webhooksDue, 2)
    assert.deepEqual(
      signals.filter(signal => signal.kind === 'cancel'),
      [{ kind: 'cancel', taskId: 'task-1' }],
    )
    assert.equal(await store.settle('task-1', token, succeeded()), false)
  })

  check(
    'what runs upstream and is held by nobody becomes due at its deadline, so that a worker stops it; after a minute it ends without',
    async store => {
      await store.submit(newTask('task-1', { deadlineAt: startedAt + 100 }))
      const { token } = await claimOne(store)
      await store.sent('task-1', token, mark, startedAt)
      await store.reschedule('task-1', token, startedAt + day, 'look later', startedAt)
      assert.deepEqual(await store.claim('studio', 'node-1', 1, startedAt + 99), [])
      await store.expireOverdue(startedAt + 100, 10)
      const again = await claimOne(store, 'node-1', startedAt + 100)
      assert.deepEqual(again.sent, mark)
      await store.reschedule('task-1', again.token, startedAt + day, 'busy', startedAt + 101)
      assert.deepEqual(await store.expireOverdue(startedAt + 100 + minute, 10), ['task-1'])
      assert.equal((await getTask(store, 'task-1')).state, 'expired')
    },
  )

  check('expiring takes no more tasks at a time than asked', async store => {
    for (const id of ['task-1', 'task-2', 'task-3']) await store.submit(newTask(id, { deadlineAt: startedAt }))
    await store.expireOverdue(startedAt, 2)
    assert.equal((await store.list({ state: 'expired', limit: 10 })).length, 2)
  })
}

function usageCases(check: Check): void {
  check('usage lines count once, however often they are written', async store => {
    const line = usageLine('request-1:images', { units: 2.5, costMicros: 1000.4 })
    await Promise.all([store.recordUsage([line, line]), store.recordUsage([line])])
    const expected = {
      day: '2027-01-15',
      accountId: 'account-1',
      keyId: 'key-1',
      model: 'model-1',
      unit: 'images',
      units: 2.5,
      costMicros: 1000,
    }
    assert.deepEqual(await store.usage({ from: startedAt, to: startedAt + day }), [expected])
  })

  check('usage is summed by day, account, key, model and unit', async store => {
    await store.recordUsage([
      usageLine('r1:images'),
      usageLine('r2:images', { units: 3, costMicros: 750 }),
      usageLine('r3:pixels', { unit: 'pixels', units: 1_000_000 }),
      usageLine('r4:images', { at: startedAt + day }),
      usageLine('r5:images', { accountId: 'account-2' }),
    ])
    const totals = async (filter: { accountId?: string; days?: number }) =>
      (await store.usage({ ...filter, from: startedAt, to: startedAt + (filter.days ?? 1) * day })).map(total => [
        total.day,
        total.accountId,
        total.unit,
        total.units,
        total.costMicros,
      ])
    assert.deepEqual(await totals({ accountId: 'account-2' }), [['2027-01-15', 'account-2', 'images', 1, 250]])
    assert.deepEqual(await totals({ accountId: 'account-1' }), [
      ['2027-01-15', 'account-1', 'images', 4, 1000],
      ['2027-01-15', 'account-1', 'pixels', 1_000_000, 250],
      ['2027-01-16', 'account-1', 'images', 1, 250],
    ])
    assert.deepEqual(await store.usage({ from: startedAt - 2 * day, to: startedAt - day }), [])
  })
}
