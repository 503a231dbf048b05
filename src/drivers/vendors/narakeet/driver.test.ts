import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { assertSpoken, spoken, toneAs } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import narakeet from './driver.ts'

const mp3 = await toneAs({ container: 'mp3' })
const wav = await toneAs({ container: 'wav' })
const running = { finished: false, percent: 40, message: 'reading', succeeded: false }
const status = (result: string) => ({ finished: true, percent: 100, succeeded: true, result, durationInSeconds: 1, message: '' })

driverSuite('Narakeet', {
  driver: narakeet,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'speech.synthesize',
  // The request is for WAV because the vendor never returns that format immediately, so the run
  // must poll.
  request: { ...spoken, format: { container: 'wav' } },
  good: (baseUrl, otherBaseUrl) => [
    jsonReply({ statusUrl: `${baseUrl}/status/1`, taskId: '1' }),
    jsonReply(running),
    jsonReply(status(`${otherBaseUrl}/1.wav`)),
  ],
  check: done => assertSpoken(done, [], wav),
  hanging: response => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"statusUrl":'),
  refusal: (status, message, headers) => jsonReply({ message }, status, headers),
  failed: {
    replies: [
      (response, request) => jsonReply({ statusUrl: `http://${request.headers.host}/status/1`, taskId: '1' })(response, request),
      jsonReply({ finished: true, percent: 10, succeeded: false, message: 'the script is empty' }),
    ],
    code: 'upstream_error',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(wav, 200, { 'content-type': 'audio/wav' }),
  relays: { leftOut: 'speech is no conversation' },
})

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'narakeet-'))
})
after(() => rm(folder, { recursive: true }))

test('voice, pace, loudness and subtitles have the vendor’s form; the status is read without the key; other formats are made from its WAV', async () => {
  await using stack = new AsyncDisposableStack()
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const driver = narakeet.open(driverTools({ allowPrivateUrls: true }))
  stack.defer(() => driver.close?.())
  const offer = driver.offers['speech.synthesize']
  assert.equal(offer?.kind, 'polled')
  const cues = [
    { startMs: 500, endMs: 1500, text: 'One' },
    { startMs: 3_661_001, endMs: 3_662_000, text: 'Two' },
  ]
  const request: SpeechRequest = { ...spoken, cues, speed: 1.2, volume: 3, format: { container: 'flac' } }
  const job: Job<SpeechRequest> = {
    ...{ id: 'j', request, inputs: [], scratch: folder, model: 'm', attempt: 1, progress: () => {} },
    ...{
      settings: { base_url: fake.baseUrl, api_key: 'nk-key-0123456789', voices: { alloy: 'Brian' } },
      signal: new AbortController().signal,
    },
  }
  fake.answer(
    jsonReply({ statusUrl: `${fake.baseUrl}/status/1`, taskId: '1' }),
    jsonReply(running),
    jsonReply(status(`${fake.baseUrl}/1.wav`)),
    rawReply(wav),
  )
  const started = await offer.start(job)
  assert.ok(started.state === 'started')
  assert.deepEqual(await offer.check(job, started.handle), { state: 'running', progress: 0.4 })
  const outcome = await offer.check(job, started.handle)
  assert.ok(outcome.state === 'done')
  await assertSpoken(outcome, [], undefined)
  assert.equal(outcome.files[0]?.mediaType, 'audio/flac')
  const [post, poll] = fake.received
  assert.equal(post?.path, '/v1/text-to-speech/wav?voice=Brian&voice-speed=1.2&voice-volume=loud')
  assert.equal(post?.headers['content-type'], 'application/x-subrip')
  assert.equal(post?.body.toString(), '1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n01:01:01,001 --> 01:01:02,000\nTwo\n')
  assert.equal(poll?.headers['x-api-key'], undefined)
  const refused = (changes: Partial<SpeechRequest>) => offer.refuses?.({ ...job, request: { ...request, ...changes } })?.field
  for (const speed of [0.3, 2]) assert.equal(refused({ speed }), undefined)
  for (const speed of [0.29, 2.01]) assert.equal(refused({ speed }), 'speed')
  assert.equal(refused({ volume: 40 }), 'volume')
})

test("the answer for a short text is its sound; stage directions have the vendor's form", async () => {
  await using stack = new AsyncDisposableStack()
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const driver = narakeet.open(driverTools({ allowPrivateUrls: true }))
  stack.defer(() => driver.close?.())
  const offer = driver.offers['speech.synthesize']
  assert.equal(offer?.kind, 'polled')
  const start = (request: SpeechRequest) =>
    offer.start({
      ...{
        id: 'j',
        request,
        inputs: [],
        scratch: folder,
        model: 'm',
        attempt: 1,
        progress: () => {},
        signal: new AbortController().signal,
      },
      settings: { base_url: fake.baseUrl, api_key: 'nk-key-0123456789', voices: { alloy: 'Brian' } },
    })
  fake.answer(
    rawReply(mp3, 200, { 'content-type': 'audio/mpeg', 'x-duration-seconds': '1.234' }),
    jsonReply({ statusUrl: 'https://nk.example/1' }),
  )
  const outcome = await start(spoken)
  assert.ok(outcome.state === 'done')
  assert.equal(outcome.report.seconds, 1.234)
  assert.ok((await readFile(outcome.files[0]?.path ?? '')).equals(mp3))
  assert.equal(fake.received[0]?.headers.accept, 'application/octet-stream')
  const passages = [
    { text: 'One.', pauseMs: 0 },
    { text: 'Two.', pauseMs: 1500, voice: 'alloy' },
    { text: '', pauseMs: 2000 },
  ]
  assert.equal((await start({ ...spoken, passages })).state, 'started')
  assert.equal(fake.received[1]?.body.toString(), 'One.\n(pause: 1.5)\n(voice: Brian)\nTwo.\n(pause: 2)')
  assert.equal(fake.received[1]?.headers.accept, undefined)
})
