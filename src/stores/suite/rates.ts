import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LeaseRequest, RateTokens } from '../../core/ports/rates.ts'
import { createFakeClock, type FakeClock } from '../../testing/clock.ts'

interface RatesUnderTest {
  tokens: RateTokens
  dispose(): Promise<void>
}

/** Tests the contract of `RateTokens`. `open` returns an implementation whose time is that of
 *  the given clock. */
export function rateSuite(name: string, open: (clock: FakeClock) => Promise<RatesUnderTest>): void {
  describe(`rate tokens: ${name}`, () => {
    const check = (title: string, body: (tokens: RateTokens, clock: FakeClock) => Promise<void>) =>
      test(title, async () => {
        const clock = createFakeClock()
        const { tokens, dispose } = await open(clock)
        await body(tokens, clock).finally(dispose)
      })

    check('waiting requests get what is left; a token returns 60.5 to 61 s after its use', async (tokens, clock) => {
      const first = await tokens.lease(asks({ perMinute: 3, waiting: 2 }))
      assert.deepEqual([first.granted, first.free, first.nextInMs, first.allInMs], [2, 1, 61_000, 61_000])
      clock.step(10_250)
      const second = await tokens.lease(asks({ perMinute: 3, waiting: 2 }))
      assert.deepEqual([second.granted, second.free, second.nextInMs, second.allInMs], [1, 0, 50_750, 60_750])
      clock.step(50_749)
      assert.equal((await tokens.lease(asks({ perMinute: 3, waiting: 1 }))).granted, 0)
      clock.step(1)
      assert.equal((await tokens.lease(asks({ perMinute: 3, waiting: 3 }))).granted, 2)
    })

    check('requests to come get an eighth of what is left, for about a second', async (tokens, clock) => {
      const { granted, ahead, free } = await tokens.lease(asks({ perMinute: 600, waiting: 40, ahead: 500 }))
      assert.deepEqual([granted, ahead.tokens, free], [40, 70, 490])
      assert.ok(ahead.lastsMs >= 1_000 && ahead.lastsMs <= 1_500, `${ahead.lastsMs}`)
      clock.step(61_000)
      const later = await tokens.lease(asks({ perMinute: 600, waiting: 1 }))
      assert.ok(later.free >= 529, `${later.free} are free`)
      clock.step(1_500)
      assert.equal((await tokens.lease(asks({ perMinute: 600 }))).free, 599)
    })

    check('unused tokens are back at once; more than were taken are not', async tokens => {
      const { ahead } = await tokens.lease(asks({ perMinute: 800, ahead: 100 }))
      assert.equal(ahead.tokens, 100)
      const unused = (count: number) => [{ lease: ahead.lease, tokens: count }]
      assert.equal((await tokens.lease(asks({ perMinute: 800, unused: unused(60) }))).free, 760)
      assert.equal((await tokens.lease(asks({ perMinute: 800, unused: unused(60) }))).free, 800)
      assert.equal((await tokens.lease(asks({ perMinute: 800, unused: [{ lease: 5, tokens: 9 }] }))).free, 800)
    })

    check('requests accepted without a token count by their age, also above the limit', async (tokens, clock) => {
      const uncounted = [
        { ageMs: 61_000, requests: 100 },
        { ageMs: 45_000, requests: 9 },
        { ageMs: 0, requests: 4 },
      ]
      const answer = await tokens.lease(asks({ perMinute: 10, waiting: 1, uncounted }))
      assert.deepEqual([answer.granted, answer.free, answer.nextInMs], [0, 0, 16_000])
      clock.step(16_000)
      assert.equal((await tokens.lease(asks({ perMinute: 10, waiting: 9 }))).granted, 6)
    })

    check('uncounted requests share the ends of the others', async (tokens, clock) => {
      const uncounted = Array.from({ length: 100 }, (_, at) => ({ ageMs: 100 * at, requests: 2 }))
      assert.equal((await tokens.lease(asks({ perMinute: 600, uncounted }))).free, 400)
      clock.step(61_000)
      assert.equal((await tokens.lease(asks({ perMinute: 600 }))).free, 600)
    })

    check('keys share nothing, and a limit may change', async tokens => {
      assert.equal((await tokens.lease(asks({ id: 'a', perMinute: 5, waiting: 9 }))).granted, 5)
      assert.equal((await tokens.lease(asks({ id: 'b', perMinute: 5, waiting: 9 }))).granted, 5)
      assert.equal((await tokens.lease(asks({ id: 'a', perMinute: 7, waiting: 9 }))).granted, 2)
      assert.deepEqual((await tokens.lease(asks({ id: 'a', perMinute: 3, waiting: 9 }))).free, 0)
    })

    check('ten million a minute', async tokens => {
      const { granted, ahead, free } = await tokens.lease(asks({ perMinute: 10_000_000, waiting: 1, ahead: 200_000 }))
      assert.deepEqual([granted, ahead.tokens, free], [1, 200_000, 9_799_999])
    })

    check('many requests at once never get more than the limit', async tokens => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => tokens.lease(asks({ id: 'new', perMinute: 100, waiting: 1, ahead: 3 }))),
      )
      const taken = answers.reduce((sum, { granted, ahead }) => sum + granted + ahead.tokens, 0)
      assert.equal(taken, 100)
    })
  })
}

function asks(changes: Partial<LeaseRequest>): LeaseRequest {
  return { id: 'key-1', perMinute: 1, waiting: 0, ahead: 0, unused: [], uncounted: [], ...changes }
}
