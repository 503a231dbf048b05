import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { newTestTask, openTestStore, silentLog, type TestStore } from '../../testing/stores/store.ts'
import { Sweeper } from './sweeper.ts'

const hour = 3_600_000

async function adopt({ blobs }: TestStore, text: string): Promise<string> {
  const file = join(await blobs.scratch('test'), 'file')
  await writeFile(file, text)
  return (await blobs.adopt(file)).key
}

async function blobFiles({ directory }: TestStore): Promise<string[]> {
  const names = await readdir(join(directory, 'blobs'), { recursive: true })
  return names.filter(name => name.includes('/')).map(name => name.replace('/', ''))
}

test("blobs without a row are deleted after an hour, blobs of tasks after the task's retention", async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { store, blobs } = opened
  const key = await adopt(opened, 'an input')
  const orphan = await adopt(opened, 'left behind by a crash')
  const artifact = { id: 'blob-1', kind: 'input', role: 'image', index: 0, mediaType: 'text/plain', bytes: 8, sha256: key } as const
  const expiresAt = clock.now() + 24 * hour
  await store.submit(newTestTask('t1', clock.now(), { inputs: [{ key, expiresAt, artifact }], expiresAt }))
  await store.cancel('t1', clock.now())
  const sweeper = new Sweeper({ store, responses: store.responses, blobs, clock, log: silentLog })
  await sweeper.sweep()
  assert.deepEqual((await blobFiles(opened)).sort(), [key, orphan].sort())
  clock.step(hour + 1)
  await sweeper.sweep()
  assert.deepEqual(await blobFiles(opened), [key])
  clock.step(24 * hour)
  await sweeper.sweep()
  assert.deepEqual(await blobFiles(opened), [])
  assert.equal(await store.get('t1'), undefined)
})

test('one sweep deletes a backlog of more tasks than one commit allows', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { store, blobs } = opened
  const ids = Array.from({ length: 1_200 }, (_, index) => `task-${index}`)
  await Promise.all(ids.map(id => store.submit(newTestTask(id, clock.now(), { expiresAt: clock.now() + hour }))))
  await Promise.all(ids.map(id => store.cancel(id, clock.now())))
  clock.step(2 * hour)
  await new Sweeper({ store, responses: store.responses, blobs, clock, log: silentLog }).sweep()
  assert.deepEqual(await store.list({ limit: 10 }), [])
})

test('a failed sweep is logged, and the next one works', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { store, blobs } = opened
  let isBroken = true
  const errors: object[] = []
  const flaky = {
    sweep: (now: number, limit: number) => (isBroken ? Promise.reject(new Error('disk')) : store.sweep(now, limit)),
    unreferenced: (keys: string[]) => store.unreferenced(keys),
  }
  const sweeper = new Sweeper({
    store: flaky,
    responses: store.responses,
    blobs,
    clock,
    log: { ...silentLog, error: fields => errors.push(fields) },
  })
  const orphan = await adopt(opened, 'left behind')
  clock.step(2 * hour)
  await sweeper.sweep()
  assert.equal(errors.length, 1)
  assert.deepEqual(await blobFiles(opened), [orphan])
  isBroken = false
  await sweeper.sweep()
  assert.deepEqual(await blobFiles(opened), [])
  await sweeper.stop(1_000)
})

test('a stop waits neither for further blobs nor for a bucket that does not answer', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { store } = opened
  const removed: string[] = []
  const answer = Promise.withResolvers<void>()
  const blobs = {
    list: async () => ['a', 'b'],
    remove: (key: string) => {
      removed.push(key)
      return answer.promise
    },
  }
  const sweeper = new Sweeper({ store, responses: store.responses, blobs, clock, log: silentLog })
  const sweep = sweeper.sweep()
  await until(() => removed.length > 0 || undefined, 'the first removal')
  await sweeper.stop(10)
  answer.resolve()
  await sweep
  assert.deepEqual(removed, ['a'])
})
