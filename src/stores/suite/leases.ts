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
  newTask,
  queueCounts,
  startedAt,
  succeeded,
} from './samples.ts'

const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: { api_key: 'sk-secret' }, handle: { id: 'upstream-1' } }
const afterLease = startedAt + leaseMs

export function leaseCases(check: Check): void {
  claimCases(check)
  fencingCases(check)
  rescheduleCases(check)
}

function claimCases(check: Check): void {
  check('a claim takes due jobs of its queue, oldest first, up to the limit', async store => {
    await store.submit(newTask('task-a', { createdAt: startedAt + 2 }))
    await store.submit(newTask('task-b', { createdAt: startedAt + 1 }))
    await store.submit(newTask('task-c', { createdAt: startedAt + minute }))
    await store.submit(newTask('task-d', { queue: 'upstream' }))
    await store.heartbeat('node-1', startedAt, leaseMs)
    assert.deepEqual(await store.claim('studio', 'node-1', 0, startedAt + 5), [])
    const claims = await store.claim('studio', 'node-1', 10, startedAt + 5)
    assert.deepEqual(
      claims.map(claim => claim.task.id),
      ['task-b', 'task-a'],
    )
    assert.deepEqual(
      claims.map(claim => claim.attempt),
      [1, 1],
    )
    assert.deepEqual(await store.claim('studio', 'node-1', 10, startedAt + 5), [])
  })

  check('a claimed task is running, with its first start kept', async store => {
    await store.submit(newTask('task-1'))
    const claim = await claimOne(store, 'node-1', startedAt + 5)
    assert.equal(claim.task.state, 'running')
    assert.equal(claim.task.startedAt, startedAt + 5)
    await store.reschedule('task-1', claim.token, startedAt + 6, 'busy', startedAt + 6)
    const second = await claimOne(store, 'node-1', startedAt + 7)
    assert.equal(second.task.startedAt, startedAt + 5)
    assert.equal(second.attempt, 2)
    assert.ok(second.token > claim.token)
  })

  check('many nodes claiming at once never share a job', async store => {
    const ids = Array.from({ length: 40 }, (_, index) => `task-${index}`)
    await Promise.all(ids.map(id => store.submit(newTask(id))))
    const nodes = ['node-1', 'node-2', 'node-3']
    await Promise.all(nodes.map(node => store.heartbeat(node, startedAt, leaseMs)))
    const rounds = Array.from({ length: 15 }, (_, index) => store.claim('studio', `node-${1 + (index % 3)}`, 3, startedAt))
    const claimed = (await Promise.all(rounds)).flat().map(claim => claim.task.id)
    assert.equal(claimed.length, 40)
    assert.equal(new Set(claimed).size, 40)
  })

  check('only a node with a live heartbeat may claim', async store => {
    await store.submit(newTask('task-1'))
    assert.deepEqual(await store.claim('studio', 'stranger', 1, startedAt), [])
    await store.heartbeat('node-1', startedAt, leaseMs)
    assert.deepEqual(await store.claim('studio', 'node-1', 1, afterLease), [])
    assert.equal((await store.claim('studio', 'node-1', 1, afterLease - 1)).length, 1)
  })

  check('progress rises, is kept whole and in the history, and never falls', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    assert.equal(await store.progress('task-1', token, 40.7, startedAt + 1), true)
    assert.equal(await store.progress('task-1', token, 20, startedAt + 2), true)
    assert.equal((await getTask(store, 'task-1')).progress, 40)
    const events = await store.events('task-1', 2)
    assert.deepEqual(events, [{ taskId: 'task-1', sequence: 3, at: startedAt + 1, type: 'task.progress', data: { progress: 40 } }])
  })
}

