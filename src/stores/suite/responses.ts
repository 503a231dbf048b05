import assert from 'node:assert/strict'
import type { CompletionPage } from '../../core/ports/responses.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { type Check, claimOne, type FullStore, minute, newBlob, newTask, startedAt, succeeded } from './samples.ts'

const lifetime = 30 * minute
const end = startedAt + lifetime

export function responseCases(check: Check): void {
  recordCases(check)
  chainCases(check)
  removalCases(check)
  taskCases(check)
  blobCases(check)
  completionCases(check)
  sweepCases(check)
}

function recordCases(check: Check): void {
  check('a response reads back as it was put, also after closing and opening again', async (store, underTest) => {
    const full = response('resp-2', { parentId: 'resp-1', target: 'acme', taskId: 'task-1' })
    const { content: _, ...bare } = response('resp-3')
    await Promise.all([store.responses.put(full), store.responses.put(bare)])
    assert.deepEqual(await store.responses.get('resp-2', startedAt), full)
    assert.deepEqual(await store.responses.get('resp-3', startedAt), bare)
    assert.equal(await store.responses.get('resp-4', startedAt), undefined)
    assert.deepEqual(await (await underTest.reopen()).responses.get('resp-2', startedAt), full)
  })

  check('a second put replaces the first', async store => {
    await store.responses.put(response('resp-1', { taskId: 'task-1', target: 'acme' }))
    const last = response('resp-1', { content: { status: 'completed' }, model: 'model-2', expiresAt: end + 1 })
    await store.responses.put(last)
    assert.deepEqual(await store.responses.get('resp-1', startedAt), last)
  })

  check('a response is not there at its end', async store => {
    await store.responses.put(response('resp-1'))
    assert.ok(await store.responses.get('resp-1', end - 1))
    assert.equal(await store.responses.get('resp-1', end), undefined)
    assert.deepEqual(await store.responses.chain('resp-1', end), [])
    assert.equal(await store.responses.remove('resp-1', end), false)
  })

  check("another account's or endpoint's id is refused and changes nothing", async store => {
    const first = response('resp-1')
    await store.responses.put(first)
    await assert.rejects(store.responses.put(response('resp-1', { accountId: 'account-2' })), { code: 'conflict' })
    await assert.rejects(store.responses.put(response('resp-1', { endpoint: 'other' })), { code: 'conflict' })
    assert.deepEqual(await store.responses.get('resp-1', startedAt), first)
  })
}

function chainCases(check: Check): void {
  check('a chain holds the response and all before it, oldest first, and nothing of other branches', async store => {
    await putTurns(store, 4)
    await store.responses.put(response('branch', { parentId: 'resp-2' }))
    assert.deepEqual(await chainOf(store, 'resp-4'), ['resp-1', 'resp-2', 'resp-3', 'resp-4'])
    assert.deepEqual(await chainOf(store, 'branch'), ['resp-1', 'resp-2', 'branch'])
    assert.deepEqual(await chainOf(store, 'resp-1'), ['resp-1'])
    assert.deepEqual(await chainOf(store, 'unknown'), [])
    assert.deepEqual((await store.responses.chain('resp-1', startedAt))[0]?.content, { text: 'resp-1' })
  })

  check('a chain ends where a parent is of another account or endpoint', async store => {
    await store.responses.put(response('foreign', { accountId: 'account-2' }))
    await store.responses.put(response('elsewhere', { endpoint: 'other' }))
    await store.responses.put(response('resp-1', { parentId: 'foreign' }))
    await store.responses.put(response('resp-2', { parentId: 'elsewhere' }))
    assert.deepEqual(await chainOf(store, 'resp-1'), ['resp-1'])
    assert.deepEqual(await chainOf(store, 'resp-2'), ['resp-2'])
  })

  check('ancestors that were deleted or have expired come as tombstones', async store => {
    await store.responses.put(response('resp-1', { expiresAt: startedAt + 1 }))
    await putTurns(store, 4, 2)
    await store.responses.remove('resp-3', startedAt)
    const turns = await store.responses.chain('resp-4', startedAt + 1)
    assert.deepEqual(
      turns.map(turn => [turn.id, turn.isDeleted, turn.content === undefined]),
      [
        ['resp-1', true, true],
        ['resp-2', false, false],
        ['resp-3', true, true],
        ['resp-4', false, false],
      ],
    )
  })

  check('a chain holds the 1,000 newest turns at most', async store => {
    await putTurns(store, 1003)
    const turns = await chainOf(store, 'resp-1003')
    assert.equal(turns.length, 1000)
    assert.deepEqual([turns[0], turns.at(-1)], ['resp-4', 'resp-1003'])
  })

  check('a conversation that runs in a circle ends where it would repeat', async store => {
    await putTurns(store, 3)
    await store.responses.put(response('resp-1', { parentId: 'resp-3' }))
    assert.deepEqual(await chainOf(store, 'resp-2'), ['resp-3', 'resp-1', 'resp-2'])
  })
}

