import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { BlobCache } from './cache.ts'

/** Opens a cache with room for two blobs of 1,000 bytes. `fetched` lists the keys that the cache
 *  has fetched. */
async function openCache(context: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'gateway-cache-'))
  context.after(() => rm(root, { recursive: true }))
  const [folder, work] = [await mkdtemp(join(root, 'cache-')), await mkdtemp(join(root, 'work-'))]
  const blobs = new Map<string, Buffer>()
  const fetched: string[] = []
  const fetch = async (key: string) => {
    fetched.push(key)
    return Readable.from([blobs.get(key) ?? Buffer.alloc(0)])
  }
  const cache = new BlobCache({ folder, mostBytes: 2_000, fetch })
  const add = (letter: string) => {
    const bytes = Buffer.alloc(1_000, letter)
    const key = createHash('sha256').update(bytes).digest('hex')
    blobs.set(key, bytes)
    return key
  }
  let names = 0
  const place = async (key: string) => {
    const target = join(work, String(names++))
    await cache.place(key, target)
    return target
  }
  return { cache, folder, work, fetched, blobs, add, place }
}

test('the most recently used copies stay, within the size limit', async context => {
  const { folder, fetched, add, place } = await openCache(context)
  const [a, b, c] = [add('a'), add('b'), add('c')]
  for (const key of [a, b, a, c, a]) await place(key)
  assert.deepEqual(fetched, [a, b, c])
  assert.equal((await readdir(folder)).length, 2)
  await place(b)
  assert.deepEqual(fetched, [a, b, c, b])
})

test('a file that a caller reads stays unchanged, whatever the cache does', async context => {
  const { cache, add, place } = await openCache(context)
  const a = add('a')
  const target = await place(a)
  for (const letter of ['b', 'c', 'd']) await place(add(letter))
  await cache.drop(a)
  await cache.clear()
  assert.equal(await readFile(target, 'utf8'), 'a'.repeat(1_000))
})

test('a copy that a caller has changed is fetched again', async context => {
  const { fetched, add, place } = await openCache(context)
  const a = add('a')
  await appendFile(await place(a), 'more')
  assert.equal(await readFile(await place(a), 'utf8'), 'a'.repeat(1_000))
  await writeFile(await place(a), 'b'.repeat(1_000))
  assert.equal(await readFile(await place(a), 'utf8'), 'a'.repeat(1_000))
  assert.equal(fetched.length, 3)
})

test('bytes that differ from the stored ones are refused, and nothing stays', async context => {
  const { folder, work, blobs, add, place } = await openCache(context)
  const a = add('a')
  blobs.set(a, Buffer.alloc(1_000, 'b'))
  await assert.rejects(place(a), { code: 'store_unavailable', message: /other bytes/ })
  assert.deepEqual([await readdir(folder), await readdir(work)], [[], []])
})

test('an adopted file becomes a copy, and one that exceeds the limit is removed', async context => {
  const { cache, folder, work, fetched, add, place } = await openCache(context)
  const a = add('a')
  const file = join(work, 'adopted')
  await writeFile(file, 'a'.repeat(1_000))
  await cache.add(a, file)
  assert.equal(await readFile(await place(a), 'utf8'), 'a'.repeat(1_000))
  assert.deepEqual(fetched, [])
  const large = join(work, 'large')
  await writeFile(large, 'x'.repeat(5_000))
  await cache.add(add('x'), large)
  assert.deepEqual(await readdir(folder), [])
  await cache.add(a, join(work, 'not there'))
})

test('simultaneous copies of one blob leave one copy, which is counted once', async context => {
  const { cache, folder, work, fetched, add, place } = await openCache(context)
  const [a, b] = [add('a'), add('b')]
  for (let round = 0; round < 20; round++) {
    const files = Array.from({ length: 8 }, (_, index) => join(work, `adopted-${round}-${index}`))
    for (const file of files) await writeFile(file, 'a'.repeat(1_000))
    await Promise.all(files.map(file => cache.add(a, file)))
  }
  assert.equal((await readdir(folder)).length, 1)
  for (const key of [b, a, b]) await place(key)
  assert.deepEqual(fetched, [b])
})

test('many simultaneous callers get the same bytes', async context => {
  const { folder, add, place } = await openCache(context)
  const keys = ['a', 'b', 'c', 'd'].map(add)
  const targets = await Promise.all(Array.from({ length: 60 }, (_, index) => place(keys[index % 4] ?? '')))
  for (const [index, target] of targets.entries()) assert.equal(await readFile(target, 'utf8'), 'abcd'.charAt(index % 4).repeat(1_000))
  assert.ok((await readdir(folder)).length <= 2)
})

test('callers that need a blob at the same time share one download, and each can leave alone', async context => {
  const { blobs, fetched, add, place, cache, work, folder } = await openCache(context)
  const a = add('a')
  const nowhere = cache.place(a, join(work, 'missing', 'file'))
  const placed = Promise.all([place(a), place(a), place(a)])
  await assert.rejects(nowhere, { code: 'ENOENT' })
  for (const target of await placed) assert.equal(await readFile(target, 'utf8'), 'a'.repeat(1_000))
  assert.deepEqual(fetched, [a])
  const b = add('b')
  blobs.set(b, Buffer.from('damaged'))
  const failed = await Promise.allSettled([place(b), place(b)])
  assert.deepEqual(
    failed.map(end => end.status === 'rejected' && end.reason.code),
    ['store_unavailable', 'store_unavailable'],
  )
  assert.deepEqual(fetched, [a, b])
  add('b')
  await place(b)
  assert.equal((await readdir(folder)).length, 2)
})
