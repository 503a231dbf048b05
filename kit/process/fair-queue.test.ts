import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue, type FairQueueOptions, type QueueSlot } from './fair-queue.ts'

/** Returns a queue with a clock that the test moves, and the order in which its work ran. */
function openQueue(options: Partial<FairQueueOptions> = {}) {
  const clock = { ms: 0 }
  const queue = new FairQueue({ places: 1, now: () => clock.ms, ...options })
  const order: string[] = []
  /** Runs `pieces` pieces of work, each of which adds the name to `order` and moves the clock by
   *  `pieceMs`. */
  const work = async (name: string, account: string, { pieces = 1, pieceMs = 10, signal = never() } = {}) => {
    using place = await queue.take({ account, workMs: pieces * pieceMs, signal })
    for (let piece = 0; piece < pieces; piece++) {
      if (piece > 0) await place.giveWay()
      order.push(name)
      clock.ms += pieceMs
      await settled()
    }
  }
  return { clock, queue, order, work }
}

const never = () => new AbortController().signal
/** Waits until all work that can continue has continued. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

test("a short piece of work comes right after the running piece, however long the other account's work is", async () => {
  const { order, work } = openQueue()
  const long = work('long', 'a', { pieces: 100 })
  await settled()
  const short = work('short', 'b', { pieces: 3 })
  await short
  assert.ok(order.lastIndexOf('short') <= 8, `${order}`)
  await long
  assert.equal(order.length, 103)
})

test('an account with many long jobs gets no more time than one with a single job', async () => {
  const { order, work } = openQueue()
  const crowd = Array.from({ length: 9 }, () => work('crowd', 'a', { pieces: 40 }))
  await settled()
  const single = work('single', 'b', { pieces: 20 })
  await single
  const before = order.slice(0, order.lastIndexOf('single'))
  const crowded = before.filter(name => name === 'crowd').length
  assert.ok(crowded <= 24, `${crowded} pieces of the crowd before 20 of the other`)
  await Promise.all(crowd)
})

test('time counts, not the number of pieces: short pieces are not delayed by an account with long ones', async () => {
  const { clock, work } = openQueue()
  const long = work('long', 'a', { pieces: 10, pieceMs: 1000 })
  await settled()
  const begun = clock.ms
  await work('short', 'b', { pieces: 20, pieceMs: 10 })
  // At most one piece of the other account (1,000 ms), plus the 200 ms of this work itself.
  assert.ok(clock.ms - begun <= 1200, `${clock.ms - begun} ms`)
  await long
})

test('an account that worked alone for long takes turns with a new one', async () => {
  const { order, work } = openQueue()
  const alone = work('alone', 'a', { pieces: 200 })
  while (order.length < 100) await settled()
  const come = work('come', 'b', { pieces: 50 })
  await come
  const meanwhile = order.slice(order.indexOf('come'), order.lastIndexOf('come')).filter(name => name === 'alone').length
  assert.ok(meanwhile >= 40 && meanwhile <= 60, `${meanwhile} pieces beside 50`)
  await alone
})

test('a single account has all places, and never has to wait', async () => {
  const { queue, clock } = openQueue({ places: 2 })
  using first = await queue.take({ account: 'a', signal: never() })
  using second = await queue.take({ account: 'a', signal: never() })
  clock.ms = 5000
  await first.giveWay()
  await second.giveWay()
  assert.equal(queue.waiting, 0)
})

test('within an account, shorter work goes first, but long work does not wait forever', async () => {
  const { order, work } = openQueue()
  const running = work('running', 'a')
  await settled()
  const long = work('long', 'a', { pieces: 1, pieceMs: 300 })
  const shorts: Promise<void>[] = []
  for (let at = 0; at < 100; at++) shorts.push(work(`short`, 'a', { pieces: 1, pieceMs: 10 }))
  await running
  await shorts[0]
  const stream = (async () => {
    for (let at = 0; at < 100; at++) await work('later', 'a', { pieces: 1, pieceMs: 10 })
  })()
  await Promise.all([long, ...shorts, stream])
  assert.equal(order[1], 'short')
  assert.ok(order.indexOf('long') < order.lastIndexOf('later'))
})

test('an account that was idle has neither credit nor debt', async () => {
  const { order, work } = openQueue()
  await work('alone', 'a', { pieces: 500 })
  await work('b', 'b')
  const both = [work('a', 'a', { pieces: 50 }), work('b', 'b', { pieces: 50 })]
  await Promise.all(both)
  const last = order.slice(501)
  const half = last.slice(0, 40).filter(name => name === 'a').length
  assert.ok(half >= 15 && half <= 25, `${half} of 40`)
})

test('the number of paused works never exceeds the limit', async () => {
  const { queue, order, work } = openQueue({ paused: 1 })
  const all = [work('a', 'a', { pieces: 6 }), work('b', 'b', { pieces: 6 }), work('c', 'c', { pieces: 6 })]
  await Promise.all(all)
  // `a` and `b` take turns, with at most one of them paused. So `c` may begin only when one of them
  // has ended.
  const begun = order.indexOf('c')
  assert.ok(
    ['a', 'b'].some(name => order.lastIndexOf(name) < begun),
    `${order}`,
  )
  assert.equal(order.length, 18)
  assert.equal(queue.hasFree, true)
})

test('cancelled work leaves the queue, before it begins and between pieces', async () => {
  const { queue, clock } = openQueue()
  const stop = new AbortController()
  const first: QueueSlot = await queue.take({ account: 'a', signal: stop.signal })
  const second = queue.take({ account: 'b', signal: never() })
  const third = queue.take({ account: 'c', signal: stop.signal })
  clock.ms = 10
  const paused = first.giveWay()
  const held = await second
  assert.equal(queue.waiting, 2)
  stop.abort(new Error('left'))
  await assert.rejects(paused, /left/)
  await assert.rejects(third, /left/)
  assert.equal(queue.waiting, 0)
  first[Symbol.dispose]()
  held[Symbol.dispose]()
  assert.equal(queue.hasFree, true)
  await assert.rejects(queue.take({ signal: stop.signal }), /left/)
})

test('a slot that is disposed during a pause leaves no work behind, and its account is charged no more time', async () => {
  const { queue, clock, order, work } = openQueue()
  const stop = new AbortController()
  const dead: QueueSlot = await queue.take({ account: 'a', signal: stop.signal })
  const second = queue.take({ account: 'b', signal: never() })
  clock.ms = 10
  void dead.giveWay()
  const held = await second
  clock.ms = 30
  dead[Symbol.dispose]()
  assert.deepEqual({ waiting: queue.waiting, hasFree: queue.hasFree }, { waiting: 0, hasFree: false })
  // The first work has already left the queue, so the abort of its signal must change nothing.
  stop.abort(new Error('left'))
  const both = [work('b', 'b'), work('a', 'a')]
  clock.ms = 1000
  held[Symbol.dispose]()
  await Promise.all(both)
  // Account a has used less time (10 ms) than account b (990 ms), so it goes first.
  assert.deepEqual(order, ['a', 'b'])
  assert.equal(queue.hasFree, true)
})
