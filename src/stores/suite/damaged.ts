import assert from 'node:assert/strict'
import { type Check, claimOne, collectSignals, leaseMs, newTask, startedAt, succeeded } from './samples.ts'

/** Tests that a row which was damaged by a failing disk or by another program affects only its
 *  own task. */
export function damagedCases(check: Check): void {
  check('a job that cannot be read is told of with its lease, and the others of its claim are claimed', async (store, { spoil }) => {
    const webhook = { url: 'https://hooks.test', secret: 'whsec_secret' }
    await store.submit(newTask('sent'))
    const { token } = await claimOne(store)
    await store.sent('sent', token, { driver: 'd', target: 't', model: 'm', settings: { api_key: 'k' }, handle: { id: 'u' } }, startedAt)
    await store.reschedule('sent', token, startedAt, 'again', startedAt)
    for (const id of ['good', 'spoilt']) await store.submit(newTask(id))
    await store.submit(newTask('unsealed', { webhook }))
    await spoil(`UPDATE tasks SET request = '{' WHERE id = 'spoilt'`)
    await spoil(`UPDATE tasks SET webhook_secret = 'x' WHERE id = 'unsealed'`)
    await spoil(`UPDATE jobs SET target_settings = 'x' WHERE task_id = 'sent'`)
    const signals = collectSignals(store)
    const claims = await store.claim('studio', 'node-1', 10, startedAt)
    assert.deepEqual(
      claims.map(claim => claim.task.id),
      ['good'],
    )
    const reported = signals.flatMap(signal => (signal.kind === 'unreadable' ? [signal.job] : []))
    assert.deepEqual(
      reported.map(({ taskId, wasSent, isPassing }) => [taskId, wasSent, isPassing]),
      [
        ['sent', true, false],
        ['spoilt', false, false],
        ['unsealed', false, false],
      ],
    )
    for (const { taskId, token } of reported)
      assert.equal(await store.settle(taskId, token, { state: 'failed', outputs: [], usage: [], at: startedAt }), true)
  })

  check(
    'a webhook whose secret is damaged is never sent without it, and holds up no other; one without a task is forgotten',
    async (store, { spoil }) => {
      for (const id of ['task-1', 'task-2', 'task-3']) {
        await store.submit(newTask(id, { webhook: { url: 'https://hooks.test', secret: 'whsec_secret' } }))
        const { token } = await claimOne(store)
        await store.settle(id, token, succeeded())
      }
      await spoil(`UPDATE tasks SET webhook_secret = 'x' WHERE id = 'task-1'`)
      await spoil(`DELETE FROM tasks WHERE id = 'task-2'`)
      const at = startedAt + 1_000_000
      await store.heartbeat('node-2', at, leaseMs)
      const deliveries = await store.outbox.claim('node-2', 10, at)
      assert.deepEqual(deliveries.map(({ taskId, secret, fault }) => [taskId, secret, fault]).sort(), [
        ['task-1', undefined, 'The stored secret of the webhook cannot be read.'],
        ['task-3', 'whsec_secret', undefined],
      ])
    },
  )
}
