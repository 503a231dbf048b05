import assert from 'node:assert/strict'
import type { NodeFacts } from '../../core/records/node.ts'
import { type Check, claimOne, collectSignals, leaseMs, minute, newTask, startedAt } from './samples.ts'

const facts: NodeFacts = {
  name: 'east',
  version: '1.2.3',
  startedAt: startedAt - minute,
  state: 'ready',
  running: 0,
  deliveries: 0,
  schema: 13,
  address: 'http://10.0.0.5:8080',
}

/** Adds the cases for the list of nodes and for orders to them. */
export function nodeCases(check: Check): void {
  check('a heartbeat stores what the node reports of itself, with the leases that it holds', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs, facts)
    await store.submit(newTask('task-1'))
    await claimOne(store)
    const later = { ...facts, state: 'draining' as const, running: 1 }
    await store.heartbeat('node-1', startedAt + 5_000, leaseMs, later)
    assert.deepEqual(await store.nodes.list(startedAt + 6_000), [
      {
        id: 'node-1',
        name: 'east',
        facts: later,
        beatAt: startedAt + 5_000,
        aliveUntil: startedAt + 5_000 + leaseMs,
        isAlive: true,
        leasedJobs: 1,
        leasedWebhooks: 0,
      },
    ])
  })

  check('an ended node is shown for an hour, a released one no more', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs, facts)
    await store.heartbeat('node-2', startedAt, leaseMs, { ...facts, name: 'west' })
    const ends = startedAt + leaseMs
    await store.release('node-2', startedAt)
    const ended = async (now: number) => (await store.nodes.list(now)).map(({ name, isAlive }) => [name, isAlive])
    assert.deepEqual(await ended(ends - 1), [['east', true]])
    assert.deepEqual(await ended(ends), [['east', false]])
    await store.requeueDead(ends)
    assert.deepEqual(await ended(ends + 59 * minute), [['east', false]])
    assert.deepEqual(await ended(ends + 60 * minute), [])
  })

  check('an order reaches the living nodes of a name', async store => {
    await store.heartbeat('node-1', startedAt, leaseMs, facts)
    await store.heartbeat('node-2', startedAt, leaseMs, { ...facts, name: 'west' })
    const signals = collectSignals(store)
    assert.equal(await store.nodes.give('north', 'drain', startedAt), 0)
    assert.equal(await store.nodes.give('east', 'drain', startedAt + leaseMs), 0, 'its leases have ended')
    assert.equal(await store.nodes.orderOf('node-1'), undefined)
    assert.equal(await store.nodes.give('east', 'drain', startedAt), 1)
    assert.equal(await store.nodes.orderOf('node-1'), 'drain')
    assert.equal(await store.nodes.orderOf('node-2'), undefined)
    assert.equal(await store.nodes.give('east', 'resume', startedAt), 1)
    assert.equal((await store.nodes.list(startedAt))[0]?.order, 'resume')
    assert.equal(await store.nodes.orderOf('node-3'), undefined)
    assert.deepEqual(signals, [
      { kind: 'order', node: 'east', order: 'drain' },
      { kind: 'order', node: 'east', order: 'resume' },
    ])
  })

  check('the stats name the time since which the longest waiting job of a queue is due', async store => {
    await store.submit(newTask('task-2', { createdAt: startedAt + 5 }))
    await store.submit(newTask('task-1', { createdAt: startedAt }))
    assert.equal((await store.stats()).queues[0]?.oldestReadyAt, startedAt)
    await claimOne(store)
    assert.equal((await store.stats()).queues[0]?.oldestReadyAt, startedAt + 5)
    await claimOne(store, 'node-1', startedAt + 5)
    assert.equal((await store.stats()).queues[0]?.oldestReadyAt, undefined)
  })
}
