import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TaskStore } from '../../core/ports/store.ts'
import { openFileStore } from '../files/open.ts'
import { newTask } from '../suite/samples.ts'
import { openSqliteStore } from './open.ts'

const secretKey = Buffer.alloc(32, 7)
const shimSource = fileURLToPath(new URL('./testing/failing-fsync.c', import.meta.url))
const shimmedProgram = fileURLToPath(new URL('./testing/failing-fsync.ts', import.meta.url))
const bigRequest = { inline: { prompt: 'x'.repeat(7000) } }

describe('a full disk', { skip: whyNoMount() }, () => {
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory])
  })
  after(async () => {
    execFileSync('umount', [directory])
    await rm(directory, { recursive: true })
  })

  test('refuses submits with disk_full, loses no acknowledged one, and recovers when there is room', async () => {
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(1024 * 1024))
    const store = await openSqliteStore({ directory, secretKey })
    const acknowledged = await submitUntilRefused(store)
    assert.ok(acknowledged.length > 30)
    await assert.rejects(store.submit(newTask('refused', { request: bigRequest })), { code: 'disk_full' })
    store.assertWritable()
    await rm(ballast)
    assert.equal((await store.submit(newTask('after', { request: bigRequest }))).outcome, 'created')
    await store.close()

    const reopened = await openSqliteStore({ directory, secretKey })
    for (const id of [...acknowledged, 'after']) assert.ok(await reopened.get(id), `${id} is kept`)
    assert.equal(await reopened.get('refused'), undefined)
    await reopened.close()
  })

  test('makes the blob store refuse with disk_full, and recover', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'gateway-upload-'))
    const blobs = await openFileStore({ directory })
    const [small, large] = [join(elsewhere, 'small'), join(elsewhere, 'large')]
    await writeFile(large, Buffer.alloc(8 * 1024 * 1024, 1))
    await writeFile(small, 'small')
    assert.ok((await blobs.freeBytes()) < 4 * 1024 * 1024)
    await assert.rejects(blobs.adopt(large), { code: 'disk_full' })
    assert.equal((await blobs.adopt(small)).bytes, 5)
    await rm(elsewhere, { recursive: true })
  })
})

test('blobs on another mount of the same disk, as in a container, are written', { skip: whyNoMount() }, async context => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-mounts-'))
  const [disk, blobsFolder] = [join(directory, 'disk'), join(directory, 'blobs')]
  for (const folder of [disk, blobsFolder]) await mkdir(folder)
  execFileSync('mount', ['--bind', disk, blobsFolder])
  context.after(async () => {
    execFileSync('umount', [blobsFolder])
    await rm(directory, { recursive: true })
  })
  const blobs = await openFileStore({ directory, blobsFolder })
  for (const content of ['first', 'second']) {
    const file = join(await blobs.scratch('job'), 'a')
    await writeFile(file, content)
    const { key } = await blobs.adopt(file)
    assert.equal(await readFile(await blobs.localFile(key, directory), 'utf8'), content)
    await assert.rejects(stat(file), { code: 'ENOENT' })
  }
  assert.deepEqual(await readdir(join(blobsFolder, 'moving')), [])
})

test('after a failed fsync, both stores refuse all writes until a restart, and can still be read', { skip: whyNoShim() }, async context => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-fsync-'))
  context.after(() => rm(directory, { recursive: true }))
  const shim = join(directory, 'failing-fsync.so')
  execFileSync('gcc', ['-shared', '-fPIC', '-o', shim, shimSource, '-ldl'])
  const [data, flag] = [join(directory, 'data'), join(directory, 'flag')]
  const child = spawnSync(process.execPath, [shimmedProgram, data, flag], {
    env: { ...process.env, LD_PRELOAD: shim, FAIL_FSYNC_ONCE: flag },
    encoding: 'utf8',
  })
  assert.equal(child.status, 0, child.stderr)
  assert.deepEqual(JSON.parse(child.stdout), {
    before: 'done',
    adoptBefore: 'done',
    during: ['store_unavailable'],
    adoptDuring: 'store_unavailable',
    after: 'store_unavailable',
    heartbeatAfter: 'store_unavailable',
    adoptAfter: 'store_unavailable',
    writable: 'store_unavailable',
    read: 'queued',
    tasks: ['task-before'],
  })
  const restarted = await openSqliteStore({ directory: data, secretKey })
  assert.ok(await restarted.get('task-before'))
  assert.equal((await restarted.submit(newTask('task-restarted'))).outcome, 'created')
  await restarted.close()
})

async function submitUntilRefused(store: TaskStore): Promise<string[]> {
  const acknowledged: string[] = []
  for (let count = 0; count < 2000; count += 1) {
    const id = `task-${count}`
    try {
      await store.submit(newTask(id, { request: bigRequest }))
      acknowledged.push(id)
    } catch {
      return acknowledged
    }
  }
  throw new Error('the disk did not fill')
}

/** Returns the reason why this test cannot mount a small file system; false when it can. */
function whyNoMount(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small tmpfs needs root on Linux'
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0 ? false : 'mount is not permitted here'
}

function whyNoShim(): string | false {
  if (process.platform !== 'linux') return 'the LD_PRELOAD shim is for Linux'
  return spawnSync('gcc', ['--version']).status === 0 ? false : 'gcc is not installed'
}
