import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeClock } from '../../testing/clock.ts'
import { createRateLimiter } from './limits.ts'

test("a minute's worth of requests may come at once, then one for each sixtieth of the rate", () => {
  const clock = createFakeClock()
  const limiter = createRateLimiter(clock)
  for (let left = 5; left >= 0; left--) {
    const decision = limiter.take('key', 6)
    assert.deepEqual([decision.allowed, decision.remaining, decision.retryAfterSeconds], [true, left, 0])
  }
  assert.deepEqual(limiter.take('key', 6), { allowed: false, limit: 6, remaining: 0, resetSeconds: 60, retryAfterSeconds: 10 })
  clock.step(9_999)
  assert.equal(limiter.take('key', 6).allowed, false)
  clock.step(1)
  assert.equal(limiter.take('key', 6).allowed, true)
  assert.equal(limiter.take('key', 6).allowed, false)
  clock.step(60_000)
  assert.equal(limiter.take('key', 6).remaining, 5)
})

test('over a long time, a caller gets its rate and no more, whatever the rhythm of its requests', () => {
  const clock = createFakeClock()
  const limiter = createRateLimiter(clock)
  let taken = 0
  for (let step = 0; step < 6_000; step++) {
    if (limiter.take('key', 90).allowed) taken += 1
    clock.step(100)
  }
  assert.ok(taken >= 90 + 899 && taken <= 90 + 900, `${taken} in ten minutes`)
})

test('each key has its own rate, and a refused request does not count', () => {
  const clock = createFakeClock()
  const limiter = createRateLimiter(clock)
  assert.equal(limiter.take('a', 1).allowed, true)
  for (let tries = 0; tries < 50; tries++) assert.equal(limiter.take('a', 1).allowed, false)
  assert.equal(limiter.take('b', 1).allowed, true)
  clock.step(60_000)
  assert.equal(limiter.take('a', 1).allowed, true)
})

test('a clock that is set back refuses requests for at most a minute', () => {
  const clock = createFakeClock()
  const limiter = createRateLimiter(clock)
  for (let tries = 0; tries < 10; tries++) limiter.take('key', 10)
  clock.step(-24 * 3_600_000)
  assert.equal(limiter.take('key', 10).allowed, false)
  clock.step(6_000)
  assert.equal(limiter.take('key', 10).allowed, true)
  clock.step(60_000)
  assert.equal(limiter.take('key', 10).remaining, 9)
})

test('retry-after is from 1 to 60 seconds', () => {
  const limiter = createRateLimiter(createFakeClock())
  limiter.take('slow', 1)
  assert.equal(limiter.take('slow', 1).retryAfterSeconds, 60)
  for (let tries = 0; tries < 600; tries++) limiter.take('fast', 600)
  assert.equal(limiter.take('fast', 600).retryAfterSeconds, 1)
})