function removalCases(check: Check): void {
  check('a deleted response is a tombstone that keeps its parent; deleting it again finds nothing', async store => {
    await putTurns(store, 2)
    assert.equal(await store.responses.remove('resp-2', startedAt), true)
    const { content: _, ...tombstone } = response('resp-2', { parentId: 'resp-1', isDeleted: true })
    assert.deepEqual(await store.responses.get('resp-2', startedAt), tombstone)
    assert.equal((await store.responses.chain('resp-2', startedAt)).at(-1)?.isDeleted, true)
    assert.equal(await store.responses.remove('resp-2', startedAt), false)
    assert.equal(await store.responses.remove('unknown', startedAt), false)
  })

  check('a response that was deleted while its task made it stays deleted, also through sweeps, until the task has ended', async store => {
    await store.submit(newTask('task-1'))
    await store.responses.put(response('resp-1', { taskId: 'task-1' }))
    await store.responses.remove('resp-1', startedAt)
    await store.responses.sweep(startedAt, 10)
    await store.responses.put(response('resp-1', { taskId: 'task-1', content: { status: 'completed' } }))
    assert.equal((await store.responses.get('resp-1', startedAt))?.isDeleted, true)
    const { token } = await claimOne(store)
    await store.settle('task-1', token, succeeded())
    assert.equal(await store.responses.sweep(startedAt, 10), 1)
    assert.equal(await store.responses.get('resp-1', startedAt), undefined)
  })
}

function taskCases(check: Check): void {
  check('the task of a deleted response goes at the next sweep after its end, with its request and its result', async store => {
    await store.submit(newTask('task-1', { inputs: [newBlob('blob-1', { key: 'large', expiresAt: end })], expiresAt: end }))
    await store.submit(newTask('task-2', { expiresAt: end }))
    await store.responses.put(response('resp-1', { taskId: 'task-1' }))
    const { token } = await claimOne(store)
    await store.responses.remove('resp-1', startedAt)
    assert.deepEqual(await store.sweep(startedAt, 10), { tasks: 0, blobKeys: [] })
    await store.settle('task-1', token, succeeded())
    const swept = await store.sweep(startedAt, 10)
    assert.deepEqual([swept.tasks, swept.blobKeys.includes('large')], [1, true])
    assert.deepEqual([await store.get('task-1'), (await store.get('task-2'))?.id], [undefined, 'task-2'])
  })
}

function blobCases(check: Check): void {
  check('large content is a blob of the response, written with it', async store => {
    const { content: _, ...record } = response('resp-1')
    await store.responses.put(record, newBlob('blob-1', { key: 'large', expiresAt: end }))
    assert.deepEqual(await store.unreferenced(['large']), [])
    const blob = await store.responses.contentBlob('resp-1')
    assert.deepEqual([blob?.key, blob?.accountId, blob?.taskId], ['large', 'account-1', 'resp-1'])
    assert.deepEqual(await store.responses.get('resp-1', startedAt), record)
    assert.deepEqual(await store.responses.chain('resp-1', startedAt), [{ ...record, contentBytes: blob?.bytes }])
    assert.deepEqual(await store.sweep(end - 1, 10), { tasks: 0, blobKeys: [] })
    assert.deepEqual(await store.sweep(end, 10), { tasks: 0, blobKeys: ['large'] })
    assert.deepEqual(await store.unreferenced(['large']), ['large'])
  })

  check('a refused put leaves no blob behind', async store => {
    await store.responses.put(response('resp-1'))
    await assert.rejects(store.responses.put(response('resp-1', { accountId: 'account-2' }), newBlob('blob-1')), { code: 'conflict' })
    assert.deepEqual(await store.unreferenced(['content-blob-1']), ['content-blob-1'])
  })

  check('replacing and deleting a response frees its blob', async store => {
    await store.responses.put(response('resp-1'), newBlob('blob-1', { expiresAt: end }))
    await store.responses.put(response('resp-1'), newBlob('blob-2', { expiresAt: end }))
    assert.equal((await store.responses.contentBlob('resp-1'))?.id, 'blob-2')
    assert.deepEqual((await store.sweep(startedAt, 10)).blobKeys, ['content-blob-1'])
    await store.responses.remove('resp-1', startedAt)
    assert.equal(await store.responses.contentBlob('resp-1'), undefined)
    assert.deepEqual((await store.sweep(startedAt, 10)).blobKeys, ['content-blob-2'])
  })

  check('content that another response has too is kept for it', async store => {
    for (const id of ['resp-1', 'resp-2']) await store.responses.put(response(id), newBlob(`blob-${id}`, { key: 'same', expiresAt: end }))
    await store.responses.remove('resp-1', startedAt)
    assert.deepEqual((await store.sweep(startedAt, 10)).blobKeys, [])
    await store.responses.remove('resp-2', startedAt)
    assert.deepEqual((await store.sweep(startedAt, 10)).blobKeys, ['same'])
  })
}

