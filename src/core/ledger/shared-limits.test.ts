import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createFakeClock } from '../../testing/clock.ts'
import { createMemoryRates, type MemoryRates } from '../../testing/stores/memory-rates.ts'
import { silentLog } from '../../testing/stores/store.ts'
import type { RateTokens } from '../ports/rates.ts'
import type { Clock } from '../ports/store.ts'
import type { RateDecision } from './limits.ts'
import { SharedRateLimiter } from './shared-limits.ts'

const stepMs = 50

/** Starts nodes that share one store; the test sets their clock. `latency` returns the time in ms
 *  after which the store answers a request. */
function startNodes(count: number, latency: () => number = () => 0) {
  const clock = createFakeClock(1_000_000)
  const tokens = createMemoryRates(clock)
  tokens.nodeCount = count
  const answers: { at: number; resolve(): void }[] = []
  tokens.answersAfter = async () => {
    const at = clock.now() + latency()
    if (at > clock.now()) await new Promise<void>(resolve => answers.push({ at, resolve }))
  }
  /** For each accepted request, the time at which it got its token: from the store, or from a lease
   *  of its node. */
  const counted = noteGrants(tokens, clock)
  /** Indexes of the nodes that cannot reach the store. */
  const cut = new Set<number>()
  const reachedBy = (index: number) => withCut(tokens, () => cut.has(index))
  const nodes = Array.from({ length: count }, (_, index) => new SharedRateLimiter({ tokens: reachedBy(index), clock, log: silentLog }))
  /** Times at which the nodes decided to accept a request. */
  const accepted: number[] = []
  let refused = 0
  let waited = 0
  const note = (decision: RateDecision) => {
    if (decision.allowed) accepted.push(clock.now())
    else refused += 1
    assert.ok(decision.allowed ? decision.retryAfterSeconds === 0 : decision.retryAfterSeconds >= 1 && decision.retryAfterSeconds <= 60)
    assert.ok(decision.remaining >= 0 && decision.remaining < decision.limit + 1)
  }
  /** Sends a request to a node, and records the decision as soon as the node has made it. */
  const send = (node: SharedRateLimiter | undefined, perMinute: number, id = 'key') => {
    const decision = node?.take(id, perMinute)
    if (decision instanceof Promise) {
      waited += 1
      void decision.then(note)
    } else if (decision) {
      note(decision)
      if (decision.allowed) counted.push(clock.now())
    }
  }
  const step = async (alive: readonly SharedRateLimiter[] = nodes) => {
    clock.step(stepMs)
    for (const answer of answers.filter(({ at }) => at <= clock.now())) {
      answers.splice(answers.indexOf(answer), 1)
      answer.resolve()
    }
    if (clock.now() % 500 === 0) for (const node of alive) void node.tick()
    await turn()
  }
  const steps = async (ms: number, each: () => void = () => {}) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      each()
      await step()
    }
  }
  return { clock, tokens, cut, nodes, accepted, counted, send, step, steps, refused: () => refused, waited: () => waited }
}

/** Returns a list that collects the times at which waiting requests get their tokens from now
 *  on. */
function noteGrants(tokens: MemoryRates, clock: Clock): number[] {
  const times: number[] = []
  const { lease } = tokens
  tokens.lease = async request => {
    const at = clock.now()
    const answer = await lease(request)
    for (let granted = 0; granted < answer.granted; granted++) times.push(at)
    return answer
  }
  return times
}

/** Returns a view of the store for one node: while `isCut` returns true, every request of the
 *  node to the store fails. */
function withCut(tokens: RateTokens, isCut: () => boolean): RateTokens {
  const ifReached = <Answer>(answer: () => Promise<Answer>) => (isCut() ? Promise.reject(new Error('cut off')) : answer())
  return {
    lease: request => ifReached(() => tokens.lease(request)),
    nodes: () => ifReached(() => tokens.nodes()),
    onLoss: tokens.onLoss,
  }
}

/** Returns the largest number of these times that lie within one minute. */
function mostInAMinute(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  let most = 0
  let from = 0
  for (const [at, time] of sorted.entries()) {
    while (sorted[from]! <= time - 60_000) from += 1
    most = Math.max(most, at - from + 1)
  }
  return most
}

