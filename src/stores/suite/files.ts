import assert from 'node:assert/strict'
import type { StoredFile } from '../../core/ports/files.ts'
import { type Check, claimOne, day, type FullStore, newBlob, newTask, startedAt, succeeded } from './samples.ts'

const owner = { accountId: 'account-1', family: 'M' }
const end = startedAt + 30 * day

function file(id: string, changes: Partial<StoredFile> = {}): StoredFile {
  return {
    ...owner,
    id,
    endpoint: 'default',
    purpose: 'vocal',
    key: `content-${id}`,
    sha256: `sha-of-${id}`,
    facts: { mediaType: 'audio/mpeg', bytes: 4_321, durationSeconds: 12.5 },
    createdAt: startedAt,
    expiresAt: end,
    ...changes,
  }
}

/** Adds the cases for the files that accounts store. */
export function fileCases(check: Check): void {
  check('a file is read back as it was written, also after closing and opening again', async ({ files }, underTest) => {
    const plain = file('file-1')
    const full = file('file-2', { name: 'ä "name".mp3', detail: { voice: { id: 7 } }, purpose: 'reference' })
    await files.put(plain)
    await files.put(full)
    assert.deepEqual(await files.get(owner, 'file-1', startedAt), plain)
    const reopened = await underTest.reopen()
    assert.deepEqual(await reopened.files.get(owner, 'file-2', startedAt), full)
  })

  check(
    'a file is its account’s and its family’s: others neither see nor remove it, and may have one of the same id',
    async ({ files }) => {
      await files.put(file('file-1'))
      const others = [
        { ...owner, accountId: 'account-2' },
        { ...owner, family: 'K' },
      ]
      for (const other of others) {
        assert.equal(await files.get(other, 'file-1', startedAt), undefined)
        assert.deepEqual(await files.list(other, { limit: 10 }, startedAt), [])
        assert.equal(await files.remove(other, 'file-1', startedAt), false)
        const own = file('file-1', { ...other, name: other.accountId })
        await files.put(own)
        assert.deepEqual(await files.get(other, 'file-1', startedAt), own)
      }
      assert.deepEqual(await files.get(owner, 'file-1', startedAt), file('file-1'))
    },
  )

  check('an id is taken once', async ({ files }) => {
    await files.put(file('file-1'))
    await assert.rejects(files.put(file('file-1', { key: 'other' })), { code: 'conflict' })
    assert.equal((await files.get(owner, 'file-1', startedAt))?.key, 'content-file-1')
  })

  check('lists run from new to old, in pages, and by purpose', async ({ files }) => {
    for (const id of ['file-1', 'file-2', 'file-3', 'file-4']) await files.put(file(id, { purpose: id === 'file-3' ? 'melody' : 'vocal' }))
    await files.put(file('file-9', { accountId: 'account-2' }))
    const ids = async (filter: object) => (await files.list(owner, { limit: 2, ...filter }, startedAt)).map(({ id }) => id)
    assert.deepEqual(await ids({}), ['file-4', 'file-3'])
    assert.deepEqual(await ids({ before: 'file-3' }), ['file-2', 'file-1'])
    assert.deepEqual(await ids({ purpose: 'vocal' }), ['file-4', 'file-2'])
    assert.deepEqual(await ids({ purpose: 'vocal', before: 'file-2', limit: 10 }), ['file-1'])
    assert.deepEqual(await ids({ purpose: 'other' }), [])
  })

  check('past its end nothing finds it, and the sweep takes it with its bytes', async store => {
    const { files } = store
    await files.put(file('file-1'))
    await files.put(file('file-2', { expiresAt: end + day }))
    assert.ok(await files.get(owner, 'file-1', end - 1))
    assert.equal(await files.get(owner, 'file-1', end), undefined)
    assert.deepEqual(
      (await files.list(owner, { limit: 10 }, end)).map(({ id }) => id),
      ['file-2'],
    )
    assert.equal(await files.remove(owner, 'file-1', end), false)
    assert.deepEqual(await store.unreferenced(['content-file-1']), [])
    assert.deepEqual(await store.sweep(end - 1, 10), { tasks: 0, blobKeys: [] })
    assert.deepEqual(await store.sweep(end, 10), { tasks: 0, blobKeys: ['content-file-1'] })
    assert.deepEqual(await store.unreferenced(['content-file-1', 'content-file-2']), ['content-file-1'])
    assert.equal((await files.get(owner, 'file-2', end))?.key, 'content-file-2')
  })

  check('a removed file is gone at once, once, and its bytes with the next sweep', async store => {
    const { files } = store
    await files.put(file('file-1'))
    assert.equal(await files.remove(owner, 'file-1', startedAt), true)
    assert.equal(await files.get(owner, 'file-1', startedAt), undefined)
    assert.deepEqual(await files.list(owner, { limit: 10 }, startedAt), [])
    assert.equal(await files.remove(owner, 'file-1', startedAt), false)
    assert.deepEqual(await store.sweep(startedAt, 10), { tasks: 0, blobKeys: ['content-file-1'] })
    await files.put(file('file-1'))
  })

  check('bytes that a task or another file has as well stay until the last of them goes', async store => {
    const { files } = store
    await files.put(file('file-1', { key: 'shared' }))
    await files.put(file('file-2', { key: 'shared', expiresAt: end + day }))
    await finish(store, 'task-1', end + 2 * day)
    const sweepAt = async (at: number) => (await store.sweep(at, 10)).blobKeys
    assert.deepEqual(await sweepAt(end), [])
    assert.deepEqual(await sweepAt(end + day), [])
    assert.deepEqual(await store.unreferenced(['shared']), [])
    assert.deepEqual(await sweepAt(end + 2 * day), ['shared'])
  })

  check('bytes of a swept task that a file has as well stay', async store => {
    await store.files.put(file('file-1', { key: 'shared' }))
    await finish(store, 'task-1', startedAt + day)
    assert.deepEqual(await store.sweep(startedAt + day, 10), { tasks: 1, blobKeys: [] })
    assert.equal(await store.files.remove(owner, 'file-1', startedAt), true)
    assert.deepEqual((await store.sweep(startedAt + day, 10)).blobKeys, ['shared'])
  })

  check('a sweep takes no more files than asked', async store => {
    for (const id of ['file-1', 'file-2', 'file-3']) await store.files.put(file(id))
    assert.equal((await store.sweep(end, 2)).blobKeys.length, 2)
    assert.equal((await store.sweep(end, 2)).blobKeys.length, 1)
  })
}

/** Runs a task with the bytes `shared` as its input, kept until `expiresAt`. */
async function finish(store: FullStore, id: string, expiresAt: number): Promise<void> {
  await store.submit(newTask(id, { expiresAt, inputs: [newBlob(`in-${id}`, { key: 'shared', kind: 'input', expiresAt })] }))
  const { token } = await claimOne(store)
  await store.settle(id, token, succeeded())
}
