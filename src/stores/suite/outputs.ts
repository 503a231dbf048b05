import assert from 'node:assert/strict'
import type { NewBlob } from '../../core/ports/blobs.ts'
import type { TaskStore } from '../../core/ports/store.ts'
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
  startedAt,
  succeeded,
} from './samples.ts'

const afterLease = startedAt + leaseMs
const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: {} }

/** Adds the cases for outputs that a task has before it ends. */
export function outputCases(check: Check): void {
  check('outputs that a run gives are the task’s at once, and its end adds its own behind them', async store => {
    await store.submit(newTask('task-1', { inputs: [newBlob('in-1', { kind: 'input' })] }))
    const { token } = await claimOne(store)
    const signals = collectSignals(store)
    assert.equal(await store.addOutputs('task-1', token, [output('out-0', 'cover', 0)], startedAt + 1), true)
    assert.equal(await store.addOutputs('task-1', token, [output('out-1', 'page', 1), output('out-2', 'page', 2)], startedAt + 2), true)
    const running = await getTask(store, 'task-1')
    assert.equal(running.state, 'running')
    assert.deepEqual(rolesOf(running), [
      ['in-1', 'image', 0],
      ['out-0', 'cover', 0],
      ['out-1', 'page', 1],
      ['out-2', 'page', 2],
    ])
    assert.equal((await store.blob('out-1'))?.key, 'content-out-1')
    assert.deepEqual(signals, Array(2).fill({ kind: 'task', taskId: 'task-1', state: 'running' }))
    assert.deepEqual(
      (await store.events('task-1', 2)).map(({ at, type, data }) => [at, type, data]),
      [
        [startedAt + 1, 'task.output', { role: 'cover', index: 0 }],
        [startedAt + 2, 'task.output', { role: 'page', index: 1 }],
        [startedAt + 2, 'task.output', { role: 'page', index: 2 }],
      ],
    )
    await store.settle('task-1', token, succeeded({ outputs: [output('out-3', 'page', 3)] }))
    assert.deepEqual(rolesOf(await getTask(store, 'task-1')).slice(3), [
      ['out-2', 'page', 2],
      ['out-3', 'page', 3],
    ])
    const last = (await store.events('task-1', 0)).at(-1)
    assert.deepEqual([last?.type, last?.data], ['task.succeeded', { outputs: 4 }])
  })

  check('an end without outputs leaves those that were given, whatever the end', async store => {
    const ends: Record<string, (token: number) => Promise<unknown>> = {
      succeeded: token => store.settle('succeeded', token, succeeded()),
      failed: token => store.settle('failed', token, { state: 'failed', outputs: [], usage: [], at: startedAt }),
      cancelled: async token => {
        await store.reschedule('cancelled', token, startedAt + day, 'later', startedAt)
        await store.cancel('cancelled', startedAt)
      },
      expired: () => store.expireOverdue(startedAt + day, 10),
    }
    for (const [state, end] of Object.entries(ends)) {
      await store.submit(newTask(state))
      const { token } = await claimOne(store)
      await store.addOutputs(state, token, [output(`out-${state}`, 'output', 0)], startedAt)
      await end(token)
      const task = await getTask(store, state)
      assert.deepEqual([task.state, rolesOf(task)], [state, [[`out-${state}`, 'output', 0]]])
    }
    const { blobKeys } = await store.sweep(startedAt + 7 * day, 10)
    assert.deepEqual(
      blobKeys.sort(),
      Object.keys(ends)
        .map(state => `content-out-${state}`)
        .sort(),
    )
  })

  check('a job that begins anew drops what an earlier run gave; until then it stays', async store => {
    const returned: Record<string, (token: number) => Promise<unknown>> = {
      'after a retry': token => store.reschedule('after a retry', token, afterLease, 'busy', startedAt),
      'after a death': () => store.requeueDead(afterLease),
      'after a stop': () => store.release('node-1', startedAt),
    }
    for (const [id, giveBack] of Object.entries(returned)) {
      await store.submit(newTask(id))
      const first = await claimOne(store)
      await store.addOutputs(id, first.token, [output(`first ${id}`, 'output', 0)], startedAt)
      await giveBack(first.token)
      assert.deepEqual(rolesOf(await getTask(store, id)), [[`first ${id}`, 'output', 0]])
      const second = await claimOne(store, 'node-2', afterLease)
      assert.deepEqual([second.task.id, second.task.artifacts], [id, []])
      assert.equal(await store.blob(`first ${id}`), undefined)
      assert.deepEqual(await store.unreferenced([`content-first ${id}`]), [`content-first ${id}`])
      await store.settle(id, second.token, succeeded({ outputs: [output(`second ${id}`, 'output', 0)] }))
      assert.deepEqual(rolesOf(await getTask(store, id)), [[`second ${id}`, 'output', 0]])
      await store.heartbeat('node-1', startedAt, leaseMs)
    }
  })

  check('a job that goes on where it was sent keeps them', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.sent('task-1', token, mark, startedAt)
    await store.addOutputs('task-1', token, [output('out-0', 'output', 0)], startedAt)
    await store.requeueDead(afterLease)
    const again = await claimOne(store, 'node-2', afterLease)
    assert.deepEqual(rolesOf(again.task), [['out-0', 'output', 0]])
  })

  check('outputs of a lost lease are not taken', async store => {
    await store.submit(newTask('task-1'))
    const { token } = await claimOne(store)
    await store.requeueDead(afterLease)
    assert.equal(await store.addOutputs('task-1', token, [output('out-0', 'output', 0)], startedAt + minute), false)
    assert.deepEqual((await getTask(store, 'task-1')).artifacts, [])
    assert.equal(await store.blob('out-0'), undefined)
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.running', 'task.retrying'])
  })
}

function output(id: string, role: string, index: number): NewBlob {
  const blob = newBlob(id)
  return { ...blob, artifact: { ...blob.artifact, role, index } }
}

function rolesOf({ artifacts }: NonNullable<Awaited<ReturnType<TaskStore['get']>>>): [id: string, role: string, index: number][] {
  return artifacts.map(({ id, role, index }) => [id, role, index])
}