function fencingCases(check: Check): void {
  check('the late writes of a node past its lease change nothing once another holds the job', async store => {
    await store.submit(newTask('task-1'))
    const first = await claimOne(store, 'node-1')
    await store.heartbeat('node-2', afterLease, leaseMs)
    assert.equal(await store.requeueDead(afterLease), 1)
    const second = await claimOne(store, 'node-2', afterLease)
    assert.equal(second.attempt, 2)
    const before = await getTask(store, 'task-1')
    assert.equal(await store.sent('task-1', first.token, mark, afterLease), false)
    assert.equal(await store.progress('task-1', first.token, 90, afterLease), false)
    assert.equal(await store.reschedule('task-1', first.token, afterLease, 'late', afterLease), false)
    assert.equal(await store.markUnknown('task-1', first.token, afterLease, 'late', afterLease), false)
    assert.equal(await store.settle('task-1', first.token, succeeded()), false)
    assert.deepEqual(await getTask(store, 'task-1'), before)
    assert.equal(await store.settle('task-1', second.token, succeeded()), true)
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running', 'task.retrying', 'task.running', 'task.succeeded'])
  })

  check('a requeued job is lost to its holder even before anyone claims it', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.requeueDead(afterLease)
    assert.equal(await store.settle('task-1', token, succeeded()), false)
    assert.equal(await store.sent('task-1', token, mark, afterLease), false)
    assert.equal(await store.progress('task-1', token, 50, afterLease), false)
    assert.equal(await store.reschedule('task-1', token, afterLease + minute, 'late', afterLease), false)
    assert.equal((await getTask(store, 'task-1')).state, 'queued')
  })

  check('a heartbeat keeps the lease; a node declared dead is told once and may register anew', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    assert.equal(await store.heartbeat('node-1', startedAt + 10_000, leaseMs), true)
    assert.equal(await store.requeueDead(afterLease), 0)
    assert.equal(await store.progress('task-1', token, 10, afterLease), true)
    assert.equal(await store.requeueDead(startedAt + 10_000 + leaseMs), 1)
    assert.equal(await store.heartbeat('node-1', startedAt + minute, leaseMs), false)
    assert.equal(await store.heartbeat('node-1', startedAt + minute, leaseMs), true)
    assert.equal((await store.claim('studio', 'node-1', 1, startedAt + minute)).length, 1)
  })

  check('a stopping node hands all its jobs back, ready to run', async store => {
    await store.submit(newTask('task-1'))
    await store.submit(newTask('task-2'))
    await store.heartbeat('node-1', startedAt, leaseMs)
    await store.claim('studio', 'node-1', 2, startedAt)
    const signals = collectSignals(store)
    assert.equal(await store.release('node-1', startedAt + 1), 2)
    assert.deepEqual(await queueCounts(store), { ready: 2, leased: 0, parked: 0 })
    assert.ok(signals.some(signal => signal.kind === 'job' && signal.queue === 'studio'))
    assert.equal((await claimOne(store, 'node-2')).task.id, 'task-1')
  })

  check('a started job is taken over with its mark and its task stays running', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    assert.equal(await store.sent('task-1', token, mark, startedAt), true)
    await store.requeueDead(afterLease)
    assert.equal((await getTask(store, 'task-1')).state, 'running')
    const second = await claimOne(store, 'node-2', afterLease)
    assert.deepEqual(second.sent, mark)
    assert.equal(second.task.state, 'running')
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running'])
  })

  check('the mark of a started job survives closing and opening again', async (store, underTest) => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.sent('task-1', token, mark, startedAt)
    const reopened = await underTest.reopen()
    await reopened.requeueDead(afterLease)
    assert.deepEqual((await claimOne(reopened, 'node-2', afterLease)).sent, mark)
  })
}

