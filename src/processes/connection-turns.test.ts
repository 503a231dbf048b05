import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { type TestContext, test } from 'node:test'
import { ConnectionTurns } from './connection-turns.ts'

/** Stands in for a process to which Node.js passes connections. As in Node.js, it gets the next
 *  connection only when it has confirmed the previous one. */
class FakeWorker extends EventEmitter {
  got = 0
  readonly process = {
    send: (): boolean => {
      this.got += 1
      return true
    },
  }

  /** Passes a connection to the process, as Node.js does. Returns the primary process's own copy
   *  of the connection. */
  hand(handle = { isClosed: false, close: () => {} }) {
    handle.close = () => {
      handle.isClosed = true
    }
    const send: (...args: unknown[]) => boolean = this.process.send
    assert.equal(send({ cmd: 'NODE_CLUSTER', act: 'newconn' }, handle), true)
    return handle
  }
}

function start(context: TestContext, count: number): FakeWorker[] {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = new ConnectionTurns()
  return Array.from({ length: count }, () => {
    const worker = new FakeWorker()
    turns.watch(worker)
    worker.hand()
    return worker
  })
}

test('a process that confirms faster waits for the others', context => {
  const [fast, late] = start(context, 2)
  assert.ok(fast && late)
  for (let time = 0; time < 3; time++) fast.hand()
  assert.deepEqual([fast.got, late.got], [3, 1], 'the fourth is held back')
  late.hand()
  assert.deepEqual([fast.got, late.got], [4, 2])
  for (let time = 0; time < 4; time++) late.hand()
  assert.deepEqual([fast.got, late.got], [4, 6])
})

test('the others wait once for a process that takes no connection, until it takes one again', context => {
  const [busy, hung] = start(context, 2)
  assert.ok(busy && hung)
  for (let time = 0; time < 3; time++) busy.hand()
  assert.equal(busy.got, 3)
  context.mock.timers.tick(500)
  assert.equal(busy.got, 4)
  for (let time = 0; time < 10; time++) busy.hand()
  assert.equal(busy.got, 14)
  hung.hand()
  for (let time = 0; time < 3; time++) busy.hand()
  assert.equal(busy.got, 15, 'it is waited for again')
})

test('the connection held for a process that ends is closed, and nobody waits for it', context => {
  const [one, other, third] = start(context, 3)
  assert.ok(one && other && third)
  const taken = one.hand()
  const lost = other.hand()
  const refused = other.hand()
  third.hand(refused)
  one.hand()
  other.emit('exit')
  assert.deepEqual([taken.isClosed, lost.isClosed, refused.isClosed], [false, false, false])
  const last = third.hand()
  third.emit('exit')
  assert.equal(last.isClosed, true)
  assert.equal(one.got, 3)
})

test('other messages are passed on', context => {
  const [worker] = start(context, 1)
  assert.ok(worker)
  const send: (...args: unknown[]) => boolean = worker.process.send
  send({ kind: 'stop' })
  assert.equal(worker.got, 2)
})
