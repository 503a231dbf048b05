import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Job, JobFacts } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranslateRequest } from '@generation-gateway/kit/requests/transcript.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { assertSpoken, heard, recording, spoken, toneAs } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import azureSpeech from './driver.ts'
import { settings } from './settings.ts'
import { ssmlOf } from './speech.ts'

const pcm = await toneAs({ container: 'pcm' })
const phrases = {
  durationMilliseconds: 3000,
  combinedPhrases: [
    { channel: 0, text: 'One.' },
    { channel: 1, text: 'Two.' },
  ],
  phrases: [
    {
      channel: 0,
      speaker: 1,
      offsetMilliseconds: 100,
      durationMilliseconds: 400,
      text: 'One.',
      words: [{ text: 'one', offsetMilliseconds: 100, durationMilliseconds: 400 }],
      locale: 'en-US',
      confidence: 0.9,
    },
    { channel: 1, speaker: 2, offsetMilliseconds: 900, durationMilliseconds: 300, text: 'Two.', locale: 'en-US', confidence: 0.8 },
  ],
}

const shared = {
  driver: azureSpeech,
  settings: (base_url: string, api_key: string): JsonObject => ({ base_url, api_key, voices: { alloy: 'en-US-JennyNeural' } }),
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the result' },
  outputs: { leftOut: 'the answer is the result' },
  relays: { leftOut: 'this is no conversation' },
} as const

driverSuite('Azure Speech, speaking', {
  ...shared,
  capability: 'speech.synthesize',
  request: { ...spoken, format: { container: 'flac' } },
  good: () => [rawReply(pcm, 200, { 'content-type': 'audio/basic' })],
  check: (done, events) => assertSpoken(done, events, undefined),
  hanging: response => void response.writeHead(200, { 'content-type': 'audio/basic' }).write(pcm.subarray(0, 100)),
  refusal: (status, message, headers) => jsonReply({ error: { message } }, status, headers),
  failed: { replies: [jsonReply({ error: { message: 'SSML is wrong' } }, 400)], code: 'invalid_request' },
})

driverSuite('Azure Speech, hearing', {
  ...shared,
  capability: 'audio.transcribe',
  request: { ...heard, words: true, profanity: 'masked', channels: [0, 1], languages: ['en-US', 'de-DE'] },
  inputs: async folder => [await recording(folder)],
  good: () => [
    (response, request) => {
      const form = request.body.toString('latin1')
      assert.match(request.path, /\/speechtotext\/transcriptions:transcribe\?api-version=2024-11-15$/)
      const definition = JSON.parse(/name="definition"\r\n\r\n(.*)\r\n/.exec(form)?.[1] ?? '{}')
      assert.deepEqual(definition, { locales: ['en-US', 'de-DE'], channels: [0, 1], profanityFilterMode: 'Masked' })
      return jsonReply(phrases)(response, request)
    },
  ],
  check: done => {
    assert.deepEqual([done.report.text, done.report.language, done.report.seconds], ['One. Two.', 'en-US', 3])
    const [first] = done.report.segments as object[]
    const words = [{ text: 'one', startSeconds: 0.1, endSeconds: 0.5 }]
    assert.deepEqual(first, {
      text: 'One.',
      startSeconds: 0.1,
      endSeconds: 0.5,
      words,
      speaker: '1',
      channel: 0,
      language: 'en-US',
      confidence: 0.9,
    })
  },
  hanging: response => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"durationMilliseconds":'),
  refusal: (status, message, headers) => jsonReply({ code: 'SomeError', message, innerError: { code: 'Some', message } }, status, headers),
  failed: {
    replies: [
      jsonReply({ code: 'UnprocessableEntity', message: 'no', innerError: { code: 'NoLanguageIdentified', message: 'none' } }, 422),
    ],
    code: 'invalid_request',
  },
})

const translations = [
  {
    translations: [
      { text: 'Eins.', to: 'de' },
      { text: '一。', to: 'zh-Hans' },
    ],
  },
  {
    translations: [
      { text: 'Zwei.', to: 'de' },
      { text: '二。', to: 'zh-Hans' },
    ],
  },
]
const asksToTranslate = { ...heard, targets: ['de', 'zh'], languages: ['en-US'] }

