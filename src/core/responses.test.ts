import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { openFileStore } from '../stores/files/open.ts'
import { openSqliteStore } from '../stores/sqlite/open.ts'
import type { BlobStore } from './ports/blobs.ts'
import type { ResponseRecord } from './ports/store.ts'
import { type AccountResponses, createResponses, type SavedResponse } from './responses.ts'

const startedAt = 1_800_000_000_000
const hour = 3_600_000
const rowLimit = 8 * 1024

test('content is read as it was saved, in a row or in a blob', async context => {
  const { responses, blobKeys } = await setUp(context)
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' })
  const largestRow = 'x'.repeat(rowLimit - JSON.stringify({ text: '' }).length)
  const texts = ['', largestRow, `${largestRow}x`, 'ä'.repeat(rowLimit / 2), '\u{1f98a}'.repeat(200_000)]
  for (const [index, text] of texts.entries()) await mine.save(saved(`resp-${index}`, { content: { text } }))
  for (const [index, text] of texts.entries()) assert.deepEqual((await mine.get(`resp-${index}`))?.content, { text })
  assert.equal((await blobKeys()).length, 3)
  await mine.save(withoutContent('noted', { target: 'acme' }))
  assert.deepEqual(await mine.get('noted'), {
    id: 'noted',
    accountId: 'account-1',
    endpoint: 'default',
    model: 'model-1',
    target: 'acme',
    createdAt: startedAt,
    expiresAt: startedAt + hour,
    isDeleted: false,
  })
})

test('content in a blob is not in the database as well', async context => {
  const { store, responses } = await setUp(context)
  await responses.at({ accountId: 'account-1', endpoint: 'default' }).save(saved('resp-1', { content: large('a') }))
  assert.equal((await store.responses.get('resp-1', startedAt))?.content, undefined)
})

test('responses of another account or endpoint are not found', async context => {
  const { responses } = await setUp(context)
  await responses.at({ accountId: 'account-1', endpoint: 'default' }).save(saved('resp-1', { content: large('a') }))
  for (const other of [
    responses.at({ accountId: 'account-2', endpoint: 'default' }),
    responses.at({ accountId: 'account-1', endpoint: 'other' }),
  ]) {
    assert.equal(await other.get('resp-1'), undefined)
    assert.deepEqual(await chainOf(other, 'resp-1'), [])
    assert.equal(await other.remove('resp-1'), false)
    await assert.rejects(other.save(saved('resp-1')), { code: 'conflict' })
  }
  assert.deepEqual((await responses.at({ accountId: 'account-1', endpoint: 'default' }).get('resp-1'))?.content, large('a'))
})

test('a conversation has small and large contents in order, without deleted turns', async context => {
  const { responses } = await setUp(context)
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' })
  await mine.save(saved('resp-1', { content: large('one') }))
  await mine.save(saved('resp-2', { content: large('two'), parentId: 'resp-1' }))
  await mine.save(saved('resp-3', { content: { text: 'three' }, parentId: 'resp-2' }))
  assert.equal(await mine.remove('resp-2'), true)
  const turns = await chainOf(mine, 'resp-3')
  assert.deepEqual(
    turns.map(turn => [turn.id, turn.isDeleted, turn.content]),
    [
      ['resp-1', false, large('one')],
      ['resp-2', true, undefined],
      ['resp-3', false, { text: 'three' }],
    ],
  )
  assert.deepEqual(await chainOf(mine, 'resp-2'), [])
  assert.equal(await mine.get('resp-2'), undefined)
  assert.equal(await mine.remove('resp-2'), false)
})

test('a page of large completions ends early, and the next page begins there', async context => {
  const { responses } = await setUp(context)
  const mine = responses.completionsAt({ accountId: 'account-1', endpoint: 'default' })
  const content = { text: 'x'.repeat(9 * 2 ** 20) }
  const ids = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5']
  for (const id of ids) await mine.save(saved(id, { content: id === 'c-4' ? { text: 'short' } : content }))
  const found: string[][] = []
  for (let after: string | undefined; ; ) {
    const { records, hasMore } = await mine.list({ limit: 100, order: 'asc', ...(after === undefined ? {} : { after }) })
    found.push(records.map(({ id }) => id))
    after = records.at(-1)?.id
    if (!hasMore) break
  }
  assert.deepEqual(found, [
    ['c-1', 'c-2'],
    ['c-3', 'c-4', 'c-5'],
  ])
})

test('a background response keeps its time of acceptance and gets its content at the end', async context => {
  const { responses, clock } = await setUp(context)
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' })
  await mine.save(withoutContent('resp-1', { taskId: 'task-1' }))
  assert.equal((await mine.get('resp-1'))?.content, undefined)
  clock.time += 1000
  await mine.save(saved('resp-1', { taskId: 'task-1', content: large('done') }))
  const record = await mine.get('resp-1')
  assert.equal(record?.createdAt, startedAt)
  assert.deepEqual(record.content, large('done'))
})

