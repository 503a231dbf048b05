import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ServiceSound, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { runDriver } from '../../shared/sound/testing/run-driver.ts'
import { assertSpoken, spoken, toneAs } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import elevenlabs from './driver.ts'
import { formatPlan } from './formats.ts'

const mp3 = await toneAs({ container: 'mp3', sampleRate: 44_100 })
const pcm = await toneAs({ container: 'pcm' })

driverSuite('ElevenLabs', {
  driver: elevenlabs,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'speech.synthesize',
  request: spoken,
  good: () => [rawReply(mp3, 200, { 'content-type': 'audio/mpeg', 'character-cost': '15', 'request-id': 'r1' })],
  check: async (done, events) => {
    await assertSpoken(done, events, mp3)
    assert.deepEqual(done.usage, [{ unit: 'characters', units: 15 }])
    assert.equal((done.report.sound as { id: string }).id, 'r1')
  },
  hanging: response => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(mp3.subarray(0, 100)),
  refusal: (status, message, headers) =>
    jsonReply({ detail: { type: 'some_error', code: 'some', status: 'some', message } }, status, headers),
  failed: {
    replies: [jsonReply({ detail: [{ loc: ['body', 'text'], msg: 'too long', type: 'value_error' }] }, 422)],
    code: 'invalid_request',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the sound' },
  outputs: { leftOut: 'the answer is the sound' },
  relays: { leftOut: 'speech is no conversation' },
})

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elevenlabs-'))
})
after(() => rm(folder, { recursive: true }))

async function speak(changes: Partial<SpeechRequest>, { model = 'tts_turbo_v2_5', settings = {} as JsonObject } = {}) {
  const { outcome, received } = await runDriver(elevenlabs, 'speech.synthesize', {
    ...{ request: { ...spoken, ...changes }, scratch: folder, model, reply: rawReply(pcm) },
    settings: origin => ({ base_url: origin, api_key: 'xi-key-0123456789', ...settings }),
  })
  return { outcome, body: received?.json, path: received?.path, key: received?.headers['xi-api-key'] }
}

test('all voice settings reach the vendor', async () => {
  const style = { stability: 0.3, similarity: 0.8, exaggeration: 0.1, boost: true }
  const said = {
    voice: '21m00Tcm4TlvDq8ikWAM',
    language: 'de-DE',
    style,
    seed: 5,
    previousText: 'Before.',
    nextText: 'After.',
    isPrivate: true as const,
    speed: 1.1,
  }
  const { body, path, key } = await speak({ ...said, format: { container: 'pcm' } })
  assert.equal(path, '/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream?output_format=pcm_24000&enable_logging=false')
  assert.equal(key, 'xi-key-0123456789')
  assert.deepEqual(body, {
    ...{ text: spoken.text, model_id: 'eleven_turbo_v2_5', language_code: 'de' },
    voice_settings: { stability: 0.3, similarity_boost: 0.8, style: 0.1, use_speaker_boost: true, speed: 1.1 },
    ...{ seed: 5, previous_text: 'Before.', next_text: 'After.' },
  })
})

test('neighbouring sounds are named by the vendor’s ids if it made all of them for this account, else by their text', async () => {
  const format = { container: 'pcm' } as const
  const reply = rawReply(pcm, 200, { 'request-id': 'r7' })
  await using stack = new AsyncDisposableStack()
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const run = async (changes: Partial<SpeechRequest>) => {
    const { outcome, received } = await runDriver(elevenlabs, 'speech.synthesize', {
      ...{ request: { ...spoken, format, ...changes }, scratch: folder, model: 'tts_turbo_v2', reply, fake },
      settings: origin => ({ base_url: origin, api_key: 'xi-key-0123456789' }),
    })
    assert.ok(outcome?.state === 'done')
    return { sound: outcome.report.sound as ServiceSound | undefined, body: received?.json as Record<string, unknown> }
  }
  const { sound } = await run({})
  assert.ok(sound)
  const named = await run({ previousText: 'Before.', previousSounds: [sound, { ...sound, id: 'r8' }], nextText: 'After.' })
  assert.deepEqual(named.body.previous_request_ids, ['r7', 'r8'])
  assert.deepEqual([named.body.previous_text, named.body.next_text, named.body.next_request_ids], [undefined, 'After.', undefined])
  const other = await run({ previousText: 'Before.', previousSounds: [sound, { service: 'another', id: 'r9' }] })
  assert.deepEqual([other.body.previous_text, other.body.previous_request_ids], ['Before.', undefined])
  assert.equal((await run({ isPrivate: true })).sound, undefined)
})

test('a cost that is not a possible count of characters is ignored', async () => {
  for (const cost of ['', '-1', '1e308', 'x']) {
    const { outcome } = await runDriver(elevenlabs, 'speech.synthesize', {
      ...{ request: spoken, scratch: folder, model: 'tts_turbo_v2', reply: rawReply(mp3, 200, { 'character-cost': cost }) },
      settings: origin => ({ base_url: origin, api_key: 'xi-key-0123456789' }),
    })
    assert.ok(outcome?.state === 'done')
    assert.deepEqual(outcome.usage, [{ unit: 'characters', units: spoken.text.length }], cost)
  }
})

test('voices are mapped, a voice cannot change the path, and other models get no language', async () => {
  const mapped = await speak({ language: 'de' }, { model: 'eleven_multilingual_v2', settings: { voices: { alloy: 'v/../1' } } })
  assert.match(mapped.path ?? '', /^\/v1\/text-to-speech\/v%2F\.\.%2F1\/stream\?/)
  assert.ok(!('language_code' in (mapped.body as object)))
  const unknown = await speak({ voice: 'half a pair \ud83d' })
  assert.match(unknown.path ?? '', /^\/v1\/text-to-speech\/half%20a%20pair%20%EF%BF%BD\/stream\?/)
  await assert.rejects(speak({ voice: undefined as never }), { code: 'not_implemented', message: /^voice: / })
  for (const voice of ['.', '..']) await assert.rejects(speak({ voice }), { code: 'not_implemented', message: /^voice: / })
  await assert.rejects(speak({ speed: 2 }), { code: 'not_implemented', message: /^speed: / })
})

test('each format is the vendor’s own or made from its raw sound', async () => {
  assert.deepEqual(formatPlan({ container: 'mp3', sampleRate: 22_050, bitRate: 32_000 }), { name: 'mp3_22050_32' })
  assert.deepEqual(formatPlan({ container: 'mp3' }), { name: 'mp3_44100_128' })
  assert.deepEqual(formatPlan({ container: 'ulaw', sampleRate: 8000 }), { name: 'ulaw_8000' })
  assert.deepEqual(formatPlan({ container: 'pcm', sampleRate: 32_000 }), { name: 'pcm_32000' })
  assert.deepEqual(formatPlan({ container: 'flac', sampleRate: 96_000 }), { name: 'pcm_48000', encodeFrom: 48_000 })
  assert.deepEqual(formatPlan({ container: 'wav' }), { name: 'pcm_24000', encodeFrom: 24_000 })
  assert.deepEqual(formatPlan({ container: 'flac', sampleRate: 44_100 }), { name: 'pcm_44100', encodeFrom: 44_100 })
  const { outcome } = await speak({ format: { container: 'aac' } })
  assert.ok(outcome?.state === 'done')
  await assertSpoken(outcome, [], undefined)
})
