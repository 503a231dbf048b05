/** Tests how the driver reads the vendor's answers about a task, and how it downloads the
 *  picture. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { type FakeReply, type FakeUpstream, jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import { drawing, editing, generate, jobOf, openDriver, testSecret } from './testing/run.ts'
import { ended, pictureReply, ready, refusedReply, running, taskId } from './testing/vendor-answers.ts'

let now = 0
let driver: Driver
let fake: FakeUpstream
let scratch: string
before(() => {
  driver = openDriver(() => now)
})
after(() => driver.close?.())
beforeEach(async () => {
  now = 0
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'bfl-look-'))
})
afterEach(async () => {
  await fake.close()
  await rm(scratch, { recursive: true })
})

const poll = (handle: JsonObject = handleOf(null), changes: Partial<Job<typeof generate>> = {}) =>
  drawing(driver).check(jobOf(generate, fake.baseUrl, { scratch, ...changes }), handle)
const handleOf = (pollingUrl: string | null): JsonObject => ({ id: taskId, pollingUrl, startedAt: 0 })
/** Returns a link on the host of the base URL. */
const ownLink = () => fake.baseUrl.replace('/v1', '/delivery/1?sig=x')

test('a running task is polled at growing intervals, and reports its progress', async () => {
  for (const status of ['Pending', 'Queued', 'Processing']) {
    fake.answer(running(status, 0.25))
    assert.deepEqual(await poll(), { state: 'running', progress: 0.25, checkAfterMs: 500 })
  }
  const waits: number[] = []
  for (now of [1_999, 2_400, 6_000, 12_000, 600_000]) {
    fake.answer(running('Pending'))
    const seen = await poll()
    assert.equal(seen.state, 'running')
    assert.equal(seen.progress, undefined)
    waits.push(seen.checkAfterMs ?? 0)
  }
  assert.deepEqual(waits, [500, 600, 1_500, 3_000, 3_000])
})

test('a task is polled where the vendor says, with the key', async () => {
  fake.answer(running('Pending'))
  await poll(handleOf(`${fake.baseUrl}/get_result?id=t&cluster=eu2`))
  await poll(handleOf(null))
  assert.deepEqual(
    fake.received.map(({ method, path, headers }) => `${method} ${path} ${headers['x-key']}`),
    [`GET /v1/get_result?id=t&cluster=eu2 ${testSecret}`, `GET /v1/get_result?id=${taskId} ${testSecret}`],
  )
})

test("a polling URL on a host that is not the vendor's is never called", async () => {
  const other = await startFakeUpstream()
  try {
    fake.answer(running('Pending'))
    await poll(handleOf(`${other.baseUrl}/get_result?id=t`))
    assert.equal(other.connectionsMade(), 0)
    assert.equal(fake.received[0]?.path, `/v1/get_result?id=${taskId}`)
  } finally {
    await other.close()
  }
})

test("a picture is fetched without the key; the seed keeps all digits, and the bytes are the vendor's", async () => {
  fake.answer(ready(ownLink(), generate.seed), pictureReply)
  const done = await poll()
  assert.equal(done.state, 'done')
  assert.deepEqual(done.report, { seed: generate.seed, prompt: 'a drawn cat', notDrawn: [] })
  assert.deepEqual(done.usage, [
    { unit: 'images', units: 1 },
    { unit: 'pixels', units: 1 },
  ])
  assert.deepEqual(await readFile(done.files[0]?.path ?? ''), onePixelPng)
  assert.equal(fake.received[1]?.path, '/delivery/1?sig=x')
  assert.ok(!inspect(fake.received[1]?.headers).includes(testSecret))
})

test('a seed that the vendor chose is reported unchanged', async () => {
  fake.answer(ready(ownLink(), '771'), pictureReply)
  const done = await poll()
  assert.equal(done.state === 'done' && done.report.seed, '771')
})

const expired: [what: string, reply: FakeReply][] = [
  ['has expired', rawReply('<Error>', 403)],
  ['leads nowhere', rawReply('', 404)],
  ['was swept', rawReply('', 410)],
]
for (const [what, reply] of expired) {
  test(`a link that ${what} is requested again, once in a poll`, async () => {
    fake.answer(ready(ownLink()), reply, ready(ownLink()), pictureReply)
    assert.equal((await poll()).state, 'done')
    fake.answer(ready(ownLink()), reply, ready(ownLink()), reply)
    await assert.rejects(poll(), { code: 'upstream_error' })
    // A failed download does not end the task: a later poll downloads the picture again.
    fake.answer(ready(ownLink()), pictureReply)
    assert.equal((await poll()).state, 'done')
    assert.equal(fake.received.length, 4 + 4 + 2)
  })
}

for (const [what, reply] of [['a page', rawReply('<html>')] as const, ['nothing', rawReply('')] as const]) {
  test(`a link that returns ${what} leaves the task to a later poll`, async () => {
    fake.answer(ready(ownLink()), reply)
    await assert.rejects(poll(), { code: 'upstream_error' })
    fake.answer(ready(ownLink()), pictureReply)
    assert.equal((await poll()).state, 'done')
  })
}

