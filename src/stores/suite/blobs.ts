import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { BlobStore } from '../../core/ports/blobs.ts'

/** A blob store for one case. */
export interface BlobsUnderTest {
  blobs: BlobStore
  /** Advances the store's clock by more than the time for which `remove` keeps newly adopted
   *  blobs. */
  passTime(): void
  now(): number
  reopen(): Promise<BlobStore>
  dispose(): Promise<void>
}

interface Case {
  underTest: BlobsUnderTest
  blobs: BlobStore
  /** Writes a file outside the store. */
  upload(name: string, content: string | Buffer): Promise<string>
}

/** Tests the contract of `BlobStore`, which every implementation must keep. `open` returns a new
 *  empty store for each case. */
export function blobStoreSuite(name: string, open: () => Promise<BlobsUnderTest>): void {
  function check(title: string, body: (given: Case) => Promise<void>): void {
    test(title, async () => {
      const underTest = await open()
      const uploads = await mkdtemp(join(tmpdir(), 'gateway-uploads-'))
      const upload = async (fileName: string, content: string | Buffer) => {
        await writeFile(join(uploads, fileName), content)
        return join(uploads, fileName)
      }
      try {
        await body({ underTest, blobs: underTest.blobs, upload })
      } finally {
        await underTest.dispose()
        await rm(uploads, { recursive: true })
      }
    })
  }
  describe(`blob store: ${name}`, () => {
    adoptCases(check)
    readCases(check)
    removeCases(check)
    scratchCases(check)
  })
}

type CheckBlobs = (title: string, body: (given: Case) => Promise<void>) => void

function adoptCases(check: CheckBlobs): void {
  check('an adopted file is the store’s: hash, length and bytes are right and the original is gone', async ({ blobs, upload }) => {
    const content = Buffer.alloc(3 * 1024 * 1024 + 17, 'picture')
    const file = await upload('a.png', content)
    const adopted = await blobs.adopt(file)
    assert.equal(adopted.bytes, content.length)
    assert.equal(adopted.sha256, createHash('sha256').update(content).digest('hex'))
    assert.deepEqual(await readAll(blobs, adopted.key), content)
    await assert.rejects(access(file), { code: 'ENOENT' })
  })

  check('an empty file can be adopted', async ({ blobs, upload }) => {
    const { key, bytes } = await blobs.adopt(await upload('empty', ''))
    assert.equal(bytes, 0)
    assert.equal((await readAll(blobs, key)).length, 0)
  })

  // A store may give equal content one key or several. A store in S3 cannot check for a blob and
  // delete it in one step, so there each call of `adopt` gets a new key
  // (docs/decisions/0052-blobs-in-s3.md).
  check('equal content is whole under each of its keys, however often and at once it comes', async ({ blobs, upload, underTest }) => {
    const files = await Promise.all(['a', 'b', 'c', 'd'].map(name => upload(name, 'same')))
    const adopted = await Promise.all(files.map(file => blobs.adopt(file)))
    const other = await blobs.adopt(await upload('e', 'other'))
    assert.equal(new Set(adopted.map(blob => blob.sha256)).size, 1)
    const same = [...new Set(adopted.map(blob => blob.key))].sort()
    const keys = await blobs.list({ adoptedBefore: underTest.now() + 1, limit: 10 })
    assert.deepEqual(keys, [...same, other.key].sort())
    underTest.passTime()
    for (const key of [...same]) {
      assert.equal((await readAll(blobs, key)).toString(), 'same')
      await blobs.remove(key)
      await assert.rejects(blobs.read(key), { code: 'gone' })
    }
    assert.equal((await readAll(blobs, other.key)).toString(), 'other')
  })

  check('a file that is not there cannot be adopted', async ({ blobs }) => {
    await assert.rejects(blobs.adopt('/nowhere/at/all'), { code: 'store_unavailable' })
  })

  check('blobs are there after opening the store again', async ({ blobs, upload, underTest }) => {
    const { key } = await blobs.adopt(await upload('a', 'kept'))
    assert.equal((await readAll(await underTest.reopen(), key)).toString(), 'kept')
  })
}

function readCases(check: CheckBlobs): void {
  check('a range is read from its first to its last byte', async ({ blobs, upload }) => {
    const { key } = await blobs.adopt(await upload('a', '0123456789'))
    assert.equal((await readAll(blobs, key, { start: 2, end: 5 })).toString(), '2345')
    assert.equal((await readAll(blobs, key, { start: 9, end: 9 })).toString(), '9')
  })

  check('a missing blob, or a key that is none, is gone', async ({ blobs }) => {
    for (const key of ['0'.repeat(64), `${'0'.repeat(32)}-${'0'.repeat(64)}`, '', '../../../etc/passwd', `../../${'0'.repeat(61)}`]) {
      await assert.rejects(blobs.read(key), { code: 'gone' })
      await assert.rejects(blobs.localFile(key, await blobs.scratch('job')), { code: 'gone' })
    }
  })

  check('an engine gets the bytes as a local file', async ({ blobs, upload }) => {
    const { key } = await blobs.adopt(await upload('a', 'for the engine'))
    for (const folder of [await blobs.scratch('job'), await blobs.scratch('job')])
      for (let time = 1; time <= 2; time++) assert.equal(await readFile(await blobs.localFile(key, folder), 'utf8'), 'for the engine')
  })
}

