import assert from 'node:assert/strict'
import { accessKey, type Check, callRecord, claimOne, getTask, newTask, startedAt } from './samples.ts'

/** Characters that databases treat differently: NUL, the mark with which a store may encode NUL
 *  (also followed by 0 and by 1), the byte order mark, a line separator, and a character of four
 *  bytes. */
const odd = 'a\0b\ufdd0\ufdd00\ufdd01\ufeff\u2028😀'

/** Adds the cases for texts from callers and upstreams. */
export function textCases(check: Check): void {
  check('texts come back as they were written, whatever characters they have', async store => {
    const prompt = `${odd}\ud800`
    const task = newTask('task-1', {
      request: { inline: { prompt } },
      shown: { prompt },
      clientReference: odd,
      traceparent: odd,
      webhook: { url: `http://callbacks.test/${odd}` },
      idempotency: { key: odd, bodySha256: 'sha', expiresAt: startedAt + 1_000 },
    })
    assert.equal((await store.submit(task)).outcome, 'created')
    assert.deepEqual((await store.earlier({ ...task, clientReference: 'other' }))?.outcome, 'replayed')
    assert.equal((await store.earlier({ ...newTask('task-2'), clientReference: odd }))?.outcome, 'reference-taken')
    assert.equal((await store.getByReference('account-1', odd))?.id, 'task-1')
    assert.equal(await store.getByReference('account-1', odd.replace('\0', '\ufdd00')), undefined)
    assert.deepEqual(
      (await store.list({ accountId: 'account-1', idempotencyKey: odd, limit: 10 })).map(({ id }) => id),
      ['task-1'],
    )
    assert.equal(await store.get('\0'), undefined)
    const claim = await claimOne(store)
    assert.deepEqual(claim.request, { inline: { prompt } })
    const failure = { code: 'upstream_error' as const, message: odd }
    await store.settle('task-1', claim.token, { state: 'failed', failure, outputs: [], usage: [], at: startedAt })
    const { shown, clientReference, traceparent, webhook, failure: found } = await getTask(store, 'task-1')
    assert.deepEqual(
      { shown, clientReference, traceparent, webhook, found },
      { shown: { prompt }, clientReference: odd, traceparent: odd, webhook: task.webhook, found: failure },
    )
    const [delivery] = await store.outbox.claim('node-1', 1, startedAt)
    assert.ok(delivery)
    await store.outbox.failed(delivery.id, delivery.token, { error: odd, now: startedAt })
    assert.equal((await store.outbox.dead({ limit: 1 }))[0]?.lastError, odd)
  })

  check('half of a surrogate pair outside of JSON becomes the replacement character', async store => {
    await store.submit(newTask('task-1', { clientReference: 'a\ud800b' }))
    assert.equal((await getTask(store, 'task-1')).clientReference, 'a\ufffdb')
    const repeat = await store.submit(newTask('task-2', { clientReference: 'a\ud800b' }))
    assert.deepEqual(repeat, { outcome: 'reference-taken', taskId: 'task-1' })
  })

  check('names of calls, keys and files may have such characters too', async store => {
    await store.recordCalls([callRecord(odd, { operation: odd, model: odd, target: odd, units: [{ unit: odd, units: 3, costMicros: 1 }] })])
    const [call] = await store.calls({ from: 0, to: startedAt + 1, limit: 1 })
    assert.deepEqual([call?.requestId, call?.operation, call?.model, call?.target, call?.units[0]?.unit], Array(5).fill(odd))
    await store.accounts.putKey(accessKey('key-1', { name: odd, scopes: { endpoints: [], families: [], models: [odd] } }))
    assert.equal((await store.accounts.keys())[0]?.name, odd)
    await store.submit(newTask('task-1', { model: odd }))
    const ofKey = { scopes: { endpoints: [], families: [], models: ['other', odd] }, limit: 10 }
    assert.deepEqual(
      (await store.list(ofKey)).map(({ id }) => id),
      ['task-1'],
    )
  })

  check('amounts beyond the whole numbers of JavaScript are refused', async store => {
    for (const units of [2 ** 53, 1e300, Number.POSITIVE_INFINITY])
      await assert.rejects(store.recordCalls([callRecord('req-1', { units: [{ unit: 'images', units, costMicros: 0 }] })]))
    for (const costMicros of [2 ** 53, 1e19])
      await assert.rejects(store.recordCalls([callRecord('req-1', { units: [{ unit: 'images', units: 1, costMicros }] })]))
    assert.deepEqual(await store.usage({ from: startedAt, to: startedAt + 1 }), [])
  })
}
