/** Tests family T3 on the running program (docs/interface/sound.md#t3), with a target whose voice
 *  is a tone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSpeechDriver, samplesPerCharacter, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { groupNames, groups } from './models.ts'

const rachel = '21m00Tcm4TlvDq8ikWAM'
const base = '/v1/ai/default/tts-e'
const path = `${base}/text-to-speech/${rachel}`
const named = groupNames.flatMap(group => [group, ...groups[group].names].map(id => ({ id, group })))
const yaml = `
accounts:
  - id: default
    keys: [{ name: bounded, secret_env: BOUNDED, quotas: { characters: 100/month } }]
  - { id: other, keys: [{ name: other, secret_env: OTHER }], endpoints: [{ name: default }] }
models:
${named.map(({ id, group }) => `  - { id: ${id}, family: T3, group: ${group}, price: { thousand_characters: 10 }, targets: [{ driver: tone }] }`).join('\n')}
pronunciation_dictionaries:
  brands: [{ word: nginx, say: engine x }]
  names: [{ word: Siobhan, say: shivawn }, { word: nginx, say: en jinx }]
`
const keys = { BOUNDED: 'sk-bounded-key-00000001', OTHER: 'sk-other-key-0000000001' }
const jobs: Job<SpeechRequest>[] = []
let nowMs = Date.now()
let gateway: TestGateway
before(async () => {
  const tone = toneOffer(async function* (job) {
    jobs.push(job)
    if (job.request.text === 'busy') throw new GatewayError('engine_busy', 'No room.')
    yield* speakTone(job)
  })
  gateway = await startTestGateway({ yaml, drivers: [fakeSpeechDriver('tone', tone)], env: keys, clock: { now: () => nowMs } })
})
after(() => gateway[Symbol.asyncDispose]())

const ask = (body: object, query = '', at = path, options: { key?: string; headers?: Record<string, string> } = {}) =>
  gateway.call(`${at}${query}`, { body: { text: 'Hello.', ...body }, ...options })

async function requestOf(body: object, query = ''): Promise<SpeechRequest> {
  const answer = await ask(body, query)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return jobs.at(-1)!.request
}

async function refused(status: number, code: string, body: object, query = '', at = path): Promise<string> {
  const before = jobs.length
  const answer = await ask(body, query, at)
  const { detail, error } = answer.body
  assert.deepEqual([answer.status, detail.code, detail.status], [status, code, code], JSON.stringify(answer.body))
  assert.equal(answer.headers.get('x-request-id'), detail.request_id)
  assert.deepEqual([detail.message, error.request_id], [error.message, detail.request_id])
  assertDocumented('createVoiceSpeech', answer)
  assert.equal(jobs.length, before)
  return detail.message
}

test('all output formats are returned, each with its media type', async () => {
  const formats: [word: string, format: object, mediaType: string][] = [
    ['mp3_22050_32', { container: 'mp3', sampleRate: 22_050, bitRate: 32_000 }, 'audio/mpeg'],
    ['mp3_44100_32', { container: 'mp3', sampleRate: 44_100, bitRate: 32_000 }, 'audio/mpeg'],
    ['mp3_44100_64', { container: 'mp3', sampleRate: 44_100, bitRate: 64_000 }, 'audio/mpeg'],
    ['mp3_44100_96', { container: 'mp3', sampleRate: 44_100, bitRate: 96_000 }, 'audio/mpeg'],
    ['mp3_44100_128', { container: 'mp3', sampleRate: 44_100, bitRate: 128_000 }, 'audio/mpeg'],
    ['mp3_44100_192', { container: 'mp3', sampleRate: 44_100, bitRate: 192_000 }, 'audio/mpeg'],
    ['pcm_16000', { container: 'pcm', sampleRate: 16_000 }, 'audio/pcm'],
    ['pcm_22050', { container: 'pcm', sampleRate: 22_050 }, 'audio/pcm'],
    ['pcm_24000', { container: 'pcm', sampleRate: 24_000 }, 'audio/pcm'],
    ['pcm_44100', { container: 'pcm', sampleRate: 44_100 }, 'audio/pcm'],
    ['ulaw_8000', { container: 'ulaw', sampleRate: 8_000 }, 'audio/basic'],
    ['alaw_8000', { container: 'alaw', sampleRate: 8_000 }, 'audio/x-alaw-basic'],
    ['opus_48000_64', { container: 'opus', sampleRate: 48_000, bitRate: 64_000 }, 'audio/ogg; codecs=opus'],
    ['wav_44100', { container: 'wav', sampleRate: 44_100 }, 'audio/wav'],
  ]
  for (const [word, format, mediaType] of formats) {
    const answer = await ask({}, `?output_format=${word}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, mediaType])
    assert.deepEqual(jobs.at(-1)?.request.format, format)
  }
  assert.deepEqual((await requestOf({})).format, formats[4]?.[1])
})

test('the answer has the sound, its characters and its id', async () => {
  const answer = await ask({ text: 'Zwölf 😀.' }, '?output_format=wav_8000')
  assert.equal(answer.bytes.length, 44 + 8 * samplesPerCharacter * 2)
  assert.equal(answer.headers.get('character-cost'), '8')
  const task = (await gateway.call(`/v1/tasks/${answer.headers.get('request-id')}`)).body
  assert.deepEqual([task.family, task.model, task.cost], ['T3', 'tts_monolingual_v1', 0.08])
})

test('the operation is served at every prefix, and at the paths of the service’s clients', async () => {
  const ats = ['/v1/default/tts-e', '/default/tts-e', `${base}/v1`].map(at => `${at}/text-to-speech/${rachel}`)
  for (const at of [...ats, `${path}/stream`, `${base}/v1/text-to-speech/${rachel}/stream`])
    assert.equal((await ask({}, '', at)).status, 200, at)
  for (const suffix of ['/with-timestamps', '/stream/with-timestamps']) {
    const answer = await ask({}, '', path + suffix)
    assert.deepEqual([answer.status, answer.body.detail.type], [404, 'not_found'])
  }
})

test('each field reaches the target', async () => {
  const format = { container: 'mp3', sampleRate: 44_100, bitRate: 128_000 }
  const plain = { text: 'Hello.', voice: rachel, speed: 1, volume: 0, format }
  assert.deepEqual(await requestOf({}, '?optimize_streaming_latency=0'), plain)
  const voice_settings = { stability: 0, similarity_boost: 1, style: 0.5, use_speaker_boost: false, speed: 1.2 }
  const style = { stability: 0, similarity: 1, exaggeration: 0.5, boost: false }
  const reported = { previous_text: 'Before.', next_text: 'After.', seed: 4_294_967_295, language_code: 'es' }
  assert.deepEqual(await requestOf({ voice_settings, ...reported, model_id: 'eleven_turbo_v2_5', apply_text_normalization: 'auto' }), {
    ...plain,
    speed: 1.2,
    style,
    previousText: 'Before.',
    nextText: 'After.',
    seed: 4_294_967_295,
    language: 'es',
  })
  // The key may also be in the service's own header.
  const headers = { 'xi-api-key': keys.BOUNDED }
  assert.equal((await gateway.call(path, { key: false, headers, body: { text: 'Hello.' } })).status, 200)
})

test('pronunciations come from the named dictionaries, in their order', async () => {
  const locators = (...ids: string[]) => ({ pronunciation_dictionary_locators: ids.map(id => ({ pronunciation_dictionary_id: id })) })
  const { pronunciations } = await requestOf(locators('names', 'brands'))
  assert.deepEqual(
    pronunciations?.map(({ say }) => say),
    ['shivawn', 'en jinx', 'engine x'],
  )
  const message = await refused(400, 'invalid_parameters', locators('brands', 'nothing'))
  assert.match(message, /^pronunciation_dictionary_locators\[1\]\.pronunciation_dictionary_id is "nothing"; there are brands, names\.$/)
  await refused(400, 'invalid_parameters', locators('toString'))
  await refused(400, 'invalid_parameters', locators('brands', 'names', 'brands', 'names'))
})

test('neighbouring sounds are named by their ids, for two hours, by their own account', async () => {
  const id = async (text: string) => (await ask({ text })).headers.get('request-id') ?? ''
  const [first, second, later] = [await id('One.'), await id('Two.'), await id(`Four. ${'x'.repeat(5_000)}`)]
  const ids = { previous_request_ids: [first, second], next_request_ids: [later] }
  const request = await requestOf({ text: 'Three.', ...ids, previous_text: 'not looked at' })
  assert.equal(request.previousText, 'One. Two.')
  assert.equal(request.nextText, `Four. ${'x'.repeat(1_994)}`)
  assert.match(
    await refused(400, 'invalid_parameters', { previous_request_ids: [first, 'no such'] }),
    /^previous_request_ids\[1\] is "no such"/,
  )
  await refused(400, 'invalid_parameters', { previous_request_ids: [first, first, first, first] })
  const other = await ask({ previous_request_ids: [first] }, '', path, { key: keys.OTHER })
  assert.deepEqual([other.status, other.body.detail.param], [400, 'previous_request_ids[0]'])
  nowMs += 2 * 3_600_000 + 1_000
  await refused(400, 'invalid_parameters', { next_request_ids: [first] })
})

test('invalid fields are refused in the words of the service', async () => {
  const cases: [status: number, code: string, body: object, query?: string][] = [
    [400, 'empty_text', { text: undefined }],
    [400, 'empty_text', { text: '' }],
    [400, 'empty_text', { text: '\n'.repeat(8192) }],
    [400, 'invalid_parameters', { text: ['nested'] }],
    [400, 'invalid_parameters', { text: 'half \udc00' }],
    [400, 'invalid_output_format', {}, '?output_format=mp3'],
    [400, 'invalid_output_format', {}, '?output_format=mp3_44100_128&output_format=wav_8000'],
    [400, 'invalid_voice_settings', { voice_settings: { stability: 1.01 } }],
    [400, 'invalid_voice_settings', { voice_settings: { style: -0.01 } }],
    [400, 'invalid_voice_settings', { voice_settings: { similarity_boost: '1' } }],
    [400, 'invalid_voice_settings', { voice_settings: [] }],
    [400, 'invalid_parameters', { seed: -1 }],
    [400, 'invalid_parameters', { seed: 4_294_967_296 }],
    [400, 'invalid_parameters', { language_code: 'en' }],
    [400, 'invalid_parameters', { language_code: 'english', model_id: 'tts_turbo_v2_5' }],
    [400, 'invalid_parameters', {}, '?optimize_streaming_latency=5'],
    [400, 'invalid_parameters', {}, '?enable_logging=perhaps'],
    [404, 'model_not_found', { model_id: 'tts-1' }],
  ]
  for (const [status, code, body, query] of cases) await refused(status, code, body, query)
  assert.match(
    await refused(404, 'voice_not_found', {}, '', `${base}/text-to-speech/nobody`),
    /^voice_id: "nobody" is not known; there are /,
  )
  assert.equal((await gateway.call(path, { key: false, body: { text: 'x' } })).body.detail.code, 'missing_api_key')
  assert.equal((await gateway.call(path, { raw: Buffer.from([0x7b, 0xff]) })).status, 400)
  const form = { raw: 'text=Hello.', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  assert.equal((await gateway.call(path, form)).status, 415)
})

test('each model has its own greatest length', async () => {
  for (const { id, group } of named) {
    const { characters } = groups[group]
    const text = '😀'.repeat(characters)
    await refused(400, 'text_too_long', { text: `${text}x`, model_id: id })
  }
  const { status, headers, bytes } = await ask({ text: '😀'.repeat(10_000) }, '?output_format=wav_8000')
  assert.deepEqual([status, headers.get('character-cost'), bytes.length], [200, '10000', 44 + 10_000 * samplesPerCharacter * 2])
})

test('a used-up quota is a 402, a busy target a 429, and neither costs anything', async () => {
  const spent = await ask({ text: 'x'.repeat(101) }, '', path, { key: keys.BOUNDED })
  assert.deepEqual([spent.status, spent.body.detail.code, spent.body.error.code], [402, 'insufficient_credits', 'quota_exceeded'])
  const busy = await ask({ text: 'busy' })
  assert.deepEqual([busy.status, busy.body.detail.code], [429, 'system_busy'])
  const [task] = (await gateway.call('/v1/tasks?family=T3&limit=1')).body.data
  assert.equal((await gateway.call(`/v1/tasks/${task.id}`)).body.cost, 0)
})

test('a repeat with the same Idempotency-Key returns the same file and the same headers', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await ask({}, '?output_format=wav_8000', path, { headers })
  const made = jobs.length
  const again = await ask({}, '?output_format=wav_8000', path, { headers })
  assert.deepEqual([again.bytes, jobs.length], [first.bytes, made])
  for (const name of ['request-id', 'character-cost', 'content-type']) assert.equal(again.headers.get(name), first.headers.get(name))
  // Parameters in the query and the path affect idempotency like fields in the body.
  for (const [query, at] of [
    ['?output_format=wav_16000', path],
    ['?output_format=wav_8000', path.replace(rachel, 'alloy')],
  ] as const) {
    const other = await ask({}, query, at, { headers })
    assert.deepEqual([other.status, other.body.error.code, jobs.length], [409, 'idempotency_conflict', made])
  }
})

test('voices and models are listed', async () => {
  for (const at of ['v1/voices', 'v2/voices', 'voices']) {
    const answer = await gateway.call(`${base}/${at}`)
    assertDocumented('listVoiceIds', answer)
    const { voices, total_count } = answer.body
    assert.deepEqual([voices[0].voice_id, voices[0].name, voices.length >= 17, total_count], [rachel, 'Rachel', true, voices.length])
  }
  const { body } = await gateway.call(`${base}/v1/models`)
  assert.deepEqual(
    body.map((model: { model_id: string }) => model.model_id),
    [...named.map(({ id }) => id), 'eleven_v3', 'eleven_v3_conversational'],
  )
})
