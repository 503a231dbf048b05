import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPollScheduler } from './poll-scheduler.ts'

const open = () => new AbortController().signal
const look = (taskId: string, changes: Partial<Parameters<ReturnType<typeof createPollScheduler>['turn']>[0]> = {}) => ({
  taskId,
  targetId: 'a',
  waitMs: 0,
  perSecond: 1000,
  signal: open(),
  ...changes,
})

test('the polls of one target keep their pace, however many tasks wait; another target is not delayed', async () => {
  const polls = createPollScheduler(() => 0.5)
  const startedAt = performance.now()
  let other = Number.POSITIVE_INFINITY
  await Promise.all([
    ...Array.from({ length: 11 }, (_, index) => polls.turn(look(`t${index}`, { perSecond: 100 }))),
    polls.turn(look('u', { targetId: 'b' })).then(() => {
      other = performance.now() - startedAt
    }),
  ])
  const took = performance.now() - startedAt
  assert.ok(took >= 98, `11 looks at 100 a second took ${took} ms`)
  assert.ok(other < took, 'the other target had to wait')
})

test('a pause that a target requested applies to all of its tasks', async () => {
  const polls = createPollScheduler(() => 0.5)
  const startedAt = performance.now()
  polls.pause('a', 80)
  await Promise.all([polls.turn(look('t1')), polls.turn(look('t2'))])
  assert.ok(performance.now() - startedAt >= 78)
})

test('a task that is woken is polled now; waking an unknown task does nothing', async () => {
  const polls = createPollScheduler(() => 0.5)
  polls.wake('t1')
  const turn = polls.turn(look('t1', { waitMs: 60_000 }))
  polls.wake('t2')
  polls.wake('t1')
  await turn
})

test('a stopped wait ends with the reason of its signal', async () => {
  const polls = createPollScheduler(() => 0.5)
  const controller = new AbortController()
  const turn = polls.turn(look('t1', { waitMs: 60_000, signal: controller.signal }))
  const reason = new Error('stop')
  controller.abort(reason)
  await assert.rejects(turn, reason)
  await assert.rejects(polls.turn(look('t1', { signal: controller.signal })), reason)
})

test('the first poll waits for 80 % of the shortest recent duration, once that is known', () => {
  const polls = createPollScheduler(() => 0.5)
  for (const ms of [5000, 6000, 7000, 4000]) polls.took('a', ms)
  assert.equal(polls.firstWaitMs('a'), 0)
  polls.took('a', 9000)
  assert.equal(polls.firstWaitMs('a'), 3200)
  for (let index = 0; index < 20; index++) polls.took('a', 10_000_000)
  assert.equal(polls.firstWaitMs('a'), 60_000)
  assert.equal(polls.firstWaitMs('b'), 0)
})
