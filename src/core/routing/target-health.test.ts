import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../../testing/clock.ts'
import type { TargetHint } from '../ports/signals.ts'
import { createTargetHealth, type TargetHealth } from './target-health.ts'

const error = (code: ErrorCode, retryAfterSeconds?: number): GatewayError =>
  new GatewayError(code, 'no', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })

/** Returns the health of a target whose cool-downs have their full length, because the random part
 *  is zero. */
function watched(random = () => 0) {
  const clock = createFakeClock()
  const lines: string[] = []
  const log = { info: (_: object, message: string) => lines.push(message), warn: (_: object, message: string) => lines.push(message) }
  const health = createTargetHealth({ clock, random, log })
  const fail = (times: number, code: ErrorCode = 'upstream_error') => {
    for (let i = 0; i < times; i++) health.failed('a', error(code))
  }
  const state = () => health.states().find(({ target }) => target === 'a')
  return { clock, lines, health, fail, state }
}

test('five failures in a row open the breaker for 5 s; then one of 50 callers may try; its success closes it', () => {
  const { clock, lines, health, fail, state } = watched()
  assert.equal(health.mayTry('a'), true, 'a target nobody has tried')
  fail(4)
  assert.equal(health.mayTry('a'), true)
  fail(1)
  assert.equal(health.mayTry('a'), false)
  assert.equal(state()?.retryAt, clock.now() + 5_000)
  clock.step(4_999)
  assert.equal(health.mayTry('a'), false)
  clock.step(1)
  assert.equal(state()?.state, 'half-open')
  const requested = Array.from({ length: 50 }, () => health.mayTry('a'))
  assert.equal(requested.filter(Boolean).length, 1)
  health.succeeded('a')
  assert.deepEqual(
    Array.from({ length: 50 }, () => health.mayTry('a')),
    Array.from({ length: 50 }, () => true),
  )
  assert.equal(state()?.state, 'closed')
  assert.deepEqual(lines, ['a target failed and is left alone for a while', 'a target works again'])
})

test('a success resets the number of failures', () => {
  const { health, fail } = watched()
  fail(4)
  health.succeeded('a')
  fail(4)
  assert.equal(health.mayTry('a'), true)
})

test('each failed trial doubles the wait, up to a minute; a success resets it to 5 s', () => {
  const { clock, health, fail } = watched()
  fail(5)
  const waits: number[] = []
  for (let i = 0; i < 6; i++) {
    waits.push(health.waitMs('a'))
    clock.step(health.waitMs('a'))
    assert.equal(health.mayTry('a'), true)
    fail(1)
  }
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  clock.step(60_000)
  health.succeeded('a')
  fail(5)
  assert.equal(health.waitMs('a'), 5_000)
})

test('the wait is random in its last fifth, and an upstream that requests a longer wait gets it', () => {
  const drawn = watched(() => 0.5)
  drawn.fail(5)
  assert.equal(drawn.health.waitMs('a'), 4_500)
  const asking = watched()
  asking.fail(4)
  asking.health.failed('a', error('overloaded', 30))
  assert.equal(asking.health.waitMs('a'), 30_000)
})

test('failures of half of at least 20 calls within 30 s open the breaker; fewer calls or older failures do not', () => {
  const mixed = (pairs: number, stepMs: number) => {
    const { clock, health, fail } = watched()
    for (let i = 0; i < pairs; i++) {
      health.succeeded('a')
      fail(1)
      clock.step(stepMs)
    }
    return health.waitMs('a') > 0
  }
  assert.equal(mixed(9, 0), false)
  assert.equal(mixed(10, 0), true)
  assert.equal(mixed(20, 4_000), false)
})

test('the failures that opened the breaker are forgotten when it closes', () => {
  const { clock, health, fail, state } = watched()
  for (let i = 0; i < 10; i++) {
    health.succeeded('a')
    fail(1)
  }
  assert.equal(state()?.state, 'open')
  clock.step(5_000)
  health.succeeded('a')
  fail(1)
  assert.equal(state()?.state, 'closed')
})

