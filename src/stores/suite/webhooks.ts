import assert from 'node:assert/strict'
import type { TaskStore, WebhookDelivery } from '../../core/ports/store.ts'
import { type Check, claimOne, collectSignals, leaseMs, minute, newTask, startedAt, succeeded } from './samples.ts'

const finishedAt = startedAt + minute

export function webhookCases(check: Check): void {
  check('a finished task with a webhook makes one delivery, with its secret', async store => {
    await finishTask(store, 'task-1')
    await store.submit(newTask('task-2'))
    await store.settle('task-2', (await claimOne(store)).token, succeeded())
    await store.heartbeat('node-1', finishedAt, leaseMs)
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt - 1), [])
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt), [
      {
        id: 'wh_task-1',
        taskId: 'task-1',
        accountId: 'account-1',
        url: 'https://hooks.test/task-1',
        secret: 'shared secret',
        attempt: 1,
        token: 1,
      },
    ])
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt), [])
  })

  check('a delivered webhook is never claimed again', async store => {
    const { id, token } = await claimWebhook(store, 'task-1')
    assert.equal(await store.outbox.delivered(id, token, finishedAt), true)
    assert.equal(await store.outbox.delivered(id, token, finishedAt), false)
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt + minute), [])
    assert.equal((await store.stats()).webhooksDue, 0)
  })

  check('a failed delivery is due again at its time, under the same id', async store => {
    const { id, token } = await claimWebhook(store, 'task-1')
    const retryAt = finishedAt + 5000
    assert.equal(await store.outbox.failed(id, token, { status: 503, retryAt, now: finishedAt }), true)
    assert.equal(await store.outbox.failed(id, token, { status: 503, retryAt, now: finishedAt }), false)
    assert.deepEqual(await store.outbox.claim('node-1', 10, retryAt - 1), [])
    const [again] = await store.outbox.claim('node-1', 10, retryAt)
    assert.equal(again?.id, id)
    assert.equal(again?.attempt, 2)
    assert.ok(again && again.token > token)
    assert.equal(await store.outbox.delivered(id, token, retryAt), false)
  })

  check('a postponed delivery is due again and has not used up a try', async store => {
    const { id, token } = await claimWebhook(store, 'task-1')
    const retryAt = finishedAt + 1000
    assert.equal(await store.outbox.failed(id, token, { retryAt, isPostponed: true, now: finishedAt }), true)
    const [again] = await store.outbox.claim('node-1', 10, retryAt)
    assert.equal(again?.attempt, 1)
    assert.ok(again && again.token > token)
  })

  check('a delivery given up is a dead letter, listed by account, and can be sent again', async store => {
    const { id, token } = await claimWebhook(store, 'task-1')
    await store.outbox.failed(id, token, { status: 500, error: 'no answer', now: finishedAt })
    const letter = {
      id,
      taskId: 'task-1',
      accountId: 'account-1',
      url: 'https://hooks.test/task-1',
      attempts: 1,
      lastStatus: 500,
      lastError: 'no answer',
    }
    assert.deepEqual(await store.outbox.dead({ limit: 10 }), [letter])
    assert.deepEqual(await store.outbox.dead({ accountId: 'account-2', limit: 10 }), [])
    const { webhooksDue, webhooksDead } = await store.stats()
    assert.deepEqual({ webhooksDue, webhooksDead }, { webhooksDue: 0, webhooksDead: 1 })
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt + 1), [])
    const signals = collectSignals(store)
    assert.equal(await store.outbox.resend(id, finishedAt + 1), true)
    assert.equal(await store.outbox.resend(id, finishedAt + 1), false)
    assert.equal(await store.outbox.resend('wh_other', finishedAt + 1), false)
    assert.deepEqual(signals, [{ kind: 'webhook' }])
    const [again] = await store.outbox.claim('node-1', 10, finishedAt + 1)
    assert.equal(again?.attempt, 1)
  })

  check('the deliveries of a dead node are due again and its late answer changes nothing', async store => {
    const { id, token } = await claimWebhook(store, 'task-1')
    const late = finishedAt + leaseMs
    await store.requeueDead(late)
    await store.heartbeat('node-2', late, leaseMs)
    const [again] = await store.outbox.claim('node-2', 10, late)
    assert.equal(again?.id, id)
    assert.equal(await store.outbox.delivered(id, token, late), false)
    assert.equal(await store.outbox.failed(id, token, { now: late }), false)
    assert.equal(await store.outbox.delivered(id, again?.token ?? 0, late), true)
  })

  check('a stopping node hands its deliveries back, and only live nodes claim them', async store => {
    const { id } = await claimWebhook(store, 'task-1')
    await store.release('node-1', finishedAt)
    assert.deepEqual(await store.outbox.claim('node-1', 10, finishedAt), [])
    await store.heartbeat('node-2', finishedAt, leaseMs)
    assert.equal((await store.outbox.claim('node-2', 10, finishedAt))[0]?.id, id)
  })

  check('the accounts take turns, and of one account a node holds no more deliveries than it may', async store => {
    for (let index = 0; index < 12; index++) await finishTask(store, `crowd-${index}`, 'crowd')
    for (const node of ['node-1', 'node-2']) await store.heartbeat(node, finishedAt, leaseMs)
    const claim = async (node: string, limit: number) => {
      const deliveries = await store.outbox.claim(node, limit, finishedAt, 4)
      return deliveries.map(({ id, accountId }) => `${accountId} ${id}`)
    }
    assert.equal((await claim('node-1', 10)).length, 4)
    assert.deepEqual(await claim('node-1', 10), [])
    await finishTask(store, 'quiet-0', 'quiet')
    await finishTask(store, 'quiet-1', 'quiet')
    assert.deepEqual(await claim('node-1', 10), ['quiet wh_quiet-0', 'quiet wh_quiet-1'])
    assert.equal((await claim('node-2', 10)).length, 4, 'the limit counts for each node')
  })

  check('a delivery comes before those of an account that has many in progress', async store => {
    for (let index = 0; index < 12; index++) await finishTask(store, `crowd-${index}`, 'crowd')
    await store.heartbeat('node-1', finishedAt, leaseMs)
    assert.equal((await store.outbox.claim('node-1', 4, finishedAt)).length, 4)
    await finishTask(store, 'quiet-0', 'quiet')
    const [next] = await store.outbox.claim('node-1', 1, finishedAt)
    assert.equal(next?.id, 'wh_quiet-0')
  })

  check('deliveries waiting at a stop are there after it', async (store, underTest) => {
    await finishTask(store, 'task-1')
    const reopened = await underTest.reopen()
    await reopened.heartbeat('node-1', finishedAt, leaseMs)
    assert.equal((await reopened.outbox.claim('node-1', 10, finishedAt))[0]?.secret, 'shared secret')
  })
}

async function finishTask(store: TaskStore, id: string, accountId = 'account-1'): Promise<void> {
  await store.submit(newTask(id, { accountId, webhook: { url: `https://hooks.test/${id}`, secret: 'shared secret' } }))
  const { token } = await claimOne(store)
  assert.equal(await store.settle(id, token, succeeded({ at: finishedAt })), true)
}

async function claimWebhook(store: TaskStore, taskId: string): Promise<WebhookDelivery> {
  await finishTask(store, taskId)
  await store.heartbeat('node-1', finishedAt, leaseMs)
  const [delivery] = await store.outbox.claim('node-1', 10, finishedAt)
  assert.ok(delivery)
  return delivery
}
