import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { silentLog } from '../../testing/stores/store.ts'
import type { Route } from './router.ts'
import { createTargetHealth } from './target-health.ts'
import { TargetPlaces } from './target-places.ts'
import { TargetTries, TargetUse, tryTargets } from './try-targets.ts'

// The fake driver uses no tools.
const noTools = undefined as never
const quota = new GatewayError('upstream_quota_exhausted', 'no')
const noSignal = new AbortController().signal

/** Returns the targets `t0`, `t1`, ..., each with an optional limit. */
function bench(count: number, maxConcurrent?: number) {
  const clock = createFakeClock()
  const health = createTargetHealth({ clock, random: () => 0, log: silentLog })
  const routes = Array.from({ length: count }, (_, index): Route => {
    const target = { id: `t${index}`, driver: 'd', model: 'up', settings: {}, order: index, weight: 1 }
    return {
      target: maxConcurrent === undefined ? target : { ...target, maxConcurrent },
      driver: fakeTextDriver('d', () => says('x')).open(noTools),
    }
  })
  const access = { health, places: new TargetPlaces() }
  const tries = (canWait = false) =>
    new TargetTries(
      routes.map(route => ({ route })),
      { access, failover: 'paid', canWait },
    )
  const counts = () => health.states().map(({ target, successes, failures }) => [target, successes, failures])
  return { clock, health, routes, access, tries, counts }
}

test('an exchange reports one result: none when it stopped before an answer, success when it stopped within one', () => {
  const { routes, access, counts } = bench(4)
  const [stopped, answering, done, brokeOff] = routes.map(route => new TargetUse(route, access))
  stopped!.end()
  answering!.answers()
  answering!.end()
  done!.succeeded()
  done!.succeeded()
  done!.end()
  brokeOff!.succeeded()
  brokeOff!.failed(quota)
  brokeOff!.end()
  assert.deepEqual(counts(), [
    ['t1', 1, 0],
    ['t2', 1, 0],
    ['t3', 1, 1],
  ])
})

test('a place that is granted after the end of its exchange is returned', async () => {
  const { routes, access } = bench(1, 1)
  const uses = Array.from({ length: 3 }, () => new TargetUse(routes[0]!, access))
  const [first, second, third] = uses
  await first!.enter({ signal: noSignal })
  const waits = [second!.enter({ signal: noSignal }), third!.enter({ signal: noSignal })]
  second!.end()
  first!.end()
  await Promise.all(waits)
  assert.equal(access.places.hasRoom(routes[0]!.target), false)
  third!.end()
  assert.equal(access.places.hasRoom(routes[0]!.target), true)
})

test('the trial of a breaker is free again when its exchange ends without an answer', () => {
  const { clock, health, routes, tries } = bench(1)
  new TargetUse(routes[0]!, { health, places: new TargetPlaces() }).failed(quota)
  clock.step(60_000)
  const trial = tries()
  assert.equal(trial.next(), true)
  assert.equal(tries(true).next(), false)
  trial[Symbol.dispose]()
  assert.equal(tries(true).next(), true)
})

test('the ends of other exchanges, such as earlier ones, do not end a trial', () => {
  const { clock, health, routes, access, tries } = bench(1)
  const earlier = Array.from({ length: 4 }, () => new TargetUse(routes[0]!, access))
  new TargetUse(routes[0]!, access).failed(quota)
  clock.step(5_000)
  const trial = tries()
  assert.equal(trial.next(), true)
  const [left, answering, refused, limited] = earlier
  left!.end()
  assert.equal(tries(true).next(), false, 'a caller left')
  answering!.answers()
  assert.equal(tries(true).next(), false, 'an answer began')
  refused!.failed(new GatewayError('invalid_request', 'no'))
  assert.equal(tries(true).next(), false, 'a request was refused')
  const beside = tries()
  assert.equal(beside.next(), true, 'a call to a sole target')
  beside[Symbol.dispose]()
  assert.equal(tries(true).next(), false, 'a call to a sole target ended')
  limited!.failed(new GatewayError('rate_limited', 'no', { retryAfterSeconds: 1 }))
  clock.step(2_000)
  assert.equal(tries(true).next(), false, 'a rate limit has ended')
  new TargetUse(routes[0]!, access).failed(quota)
  clock.step(20_000)
  assert.equal(tries(true).next(), false, 'another failure is long ago')
  trial.use.answers()
  assert.equal(tries(true).next(), true, 'the trial has begun to answer')
  assert.equal(health.mayTry('t0'), false)
})

test('work that can wait does not use targets with open breakers; other work uses the one that is free soonest', async () => {
  const { routes, access, tries } = bench(2)
  new TargetUse(routes[0]!, access).failed(new GatewayError('rate_limited', 'no', { retryAfterSeconds: 30 }))
  new TargetUse(routes[1]!, access).failed(new GatewayError('rate_limited', 'no', { retryAfterSeconds: 10 }))
  const run = async (use: TargetUse) => use.route.target.id
  assert.equal(await tryTargets(tries(true), { signal: noSignal, run, whenNone: () => 'none' }), 'none')
  assert.equal(await tryTargets(tries(), { signal: noSignal, run, whenNone: () => 'none' }), 't1')
  const none = new TargetTries<{ route: Route }>([], { access, failover: 'paid' })
  assert.equal(await tryTargets(none, { signal: noSignal, run, whenNone: () => 'none' }), 'none')
})

test('the last failure is returned, and nothing is tried once the signal is aborted', async () => {
  const { tries } = bench(3)
  const requested: string[] = []
  const stop = new AbortController()
  const run = (use: TargetUse) =>
    use.run({ signal: stop.signal }, async () => {
      requested.push(use.route.target.id)
      if (requested.length === 4) stop.abort()
      throw new GatewayError('capability_unavailable', `no, said ${use.route.target.id}`)
    })
  await assert.rejects(tryTargets(tries(), { signal: stop.signal, run }), /said t2/)
  assert.deepEqual(requested, ['t0', 't1', 't2'])
  await assert.rejects(tryTargets(tries(), { signal: stop.signal, run }))
  assert.equal(requested.length, 4)
})