/** Returns a generator of numbers in [0, 1) that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

for (const perMinute of [1, 2, 3, 7, 60, 61, 600, 100_000])
  test(`${perMinute} requests a minute over three nodes are never exceeded in any minute, whatever the demand`, async () => {
    for (let seed = 1; seed <= (perMinute > 1_000 ? 1 : 3); seed++) {
      const random = seeded(seed * 7_919)
      const { nodes, accepted, counted, send, steps } = startNodes(3, () => Math.floor(random() ** 3 * 400))
      let pace = [0, 0, 0]
      let until = 0
      await steps(240_000, () => {
        if (until-- <= 0) {
          // The load alternates between bursts, pauses and a steady flow, on one node or on all
          // nodes.
          pace = nodes.map(() => (random() < 0.4 ? 0 : random() ** 3 * 20 * Math.max(0.02, perMinute / 1200)))
          until = random() * 200
        }
        for (const [at, node] of nodes.entries())
          for (let count = Math.floor(pace[at]! + random()); count > 0; count--) send(node, perMinute)
      })
      assert.ok(mostInAMinute(counted) <= perMinute, `${mostInAMinute(counted)} counted in a minute, seed ${seed}`)
      // A node learns up to 0.4 s later that the store has granted a token, so the limit must also
      // hold for the times at which the nodes accept the requests.
      assert.ok(mostInAMinute(accepted) <= perMinute, `${mostInAMinute(accepted)} in a minute, seed ${seed}`)
      assert.ok(accepted.length >= perMinute, `only ${accepted.length} in four minutes, seed ${seed}`)
    }
  })

for (const perMinute of [1, 2, 7, 60, 600, 100_000])
  test(`one busy node gets at least 95 % of ${perMinute} a minute while the other two are idle`, async () => {
    const { nodes, accepted, send, steps } = startNodes(3, () => 50)
    let due = 0
    await steps(10 * 60_000, () => {
      // The test sends a tenth more requests than the limit allows.
      for (due += (perMinute * 1.1 * stepMs) / 60_000; due >= 1; due--) send(nodes[0], perMinute)
      if (perMinute < 60) send(nodes[0], perMinute)
    })
    assert.ok(mostInAMinute(accepted) <= perMinute)
    assert.ok(accepted.length >= 10 * perMinute * 0.95, `${accepted.length} in ten minutes`)
  })

test("a node that has just started accepts a whole minute's worth at once, without a refusal", async () => {
  const { nodes, accepted, send, steps, refused } = startNodes(3, () => 50)
  for (let count = 0; count < 600; count++) send(nodes[1], 600)
  await steps(1_000)
  assert.deepEqual([accepted.length, refused()], [600, 0])
  send(nodes[2], 600)
  await steps(1_000)
  assert.equal(refused(), 1)
})

test('a limit of one request a minute is available again after 61 s, also on another node', async () => {
  const { clock, nodes, steps } = startNodes(2)
  assert.deepEqual(await nodes[0]?.take('key', 1), { allowed: true, limit: 1, remaining: 0, resetSeconds: 61, retryAfterSeconds: 0 })
  await steps(10_000)
  assert.deepEqual(await nodes[1]?.take('key', 1), { allowed: false, limit: 1, remaining: 0, resetSeconds: 51, retryAfterSeconds: 51 })
  clock.step(50_999)
  assert.equal((await nodes[1]?.take('key', 1))?.allowed, false)
  clock.step(1)
  await steps(500)
  assert.equal((await nodes[1]?.take('key', 1))?.allowed, true)
})

test('most requests of a busy key are decided at once, with few database statements', async () => {
  const { tokens, nodes, accepted, send, steps, waited, refused } = startNodes(3, () => 50)
  await steps(5_000, () => {
    for (let count = 0; count < 60; count++) send(nodes[count % 3], 100_000)
  })
  const before = { calls: tokens.calls, waited: waited(), accepted: accepted.length }
  await steps(20_000, () => {
    for (let count = 0; count < 60; count++) send(nodes[count % 3], 100_000)
  })
  const calls = tokens.calls - before.calls
  assert.equal(accepted.length - before.accepted, 24_000)
  assert.equal(refused(), 0)
  assert.ok(waited() - before.waited <= 24_000 * 0.01, `${waited() - before.waited} of 24,000 waited`)
  assert.ok(calls <= 3 * 20 * 4, `${calls} statements in 20 s of three nodes`)
})

test('a key that is rarely used costs one database statement per request', async () => {
  const { tokens, nodes, send, steps } = startNodes(3)
  for (let count = 0; count < 20; count++) {
    send(nodes[count % 3], 600)
    await steps(3_000)
  }
  assert.equal(tokens.calls, 20)
})

test('unused tokens of a node are returned within two seconds', async () => {
  const { tokens, nodes, send, steps } = startNodes(3)
  await steps(1_000, () => {
    for (let count = 0; count < 5; count++) send(nodes[0], 600)
  })
  const used = 100
  assert.ok(tokens.taken('key') > used, `${tokens.taken('key')} are taken`)
  await steps(2_000)
  assert.equal(tokens.taken('key'), used)
})

test('a node that stops returns its tokens; those of a node that died expire', async () => {
  for (const isKilled of [true, false]) {
    const { tokens, nodes, send, step, steps } = startNodes(2)
    const [one, other] = nodes
    await steps(1_000, () => {
      for (let count = 0; count < 5; count++) send(one, 600)
    })
    if (!isKilled) {
      await one?.close()
      assert.equal(tokens.taken('key'), 100)
    }
    for (let passed = 0; passed < 61_500; passed += stepMs) await step(other ? [other] : [])
    assert.equal(tokens.taken('key'), 0)
  }
})

test('the rates of two keys are independent', async () => {
  const { nodes, steps } = startNodes(2)
  assert.equal((await nodes[0]?.take('a', 1))?.allowed, true)
  assert.equal((await nodes[1]?.take('b', 1))?.allowed, true)
  assert.equal((await nodes[1]?.take('a', 1))?.allowed, false)
  await steps(61_000)
  assert.equal((await nodes[1]?.take('a', 1))?.allowed, true)
})

test('a limit that the operator changes applies at once', async () => {
  const { nodes, steps } = startNodes(2)
  assert.equal((await nodes[0]?.take('a', 1))?.allowed, true)
  assert.equal((await nodes[0]?.take('a', 1))?.allowed, false)
  assert.equal((await nodes[0]?.take('a', 3))?.allowed, true)
  await steps(1_000)
  assert.equal((await nodes[1]?.take('a', 2))?.allowed, false)
})

test('while the store is unavailable, each node accepts its share, also of the current minute', async () => {
  const { tokens, nodes, accepted, send, steps } = startNodes(3)
  const all = () => {
    for (const node of nodes) for (let count = 0; count < 2; count++) send(node, 600)
  }
  await steps(2_000, all)
  const before = accepted.length
  tokens.isUp = false
  await steps(30_000, all)
  assert.ok(accepted.length > before && accepted.length <= 600, `${accepted.length} in the first minute`)
  await steps(150_000, all)
  assert.ok(accepted.length >= 600 * 2.8, `${accepted.length} in three minutes`)
  tokens.isUp = true
  await steps(180_000, all)
  assert.ok(mostInAMinute(accepted) <= 600, `${mostInAMinute(accepted)} in a minute`)
  assert.ok(accepted.length >= 600 * 5.5, `${accepted.length} in six minutes`)
})

test('a single node keeps the whole limit while the store is unavailable', async () => {
  const { tokens, nodes, accepted, send, steps } = startNodes(1)
  await steps(1_000)
  tokens.isUp = false
  await steps(60_000, () => send(nodes[0], 600))
  assert.ok(accepted.length >= 590 && accepted.length <= 600, `${accepted.length}`)
})

test('a node that cannot reach the store exceeds the limit by at most its share', async () => {
  const { cut, nodes, accepted, send, steps } = startNodes(3)
  const all = () => {
    for (const node of nodes) send(node, 600)
  }
  await steps(1_000, all)
  cut.add(0)
  await steps(120_000, all)
  const most = mostInAMinute(accepted)
  assert.ok(most > 600 && most <= 800, `${most} in a minute`)
  cut.clear()
  await steps(62_000, all)
  const since = accepted.length
  await steps(120_000, all)
  assert.ok(mostInAMinute(accepted.slice(since)) <= 600)
})

test('a crash that loses the leases of the last second does not increase the limit', async () => {
  const { clock, tokens, nodes, accepted, send, steps } = startNodes(3)
  const all = () => {
    for (const node of nodes) for (let count = 0; count < 3; count++) send(node, 600)
  }
  await steps(2_500, all)
  assert.ok(accepted.length > 400)
  tokens.isUp = false
  tokens.forget(clock.now() - 600)
  await steps(300, all)
  tokens.isUp = true
  await steps(120_000, all)
  assert.ok(mostInAMinute(accepted) <= 600, `${mostInAMinute(accepted)} in a minute`)
})

test('a node that has never reached the store refuses all requests, with a time to retry', async () => {
  const { tokens, nodes } = startNodes(1)
  tokens.isUp = false
  await nodes[0]?.start()
  const decision = await nodes[0]?.take('key', 600)
  assert.deepEqual([decision?.allowed, decision?.retryAfterSeconds], [false, 2])
  await nodes[0]?.close()
})