function rescheduleCases(check: Check): void {
  check('a rescheduled job waits until its time and its task is queued again', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    const runAt = startedAt + 2000
    assert.equal(await store.reschedule('task-1', token, runAt, 'upstream busy', startedAt + 5), true)
    assert.equal((await getTask(store, 'task-1')).state, 'queued')
    assert.deepEqual(await store.claim('studio', 'node-1', 1, runAt - 1), [])
    assert.equal((await store.claim('studio', 'node-1', 1, runAt)).length, 1)
    const [retry] = await store.events('task-1', 2)
    assert.equal(retry?.type, 'task.retrying')
    assert.deepEqual(retry?.data, { reason: 'upstream busy', attempt: 1, runAt })
    assert.equal(await store.progress('task-1', token, 50, runAt), false)
  })

  check('a started job that is rescheduled stays running', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.sent('task-1', token, mark, startedAt)
    await store.reschedule('task-1', token, startedAt + 1, 'look later', startedAt)
    assert.equal((await getTask(store, 'task-1')).state, 'running')
    assert.deepEqual((await claimOne(store, 'node-1', startedAt + 1)).sent, mark)
  })

  check('a postponed job counts no try, and its task is queued again', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    const runAt = startedAt + 2000
    assert.equal(await store.postpone('task-1', token, runAt, 'no model', startedAt + 5), true)
    assert.equal((await getTask(store, 'task-1')).state, 'queued')
    assert.deepEqual((await store.events('task-1', 2))[0]?.data, { reason: 'no model', attempt: 1, runAt })
    assert.deepEqual(await store.claim('studio', 'node-1', 1, runAt - 1), [])
    assert.equal((await claimOne(store, 'node-1', runAt)).attempt, 1)
    assert.equal(await store.postpone('task-1', token, runAt, 'no model', runAt), false)
  })

  check('a postponed job that was sent keeps its mark, and its task its state', async store => {
    const { handle: _, ...unknown } = mark
    for (const [sent, state] of [
      [mark, 'running'],
      [unknown, 'unknown'],
    ] as const) {
      const id = `task-${state}`
      await store.submit(newTask(id))
      const { token } = await claimOne(store)
      await store.sent(id, token, sent, startedAt)
      await store[state === 'unknown' ? 'markUnknown' : 'reschedule'](id, token, startedAt, 'later', startedAt)
      const again = await claimOne(store)
      await store.postpone(id, again.token, startedAt + 1, 'no driver', startedAt)
      assert.equal((await getTask(store, id)).state, state)
      const last = await claimOne(store, 'node-1', startedAt + 1)
      assert.deepEqual([last.sent, last.attempt], [sent, 2])
    }
  })

  check('a task that is being cancelled is due at once when its run gives it back', async store => {
    for (const giveBack of ['reschedule', 'markUnknown', 'postpone'] as const) {
      const id = `task-${giveBack}`
      await store.submit(newTask(id))
      const { token } = await claimOne(store)
      assert.equal(await store.cancel(id, startedAt), 'cancelling')
      const signals = collectSignals(store)
      await store[giveBack](id, token, startedAt + day, 'busy', startedAt + 1)
      assert.deepEqual(signals, [{ kind: 'job', queue: 'studio' }])
      const again = await claimOne(store, 'node-1', startedAt + 1)
      assert.equal(again.task.state, 'cancelling')
      await store.settle(id, again.token, { state: 'cancelled', outputs: [], usage: [], at: startedAt + 1 })
    }
  })

  check('a task of unknown fate keeps that state for its claimer, until it is found running', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    assert.equal(await store.markUnknown('task-1', token, startedAt + 1, 'no answer', startedAt), true)
    assert.equal((await getTask(store, 'task-1')).state, 'unknown')
    const second = await claimOne(store, 'node-1', startedAt + 1)
    assert.equal(second.task.state, 'unknown')
    await store.sent('task-1', second.token, mark, startedAt + 2)
    assert.equal((await getTask(store, 'task-1')).state, 'running')
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running', 'task.unknown', 'task.running'])
  })

  check('a task of unknown fate stays unknown when its node dies', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.markUnknown('task-1', token, startedAt + 1, 'no answer', startedAt)
    await claimOne(store, 'node-1', startedAt + 1)
    await store.requeueDead(startedAt + minute)
    assert.equal((await getTask(store, 'task-1')).state, 'unknown')
  })
}
