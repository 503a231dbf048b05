import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lockstep, type Member } from './lockstep.ts'

/** Opens a scheduler with a clock that the test controls: a step takes one millisecond per
 *  token. */
function open() {
  const clock = { ms: 0 }
  const steps: string[][] = []
  let step: string[] = []
  const lockstep = new Lockstep({
    now: () => clock.ms,
    onStep: () => {
      step = []
      steps.push(step)
    },
  })
  const join = (account: string, isCancelled = () => false): Member => lockstep.join({ account, isCancelled })
  /** Runs a conversation. `pieces` are the numbers of tokens of its steps. */
  const talk = async (name: string, account: string, pieces: readonly number[]): Promise<void> => {
    const member = join(account)
    for (const tokens of pieces) {
      await member.ready(tokens)
      step.push(name)
      clock.ms += tokens
      await new Promise(resolve => setImmediate(resolve))
    }
    member.leave()
  }
  return { clock, steps, join, talk }
}

const times = (count: number, tokens: number): number[] => Array.from({ length: count }, () => tokens)

test('the members of a lockstep wait for one another, but not for a member that left', async () => {
  const { join, steps } = open()
  const members = [join('a'), join('a')] as const
  const order: string[] = []
  const one = members[0].ready(1).then(() => order.push('one'))
  order.push('waiting')
  const two = members[1].ready(1).then(() => order.push('two'))
  await Promise.all([one, two])
  assert.deepEqual(order, ['waiting', 'one', 'two'])
  const last = members[0].ready(1)
  members[1].leave()
  await last
  assert.equal(steps.length, 2)
})

test('conversations of one account share every step', async () => {
  const { steps, talk } = open()
  await Promise.all([talk('one', 'a', times(20, 1)), talk('two', 'a', times(20, 1))])
  // Both have 20 steps. The first step begins before the second conversation has joined, so there
  // are 21.
  assert.equal(steps.length, 21)
})

test('a short conversation gets as much time as four long ones of another account together', async () => {
  const { clock, steps, talk } = open()
  const long = ['1', '2', '3', '4'].map(name => talk(name, 'a', [...times(40, 64), ...times(500, 1)]))
  await new Promise(resolve => setImmediate(resolve))
  const begun = clock.ms
  await talk('short', 'b', [30, ...times(100, 1)])
  // The conversation needs 130 ms itself. Meanwhile the other account may use as much time, and one
  // step of 64 ms that had begun before; 50 ms more are allowed, up to which two accounts share a
  // step.
  assert.ok(clock.ms - begun <= 2 * 130 + 64 + 50, `${clock.ms - begun} ms`)
  const own = steps.filter(step => step.includes('short')).length
  assert.equal(own, 101)
  await Promise.all(long)
})

test('a step reads at most one piece of a prompt', async () => {
  const { steps, talk } = open()
  const names = ['1', '2', '3']
  await Promise.all(names.map(name => talk(name, 'a', times(4, 64))))
  assert.ok(steps.every(step => step.length === 1))
  assert.deepEqual(
    steps.slice(0, 6).map(([name]) => name),
    [...names, ...names],
  )
})

test('a conversation whose caller disconnected is released although it is not its turn', async () => {
  const { clock, join } = open()
  const [busy, waiting] = [join('a'), join('b')]
  let isGone = false
  const left = join('a', () => isGone)
  const first = Promise.all([busy.ready(64), waiting.ready(1)])
  const released = left.ready(64)
  await first
  clock.ms += 1_000
  isGone = true
  void busy.ready(64)
  await released
})
