import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskStates } from '../../core/records/task.ts'
import { preparingMs, statusOf } from './status.ts'

test('a task is reported as preparing, queueing, processing and ended, in the words of the interface', () => {
  const createdAt = 1_795_000_000_000
  const at = (ageMs: number, startedAt?: number) =>
    statusOf({ state: 'queued', createdAt, ...(startedAt === undefined ? {} : { startedAt }) }, createdAt + ageMs)
  assert.deepEqual([at(0), at(preparingMs - 1), at(preparingMs), at(60_000)], ['Preparing', 'Preparing', 'Queueing', 'Queueing'])
  assert.equal(at(10, createdAt + 5), 'Queueing', 'it waits for another try')
  const others = taskStates.filter(state => state !== 'queued').map(state => statusOf({ state, createdAt }, createdAt))
  assert.deepEqual(others, ['Processing', 'Processing', 'Processing', 'Success', 'Fail', 'Fail', 'Fail'])
})
