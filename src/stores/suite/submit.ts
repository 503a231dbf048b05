import assert from 'node:assert/strict'
import {
  type Check,
  claimOne,
  collectSignals,
  day,
  eventTypes,
  getTask,
  minute,
  newBlob,
  newTask,
  queueCounts,
  startedAt,
  succeeded,
} from './samples.ts'

const idempotency = { key: 'caller-key', bodySha256: 'a'.repeat(64), expiresAt: startedAt + minute }

export function submitCases(check: Check): void {
  check('a submitted task is read back as it was written', async store => {
    const input = newBlob('input-1', { kind: 'input' })
    const webhook = { url: 'https://hooks.test/x', secret: 'shared secret' }
    const shown = { prompt: 'a fox', n: 2 }
    const task = newTask('task-1', { webhook, shown, inputs: [input], clientReference: 'mine', traceparent: '00-ab-cd-01' })
    assert.deepEqual(await store.submit(task), { outcome: 'created', taskId: 'task-1' })
    const { queue: _queue, inputs: _inputs, request, ...kept } = task
    const expected = { ...kept, state: 'queued', progress: 0, artifacts: [input.artifact] }
    assert.deepEqual(await store.get('task-1'), expected)
    assert.deepEqual(await store.getByReference('account-1', 'mine'), expected)
    assert.equal(await store.get('task-2'), undefined)
    assert.equal(await store.getByReference('account-2', 'mine'), undefined)
    assert.deepEqual(await store.request('task-1'), request)
    assert.equal(await store.request('task-2'), undefined)
    const claim = await claimOne(store)
    assert.deepEqual([claim.request, claim.task.shown], [request, shown])
  })

  check('one that has failed already is written with its end, and nobody can claim it', async store => {
    const failure = { code: 'invalid_request' as const, message: 'seconds: 7 is none of them.' }
    const submitted = newTask('task-1', { failure, idempotency, webhook: { url: 'https://hooks.test/x' }, concurrencyLimit: 1 })
    assert.deepEqual(await store.submit(submitted), { outcome: 'created', taskId: 'task-1' })
    const { state, failure: kept, finishedAt, progress } = await getTask(store, 'task-1')
    assert.deepEqual([state, kept, finishedAt, progress], ['failed', failure, startedAt, 0])
    assert.deepEqual(await eventTypes(store, 'task-1'), ['task.queued', 'task.failed'])
    assert.deepEqual(await queueCounts(store), { ready: 0, leased: 0, parked: 0 })
    assert.deepEqual(await store.submit(submitted), { outcome: 'replayed', taskId: 'task-1' })
    assert.equal(await store.cancel('task-1', startedAt), 'final')
    await store.submit(newTask('task-2', { concurrencyLimit: 1 }))
    assert.equal((await claimOne(store)).task.id, 'task-2')
  })

  check('a request that is a blob is known by its id; it is no artifact, and goes with its task', async store => {
    const request = { blob: newBlob('request-1', { kind: 'input' }) }
    await store.submit(newTask('task-1', { request, inputs: [newBlob('input-1', { kind: 'input' })] }))
    assert.deepEqual(await store.request('task-1'), { blobId: 'request-1' })
    const { task, token, request: claimed } = await claimOne(store)
    assert.deepEqual(claimed, { blobId: 'request-1' })
    assert.deepEqual(
      task.artifacts.map(({ id }) => id),
      ['input-1'],
    )
    assert.equal((await store.blob('request-1'))?.key, 'content-request-1')
    await store.settle('task-1', token, succeeded())
    const { blobKeys } = await store.sweep(startedAt + 7 * day, 10)
    assert.deepEqual(blobKeys.sort(), ['content-input-1', 'content-request-1'])
  })

  check('an input can be looked up as a blob at once', async store => {
    await store.submit(newTask('task-1', { inputs: [newBlob('input-1', { key: 'content', kind: 'input' })] }))
    const blob = await store.blob('input-1')
    assert.equal(blob?.key, 'content')
    assert.equal(blob?.accountId, 'account-1')
    assert.equal(blob?.taskId, 'task-1')
    assert.equal(await store.blob('input-2'), undefined)
  })

  check('a repeat with the same idempotency key and body finds the first task', async store => {
    await store.submit(newTask('task-1', { idempotency }))
    assert.deepEqual(await store.submit(newTask('task-2', { idempotency })), { outcome: 'replayed', taskId: 'task-1' })
    assert.equal(await store.get('task-2'), undefined)
    assert.deepEqual(await eventTypes(store, 'task-2'), [])
    assert.equal((await queueCounts(store)).ready, 1)
  })

  check('a repeat with another body is a conflict and writes nothing', async store => {
    await store.submit(newTask('task-1', { idempotency }))
    const other = { ...idempotency, bodySha256: 'b'.repeat(64) }
    assert.deepEqual(await store.submit(newTask('task-2', { idempotency: other })), { outcome: 'conflict', taskId: 'task-1' })
    assert.equal(await store.get('task-2'), undefined)
  })

  check('another account may use the same idempotency key', async store => {
    await store.submit(newTask('task-1', { idempotency }))
    const outcome = await store.submit(newTask('task-2', { idempotency, accountId: 'account-2' }))
    assert.equal(outcome.outcome, 'created')
  })

  check('of many equal submits at once exactly one makes a task', async store => {
    const tasks = Array.from({ length: 50 }, (_, index) => newTask(`task-${index}`, { idempotency }))
    const outcomes = await Promise.all(tasks.map(task => store.submit(task)))
    assert.equal(outcomes.filter(outcome => outcome.outcome === 'created').length, 1)
    assert.equal(new Set(outcomes.map(outcome => 'taskId' in outcome && outcome.taskId)).size, 1)
    assert.equal((await store.list({ limit: 200 })).length, 1)
  })

  check('an idempotency key is free again after its end', async store => {
    await store.submit(newTask('task-1', { idempotency }))
    const late = newTask('task-2', { idempotency, createdAt: idempotency.expiresAt })
    assert.deepEqual(await store.submit(late), { outcome: 'created', taskId: 'task-2' })
  })

  check('a client reference is unique within an account', async store => {
    await store.submit(newTask('task-1', { clientReference: 'mine' }))
    assert.deepEqual(await store.submit(newTask('task-2', { clientReference: 'mine' })), { outcome: 'reference-taken', taskId: 'task-1' })
    assert.equal((await store.submit(newTask('task-3', { clientReference: 'mine', accountId: 'account-2' }))).outcome, 'created')
    assert.equal(await store.get('task-2'), undefined)
  })

  check('a repeat with the same idempotency key is a replay, not a taken reference', async store => {
    await store.submit(newTask('task-1', { idempotency, clientReference: 'mine' }))
    assert.equal((await store.submit(newTask('task-2', { idempotency, clientReference: 'mine' }))).outcome, 'replayed')
  })

  check('a submit that cannot be written fails alone, not its neighbours in the same commit', async store => {
    await store.submit(newTask('task-1'))
    const results = await Promise.allSettled(['task-0', 'task-1', 'task-2'].map(id => store.submit(newTask(id))))
    assert.deepEqual(
      results.map(result => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal((await getTask(store, 'task-0')).state, 'queued')
    assert.equal((await getTask(store, 'task-2')).state, 'queued')
    assert.equal((await queueCounts(store)).ready, 3)
    store.assertWritable()
  })

  check('jobs above the concurrency limit of a key are parked, those of other keys are not', async store => {
    for (const id of ['task-1', 'task-2', 'task-3']) await store.submit(newTask(id, { concurrencyLimit: 1 }))
    await store.submit(newTask('task-4', { concurrencyLimit: 1, keyId: 'key-2' }))
    assert.deepEqual(await queueCounts(store), { ready: 2, leased: 0, parked: 2 })
    await store.heartbeat('node-1', startedAt, minute)
    const claims = await store.claim('studio', 'node-1', 10, startedAt)
    assert.deepEqual(
      claims.map(claim => claim.task.id),
      ['task-1', 'task-4'],
    )
    assert.equal((await getTask(store, 'task-2')).state, 'queued')
  })

  check('a leased job counts against the limit of its key', async store => {
    await store.submit(newTask('task-1', { concurrencyLimit: 1 }))
    await claimOne(store)
    await store.submit(newTask('task-2', { concurrencyLimit: 1 }))
    assert.deepEqual(await queueCounts(store), { ready: 0, leased: 1, parked: 1 })
  })

  check(
    'lists run from new to old, or from old to new, in pages, by account, state, family, model and endpoint, and within the scopes of a key',
    async store => {
      for (const id of ['task-1', 'task-2', 'task-3']) await store.submit(newTask(id))
      await store.submit(newTask('task-4', { accountId: 'account-2', family: 'K' }))
      await claimOne(store)
      const ids = async (filter: object) => (await store.list({ limit: 2, ...filter })).map(task => task.id)
      assert.deepEqual(await ids({}), ['task-4', 'task-3'])
      assert.deepEqual(await ids({ before: 'task-3' }), ['task-2', 'task-1'])
      assert.deepEqual(await ids({ oldestFirst: true }), ['task-1', 'task-2'])
      assert.deepEqual(await ids({ oldestFirst: true, after: 'task-2' }), ['task-3', 'task-4'])
      assert.deepEqual(await ids({ accountId: 'account-1' }), ['task-3', 'task-2'])
      assert.deepEqual(await ids({ state: 'running' }), ['task-1'])
      assert.deepEqual(await ids({ family: 'K' }), ['task-4'])
      const idempotency = { key: 'once', bodySha256: 'a', expiresAt: Number.MAX_SAFE_INTEGER }
      await store.submit(newTask('task-0', { accountId: 'account-3', idempotency }))
      assert.deepEqual(await ids({ accountId: 'account-3', idempotencyKey: 'once' }), ['task-0'])
      assert.deepEqual(await ids({ accountId: 'account-1', idempotencyKey: 'once' }), [])
      await store.submit(newTask('task-00', { accountId: 'account-3', idempotency: { key: 'over', bodySha256: 'a', expiresAt: 1 } }))
      assert.deepEqual(await ids({ accountId: 'account-3', idempotencyKey: 'over' }), [])
      assert.deepEqual(await ids({ accountId: 'account-1', state: 'queued', family: 'F1', before: 'task-3' }), ['task-2'])
      const scopes = { endpoints: [], families: [], models: [] }
      assert.deepEqual(await ids({ scopes }), ['task-4', 'task-3'])
      assert.deepEqual(await ids({ scopes: { ...scopes, families: ['F1', 'F2'] } }), ['task-3', 'task-2'])
      for (const [kind, own] of [
        ['endpoints', { endpoint: 'default' }],
        ['models', { model: 'model-1' }],
      ] as const) {
        assert.deepEqual(await ids({ scopes: { ...scopes, [kind]: ['other'] } }), [], kind)
        assert.deepEqual(await ids({ scopes: { ...scopes, [kind]: Object.values(own) }, ...own }), ['task-4', 'task-3'], kind)
      }
    },
  )

  check('a list finds the few wanted tasks among many others of the account', async (store, { spoil }) => {
    const rare = { family: 'K', model: 'rare' }
    await store.submit(newTask('task-0', rare))
    await spoil(
      `INSERT INTO tasks (id, account_id, key_id, endpoint, family, capability, model, state, request, public_url, created_at, deadline_at, expires_at)
       WITH RECURSIVE made (number) AS (SELECT 10001 UNION ALL SELECT number + 1 FROM made WHERE number < 11200)
       SELECT 'task-' || number, 'account-1', 'key-1', 'default', 'F1', 'image.generate', 'model-1', 'succeeded', '{}', 'u', 1, 2, 3 FROM made`,
    )
    await store.submit(newTask('task-2', rare))
    const ids = async (filter: object) => (await store.list({ accountId: 'account-1', limit: 20, ...filter })).map(task => task.id)
    const scopes = { endpoints: [], families: ['K'], models: [] }
    for (const filter of [{ model: 'rare' }, { family: 'K' }, { state: 'queued' }, { family: 'K', state: 'queued' }, { scopes }]) {
      assert.deepEqual(await ids(filter), ['task-2', 'task-0'], JSON.stringify(filter))
      assert.deepEqual(await ids({ ...filter, oldestFirst: true }), ['task-0', 'task-2'], JSON.stringify(filter))
      assert.deepEqual(await ids({ ...filter, before: 'task-2', limit: 1 }), ['task-0'], JSON.stringify(filter))
    }
    for (const filter of [{ model: 'none' }, { family: 'F1', state: 'failed' }]) assert.deepEqual(await ids(filter), [])
    assert.equal((await ids({ endpoint: 'default', limit: 1100 })).length, 1100)
  })

  check('a job signal comes after the commit, so that the job can be claimed', async store => {
    await store.heartbeat('node-1', startedAt, minute)
    const claimed = Promise.withResolvers<string[]>()
    store.subscribe(signal => {
      if (signal.kind !== 'job') return
      store.claim(signal.queue, 'node-1', 10, startedAt).then(claims => claimed.resolve(claims.map(claim => claim.task.id)), claimed.reject)
    })
    await store.submit(newTask('task-1'))
    assert.deepEqual(await claimed.promise, ['task-1'])
  })

  check('replays, conflicts and parked jobs give no job signal, and an ended subscription none at all', async store => {
    await store.submit(newTask('task-1', { idempotency, concurrencyLimit: 1 }))
    const signals = collectSignals(store)
    const forgotten: unknown[] = []
    store.subscribe(signal => forgotten.push(signal))()
    await store.submit(newTask('task-2', { idempotency }))
    await store.submit(newTask('task-3', { idempotency: { ...idempotency, bodySha256: 'other' } }))
    await store.submit(newTask('task-4', { concurrencyLimit: 1 }))
    assert.deepEqual(signals, [])
    await store.submit(newTask('task-5'))
    assert.deepEqual(signals, [{ kind: 'job', queue: 'studio' }])
    assert.deepEqual(forgotten, [])
  })

  check('everything is there after closing and opening again', async (store, underTest) => {
    await store.submit(newTask('task-1', { idempotency, webhook: { url: 'https://hooks.test', secret: 'shared secret' } }))
    await store.submit(newTask('task-2'))
    const before = await store.get('task-1')
    const reopened = await underTest.reopen()
    assert.deepEqual(await reopened.get('task-1'), before)
    assert.deepEqual(await eventTypes(reopened, 'task-1'), ['task.queued'])
    assert.equal((await reopened.submit(newTask('task-3', { idempotency }))).outcome, 'replayed')
    assert.equal((await claimOne(reopened)).task.id, 'task-1')
  })
}
