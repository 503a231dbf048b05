import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from './fair-queue.ts'
import { runInTurns } from './run-in-turns.ts'

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

/** Returns a queue whose clock each item moves by 10 ms, and `order`, a list of the items in the
 *  order in which they began. */
function open(places: number) {
  const clock = { ms: 0 }
  const queue = new FairQueue({ places, now: () => clock.ms })
  const order: string[] = []
  let [running, widest] = [0, 0]
  const work = async (item: string): Promise<void> => {
    order.push(item)
    running += 1
    widest = Math.max(widest, running)
    await settled()
    clock.ms += 10
    running -= 1
    if (item === 'bad') throw new Error('a bad item')
  }
  /** Takes a place for an account and runs all items in it, and in further places while some are
   *  free. */
  const through = async (account: string, items: readonly string[], signal = new AbortController().signal): Promise<void> => {
    const request = { account, workMs: items.length, signal }
    using first = await queue.take(request)
    await runInTurns(items, { queue, request, first, atOnce: places }, work)
  }
  return { queue, order, through, widest: () => widest }
}

const items = (name: string, count: number): string[] => Array.from({ length: count }, () => name)

test('items are processed in order, as many at a time as there are places', async () => {
  const { queue, order, through, widest } = open(3)
  await through('a', ['1', '2', '3', '4', '5', '6', '7'])
  assert.deepEqual(order, ['1', '2', '3', '4', '5', '6', '7'])
  assert.equal(widest(), 3)
  assert.equal(queue.waiting, 0)
  await through('a', [])
  assert.ok(queue.hasFree)
})

test('other work runs between two items, and all of it ends', async () => {
  const { queue, order, through } = open(2)
  const long = through('a', items('a', 40))
  await settled()
  await through('b', items('b', 4))
  assert.ok(order.lastIndexOf('b') <= 14, `${order}`)
  await long
  assert.equal(order.filter(name => name === 'a').length, 40)
  assert.equal(queue.waiting, 0)
})

test('an item that fails ends the rest, after the items that run beside it', async () => {
  const { queue, order, through } = open(2)
  await assert.rejects(through('a', ['1', 'bad', ...items('a', 20)]), /a bad item/)
  assert.ok(order.length <= 5, `${order}`)
  assert.equal(queue.waiting, 0)
  assert.ok(queue.hasFree)
})

test('cancelled work begins no further item, and leaves the queue', async () => {
  const { queue, order, through } = open(1)
  const stop = new AbortController()
  const left = through('a', items('a', 20), stop.signal)
  await settled()
  const other = through('b', items('b', 20))
  while (order.at(-1) !== 'b') await settled()
  stop.abort(new Error('left'))
  await assert.rejects(left, /left/)
  await other
  assert.ok(order.filter(name => name === 'a').length < 20)
  assert.equal(queue.waiting, 0)
})