test('a refused credential and a used-up quota open the breaker at once', () => {
  for (const code of ['upstream_auth_error', 'upstream_quota_exhausted'] as const) {
    const { health, fail } = watched()
    fail(1, code)
    assert.equal(health.mayTry('a'), false)
  }
})

test('errors caused by the caller or the gateway never count', () => {
  const { health, fail, state } = watched()
  for (const code of ['invalid_request', 'request_moderated', 'model_not_found', 'cancelled', 'engine_busy', 'internal_error'] as const)
    fail(30, code)
  assert.equal(health.mayTry('a'), true)
  assert.equal(state()?.failures, 0)
})

test('a rate limit excludes the target until its end and does not count as a failure', () => {
  const { clock, health, lines, state } = watched()
  for (let i = 0; i < 30; i++) health.failed('a', error('rate_limited', 7))
  assert.equal(health.waitMs('a'), 7_000)
  assert.equal(health.mayTry('a'), false)
  assert.deepEqual(state(), {
    target: 'a',
    state: 'open',
    failures: 0,
    successes: 0,
    lastError: 'rate_limited',
    lastErrorAt: clock.now(),
    retryAt: clock.now() + 7_000,
  })
  clock.step(7_000)
  assert.deepEqual([health.mayTry('a'), health.mayTry('a')], [true, true])
  assert.deepEqual(lines, [])
})

test('a trial without a result allows the next one: at once when it is released, or after a minute', () => {
  const { clock, health, fail } = watched()
  fail(5)
  clock.step(5_000)
  assert.deepEqual([health.mayTry('a'), health.mayTry('a')], [true, false])
  health.released('a')
  assert.deepEqual([health.mayTry('a'), health.mayTry('a')], [true, false])
  fail(1, 'invalid_request')
  assert.deepEqual([health.mayTry('a'), health.mayTry('a')], [true, false])
  clock.step(59_999)
  assert.equal(health.mayTry('a'), false)
  clock.step(1)
  assert.equal(health.mayTry('a'), true)
})

test('results of calls from before the failures neither close the breaker nor prolong it', () => {
  const { clock, health, fail } = watched()
  fail(8)
  assert.equal(health.waitMs('a'), 5_000)
  clock.step(1_000)
  health.succeeded('a')
  assert.equal(health.waitMs('a'), 4_000)
})

test('asking for the waiting time does not use up the trial', () => {
  const { clock, health, fail } = watched()
  fail(5)
  clock.step(5_000)
  assert.deepEqual([health.waitMs('a'), health.waitMs('a')], [0, 0])
  assert.equal(health.mayTry('a'), true)
  assert.equal(health.waitMs('a'), 5_000)
})

test('targets that were removed or changed are forgotten', () => {
  const { health, fail } = watched()
  fail(5)
  health.succeeded('b')
  health.retain(['b'])
  assert.equal(health.mayTry('a'), true)
  assert.deepEqual(
    health.states().map(({ target, successes }) => [target, successes]),
    [['b', 1]],
  )
})

/** Returns two nodes; the hints of the first reach the second. */
function twoNodes() {
  const clock = createFakeClock()
  const hints: TargetHint[] = []
  const lines: string[] = []
  const log = { info: (_: object, message: string) => lines.push(message), warn: () => {} }
  const other = createTargetHealth({ clock, random: () => 0, log })
  const one = createTargetHealth({
    ...{ clock, random: () => 0, log: { info: () => {}, warn: () => {} } },
    publish: hint => {
      hints.push(hint)
      other.hint(hint)
    },
  })
  const fail = (health: TargetHealth, times: number, code: ErrorCode = 'upstream_error', retryAfterSeconds?: number) => {
    for (let i = 0; i < times; i++) health.failed('a', error(code, retryAfterSeconds))
  }
  const stateOf = (health: TargetHealth) => health.states().find(({ target }) => target === 'a')
  return { clock, hints, lines, one, other, fail, stateOf }
}