driverSuite('Azure Speech, translating', {
  ...shared,
  capability: 'audio.translate',
  request: asksToTranslate,
  inputs: async folder => [await recording(folder)],
  good: () => [
    jsonReply(phrases),
    (response, request) => {
      assert.match(request.path, /\/translator\/text\/v3\.0\/translate\?api-version=3\.0&from=en&to=de&to=zh-Hans$/)
      assert.deepEqual(JSON.parse(request.body.toString()), [{ Text: 'One.' }, { Text: 'Two.' }])
      return jsonReply(translations)(response, request)
    },
  ],
  check: done => {
    assert.deepEqual(done.report.translations, { de: 'Eins. Zwei.', zh: '一。二。' })
    const { de } = done.report.translatedSegments as { de: object[] }
    assert.deepEqual(de[0], { text: 'Eins.', startSeconds: 0.1, endSeconds: 0.5 })
    assert.deepEqual([done.report.text, done.usage], ['One. Two.', [{ unit: 'seconds', units: 3 }]])
  },
  hanging: response => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"durationMilliseconds":'),
  refusal: (status, message, headers) => jsonReply({ code: 'SomeError', message, innerError: { code: 'Some', message } }, status, headers),
  failed: {
    replies: [jsonReply(phrases), jsonReply({ error: { code: 400036, message: 'The target language is not valid.' } }, 400)],
    code: 'invalid_request',
  },
})

test('a failed translation costs the transcribed seconds; a recording without a language has an empty translation', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'azure-speech-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const driver = azureSpeech.open(driverTools({ allowPrivateUrls: true }))
  stack.defer(() => driver.close?.())
  const offer = driver.offers['audio.translate']
  assert.equal(offer?.kind, 'once')
  const job: Job<TranslateRequest> = {
    ...{ id: 'j', request: asksToTranslate, inputs: [await recording(folder)], scratch: folder, model: 'm', attempt: 1 },
    ...{ settings: { base_url: fake.baseUrl, api_key: 'az-key-0123456789' }, signal: new AbortController().signal, progress: () => {} },
  }
  fake.answer(jsonReply(phrases), jsonReply({ error: { code: 401000, message: 'The key is not valid.' } }, 401))
  const unpaid = await offer.run(job)
  assert.ok(unpaid.state === 'failed' && unpaid.mayBeCharged === true, JSON.stringify(unpaid))
  fake.answer(jsonReply(phrases), jsonReply(translations.slice(1)))
  assert.equal((await offer.run(job)).state, 'failed')
  for (const locale of ['en-12', 'en-US-US']) {
    fake.answer(jsonReply({ ...phrases, phrases: [{ ...phrases.phrases[0], locale }] }), jsonReply(translations.slice(0, 1)))
    assert.equal((await offer.run(job)).state, 'done', locale)
    assert.match(fake.received.at(-1)?.path ?? '', /&from=en&to=/)
  }
  fake.answer(jsonReply({ code: 'UnprocessableEntity', message: 'no', innerError: { code: 'NoLanguageIdentified', message: 'none' } }, 422))
  const empty = await offer.run(job)
  assert.ok(empty.state === 'done')
  assert.deepEqual([empty.report.text, empty.report.translations, empty.usage], ['', { de: '', zh: '' }, [{ unit: 'seconds', units: 0 }]])
})

test('2 to 35 speakers are distinguished, as the service allows; its ten file types are sent unchanged', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'azure-speech-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const driver = azureSpeech.open(driverTools({ allowPrivateUrls: true }))
  stack.defer(() => driver.close?.())
  const offer = driver.offers['audio.transcribe']
  assert.equal(offer?.kind, 'once')
  for (const [most, sent] of [
    [1, 2],
    [2, 2],
    [3, 3],
    [35, 35],
    [36, 35],
    [undefined, 10],
  ] as const) {
    fake.answer(jsonReply(phrases))
    const done = await offer.run({
      ...{ id: 'j', inputs: [await recording(folder)], scratch: folder, model: 'm', attempt: 1, progress: () => {} },
      request: { ...heard, speakers: { names: [], ...(most === undefined ? {} : { most }) } },
      settings: { base_url: fake.baseUrl, api_key: 'az-key-0123456789' },
      signal: new AbortController().signal,
    })
    assert.equal(done.state, 'done')
    const form = fake.received.at(-1)?.body.toString('latin1') ?? ''
    const { diarization } = JSON.parse(/name="definition"\r\n\r\n(.*)\r\n/.exec(form)?.[1] ?? '{}')
    assert.deepEqual(diarization, { enabled: true, maxSpeakers: sent }, `${most} speakers`)
  }
  for (const type of ['wav', 'mpeg', 'ogg', 'flac', 'x-ms-wma', 'aac', 'amr', 'amr-wb', 'webm', 'mp4', 'midi']) {
    fake.answer(jsonReply(phrases))
    const mediaType = `audio/${type}`
    await offer.run({
      ...{ id: 'j', inputs: [{ ...(await recording(folder)), mediaType }], scratch: folder, model: 'm', attempt: 1, progress: () => {} },
      ...{ request: heard, settings: { base_url: fake.baseUrl, api_key: 'az-key-0123456789' }, signal: new AbortController().signal },
    })
    const form = fake.received.at(-1)?.body.toString('latin1') ?? ''
    assert.equal(/content-type: (audio\/\S+)/i.exec(form)?.[1], type === 'midi' ? 'audio/wav' : mediaType, `${type} is sent unchanged`)
  }
})