function sweepCases(check: Check): void {
  check('a sweep forgets what has ended, whole conversations at once, and their blobs with them', async store => {
    await putTurns(store, 5)
    await store.responses.put(response('large'), newBlob('blob-1', { expiresAt: end + lifetime }))
    await store.responses.put(response('young', { expiresAt: end + 1 }))
    assert.equal(await store.responses.sweep(end - 1, 100), 0)
    assert.equal(await store.responses.sweep(end, 100), 6)
    assert.equal(await store.responses.sweep(end, 100), 0)
    // The reads use an earlier time, at which the responses had not expired. The reads would
    // therefore find a row that the sweep has not deleted.
    for (const id of ['resp-1', 'resp-3', 'resp-5', 'large']) assert.equal(await store.responses.get(id, startedAt), undefined, id)
    assert.ok(await store.responses.get('young', end))
    assert.deepEqual((await store.sweep(end, 10)).blobKeys, ['content-blob-1'])
  })

  check('a sweep takes no more than asked', async store => {
    await putTurns(store, 5)
    assert.equal(await store.responses.sweep(end, 2), 2)
    assert.equal(await store.responses.sweep(end, 0), 0)
    assert.equal(await store.responses.sweep(end, 2), 2)
    assert.equal(await store.responses.sweep(end, 2), 1)
  })

  check('an ended turn between living ones stays as a tombstone until one side has ended', async store => {
    await putTurns(store, 1)
    await store.responses.put(response('resp-2', { parentId: 'resp-1', expiresAt: startedAt + 1 }))
    await store.responses.put(response('resp-3', { parentId: 'resp-2' }))
    await store.responses.sweep(startedAt + 1, 10)
    assert.deepEqual(await chainOf(store, 'resp-3'), ['resp-1', 'resp-2', 'resp-3'])
    await store.responses.remove('resp-3', startedAt + 1)
    assert.equal(await store.responses.sweep(startedAt + 1, 10), 2)
    assert.equal(await store.responses.get('resp-2', startedAt), undefined)
    assert.ok(await store.responses.get('resp-1', startedAt))
  })

  check('tombstones are kept as long as somebody continues them', async store => {
    await putTurns(store, 4)
    for (const id of ['resp-2', 'resp-3']) await store.responses.remove(id, startedAt)
    assert.equal(await store.responses.sweep(startedAt, 10), 0)
    assert.deepEqual(await chainOf(store, 'resp-4'), ['resp-1', 'resp-2', 'resp-3', 'resp-4'])
    await store.responses.remove('resp-4', startedAt)
    assert.equal(await store.responses.sweep(startedAt, 10), 3)
    assert.deepEqual(await chainOf(store, 'resp-1'), ['resp-1'])
    assert.equal(await store.responses.get('resp-4', startedAt), undefined)
  })

  check('tombstones that stay do not keep older ones from being removed', async store => {
    await store.responses.put(response('old'))
    await putTurns(store, 4)
    for (const id of ['old', 'resp-2', 'resp-3']) await store.responses.remove(id, startedAt)
    const swept: number[] = []
    for (const limit of [2, 0, 2]) swept.push(await store.responses.sweep(startedAt, limit))
    assert.deepEqual([swept, await store.responses.get('old', startedAt)], [[0, 0, 1], undefined])
    // After the oldest tombstone, the search starts again with the newest.
    await store.responses.remove('resp-4', startedAt)
    assert.equal(await store.responses.sweep(startedAt, 10), 3)
  })
}

