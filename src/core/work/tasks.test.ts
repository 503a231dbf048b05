import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import type { StoredBlob } from '../ports/blobs.ts'
import type { StoredFile } from '../ports/files.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
import { Sweeper } from './sweeper.ts'
import { createTasks, type TaskSubmission } from './tasks.ts'

const small: ImageGenerateRequest = {
  prompt: 'x',
  seed: '5',
  width: 64,
  height: 64,
  count: 1,
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}
const large = { ...small, prompt: 'x'.repeat(8 * 1024) }

/** Returns a bench with two records: the outcomes of all submits, and the requests that the
 *  driver received. */
async function openTasks() {
  const seen: { request: JsonObject; inputs: { role: string; text: string }[] }[] = []
  const offer = once<ImageGenerateRequest>(async job => {
    const inputs = job.inputs.map(async ({ role, path }) => ({ role, text: await readFile(path, 'utf8') }))
    seen.push({ request: job.request, inputs: await Promise.all(inputs) })
    return donePixel(job)
  })
  const bench = await openClaimBench(fakeImageDriver('f', offer))
  const { deps, store } = bench
  // The bench itself has submitted the task `t1`.
  await store.cancel('t1', bench.clock.now())
  const model = deps.catalogue().find('F1', 'fake')
  assert.ok(model)
  const submission = (changes: Partial<TaskSubmission>): TaskSubmission => ({
    accountId: 'a',
    keyId: 'k',
    endpoint: 'e',
    family: 'F1',
    capability: 'image.generate',
    model,
    request: small,
    inputs: [],
    publicUrl: 'http://gateway.test',
    quotas: [],
    deadlineMs: 60_000,
    keepMs: 60_000,
    ...changes,
  })
  const tasks = createTasks(deps)
  return {
    ...bench,
    tasks,
    seen,
    submit: (changes: Partial<TaskSubmission> = {}) => tasks.submit(submission(changes)),
    run: async () => {
      const claim = await bench.claim()
      await runClaim(deps, claim, fateOf(claim), new AbortController().signal)
    },
  }
}

test('a request of any size reaches its driver whole, and can be read later', async () => {
  await using opened = await openTasks()
  for (const request of [small, large]) {
    const task = await opened.submit({ request })
    assert.deepEqual(await opened.tasks.request(task.id), request)
    await opened.run()
    assert.deepEqual(opened.seen.pop(), { request, inputs: [] })
    assert.equal((await opened.tasks.get(task.id))?.state, 'succeeded')
  }
  await assert.rejects(opened.tasks.request('none'), { code: 'task_not_found' })
})

test('the values that a family stores to show with a task are returned, however large the request is', async () => {
  await using opened = await openTasks()
  const shown = { size: '1K', text: `${'ä'.repeat(32_756)}a` }
  assert.equal(Buffer.byteLength(JSON.stringify(shown)), 64 * 1024)
  const { id } = await opened.submit({ request: large, shown })
  assert.deepEqual((await opened.tasks.get(id))?.shown, shown)
  assert.equal((await opened.tasks.get((await opened.submit()).id))?.shown, undefined)
})

test('a family that stores more than 64 KiB to show is a fault, and nothing is written', async () => {
  await using opened = await openTasks()
  await assert.rejects(opened.submit({ shown: { text: 'ä'.repeat(32_768) } }), {
    name: 'TypeError',
    message: 'F1 wants to show 65547 bytes of a request; at most 65536',
  })
  assert.equal((await opened.store.list({ accountId: 'a', limit: 10 })).length, 0)
})

test('only the node that a task names may claim it, and the claim reports that a caller waits', async () => {
  await using opened = await openTasks()
  const elsewhere = await opened.submit({ pin: 'another', isInline: true })
  const here = await opened.submit({ pin: 'node', isInline: true })
  const claims = await opened.store.claim('fake:f', 'node', 10, opened.clock.now())
  assert.deepEqual(
    claims.map(({ task, isInline }) => [task.id, isInline]),
    [[here.id, true]],
  )
  assert.equal((await opened.tasks.get(elsewhere.id))?.state, 'queued')
})

