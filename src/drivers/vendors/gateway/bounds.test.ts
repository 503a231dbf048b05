/** Tests the limits on the answers of another gateway, and what happens when a stream ends
 *  early. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Driver, Job, Offer, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { type FakeReply, type FakeUpstream, jsonReply, sseReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import driverSpec from './driver.ts'
import { ready } from './testing/run-answers.ts'

let fake: FakeUpstream
let driver: Driver
let scratch = ''
before(async () => {
  fake = await startFakeUpstream()
  driver = driverSpec.open(driverTools({ allowPrivateUrls: true }))
  scratch = await mkdtemp(join(tmpdir(), 'gateway-bounds-'))
})
after(() => Promise.all([fake.close(), driver.close?.(), rm(scratch, { recursive: true })]))

const MiB = 1024 * 1024
const jobOf = (request: JsonObject = {}): Job<unknown> => ({
  ...{ id: 'job-1', request, inputs: [], scratch, model: 'far', attempt: 1, progress: () => {} },
  settings: { base_url: fake.baseUrl, api_key: 'sk-other' },
  signal: AbortSignal.timeout(20_000),
})
const offerOf = (name: string) => Object(driver.offers)[name] as Offer<unknown, unknown>

async function checked(name: string, ...replies: FakeReply[]) {
  fake.answer(...replies)
  const offer = offerOf(name)
  assert.ok(offer.kind === 'polled')
  return offer.check(jobOf(), { id: 'r1' })
}

async function streamed(name: string, ...frames: JsonObject[]): Promise<Outcome | undefined> {
  fake.answer(sseReply(frames))
  const offer = offerOf(name)
  assert.ok(offer.kind === 'streamed')
  for await (const part of offer.run(jobOf())) if (part.type === 'outcome') return part.outcome
  return undefined
}

/** Returns a reply that announces a file of this length and sends none of its bytes. */
function announced(bytes: number): FakeReply {
  return response => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes })
    response.flushHeaders()
  }
}

test('each kind of file has a size limit', async () => {
  const link = `${fake.baseUrl}/file`
  for (const [name, most] of [
    ['image.generate', 128],
    ['image.upscale', 128],
    // The test's file is a picture, and the only picture that a video run delivers is its
    // thumbnail. So the limit is that of a thumbnail.
    ['video.generate', 16],
    ['music.song', 256],
    ['slides.render', 512],
  ] as const) {
    const outcome = await checked(name, ready(link), announced(most * MiB + 1))
    assert.deepEqual(
      [outcome.state, 'message' in outcome && outcome.message, 'mayBeCharged' in outcome && outcome.mayBeCharged],
      ['failed', `A file of the other gateway has more than ${most * MiB} bytes.`, true],
    )
  }
})

test('a run in JSON is limited to 1 MiB, and to 16 MiB when it contains written slides', async () => {
  const long = (bytes: number) => jsonReply({ id: 'r1', state: 'running', padding: 'x'.repeat(bytes) })
  await assert.rejects(checked('image.generate', long(MiB)), { code: 'upstream_error' })
  assert.equal((await checked('slides.write', long(MiB))).state, 'running')
  await assert.rejects(checked('slides.write', long(16 * MiB)), { code: 'upstream_error' })
})

test('the events of a stream have a common size limit', async () => {
  const event = { type: 'event', event: { type: 'text', text: 'x'.repeat(7 * MiB) } }
  const outcome = await streamed('audio.transcribe', ...Array.from({ length: 10 }, () => event))
  assert.ok(outcome?.state === 'failed')
  assert.deepEqual([outcome.code, outcome.mayBeCharged], ['upstream_error', true])
  assert.match(outcome.message, new RegExp(`more than ${64 * MiB} bytes`))
})

test('a stream ends with a finished run', async () => {
  const run = { id: 'r1', outputs: [], usage: [], result: { text: 'a' } }
  assert.equal((await streamed('audio.transcribe', { type: 'end', run: { ...run, state: 'succeeded' } }))?.state, 'done')
  const error = { code: 'content_moderated', message: 'No.' }
  const refused = await streamed('audio.transcribe', { type: 'end', run: { ...run, state: 'failed', error } })
  assert.deepEqual(refused, { state: 'failed', code: 'content_moderated', message: 'No.' })
  for (const state of ['running', 'done'])
    await assert.rejects(streamed('audio.transcribe', { type: 'end', run: { ...run, state } }), { code: 'outcome_unknown' })
})
