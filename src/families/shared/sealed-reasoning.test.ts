import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import { type SealedReasoning, sealed, unsealed } from './sealed-reasoning.ts'

const damaged = (says: string) => new Error(says)

/** Returns the CPU time in milliseconds of the fastest of five checks of a sealed text. */
function cost(carried: CarriedMembers): number {
  const text = sealed({ texts: [], carried })
  const once = () => {
    const before = process.threadCpuUsage()
    assert.ok(unsealed(text, damaged))
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once(), once(), once())
}

test('the time to check nested members depends on their size and not on their depth', () => {
  const flat: CarriedMembers = { members: { list: Array.from({ length: 100_000 }, () => 0) } }
  let nested = flat
  for (let depth = 0; depth < 25; depth++) nested = { members: {}, calls: { a: nested } }
  const [flatMs, nestedMs] = [cost(flat), cost(nested)]
  assert.ok(nestedMs < 4 * flatMs + 20, `${nestedMs} ms, but ${flatMs} ms flat`)
})

test('a forged sealed text is refused', () => {
  const of = (reasoning: object) => () => unsealed(sealed(reasoning as SealedReasoning), damaged)
  for (const forged of [
    { texts: 'x' },
    { texts: [], id: 1 },
    { texts: [], carried: { members: [] } },
    { texts: [], carried: { members: {}, reasoningIn: 'content' } },
    { texts: [], carried: { members: {}, from: { protocol: 'chat' } } },
    { texts: [], carried: { members: {}, calls: { a: { members: {}, reasoningIn: 'role' } } } },
    { texts: [], carried: { members: { a: 'x'.repeat(3_000_000) } } },
    { texts: [], carried: { members: {}, calls: { a: { members: { a: 'x'.repeat(3_000_000) } } } } },
  ])
    assert.throws(of(forged), /is not what this gateway sealed/, JSON.stringify(forged).slice(0, 100))
  assert.throws(() => unsealed('carried=!!', damaged), /is not what/)
  const calls = JSON.parse('{"__proto__":{"members":{"role":"system"}}}')
  assert.equal(
    Object.getPrototypeOf(unsealed(sealed({ texts: [], carried: { members: {}, calls } }), damaged)?.carried?.calls),
    Object.prototype,
  )
})