const day = 86_400_000

test('a file of the account is used as an input without a copy, and remains for its tasks after its deletion', async () => {
  await using opened = await openTasks()
  const { deps, store, clock, submit, run } = opened
  const { blobs } = deps
  const stored = await storedFile(opened, 'a')
  const { path } = await upload(opened, 'an upload')
  const facts = { mediaType: 'text/plain', bytes: 9 }
  const task = await submit({
    inputs: [
      { stored, role: 'reference' },
      { ...facts, path, role: 'image' },
    ],
    keepMs: 7 * day,
  })
  assert.deepEqual(
    task.artifacts.map(({ id: _, ...artifact }) => artifact),
    [
      { kind: 'input', role: 'reference', index: 0, sha256: stored.sha256, ...stored.facts },
      { kind: 'input', role: 'image', index: 1, sha256: (await blobOf(opened, task.artifacts[1]?.id)).sha256, ...facts },
    ],
  )
  assert.equal((await blobOf(opened, task.artifacts[0]?.id)).key, stored.key)
  await store.files.remove(stored, stored.id, clock.now())
  const sweeper = new Sweeper({ ...deps, responses: store.responses })
  clock.step(day)
  await sweeper.sweep()
  await store.heartbeat('node', clock.now(), day)
  await run()
  assert.deepEqual(opened.seen.pop()?.inputs, [
    { role: 'reference', text: 'a voice' },
    { role: 'image', text: 'an upload' },
  ])
  clock.step(7 * day + 60_000)
  await sweeper.sweep()
  await assert.rejects(blobs.localFile(stored.key, await blobs.scratch('look')), { code: 'gone' })
})

test('a file that is swept during a submit that names it is kept for the task, or the submit reports that it is gone', async () => {
  await using opened = await openTasks()
  const { deps, store, clock, submit } = opened
  const inputs = [{ stored: await storedFile(opened, 'a'), role: 'reference' }]
  const [{ stored }] = inputs as [(typeof inputs)[number]]
  clock.step(day)
  await store.files.remove(stored, stored.id, clock.now())
  const { blobKeys } = await store.sweep(clock.now(), 10)
  assert.deepEqual(blobKeys, [stored.key])
  await submit({ inputs })
  for (const key of blobKeys) await deps.blobs.remove(key)
  assert.equal(await readFile(await deps.blobs.localFile(stored.key, await deps.blobs.scratch('look')), 'utf8'), 'a voice')
  clock.step(day)
  await deps.blobs.remove(stored.key)
  await assert.rejects(submit({ inputs }), { code: 'gone' })
})

test('naming a file of another account is a programming error', async () => {
  await using opened = await openTasks()
  const stored = await storedFile(opened, 'b')
  await assert.rejects(opened.submit({ inputs: [{ stored, role: 'reference' }] }), TypeError)
})

type Opened = Awaited<ReturnType<typeof openTasks>>

async function upload({ deps: { blobs } }: Opened, content: string): Promise<{ path: string }> {
  const path = join(await blobs.scratch('upload'), 'file')
  await writeFile(path, content)
  return { path }
}

async function storedFile(opened: Opened, accountId: string): Promise<StoredFile> {
  const { deps, store, clock } = opened
  const { path } = await upload(opened, 'a voice')
  const { key, bytes, sha256 } = await deps.blobs.adopt(path)
  const facts = { mediaType: 'audio/mpeg', bytes, durationSeconds: 3 }
  const times = { createdAt: clock.now(), expiresAt: clock.now() + 30 * day }
  const file: StoredFile = { id: 'f1', accountId, family: 'F1', endpoint: 'e', purpose: 'voice', key, sha256, facts, ...times }
  await store.files.put(file)
  return file
}

async function blobOf({ store }: Opened, id = ''): Promise<StoredBlob> {
  const blob = await store.blob(id)
  assert.ok(blob)
  return blob
}