function completionCases(check: Check): void {
  const owner = { accountId: 'account-1', endpoint: 'default' }
  const pair = (k: string, v: string) => ({ metadata: { [k]: v } })
  const completion = (id: string, changes: Partial<ResponseRecord> = {}) => response(id, { kind: 'completion', metadata: {}, ...changes })

  check('a completion reads back with its kind and metadata, and loses the metadata with its content', async store => {
    const put = completion('c-1', { metadata: { a: 'b', 'ä "x"': '\\' } })
    await store.responses.put(put)
    assert.deepEqual(await store.responses.get('c-1', startedAt), put)
    await store.responses.remove('c-1', startedAt)
    assert.equal((await store.responses.get('c-1', startedAt))?.metadata, undefined)
  })

  check('completions are listed in both orders, from a cursor, by model and by metadata', async store => {
    const made = [
      completion('c-1', pair('team', 'red')),
      completion('c-2', { model: 'model-2', metadata: { team: 'red', 'it"em': 'a,"b":"c"' } }),
      completion('c-3', pair('team', 'blue')),
      completion('c-4', { target: 'acme' }),
      completion('c-5', { accountId: 'account-2' }),
      completion('c-6', { endpoint: 'other' }),
      completion('c-7', { expiresAt: startedAt + 1 }),
      response('resp-1'),
    ]
    for (const record of made) await store.responses.put(record)
    const list = async (page: Partial<CompletionPage> = {}) =>
      (await store.responses.completions(owner, { order: 'asc', limit: 10, ...page }, startedAt + 1))?.map(({ id }) => id)
    assert.deepEqual(await list(), ['c-1', 'c-2', 'c-3'])
    assert.deepEqual(await list({ order: 'desc', limit: 2 }), ['c-3', 'c-2'])
    assert.deepEqual(await list({ after: 'c-1', limit: 1 }), ['c-2'])
    assert.deepEqual(await list({ after: 'c-2', order: 'desc' }), ['c-1'])
    for (const after of ['nobody', 'resp-1', 'c-5', 'c-6']) assert.equal(await list({ after }), undefined, after)
    assert.deepEqual(await list({ model: 'model-2' }), ['c-2'])
    assert.deepEqual(await list({ models: ['model-2', 'none'] }), ['c-2'])
    assert.deepEqual(await list({ models: [] }), ['c-1', 'c-2', 'c-3'])
    assert.deepEqual(await list(pair('team', 'red')), ['c-1', 'c-2'])
    assert.deepEqual(await list({ metadata: { team: 'red', 'it"em': 'a,"b":"c"' } }), ['c-2'])
    for (const none of [pair('team', 're'), pair('eam', 'red'), pair('b', 'c'), pair('toString', 'x')])
      assert.deepEqual(await list(none), [])
    await store.responses.remove('c-2', startedAt)
    assert.deepEqual(await list(), ['c-1', 'c-3'])
    assert.deepEqual(await list({ after: 'c-2' }), ['c-3'], 'a deleted completion has its place until a sweep')
    await store.responses.sweep(startedAt, 10)
    assert.equal(await list({ after: 'c-2' }), undefined)
  })

  check('a list finds the few wanted completions among many others', async (store, { spoil }) => {
    await store.responses.put(completion('c-old', pair('team', 'red')))
    await spoil(
      `INSERT INTO responses (id, account_id, endpoint, model, content, created_at, expires_at, deleted, kind, metadata)
       WITH RECURSIVE made (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM made WHERE number < 1200)
       SELECT 'c-' || number, 'account-1', 'default', 'model-1', '{}', ${startedAt}, ${end}, 0, 'completion', '{"team":"blue"}' FROM made`,
    )
    await store.responses.put(completion('c-new', pair('team', 'red')))
    const list = async (page: Partial<CompletionPage>) =>
      (await store.responses.completions(owner, { order: 'asc', limit: 10, ...pair('team', 'red'), ...page }, startedAt))?.map(
        ({ id }) => id,
      )
    assert.deepEqual(await list({}), ['c-old', 'c-new'])
    assert.deepEqual(await list({ order: 'desc' }), ['c-new', 'c-old'])
    assert.deepEqual(await list({ after: 'c-old', limit: 1 }), ['c-new'])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`name-${number}`, 'x']))
    for (const none of [pair('team', 'green'), { metadata: many }, { metadata: { team: 'red', ...many } }])
      assert.deepEqual(await list(none), [])
    assert.equal((await list({ ...pair('team', 'blue'), limit: 1100 }))?.length, 1100)
  })
}

function response(id: string, changes: Partial<ResponseRecord> = {}): ResponseRecord {
  return {
    id,
    accountId: 'account-1',
    endpoint: 'default',
    model: 'model-1',
    content: { text: id },
    createdAt: startedAt,
    expiresAt: end,
    isDeleted: false,
    ...changes,
  }
}

/** Writes turns `resp-<from>` to `resp-<count>`, each continuing the one before it. */
async function putTurns(store: FullStore, count: number, from = 1): Promise<void> {
  const numbers = Array.from({ length: count - from + 1 }, (_, index) => from + index)
  await Promise.all(numbers.map(turn => store.responses.put(response(`resp-${turn}`, turn === 1 ? {} : { parentId: `resp-${turn - 1}` }))))
}

async function chainOf(store: FullStore, id: string): Promise<string[]> {
  return (await store.responses.chain(id, startedAt)).map(turn => turn.id)
}