test('times, channels and confidences that no phrase has are left out', async () => {
  await using stack = new AsyncDisposableStack()
  const fake = await startFakeUpstream()
  stack.defer(() => fake.close())
  const folder = await mkdtemp(join(tmpdir(), 'azure-speech-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const driver = azureSpeech.open(driverTools({}))
  stack.defer(() => driver.close?.())
  const wrong = { text: 'One.', locale: 'en-US', offsetMilliseconds: -100, durationMilliseconds: 1e308, channel: -1, confidence: -0.5 }
  fake.answer(jsonReply({ ...phrases, phrases: [wrong] }))
  const offer = driver.offers['audio.transcribe']
  assert.ok(offer?.kind === 'once')
  const done = await offer.run({
    ...{ id: 'j', inputs: [await recording(folder)], scratch: folder, model: 'm', attempt: 1, progress: () => {} },
    ...{ request: heard, settings: { base_url: fake.baseUrl, api_key: 'az-key-0123456789' }, signal: new AbortController().signal },
  })
  assert.ok(done.state === 'done')
  assert.deepEqual(done.report.segments, [{ text: 'One.', startSeconds: 0, endSeconds: 0, channel: 0, language: 'en-US' }])
})

test('texts become SSML that no text can break out of', () => {
  const ssml = ssmlOf(
    { ...spoken, text: 'Say "nginx" & <b> \u0000now', speed: 1.25, pronunciations: [{ word: 'nginx', say: 'engine x' }] },
    'en-US-JennyNeural',
  )
  assert.equal(
    ssml,
    '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US"><voice name="en-US-JennyNeural"><prosody rate="+25%">Say &quot;<sub alias="engine x">nginx</sub>&quot; &amp; &lt;b&gt; now</prosody></voice></speak>',
  )
})

test('a region has its hosts; voices must have their short names', () => {
  const target = settings.targetOf({ api_key: 'k', region: 'westeurope' })
  assert.deepEqual(
    [target.upstream.origin, target.speaking.origin],
    ['https://westeurope.api.cognitive.microsoft.com', 'https://westeurope.tts.speech.microsoft.com'],
  )
  const own = settings.targetOf({ api_key: 'k', translator_key: 't', translator_region: 'eastus' }).translating
  const shown = (headers: readonly string[]) => headers.filter((_, at) => /^ocp/.test(headers[at - (at % 2)] ?? ''))
  assert.equal(own.origin, 'https://api.cognitive.microsofttranslator.com')
  assert.deepEqual(shown(own.headers), ['ocp-apim-subscription-region', 'eastus', 'ocp-apim-subscription-key', 't'])
  assert.deepEqual(shown(target.translating.headers), ['ocp-apim-subscription-region', 'westeurope', 'ocp-apim-subscription-key', 'k'])
  const driver = azureSpeech.open(driverTools({}))
  const requested = { request: spoken, model: 'm', settings: { api_key: 'k' }, inputs: [] }
  assert.match(driver.offers['speech.synthesize']?.refuses?.(requested)?.message ?? '', /^voice: is alloy; Azure Speech wants a short name/)
  const known: JobFacts<TranscribeRequest> = { ...requested, request: { ...heard, speakers: { names: ['ann'] } } }
  assert.match(driver.offers['audio.transcribe']?.refuses?.(known)?.message ?? '', /^speakers: /)
})
