import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { UrlGuard } from '../../drivers/shared/upstream/url-guard.ts'
import { createFakeClock, type FakeClock } from '../../testing/clock.ts'
import { newTestTask, openTestStore, silentLog } from '../../testing/stores/store.ts'
import type { TaskStore } from '../ports/store.ts'
import { type PostWebhook, type WebhookDeps, Webhooks, webhookHeaders } from './webhooks.ts'

const node = 'node-1'
/** Waits between the tries in ms: 5 s, 30 s, 2 min, 10 min, 1 h, 6 h, 24 h
 *  (docs/interface.md#webhooks). */
const waits = [5, 30, 120, 600, 3_600, 21_600, 86_400].map(seconds => seconds * 1000)

interface Setup {
  store: TaskStore
  clock: FakeClock
  /** Moves the clock by `ms`, and starts the deliveries that are due by then. */
  pass(ms: number): Promise<void>
  stop(graceMs: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Webhooks on the embedded store, with a clock and a receiver that the test controls. */
async function setUp(post: PostWebhook, changes: Partial<WebhookDeps> = {}): Promise<Setup> {
  mock.timers.enable({ apis: ['setInterval'] })
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const { store } = opened
  await store.heartbeat(node, clock.now(), 1e12)
  const webhooks = new Webhooks({
    store,
    clock,
    log: silentLog,
    nodeId: () => node,
    post,
    present: task => ({ id: task.id, state: task.state }),
    accountSecret: async () => undefined,
    ...changes,
  })
  webhooks.start()
  return {
    store,
    clock,
    pass: async ms => {
      clock.step(ms)
      mock.timers.tick(1_000)
      await quiet(store)
    },
    stop: graceMs => webhooks.stop(graceMs),
    [Symbol.asyncDispose]: async () => {
      await webhooks.stop(0)
      mock.timers.reset()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** Waits for the reads and writes in progress. A store answers reads in order, and writes in
 *  order. So a few reads and writes without effect are made, and their answers awaited. */
async function quiet(store: TaskStore): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await store.recordUsage([])
    await store.get('none')
  }
}

async function finishTask({ store, clock }: Setup, id: string, url = 'http://receiver.test/hook', accountId = 'account-1'): Promise<void> {
  await store.submit(newTestTask(id, clock.now(), { accountId, webhook: { url, secret: 'whsec_c2VjcmV0' } }))
  const [claim] = await store.claim('fake:f', node, 1, clock.now())
  assert.ok(claim)
  await store.settle(id, claim.token, { state: 'succeeded', result: {}, outputs: [], usage: [], at: clock.now() })
}

test('a webhook that always fails is tried eight times at the documented intervals, then it is a dead letter', async () => {
  const tries: number[] = []
  const post: PostWebhook = async () => {
    tries.push(setup.clock.now())
    return { status: 500 }
  }
  await using setup = await setUp(post)
  await finishTask(setup, 't1')
  await until(() => tries.length === 1, 'the first try')
  await quiet(setup.store)
  for (const [index, wait] of waits.entries()) {
    await setup.pass(wait * 0.89)
    assert.equal(tries.length, index + 1, `try ${index + 2} comes not before nine tenths of ${wait} ms`)
    await setup.pass(wait * 0.22)
    assert.equal(tries.length, index + 2, `try ${index + 2} comes within eleven tenths of ${wait} ms`)
  }
  const [dead] = await setup.store.outbox.dead({ limit: 10 })
  assert.equal(dead?.taskId, 't1')
  assert.equal(dead?.attempts, 8)
  assert.equal(dead?.lastStatus, 500)
  await setup.pass(100 * 86_400_000)
  assert.equal(tries.length, 8)
})

test('retry-after lengthens an interval, up to a day, and never shortens it', async () => {
  const requested = [60, 1, 1e9]
  const tries: number[] = []
  await using setup = await setUp(async () => {
    tries.push(setup.clock.now())
    return { status: 503, retryAfterSeconds: requested[tries.length - 1] ?? 0 }
  })
  await finishTask(setup, 't1')
  await until(() => tries.length === 1, 'the first try')
  await quiet(setup.store)
  await setup.pass(59_000)
  assert.equal(tries.length, 1)
  await setup.pass(1_000)
  assert.equal(tries.length, 2)
  await setup.pass(26_000)
  assert.equal(tries.length, 2, 'the second wait is about 30 s, whatever the receiver asks for')
  await setup.pass(8_000)
  assert.equal(tries.length, 3)
  await setup.pass(86_300_000)
  assert.equal(tries.length, 3)
  await setup.pass(100_000)
  assert.equal(tries.length, 4)
})

test('a webhook whose secret cannot be read is a dead letter, and is not sent', async () => {
  let posts = 0
  const post: PostWebhook = async () => {
    posts += 1
    return { status: 204 }
  }
  await using setup = await setUp(post)
  const { outbox } = setup.store
  const { claim } = outbox
  outbox.claim = async (...call) => (await claim(...call)).map(({ secret: _, ...delivery }) => ({ ...delivery, fault: 'unreadable' }))
  await finishTask(setup, 't1')
  const dead = await until(async () => (await outbox.dead({ limit: 1 }))[0], 'the dead letter')
  assert.deepEqual([dead.lastError, posts], ['unreadable', 0])
})

test('any status from 200 to 299 is a delivery; others are retried', async () => {
  const tries: number[] = []
  await using setup = await setUp(async url => {
    const status = Number(url.slice(-3))
    tries.push(status)
    return { status }
  })
  const statuses = [200, 204, 299, 199, 300, 404]
  for (const status of statuses) await finishTask(setup, `t${status}`, `http://receiver${status}.test/${status}`)
  await until(() => tries.length === statuses.length, 'the first tries')
  await quiet(setup.store)
  await setup.pass(6_000)
  assert.deepEqual(tries.slice(statuses.length).sort(), [199, 300, 404])
})

test('410, and a task that has lost its files, end the tries at once', async () => {
  await using setup = await setUp(async url => ({ status: url.endsWith('/gone') ? 410 : 204 }), {
    present: task => {
      if (task.id === 't2') throw new GatewayError('gone', 'The picture of this task was swept.')
      return {}
    },
  })
  await finishTask(setup, 't1', 'http://receiver.test/gone')
  await finishTask(setup, 't2')
  const dead = await until(async () => {
    const letters = await setup.store.outbox.dead({ limit: 10 })
    return letters.length === 2 ? letters : undefined
  }, 'two dead letters')
  assert.deepEqual(dead.map(letter => letter.lastStatus ?? letter.lastError).sort(), [410, 'The picture of this task was swept.'])
})

test('a webhook whose body cannot be made is tried again later, on any node', async () => {
  let isBroken = true
  const posted: string[] = []
  const post: PostWebhook = async (_url, { body }) => {
    posted.push(body)
    return { status: 204 }
  }
  await using setup = await setUp(post, {
    present: () => {
      if (isBroken) throw new TypeError('a bug')
      return { fine: true }
    },
  })
  await finishTask(setup, 't1')
  await quiet(setup.store)
  isBroken = false
  await setup.pass(6_000)
  assert.deepEqual(posted, ['{"fine":true}'])
})

test('one receiver gets eight deliveries at a time, and others are not delayed by it', async () => {
  const slow: (() => void)[] = []
  let fast = 0
  const post: PostWebhook = (url, { signal }) => {
    if (url.includes('fast')) {
      fast += 1
      return Promise.resolve({ status: 204 })
    }
    return new Promise((resolve, reject) => {
      slow.push(() => resolve({ status: 204 }))
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  await using setup = await setUp(post)
  for (let index = 0; index < 20; index++) await finishTask(setup, `slow-${index}`, 'http://slow.test/hook')
  await finishTask(setup, 'fast-1', 'http://fast.test/hook')
  await until(() => fast === 1, 'the delivery to the fast receiver')
  assert.equal(slow.length, 8)
  await setup.pass(1_500)
  assert.equal(slow.length, 8)
  for (let round = 0; round < 4; round++) {
    for (const answer of slow.splice(0)) answer()
    await quiet(setup.store)
    await setup.pass(1_500)
  }
  assert.deepEqual(await setup.store.stats().then(stats => [stats.webhooksDue, stats.webhooksDead]), [0, 0])
})

test('deliveries that wait for a receiver are looked at about as often as it takes one', async () => {
  const slow: (() => void)[] = []
  const post: PostWebhook = (_url, { signal }) =>
    new Promise((resolve, reject) => {
      slow.push(() => resolve({ status: 204 }))
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  await using setup = await setUp(post)
  const { outbox } = setup.store
  let postponed = 0
  const failed = outbox.failed.bind(outbox)
  mock.method(outbox, 'failed', (...delivery: Parameters<typeof failed>) => {
    postponed += delivery[2].isPostponed === true ? 1 : 0
    return failed(...delivery)
  })
  for (let index = 0; index < 200; index++) await finishTask(setup, `slow-${index}`, 'http://slow.test/hook')
  for (let second = 0; second < 10; second++) await setup.pass(1_000)
  postponed = 0
  for (let second = 0; second < 60; second++) await setup.pass(1_000)
  assert.equal(slow.length, 8)
  assert.ok(postponed < 200, `192 deliveries were claimed ${postponed} times in a minute`)
  let minutes = 0
  for (; (await setup.store.stats()).webhooksDue > 0 && minutes < 30; minutes++) {
    for (let step = 0; step < 60; step++) {
      for (const answer of slow.splice(0)) answer()
      await setup.pass(1_000)
    }
  }
  assert.ok(minutes <= 11, `all are delivered ${minutes} minutes after the receiver is fast again`)
})

test('hosts of one account that do not answer delay no other account, also at the same host', async () => {
  const posts: string[] = []
  const post: PostWebhook = (url, { signal }) => {
    posts.push(url)
    if (url.endsWith('/prompt')) return Promise.resolve({ status: 204 })
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  await using setup = await setUp(post)
  for (let index = 0; index < 120; index++) await finishTask(setup, `mute-${index}`, `http://mute${index % 12}.test/silent`, 'mute')
  await until(() => posts.length === 32, 'the share of the account')
  await finishTask(setup, 'prompt-1', 'http://mute0.test/prompt', 'prompt')
  await until(() => posts.includes('http://mute0.test/prompt'), 'the delivery of the other account')
  await quiet(setup.store)
  assert.equal(posts.length, 33)
})

test('a stop interrupts a delivery after its grace time, and the delivery is due again', async () => {
  let posts = 0
  await using setup = await setUp(
    (_url, { signal }) =>
      new Promise((_, reject) => {
        posts += 1
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  await finishTask(setup, 't1')
  await until(() => posts === 1, 'the post')
  await setup.stop(10)
  await setup.store.release(node, setup.clock.now())
  await setup.store.heartbeat('node-2', setup.clock.now(), 1e9)
  const [again] = await setup.store.outbox.claim('node-2', 1, setup.clock.now())
  assert.equal(again?.taskId, 't1')
})

test('private addresses are not called unless the setting allows it', async () => {
  const guard = new UrlGuard({ outbound: directOutbound, allowPrivate: false })
  await using setup = await setUp((url, message) => guard.post(url, message))
  await finishTask(setup, 't1', 'http://127.0.0.1:9/hook?token=secret')
  await quiet(setup.store)
  for (const wait of waits) await setup.pass(wait * 1.11)
  const [dead] = await setup.store.outbox.dead({ limit: 1 })
  assert.match(dead?.lastError ?? '', /leads to a private address/)
  assert.doesNotMatch(dead?.lastError ?? '', /secret/)
  await guard.close()
})

test('the account’s secret signs when the task has none, and is never sent', () => {
  const message = { id: 'wh_1', body: '{}', timestamp: 1, secret: 'whsec_c2VjcmV0' }
  const headers = webhookHeaders({ ...message, own: undefined })
  assert.equal(headers['x-webhook-secret'], undefined)
  assert.match(headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.equal(webhookHeaders({ ...message, secret: undefined, own: undefined })['webhook-signature'], undefined)
})
