import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { blobStoreSuite } from '../suite/blobs.ts'
import { openFileStore } from './open.ts'
import { openScratch } from './scratch.ts'

const hour = 3600 * 1000
/** A folder on another file system than the temporary files; undefined when there is none. */
const otherFileSystem = await findOtherFileSystem()

blobStoreSuite('files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
  let now = 1_800_000_000_000
  const clock = { now: () => now }
  let scratch = await openScratch(directory, 'node')
  return {
    blobs: await openFileStore({ directory, scratchFolder: scratch.folder, clock }),
    passTime() {
      now += hour
    },
    now: clock.now,
    async reopen() {
      await scratch.close()
      scratch = await openScratch(directory, 'node')
      return openFileStore({ directory, scratchFolder: scratch.folder, clock })
    },
    async dispose() {
      await scratch.close()
      await rm(directory, { recursive: true })
    },
  }
})

test('blobs and folders are private', async context => {
  const directory = await temporaryDirectory(context)
  const blobs = await openFileStore({ directory })
  const file = join(await blobs.scratch('job'), 'a')
  await writeFile(file, 'private', { mode: 0o644 })
  const { key } = await blobs.adopt(file)
  const stored = await blobs.localFile(key, directory)
  assert.equal(stored, join(directory, 'blobs', key.slice(0, 2), key.slice(2)))
  assert.equal((await stat(stored)).mode & 0o777, 0o600)
  for (const folder of ['blobs', 'gateway-scratch', `blobs/${key.slice(0, 2)}`]) {
    assert.equal((await stat(join(directory, folder))).mode & 0o777, 0o700, folder)
  }
})

test('equal content is stored in one file, and uses disk room once', async context => {
  const directory = await temporaryDirectory(context)
  const blobs = await openFileStore({ directory })
  const keys: string[] = []
  for (const name of ['a', 'b']) {
    const file = join(await blobs.scratch('job'), name)
    await writeFile(file, 'same')
    keys.push((await blobs.adopt(file)).key)
  }
  assert.equal(new Set(keys).size, 1)
  assert.equal((await readdir(join(directory, 'blobs', keys[0]?.slice(0, 2) ?? ''))).length, 1)
})

test('other files among the blobs are not listed, and do not hide blobs', async context => {
  const directory = await temporaryDirectory(context)
  const blobs = await openFileStore({ directory })
  const file = join(await blobs.scratch('job'), 'a')
  await writeFile(file, 'kept')
  const { key } = await blobs.adopt(file)
  const folder = join(directory, 'blobs', key.slice(0, 2))
  for (const name of ['.DS_Store', '.nfs0001', `.${key.slice(2)}.Xy12`, 'zz']) await writeFile(join(folder, name), 'foreign')
  assert.deepEqual(await blobs.list({ adoptedBefore: Date.now() + 60_000, limit: 10 }), [key])
})

test('a file on another file system is copied, and nothing is left behind', {
  skip: otherFileSystem === undefined && 'no second file system here',
}, async context => {
  const directory = await temporaryDirectory(context)
  const elsewhere = await mkdtemp(join(otherFileSystem ?? '', 'gateway-upload-'))
  context.after(() => rm(elsewhere, { recursive: true }))
  const blobs = await openFileStore({ directory })
  await writeFile(join(elsewhere, 'a'), 'far away')
  const { key, bytes } = await blobs.adopt(join(elsewhere, 'a'))
  assert.equal(bytes, 8)
  assert.ok(await blobs.localFile(key, directory))
  assert.deepEqual(await readdir(elsewhere), [])
  assert.deepEqual(await readdir(join(directory, 'gateway-scratch')), [])
})

test('content that one node adopts stays, while another node removes equal content as old', async context => {
  const directory = await temporaryDirectory(context)
  let now = Date.now()
  const clock = { now: () => now }
  const nodes = []
  for (const name of ['one', 'other']) {
    const scratch = await openScratch(join(directory, name), name)
    context.after(() => scratch.close())
    const options = { directory: join(directory, name), blobsFolder: join(directory, 'shared'), scratchFolder: scratch.folder, clock }
    nodes.push(await openFileStore(options))
  }
  const [one, other] = nodes
  assert.ok(one && other)
  const adopt = async () => {
    const file = join(await one.scratch('job'), 'a')
    await writeFile(file, 'the same')
    return one.adopt(file)
  }
  const { key } = await adopt()
  for (let round = 0; round < 300; round++) {
    now += hour
    const adopting = adopt()
    // The removals begin at different moments in each round, so that they meet every phase of
    // `adopt`.
    const removing = Array.from({ length: 12 }, async (_, index) => {
      await sleep((round % 20) / 20 + index / 10)
      await other.remove(key)
    })
    await Promise.all([adopting, ...removing])
    assert.ok(await other.localFile(key, directory), `round ${round}`)
  }
  now += hour
  await other.remove(key)
  await assert.rejects(other.localFile(key, directory), { code: 'gone' })
  assert.deepEqual(await readdir(join(directory, 'shared/moving')), [])
})

async function findOtherFileSystem(): Promise<string | undefined> {
  const here = await stat(tmpdir())
  for (const folder of ['/dev/shm', '/tmp', '/var/tmp']) {
    const there = await stat(folder).catch(() => here)
    if (there.dev !== here.dev) return folder
  }
  return undefined
}

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
  context.after(() => rm(directory, { recursive: true }))
  return directory
}

test('while the folder is unreachable its blobs do not count as deleted, and callers learn when to try again', async context => {
  const directory = await temporaryDirectory(context)
  const blobs = await openFileStore({ directory })
  const write = async (text: string) => {
    const file = join(await blobs.scratch('job'), 'f')
    await writeFile(file, text)
    return file
  }
  const { key } = await blobs.adopt(await write('stored'))
  const file = await write('not stored yet')
  const [folder, elsewhere] = [join(directory, 'blobs'), join(directory, 'elsewhere')]
  // An empty folder takes the place of the blobs folder, as when a network folder is not mounted.
  await rename(folder, elsewhere)
  await mkdir(folder)
  const away = { code: 'store_unavailable', message: 'The folder of the files cannot be used now.', retryAfterSeconds: 5 }
  const calls = [blobs.read(key), blobs.localFile(key, directory), blobs.keep(key), blobs.adopt(file)]
  await Promise.all(calls.map(call => assert.rejects(call, away)))
  assert.equal(await blobs.problem(), `The folder of blobs ${folder} cannot be used (ENOENT).`)
  await rm(folder, { recursive: true })
  await rename(elsewhere, folder)
  assert.equal(await blobs.problem(), undefined)
  assert.equal(await blobs.keep(key), key)
  await blobs.adopt(file)
  await assert.rejects(blobs.read('0'.repeat(64)), { code: 'gone' })
})