test('a picture that breaks off is fetched again by the same link', async () => {
  const half: FakeReply = response => {
    response.writeHead(200, { 'content-length': onePixelPng.length })
    response.write(onePixelPng.subarray(0, 20), () => response.destroy())
  }
  fake.answer(ready(ownLink()), half, pictureReply)
  const done = await poll()
  assert.ok(done.state === 'done')
  assert.deepEqual(await readFile(done.files[0]?.path ?? ''), onePixelPng)
  assert.equal(fake.received.length, 3)
})

test('a picture on a private address that is not the base URL is not fetched', async () => {
  const other = await startFakeUpstream()
  try {
    fake.answer(ready(other.baseUrl))
    await assert.rejects(poll(), { code: 'upstream_error' })
    assert.equal(other.connectionsMade(), 0)
  } finally {
    await other.close()
  }
})

test('a picture of another type is charged, and converted to the requested one', async () => {
  fake.answer(ready(ownLink()), pictureReply)
  const done = await poll(undefined, { request: { ...generate, format: 'jpeg' } })
  assert.ok(done.state === 'done')
  const [{ path, ...facts } = assert.fail('no file')] = done.files
  assert.deepEqual(facts, { mediaType: 'image/jpeg', width: 1, height: 1 })
  assert.equal((await sharp(path).metadata()).format, 'jpeg')
})

test('a picture that is too large fails the task', async () => {
  fake.answer(ready(ownLink()), response => void response.writeHead(200, { 'content-length': String(64 * 2 ** 20 + 1) }).write('x'))
  const large = await poll()
  assert.ok(large.state === 'failed')
  assert.match(large.message, /more than 67108864 bytes/)
})

const failures: [what: string, answer: FakeReply, code: string, message: RegExp, reasons?: string[]][] = [
  [
    'a refused prompt',
    ended('Request Moderated', { 'Moderation Reasons': ['Sexual Content', `said ${testSecret}`] }),
    'request_moderated',
    /refused the prompt/,
    ['Sexual Content', 'said ***'],
  ],
  [
    'a refused picture',
    ended('Content Moderated', { 'Moderation Reasons': ['Derivative Works Filter'] }),
    'content_moderated',
    /refused the picture that was drawn/,
    ['Derivative Works Filter'],
  ],
  ['a refused picture without a reason', ended('Content Moderated'), 'content_moderated', /refused/],
  ['an error', ended('Error'), 'upstream_error', /failed on the task\.$/],
  ['a failure', ended('Failed', { error: 'internal_error' }), 'upstream_error', /\(internal_error\)/],
  ['an error in words', ended('Error', `${testSecret} was wrong`), 'upstream_error', /failed on the task\.$/],
  ['an error about the input', ended('Error', null, { error: 'invalid_image' }), 'invalid_input_file', /\(invalid_image\)/],
  ['an error about what was drawn', ended('Error', 'content_policy_violation'), 'content_moderated', /content_policy/],
  ['a generation that took too long', ended('Error', null, { error: 'generation_timeout' }), 'upstream_timeout', /timeout/],
  ['a task that is gone', ended('Task not found'), 'upstream_error', /does not have the task/],
]
for (const [what, answer, code, message, reasons] of failures) {
  test(`${what} ends the task as ${code}`, async () => {
    fake.answer(answer)
    const outcome = await poll()
    assert.ok(outcome.state === 'failed')
    assert.equal(outcome.code, code)
    assert.match(outcome.message, message)
    assert.deepEqual(outcome.reasons, reasons)
    assert.ok(!inspect(outcome).includes(testSecret))
  })
}

test("a 404 at the vendor's own polling URL means that the task is gone; elsewhere the task is polled again", async () => {
  fake.answer(refusedReply(404, 'Task not found'))
  const gone = await poll(handleOf(`${fake.baseUrl}/get_result?id=t`))
  assert.ok(gone.state === 'failed')
  assert.equal(gone.code, 'upstream_error')
  await assert.rejects(poll(handleOf(null)), { code: 'upstream_error' })
  fake.answer(jsonReply({ id: 't', status: 'Task not found', result: null }, 404))
  assert.equal((await poll(handleOf(`${fake.baseUrl}/get_result?id=t`))).state, 'failed')
})

test('a 404 that does not come from the vendor leads to another poll', async () => {
  for (const reply of foreignNotFounds()) {
    fake.answer(reply)
    await assert.rejects(poll(handleOf(`${fake.baseUrl}/get_result?id=t`)), { code: 'upstream_error' })
  }
})

test('an unknown task state leads to another poll', async () => {
  for (const answer of [ended('Dreaming'), jsonReply([1]), jsonReply({ status: 'Ready', result: {} }), refusedReply(500, 'x')]) {
    fake.answer(answer)
    await assert.rejects(poll(), { code: 'upstream_error' })
  }
  fake.answer(refusedReply(429, 'slow down', { 'retry-after': '9' }))
  await assert.rejects(poll(), { code: 'rate_limited', retryAfterSeconds: 9 })
})

test('the vendor cannot cancel, so no cancellation is offered', () => {
  assert.equal(drawing(driver).cancel, undefined)
  assert.equal(editing(driver).cancel, undefined)
})