test('blobs of replaced, deleted and expired responses are deleted by the sweep', async context => {
  const { store, blobs, responses, blobKeys, clock } = await setUp(context)
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' })
  for (const text of ['first', 'second']) await mine.save(saved('replaced', { content: large(text) }))
  await mine.save(saved('deleted', { content: large('deleted') }))
  await mine.save(saved('long', { content: large('long'), expiresAt: startedAt + 3 * hour }))
  assert.equal((await blobKeys()).length, 4)
  await mine.remove('deleted')
  const sweepAt = async (time: number): Promise<number> => {
    clock.time = time
    await store.responses.sweep(time, 100)
    for (const key of (await store.sweep(time, 100)).blobKeys) await blobs.remove(key)
    return (await blobKeys()).length
  }
  assert.equal(await sweepAt(startedAt + hour - 1), 2)
  assert.equal(await sweepAt(startedAt + hour), 1)
  assert.deepEqual((await mine.get('long'))?.content, large('long'))
  assert.equal(await sweepAt(startedAt + 3 * hour), 0)
})

test('a response that is deleted or replaced while its blob is read is answered in its new state', async context => {
  const { store, blobs, clock } = await setUp(context)
  const inner = createResponses({ store: store.responses, blobs, clock }).at({ accountId: 'account-1', endpoint: 'default' })
  const meanwhile: (() => Promise<unknown>)[] = []
  const outer = createResponses({
    store: store.responses,
    clock,
    blobs: reading(blobs, async key => {
      const change = meanwhile.shift()
      if (change === undefined) return blobs.read(key)
      await change()
      clock.time += hour / 2
      for (const swept of (await store.sweep(clock.time, 10)).blobKeys) await blobs.remove(swept)
      return blobs.read(key)
    }),
  }).at({ accountId: 'account-1', endpoint: 'default' })
  const expiresAt = startedAt + 5 * hour
  await inner.save(saved('resp-1', { content: large('first'), expiresAt }))
  meanwhile.push(() => inner.save(saved('resp-1', { content: large('second'), expiresAt })))
  assert.deepEqual((await outer.get('resp-1'))?.content, large('second'))
  meanwhile.push(() => inner.remove('resp-1'))
  assert.equal(await outer.get('resp-1'), undefined)
})

test('lost content is an error, not an empty response', async context => {
  const { blobs, responses, blobKeys, clock } = await setUp(context)
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' })
  await mine.save(saved('resp-1', { content: large('a') }))
  clock.time += hour / 2
  for (const key of await blobKeys()) await blobs.remove(key)
  await assert.rejects(mine.get('resp-1'), { code: 'gone' })
  await assert.rejects(chainOf(mine, 'resp-1'), { code: 'gone' })
})

test('bytes that a proxy answers in place of the store are a fault of the store, not a content', async context => {
  const { store, blobs, clock } = await setUp(context)
  const own = { accountId: 'account-1', endpoint: 'default' }
  await createResponses({ store: store.responses, blobs, clock })
    .at(own)
    .save(saved('resp-1', { content: large('a') }))
  for (const answer of ['<html>Sign in</html>', '{"error":"sign in"}', '', `{"text":"\\x${'\\x'.repeat(400_000)}"}`, '['.repeat(100_000)]) {
    const read = async () => Readable.from([Buffer.from(answer.slice(0, 5)), Buffer.from(answer.slice(5))])
    const outer = createResponses({ store: store.responses, clock, blobs: reading(blobs, read) }).at(own)
    await assert.rejects(outer.get('resp-1'), { code: 'store_unavailable' }, answer.slice(0, 20))
  }
})

test('no temporary file stays behind; a refused write leaves a blob without references', async context => {
  const { store, responses, blobKeys, directory } = await setUp(context)
  await responses.at({ accountId: 'account-1', endpoint: 'default' }).save(saved('resp-1', { content: large('a') }))
  await assert.rejects(responses.at({ accountId: 'account-2', endpoint: 'default' }).save(saved('resp-1', { content: large('b') })), {
    code: 'conflict',
  })
  assert.deepEqual(await readdir(join(directory, 'gateway-scratch')), [])
  assert.equal((await store.unreferenced(await blobKeys())).length, 1)
})

