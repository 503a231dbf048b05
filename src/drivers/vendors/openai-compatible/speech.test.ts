import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { errorReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { runDriver } from '../../shared/sound/testing/run-driver.ts'
import { assertSpoken, spoken, toneAs } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import openaiCompatible from './driver.ts'

const mp3 = await toneAs({ container: 'mp3' })
const pcm = await toneAs({ container: 'pcm' })

driverSuite('OpenAI speech', {
  driver: openaiCompatible,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'speech.synthesize',
  request: spoken,
  good: () => [rawReply(mp3, 200, { 'content-type': 'audio/mpeg' })],
  check: (done, events) => assertSpoken(done, events, mp3),
  hanging: response => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(mp3.subarray(0, 100)),
  refusal: (status, message, headers) => errorReply(status, { message, type: 'some_error', code: null, param: null }, headers),
  failed: {
    replies: [errorReply(400, { message: 'input: no', type: 'invalid_request_error', code: null, param: 'input' })],
    code: 'invalid_request',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the sound' },
  outputs: { leftOut: 'the answer is the sound' },
  relays: { leftOut: 'speech is no conversation' },
})

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openai-speech-'))
})
after(() => rm(folder, { recursive: true }))

async function speak(changes: Partial<SpeechRequest>, own: JsonObject = {}, reply = rawReply(pcm)) {
  const { outcome, received } = await runDriver(openaiCompatible, 'speech.synthesize', {
    ...{ request: { ...spoken, ...changes }, scratch: folder, model: 'tts-1-hd', reply },
    settings: origin => ({ base_url: `${origin}/v1`, ...own }),
  })
  return { outcome, body: received?.json, path: received?.path }
}

test('fields and voices have the service’s form', async () => {
  const { body, path } = await speak({ instructions: 'whisper', speed: 1.5, format: { container: 'pcm' } }, { voices: { alloy: 'verse' } })
  assert.equal(path, '/v1/audio/speech')
  assert.deepEqual(body, {
    model: 'tts-1-hd',
    input: spoken.text,
    voice: 'verse',
    response_format: 'pcm',
    speed: 1.5,
    instructions: 'whisper',
  })
})

test('formats that the service lacks are made from its raw sound', async () => {
  for (const format of [{ container: 'm4a' }, { container: 'ulaw', sampleRate: 8000 }, { container: 'mp3', bitRate: 64_000 }] as const) {
    const { outcome, body } = await speak({ format })
    assert.equal((body as { response_format: string }).response_format, 'pcm')
    assert.ok(outcome?.state === 'done')
    await assertSpoken(outcome, [], undefined)
    assert.deepEqual(outcome.usage, [{ unit: 'characters', units: [...spoken.text].length }])
  }
})

test('unsupported requests are refused before anything is sent, and an empty answer may be charged', async () => {
  await assert.rejects(speak({ speed: 5 }), { code: 'not_implemented', message: /^speed: is 5/ })
  await assert.rejects(speak({ cues: [{ startMs: 0, endMs: 1, text: 'a' }] }), { code: 'not_implemented' })
  const { outcome } = await speak({}, {}, rawReply(Buffer.alloc(0)))
  assert.ok(outcome?.state === 'failed' && outcome.mayBeCharged)
})
