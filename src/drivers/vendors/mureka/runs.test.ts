/** Tests what only this driver has: uploads, streams, and the vendor's error messages. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Driver, InputFile, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { mayFailOver, mayHaveBeenAccepted } from '../../../core/routing/router.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import {
  type FakeReply,
  type FakeUpstream,
  jsonReply,
  rawReply,
  resetReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import mureka from './driver.ts'
import { tone } from './testing/sounds.ts'

const [mp3, flac, wav] = await Promise.all([tone('mp3'), tone('flac'), tone('wav')])
const song: MusicRequest = { lyrics: '[Verse]\nla la', count: 2, seed: '7' }

let driver: Driver
let fake: FakeUpstream
let scratch: string
before(() => {
  driver = mureka.open(driverTools({ allowPrivateUrls: true }))
})
after(() => driver.close?.())
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'mureka-'))
})
afterEach(async () => {
  await fake.close()
  await rm(scratch, { recursive: true })
})

function offer(name: 'music.song' | 'music.instrumental' = 'music.song'): PolledOffer<MusicRequest, MusicEvent> {
  const made = driver.offers[name]
  assert.equal(made?.kind, 'polled')
  return made
}

const job = (request: MusicRequest, changes: Partial<Job<MusicRequest>> = {}): Job<MusicRequest> => ({
  ...{ id: 't', request, inputs: [], scratch, model: 'MaaS_Mus_v7.5_generate', attempt: 1, progress: () => {} },
  settings: { base_url: fake.baseUrl, api_key: 'mureka-test-key-01' },
  signal: new AbortController().signal,
  ...changes,
})

async function input(role: string, mediaType: string, bytes: Buffer): Promise<InputFile> {
  const path = join(scratch, `input-${role}`)
  await writeFile(path, bytes)
  return { role, path, mediaType, bytes: bytes.length }
}

const handle = { id: '91' }
const task = (status: string, more: object = {}): FakeReply => jsonReply({ id: '91', status, ...more })

async function failure(run: Promise<unknown>): Promise<GatewayError> {
  try {
    await run
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error))
    return error
  }
  assert.fail('it did not fail')
}

test('inputs are uploaded for their purpose before the submit that names them; unsupported types become MP3', async () => {
  fake.answer(jsonReply({ id: 'f-1' }), jsonReply({ id: 'f-2' }), task('preparing'))
  const inputs = [await input('vocal', 'audio/wav', wav), await input('reference', 'audio/mpeg', mp3)]
  assert.deepEqual(await offer().start(job({ ...song, stream: true }, { inputs })), { state: 'started', handle })
  const [first, second, submit] = fake.received
  assert.deepEqual([first?.path, second?.path, submit?.path], ['/v1/files/upload', '/v1/files/upload', '/v1/song/generate'])
  const form = (at: typeof first) => at!.body.toString('latin1')
  assert.match(form(first), /name="purpose"\r\n\r\nreference\r\n[\s\S]*filename="reference.mp3"\r\ncontent-type: audio\/mpeg\r\n\r\n/)
  assert.ok(first!.body.includes(mp3))
  assert.match(form(second), /name="purpose"\r\n\r\nvocal\r\n[\s\S]*filename="vocal.mp3"/)
  assert.ok(!second!.body.includes(wav.subarray(0, 44)))
  const expected = { lyrics: song.lyrics, model: 'mureka-7.5', n: 2, reference_id: 'f-1', vocal_id: 'f-2', stream: true }
  assert.deepEqual(submit?.json, expected)
})

test('the model o1 is not streamed, and an answer with taskId is accepted', async () => {
  fake.answer(jsonReply({ taskId: '91', status: 'preparing' }))
  const started = await offer().start(job({ ...song, stream: true }, { model: 'MaaS_Mus_o1_generate' }))
  assert.deepEqual(started, { state: 'started', handle })
  assert.deepEqual(fake.received[0]?.json, { lyrics: song.lyrics, model: 'mureka-o1', n: 2 })
})

test('an instrumental has separate paths and one input', async () => {
  fake.answer(jsonReply({ id: 'f-3' }), task('preparing'), task('queued'))
  const inputs = [await input('instrumental', 'audio/mp4', Buffer.from('m4a'))]
  const requested = job({ count: 1, seed: '7' }, { inputs, model: 'mureka-8' })
  await offer('music.instrumental').start(requested)
  await offer('music.instrumental').check(requested, handle)
  assert.deepEqual(
    fake.received.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/files/upload', 'POST /v1/instrumental/generate', 'GET /v1/instrumental/query/91'],
  )
  assert.deepEqual(fake.received[1]?.json, { model: 'mureka-8', n: 1, instrumental_id: 'f-3' })
})

test('a failed upload is no submit: the task may be retried, and nothing was charged', async () => {
  const inputs = [await input('reference', 'audio/mpeg', mp3)]
  for (const reply of [jsonReply({}, 500), resetReply(), rawReply('<html>'), jsonReply({ bytes: 1 })]) {
    fake.answer(reply)
    const error = await failure(offer().start(job(song, { inputs })))
    assert.deepEqual([mayHaveBeenAccepted(error), mayFailOver(error, 'paid')], [false, true], error.code)
  }
  fake.answer(jsonReply({ error: { message: 'the audio is too short' } }, 400))
  const refused = await failure(offer().start(job(song, { inputs })))
  assert.equal(refused.code, 'invalid_request')
  assert.match(refused.message, /the audio is too short/)
  assert.ok(fake.received.every(({ path }) => path === '/v1/files/upload'))
})

test('unsupported requests are refused before anything is sent, with the field', () => {
  const refusals: [request: MusicRequest, roles: string[], field: string][] = [
    [{ ...song, count: 4 }, [], 'count'],
    [{ ...song, seconds: 60 }, [], 'seconds'],
    [{ count: 1, seed: '7' }, [], 'lyrics'],
    [{ ...song, lyrics: 'a'.repeat(3001) }, [], 'lyrics'],
    [{ ...song, prompt: 'a'.repeat(1025) }, [], 'prompt'],
    [song, ['vocal', 'vocal'], 'vocal'],
  ]
  const requested = (request: MusicRequest, roles: string[]) => ({
    ...job(request),
    inputs: roles.map(role => ({ role, mediaType: 'audio/mpeg', bytes: 1 })),
  })
  for (const [request, roles, field] of refusals) assert.equal(offer().refuses?.(requested(request, roles))?.field, field)
  assert.equal(offer().refuses?.(requested(song, ['reference', 'vocal'])), undefined)
  assert.equal(offer('music.instrumental').refuses?.(requested({ count: 1, seed: '7' }, ['melody']))?.field, 'melody')
})

test('the pieces are read in the order of their indices, with FLAC if available', async () => {
  const at = (name: string) => `${fake.baseUrl}/${name}`
  const choices = [
    { index: 1, url: at('b.mp3'), duration: 700 },
    { index: 0, url: at('a.mp3'), flac_url: at('a.flac'), duration: 500 },
  ]
  fake.answer(task('succeeded', { choices }), rawReply(mp3), rawReply(flac), rawReply(mp3))
  const done = await offer().check(job(song), handle)
  assert.equal(done.state, 'done')
  const fetched = fake.received.slice(1).map(({ path }) => path)
  assert.deepEqual(fetched, ['/v1/a.mp3', '/v1/a.flac', '/v1/b.mp3'])
  assert.deepEqual(
    done.files.map(({ role, mediaType }) => [role, mediaType]),
    [
      ['song', 'audio/mpeg'],
      ['lossless', 'audio/flac'],
      ['song', 'audio/mpeg'],
    ],
  )
  assert.deepEqual(done.usage, [{ unit: 'seconds', units: 1.2 }])
})

test('every state of unfinished work counts as running', async () => {
  for (const status of ['preparing', 'queued', 'running', 'streaming', 'reviewing']) {
    fake.answer(task(status))
    assert.deepEqual(await offer().check(job(song), handle), { state: 'running' }, status)
  }
})

test("each of the vendor's failure states has its meaning", async () => {
  const ends: [reply: FakeReply, code: string, mayBeCharged: true | undefined][] = [
    [task('failed', { failed_reason: 'the lyrics are inappropriate' }), 'content_moderated', undefined],
    [task('failed', { failed_reason: 'worker lost' }), 'upstream_error', undefined],
    [task('timeouted'), 'upstream_timeout', undefined],
    [task('cancelled'), 'upstream_error', undefined],
    [task('succeeded', { choices: [] }), 'upstream_error', true],
    [jsonReply({ error: { message: 'no such task' } }, 404), 'upstream_error', true],
  ]
  for (const [reply, code, mayBeCharged] of ends) {
    fake.answer(reply)
    const seen = await offer().check(job(song), handle)
    assert.equal(seen.state, 'failed')
    assert.deepEqual([seen.code, seen.mayBeCharged], [code, mayBeCharged])
  }
  fake.answer(task('dancing'))
  assert.equal((await failure(offer().check(job(song), handle))).code, 'upstream_error')
  fake.answer(task('succeeded', { choices: [{ url: `${fake.baseUrl}/a` }] }), rawReply('<html>'))
  const seen = await offer().check(job(song), handle)
  assert.deepEqual([seen.state, 'mayBeCharged' in seen], ['failed', true])
})

test('a 404 that does not come from the vendor leads to another poll', async () => {
  for (const reply of foreignNotFounds()) {
    fake.answer(reply)
    assert.equal((await failure(offer().check(job(song), handle))).code, 'upstream_error')
  }
})

test("sound is reported while it is made, piece by piece, from the vendor's address", async () => {
  const streams = [0, 1].map(index => ({ index, stream_url: `${fake.baseUrl}/live/${index}` }))
  const sound: FakeReply = (response, { path }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.write(`${path} first;`)
    response.end('last')
  }
  fake.answer(task('running'))
  assert.deepEqual(await offer().check(job(song), handle), { state: 'running' })
  const first = task('streaming', { stream_url: `${fake.baseUrl}/live/0` })
  fake.answer(first)
  assert.deepEqual(await offer().check(job(song), handle), { state: 'running', hasEvents: true })
  fake.answer(first, sound, task('streaming', { choices: streams }), sound)
  const reported: string[] = ['', '']
  for await (const { piece, bytes } of offer().events!(job(song), handle)) reported[piece] += Buffer.from(bytes).toString()
  assert.deepEqual(reported, ['/v1/live/0 first;last', '/v1/live/1 first;last'])
  fake.answer(first, jsonReply({ error: 'not yet' }))
  const reading = async () => {
    for await (const _ of offer().events!(job(song), handle));
  }
  assert.equal((await failure(reading())).code, 'upstream_error')
})
