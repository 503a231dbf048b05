import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { openClaimBench } from '../../testing/claim-bench.ts'
import { donePixel, fakeImageDriver } from '../../testing/fake-driver.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
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

/** What becomes of submits, with the requests that the driver saw. */
async function openTasks() {
  const seen: { request: JsonObject; inputs: number }[] = []
  const offer = once<ImageGenerateRequest>(async job => {
    seen.push({ request: job.request, inputs: job.inputs.length })
    return donePixel(job)
  })
  const bench = await openClaimBench(fakeImageDriver('f', offer))
  const { deps, store } = bench
  // The one that comes with the bench.
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

test('a request of any size reaches its driver whole, and whoever asks for it later', async () => {
  await using opened = await openTasks()
  for (const request of [small, large]) {
    const task = await opened.submit({ request })
    assert.deepEqual(await opened.tasks.request(task.id), request)
    await opened.run()
    assert.deepEqual(opened.seen.pop(), { request, inputs: 0 })
    assert.equal((await opened.tasks.get(task.id))?.state, 'succeeded')
  }
  await assert.rejects(opened.tasks.request('none'), { code: 'task_not_found' })
})

test('what a family wants to show of its request comes back with the task, however large the request is', async () => {
  await using opened = await openTasks()
  const shown = { size: '1K', text: `${'ä'.repeat(2_036)}a` }
  assert.equal(Buffer.byteLength(JSON.stringify(shown)), 4 * 1024)
  const { id } = await opened.submit({ request: large, shown })
  assert.deepEqual((await opened.tasks.get(id))?.shown, shown)
  assert.equal((await opened.tasks.get((await opened.submit()).id))?.shown, undefined)
})

test('a family that wants to show more than 4 KiB is wrong, and nothing is written', async () => {
  await using opened = await openTasks()
  await assert.rejects(opened.submit({ shown: { text: 'ä'.repeat(2_048) } }), {
    name: 'TypeError',
    message: 'F1 wants to show 4107 bytes of a request; at most 4096',
  })
  assert.equal((await opened.store.list({ accountId: 'a', limit: 10 })).length, 0)
})