test('a rate limit that one node meets excludes the target on the other nodes until its end, and counts as no failure there', () => {
  const { clock, one, other, fail, stateOf } = twoNodes()
  fail(one, 1, 'rate_limited', 7)
  assert.equal(other.mayTry('a'), false)
  assert.equal(other.waitMs('a'), 7_000)
  assert.deepEqual(stateOf(other), { target: 'a', state: 'open', failures: 0, successes: 0, retryAt: clock.now() + 7_000 })
  clock.step(7_000)
  assert.deepEqual([other.mayTry('a'), other.mayTry('a')], [true, true])
})

test('many rate limits in a row send few hints, and other nodes know their end to within half a wait', () => {
  const { clock, hints, one, other, fail } = twoNodes()
  for (let count = 0; count < 1_000; count++) {
    fail(one, 1, 'rate_limited')
    clock.step(10)
  }
  assert.ok(hints.length <= 21, `${hints.length} hints in 10 s`)
  assert.ok(one.waitMs('a') - other.waitMs('a') <= 500)
})

test('a breaker that opens on one node excludes the target on the others; there, one trial of their own decides', () => {
  const { clock, lines, one, other, fail, stateOf } = twoNodes()
  fail(one, 5)
  assert.equal(other.mayTry('a'), false)
  assert.deepEqual(lines, ['another node reports that a target fails'])
  clock.step(5_000)
  assert.deepEqual([other.mayTry('a'), other.mayTry('a')], [true, false])
  fail(other, 1)
  assert.deepEqual([other.waitMs('a'), stateOf(other)?.failures], [5_000, 1])
  clock.step(5_000)
  assert.equal(other.mayTry('a'), true)
  other.succeeded('a')
  assert.deepEqual([other.mayTry('a'), other.mayTry('a'), stateOf(one)?.state], [true, true, 'half-open'])
})

test('a node whose own trial succeeded ignores, for ten minutes, the breaker of a node that cannot reach the target', () => {
  const { clock, one, other, fail } = twoNodes()
  const failTrial = () => {
    clock.step(one.waitMs('a'))
    assert.equal(one.mayTry('a'), true)
    fail(one, 1)
  }
  fail(one, 5)
  clock.step(5_000)
  assert.equal(other.mayTry('a'), true)
  other.succeeded('a')
  for (let since = 0; since < 9 * 60_000; since += one.waitMs('a')) {
    failTrial()
    assert.equal(other.mayTry('a'), true)
  }
  clock.step(2 * 60_000)
  failTrial()
  assert.equal(other.mayTry('a'), false, 'believed again after ten minutes')
})

test('after a failure of its own, a node follows the hints of other nodes again', () => {
  const { clock, one, other, fail } = twoNodes()
  fail(one, 5)
  clock.step(5_000)
  other.mayTry('a')
  other.succeeded('a')
  fail(other, 5)
  clock.step(5_000)
  assert.equal(one.mayTry('a'), true)
  fail(one, 1)
  assert.equal(other.waitMs('a'), 10_000)
})

test('a hint neither ends a running trial nor shortens a wait', () => {
  const { clock, one, other, fail } = twoNodes()
  fail(other, 4)
  other.failed('a', error('overloaded', 30))
  fail(one, 5)
  assert.equal(other.waitMs('a'), 30_000)
  clock.step(30_000)
  assert.equal(other.mayTry('a'), true, 'the trial')
  assert.equal(one.mayTry('a'), true)
  fail(one, 1)
  other.succeeded('a')
  assert.deepEqual([other.mayTry('a'), other.mayTry('a')], [true, true])
})

test('a hint that asks for more than a minute counts as a minute; an invalid one changes nothing', () => {
  const { one, other, fail } = twoNodes()
  fail(one, 1, 'rate_limited', 3_600)
  assert.deepEqual([one.waitMs('a'), other.waitMs('a')], [3_600_000, 60_000])
  const health = watched().health
  for (const waitMs of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) health.hint({ kind: 'target', target: 'a', why: 'failing', waitMs })
  const strange: unknown[] = [
    {},
    { target: 7, why: 'failing', waitMs: 9 },
    { target: 'a', why: 'else', waitMs: 9 },
    { target: 'a', waitMs: '9' },
  ]
  for (const hint of strange) health.hint(hint as TargetHint)
  assert.deepEqual(health.states(), [])
})