test('a large content is read as it was saved, however its bytes are split, in many turns of the event loop', async context => {
  const { store, blobs, clock } = await setUp(context)
  const text = '"\\\\\\"\u0001ä漢\u{1f98a}\ud83d'.repeat(40_000)
  const content = {
    ['__proto__']: text,
    list: [text, 'short', { deep: [`${text}\\`, 1.5, null, true] }],
    [text.slice(0, 70_000)]: 'long key',
  }
  const inner = createResponses({ store: store.responses, blobs, clock }).at({ accountId: 'account-1', endpoint: 'default' })
  await inner.save(saved('resp-1', { content }))
  const { key = '' } = (await store.responses.contentBlob('resp-1')) ?? {}
  const whole = await buffer(await blobs.read(key))
  for (const size of [7, 65_521, whole.length]) {
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
    }
    const read = async () => Readable.from(chunks())
    const outer = createResponses({ store: store.responses, clock, blobs: reading(blobs, read) }).at({
      accountId: 'account-1',
      endpoint: 'default',
    })
    let turns = 0
    let isRead = false
    const answer = outer.get('resp-1').finally(() => {
      isRead = true
    })
    while (!isRead) {
      await nextTurn()
      turns += 1
    }
    assert.deepEqual((await answer)?.content, content)
    assert.ok(turns >= whole.length / 2 ** 20, `${turns} turns for ${whole.length} bytes`)
  }
})

test('few conversations are read at the same time, and an account with many of them does not delay others', async context => {
  const { store, blobs, clock } = await setUp(context)
  const begun: string[] = []
  let open = (): void => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const read = (key: string) => gate.then(() => blobs.read(key))
  const responses = createResponses({ store: store.responses, clock, blobs: reading(blobs, read) })
  for (const account of ['account-1', 'account-2'])
    await responses.at({ accountId: account, endpoint: 'default' }).save(saved(account, { content: large('a') }))
  const ended: string[] = []
  const readAs = async (account: string): Promise<void> => {
    await responses.at({ accountId: account, endpoint: 'default' }).readChain(account, async ({ records, withContent }) => {
      begun.push(account)
      for (const record of records) await withContent(record)
    })
    ended.push(account)
  }
  const reads = Array.from({ length: 10 }, () => readAs('account-1'))
  await until(() => begun.length > 0, 'the first reads')
  reads.push(readAs('account-2'))
  // The store answers in order. When this read has ended, the last call of `readAs` has read its
  // row as well.
  await store.responses.chain('account-2', startedAt)
  await nextTurn()
  assert.deepEqual(begun, ['account-1', 'account-1'])
  open()
  await Promise.all(reads)
  assert.ok(ended.indexOf('account-2') <= 4, ended.join(' '))
})

test('a caller that disconnects leaves the queue for reading', async context => {
  const { store, blobs, clock } = await setUp(context)
  const left = new AbortController()
  const responses = createResponses({ store: store.responses, blobs, clock })
  const mine = responses.at({ accountId: 'account-1', endpoint: 'default' }, () => left.signal)
  await mine.save(saved('resp-1', { content: large('a') }))
  left.abort(new Error('The caller left.'))
  await assert.rejects(mine.get('resp-1'), /The caller left/)
  assert.equal((await mine.find('resp-1'))?.content, undefined)
  assert.deepEqual((await responses.at({ accountId: 'account-1', endpoint: 'default' }).get('resp-1'))?.content, large('a'))
})

function chainOf(responses: AccountResponses, id: string): Promise<ResponseRecord[]> {
  return responses.readChain(id, async ({ records, withContent }) => {
    const turns: ResponseRecord[] = []
    for (const record of records) turns.push(await withContent(record))
    return turns
  })
}

function reading(blobs: BlobStore, read: BlobStore['read']): Pick<BlobStore, 'adopt' | 'read' | 'scratch'> {
  return { adopt: file => blobs.adopt(file), scratch: name => blobs.scratch(name), read }
}

async function setUp(context: TestContext) {
  const clock = { time: startedAt, now: () => clock.time }
  const directory = await mkdtemp(join(tmpdir(), 'gateway-responses-'))
  const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), clock })
  const blobs = await openFileStore({ directory, clock })
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  return {
    store,
    blobs,
    clock,
    directory,
    responses: createResponses({ store: store.responses, blobs, clock }),
    blobKeys: () => blobs.list({ adoptedBefore: Number.MAX_SAFE_INTEGER, limit: 100 }),
  }
}

function saved(id: string, changes: Partial<SavedResponse> = {}): SavedResponse {
  return { id, model: 'model-1', content: { text: id }, expiresAt: startedAt + hour, ...changes }
}

function withoutContent(id: string, changes: Partial<SavedResponse>): SavedResponse {
  const { content: _, ...rest } = saved(id, changes)
  return rest
}

function large(text: string): { text: string } {
  return { text: text.padEnd(rowLimit, '.') }
}
