/** Tests jobs of a pool that pause in `giveWay` so that other jobs can run, and `prepare`, which
 *  runs when a job's turn comes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { goodRound } from '../testing/good-round.ts'
import { refusedProcesses } from '../testing/refused-processes.ts'
import { addIn as add, failureOf as failure, openTestPool as open } from '../testing/test-pool.ts'
import { until } from '../testing/until.ts'
import type { EnginePool } from './pool.ts'

function childrenOfThis(): number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Runs `count` pieces for an account, and records each finished piece in `order`. */
function inPieces(pool: EnginePool, order: string[], { account, count, signal = new AbortController().signal }: PiecesOptions) {
  return pool.run({ method: 'pieces', payload: { count }, account, workMs: count, signal, tell: () => order.push(account) })
}

interface PiecesOptions {
  account: string
  count: number
  signal?: AbortSignal
}

test('a long job pauses between its pieces for a short one of another account, and then continues', async () => {
  const measure = async (): Promise<number> => {
    await using pool = open()
    const order: string[] = []
    const long = inPieces(pool, order, { account: 'a', count: 200 })
    const second = inPieces(pool, order, { account: 'a', count: 200 })
    await until(() => order.length > 3, 'the first pieces')
    // This run makes the pool start its second process now, because the start of a process must not
    // count as a piece of work in the measurement below.
    await inPieces(pool, [], { account: 'b', count: 1 })
    const begun = order.length
    const shortPid = await inPieces(pool, order, { account: 'b', count: 4 })
    const pids = await Promise.all([long, second])
    assert.notEqual(pids[0], shortPid)
    assert.equal(order.length, 404)
    return order.slice(begun, order.lastIndexOf('b')).filter(account => account === 'a').length
  }
  // The limit is far above the expected number, because accounts share time, not pieces, and the
  // length of pieces varies on a busy machine. Without `giveWay` there would be 400 pieces.
  const most = 150
  const others = await goodRound(measure, pieces => pieces <= most)
  assert.ok(others <= most, `${others} pieces of the other account before 4 of this one`)
})

test('a spare process is ready for the next job while a job that can pause has the only place', async () => {
  // Children that exist already are left out, because other tests of this process have some.
  const others = new Set(childrenOfThis())
  const ownChildren = () => childrenOfThis().filter(pid => !others.has(pid))
  await using pool = open({ size: 1 })
  const order: string[] = []
  const long = inPieces(pool, order, { account: 'a', count: 400 })
  await until(() => ownChildren().length === 2, 'a second process')
  const ready = ownChildren()
  const shortPid = await inPieces(pool, order, { account: 'b', count: 1 })
  assert.ok(ready.includes(Number(shortPid)))
  const longPid = await long
  assert.deepEqual(ready.toSorted(), [longPid, shortPid].toSorted())
})

test('a spare process that the system refuses to start affects no job', async () => {
  const logged: string[] = []
  await using pool = open({ size: 1, onLog: message => logged.push(message) })
  await add(pool)
  const order: string[] = []
  const refused = refusedProcesses()
  const long = inPieces(pool, order, { account: 'a', count: 400 })
  await until(() => order.length > 1, 'the pieces')
  assert.match((await failure(inPieces(pool, order, { account: 'b', count: 1 }))).message, /could not be started: spawn E2BIG/)
  refused[Symbol.dispose]()
  assert.equal(logged.filter(line => /in advance: .*E2BIG/.test(line)).length, 1)
  await inPieces(pool, order, { account: 'b', count: 1 })
  await long
  assert.equal(order.filter(account => account === 'a').length, 400)
})

test('time in which a job is paused does not count for its time limit', async () => {
  await using pool = open({ jobTimeoutMs: 20_000 })
  const order: string[] = []
  const paused = inPieces(pool, order, { account: 'a', count: 100 })
  await until(() => order.length > 0, 'its first piece')
  mock.timers.enable({ apis: ['setTimeout'] })
  const begun = Promise.withResolvers<void>()
  const signal = new AbortController().signal
  const other = failure(pool.run({ method: 'spin', payload: {}, account: 'b', signal, progress: () => begun.resolve() }))
  await begun.promise
  mock.timers.tick(20_000)
  mock.timers.reset()
  assert.equal((await other).code, 'engine_timeout')
  await paused
  assert.equal(order.length, 100)
})

test('a paused job ends when its caller disconnects, together with its child', async () => {
  await using pool = open()
  const order: string[] = []
  const stop = new AbortController()
  const paused = inPieces(pool, order, { account: 'a', count: 1_000, signal: stop.signal })
  await until(() => order.length > 0, 'its first piece')
  // Account b may now work without giving way until it has used as much time as account a has used
  // so far.
  const other = inPieces(pool, order, { account: 'b', count: 300 })
  await until(() => order.at(-1) === 'b', 'the turn of the other')
  stop.abort(new Error('left'))
  await assert.rejects(paused, /left/)
  await other
  assert.equal((await add(pool)).sum, 3)
})

test('the payload of a job is prepared at its turn, and a job whose preparation fails frees its place', async () => {
  await using pool = open({ size: 1 })
  const { signal } = new AbortController()
  const made: string[] = []
  const requested = (name: string) => ({
    ...{ method: 'add', payload: undefined, signal },
    prepare: async () => {
      made.push(name)
      return { a: 1, b: 2 }
    },
  })
  const order: string[] = []
  const first = inPieces(pool, order, { account: 'a', count: 20 })
  const second = pool.run({ ...requested('second'), account: 'a', workMs: 1_000 })
  await until(() => order.length > 0, 'the first piece')
  assert.deepEqual(made, [])
  await first
  assert.equal(((await second) as { sum: number }).sum, 3)
  assert.deepEqual(made, ['second'])
  await assert.rejects(pool.run({ ...requested(''), prepare: () => Promise.reject(new RangeError('none')) }), /none/)
  assert.equal((await add(pool)).sum, 3)
})

test('waiting jobs of one account leave room for those of another', async () => {
  await using pool = open({ size: 1, queueLimit: 1 })
  const order: string[] = []
  const running = [1, 2].map(() => inPieces(pool, order, { account: 'a', count: 40 }))
  assert.equal((await failure(inPieces(pool, order, { account: 'a', count: 1 }))).code, 'engine_busy')
  await inPieces(pool, order, { account: 'b', count: 1 })
  assert.ok(order.length < 80)
  await Promise.all(running)
})