function removeCases(check: CheckBlobs): void {
  check('a removed blob is gone, and removing it again is no error', async ({ blobs, upload, underTest }) => {
    const { key } = await blobs.adopt(await upload('a', 'short-lived'))
    underTest.passTime()
    await blobs.remove(key)
    await blobs.remove(key)
    await assert.rejects(blobs.read(key), { code: 'gone' })
    assert.deepEqual(await blobs.list({ adoptedBefore: underTest.now() + 1, limit: 10 }), [])
  })

  check('a blob adopted a moment ago, or adopted again, is not removed', async ({ blobs, upload, underTest }) => {
    const { key } = await blobs.adopt(await upload('a', 'shared'))
    await blobs.remove(key)
    assert.equal((await readAll(blobs, key)).toString(), 'shared')
    underTest.passTime()
    const again = await blobs.adopt(await upload('b', 'shared'))
    await blobs.remove(key)
    assert.equal((await readAll(blobs, again.key)).toString(), 'shared')
  })

  check(
    'a blob that is kept for a further row is not removed, and one that is gone cannot be kept',
    async ({ blobs, upload, underTest }) => {
      const { key } = await blobs.adopt(await upload('a', 'shared'))
      underTest.passTime()
      const kept = await blobs.keep(key)
      await blobs.remove(key)
      await blobs.remove(kept)
      assert.equal((await readAll(blobs, kept)).toString(), 'shared')
      underTest.passTime()
      await blobs.remove(kept)
      assert.deepEqual(await blobs.list({ adoptedBefore: underTest.now() + 1, limit: 10 }), [])
      for (const gone of [key, kept, '', '../../../etc/passwd']) await assert.rejects(blobs.keep(gone), { code: 'gone' })
    },
  )

  check('blobs are listed in order, in pages, and only those adopted long enough ago', async ({ blobs, upload, underTest }) => {
    const keys: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) keys.push((await blobs.adopt(await upload(name, name))).key)
    keys.sort()
    underTest.passTime()
    const { key: newest } = await blobs.adopt(await upload('f', 'f'))
    const adoptedBefore = underTest.now()
    const firstPage = await blobs.list({ adoptedBefore, limit: 3 })
    const secondPage = await blobs.list({ adoptedBefore, limit: 3, after: firstPage.at(-1) ?? '' })
    assert.deepEqual([...firstPage, ...secondPage], keys)
    assert.equal(firstPage.length, 3)
    assert.ok((await blobs.list({ adoptedBefore: adoptedBefore + 1, limit: 10 })).includes(newest))
  })
}

function scratchCases(check: CheckBlobs): void {
  check('a marker is what was written first, also of several at once and after a reopening', async ({ blobs, underTest }) => {
    assert.equal(await blobs.marker(), undefined)
    const texts = ['a', 'b', 'c', 'd']
    const [first = '', ...others] = await Promise.all(texts.map(text => blobs.mark(text)))
    assert.ok(texts.includes(first))
    assert.deepEqual(others, [first, first, first])
    assert.equal(await blobs.mark('late'), first)
    assert.equal(await (await underTest.reopen()).marker(), first)
    assert.deepEqual(await blobs.list({ adoptedBefore: underTest.now() + 1, limit: 10 }), [])
  })

  check('scratch folders are empty and each is new, whatever their name', async ({ blobs }) => {
    const folders = await Promise.all(['job', 'job', '../../job', ''].map(name => blobs.scratch(name)))
    assert.equal(new Set(folders).size, 4)
    for (const folder of folders) assert.deepEqual(await readdir(folder), [])
  })

  check('a file written in a scratch folder can be adopted', async ({ blobs }) => {
    const folder = await blobs.scratch('job')
    await writeFile(join(folder, 'out.png'), 'result')
    const { key } = await blobs.adopt(join(folder, 'out.png'))
    assert.equal((await readAll(blobs, key)).toString(), 'result')
    assert.deepEqual(await readdir(folder), [])
  })

  check('scratch folders do not outlive the store', async ({ blobs, underTest }) => {
    const folder = await blobs.scratch('job')
    await writeFile(join(folder, 'half-done'), 'x')
    await underTest.reopen()
    await assert.rejects(access(folder), { code: 'ENOENT' })
  })

  check('the free room is known, and a store that works has no problem', async ({ blobs }) => {
    assert.ok((await blobs.freeBytes()) > 0)
    assert.equal(await blobs.problem(), undefined)
    assert.match(blobs.place, /^(folder of blobs|bucket) ./)
  })
}

async function readAll(blobs: BlobStore, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await blobs.read(key, range)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
