/** Runs published clients that speak text; only the base URL and a key are set. */
// Client: openai (npm openai, npm openai-6): createSpeech.
// Client: AI SDK (npm ai, npm @ai-sdk/openai, npm @ai-sdk/elevenlabs): createSpeech,
// createVoiceSpeech.
// Client: ElevenLabs (npm @elevenlabs/elevenlabs-js): createVoiceSpeech, createTimedVoiceSpeech,
// listVoiceIds, searchVoiceIds, getVoiceId, listVoiceModels, getVoiceUser, getVoiceSubscription,
// createPronunciationDictionary, getPronunciationDictionary.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createElevenLabs } from '@ai-sdk/elevenlabs'
import { createOpenAI } from '@ai-sdk/openai'
import { ElevenLabsClient, ElevenLabsError } from '@elevenlabs/elevenlabs-js'
import { generateSpeech } from 'ai'
import OpenAI from 'openai'
import { fakeSpeechDriver, samplesPerCharacter } from '../testing/fakes/fake-speech-driver.ts'
import { fakeTranscriptionDriver, recording } from '../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { connect, sdks } from './testing/openai-sdk.ts'

const rachel = '21m00Tcm4TlvDq8ikWAM'
const apiKey = testKey
const targets = 'targets: [{ driver: tone }]'
const yaml = `
models:
  - { id: tts-1, family: T1, group: tts-1, ${targets} }
  - { id: gpt-4o-mini-tts, family: T1, group: gpt-4o-mini-tts, ${targets} }
  - { id: eleven_multilingual_v2, family: T3, group: tts_multilingual_v2, ${targets} }
  - { id: scribe_v1, family: R1, group: basic, targets: [{ driver: ears }] }
`
let gateway: TestGateway
let baseURL: string
before(async () => {
  gateway = await startTestGateway({ yaml, drivers: [fakeSpeechDriver('tone'), fakeTranscriptionDriver('ears')] })
  baseURL = `${gateway.url}/v1/ai/default`
})
after(() => gateway[Symbol.asyncDispose]())

const input = 'Hello there.'
/** Size in bytes of the WAV file that the fake voice produces for `input`: the header, and two
 *  bytes for each sample. */
const fileBytes = 44 + input.length * samplesPerCharacter * 2

async function sizeOf(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.length
  return bytes
}

for (const sdk of sdks) {
  test(`${sdk.name}: speech as a file, as a stream and as events`, async () => {
    const { audio } = connect(sdk, { baseURL, apiKey })
    const requested = { model: 'tts-1', voice: 'alloy', input, response_format: 'wav' } as const
    const whole = await audio.speech.create(requested)
    assert.deepEqual([whole.headers.get('content-type'), (await whole.arrayBuffer()).byteLength], ['audio/wav', fileBytes])
    const streamed = await audio.speech.create({ ...requested, speed: 1.5 })
    assert.equal(await sizeOf(streamed.body as unknown as AsyncIterable<Uint8Array>), fileBytes)
    const events = await audio.speech.create({ ...requested, model: 'gpt-4o-mini-tts', instructions: 'Softly.', stream_format: 'sse' })
    const types = [...(await events.text()).matchAll(/"type":"(speech\.audio\.\w+)"/g)].map(([, type]) => type)
    assert.deepEqual([types.length, types[0], types.at(-1)], [input.length + 2, 'speech.audio.delta', 'speech.audio.done'])
  })

  test(`${sdk.name}: a limit and a wrong key are the client's own errors`, async () => {
    const { audio } = connect(sdk, { baseURL, apiKey })
    const fast = await audio.speech.create({ model: 'tts-1', voice: 'alloy', input, speed: 5 }).catch((error: unknown) => error)
    assert.ok(fast instanceof OpenAI.BadRequestError || Object(fast).status === 400)
    const { requestID, code, param } = Object(fast)
    assert.deepEqual([typeof requestID, code, param], ['string', 'decimal_above_max_value', 'speed'])
    const other = connect(sdk, { baseURL, apiKey: 'sk-of-nobody' })
    const denied = await other.audio.speech.create({ model: 'tts-1', voice: 'alloy', input }).catch((error: unknown) => error)
    assert.equal(Object(denied).status, 401)
  })
}

test('ElevenLabs: convert and stream work, with the headers of the answer', async () => {
  const { textToSpeech } = new ElevenLabsClient({ baseUrl: `${baseURL}/tts-e`, apiKey })
  const requested = {
    text: input,
    modelId: 'eleven_multilingual_v2',
    outputFormat: 'wav_8000',
    voiceSettings: { stability: 0.4, speed: 1.1 },
  } as const
  assert.equal(
    await sizeOf(await textToSpeech.convert(rachel, { ...requested, enableLogging: false, optimizeStreamingLatency: 0 })),
    fileBytes,
  )
  assert.equal(await sizeOf(await textToSpeech.stream(rachel, { ...requested, outputFormat: 'pcm_16000', seed: 7 })), fileBytes - 44)
  const { data, rawResponse } = await textToSpeech.convert(rachel, requested).withRawResponse()
  assert.equal(await sizeOf(data), fileBytes)
  const requestId = rawResponse.headers.get('request-id') ?? ''
  assert.deepEqual(
    [rawResponse.headers.get('character-cost'), rawResponse.headers.get('content-type')],
    [String(input.length), 'audio/wav'],
  )
  assert.equal(await sizeOf(await textToSpeech.convert(rachel, { ...requested, previousRequestIds: [requestId] })), fileBytes)
})

test('ElevenLabs: voices and models are listed, and an unknown voice is the client’s own error', async () => {
  const client = new ElevenLabsClient({ baseUrl: `${baseURL}/tts-e`, apiKey })
  const { voices } = await client.voices.getAll()
  assert.deepEqual([voices[0]?.voiceId, voices[0]?.name, voices[0]?.labels?.gender], [rachel, 'Rachel', 'female'])
  const { voices: page, nextPageToken } = await client.voices.search({ pageSize: 100 })
  const rest = nextPageToken ? await client.voices.search({ pageSize: 100, nextPageToken }) : { voices: [] }
  assert.deepEqual(
    [...page, ...rest.voices].map(({ voiceId }) => voiceId),
    voices.map(({ voiceId }) => voiceId),
  )
  const models = await client.models.list()
  assert.deepEqual([models[0]?.modelId, models[0]?.canDoTextToSpeech], ['tts_monolingual_v1', true])
  const unknown = await client.textToSpeech
    .convert('nobody', { text: input, modelId: 'eleven_multilingual_v2' })
    .catch((error: unknown) => error)
  assert.ok(unknown instanceof ElevenLabsError)
  assert.equal(unknown.statusCode, 404)
  assert.match(JSON.stringify(unknown.body), /voice_not_found/)
})

test('ElevenLabs with the bare host: speech with times, voices, account, transcription and dictionaries work', async () => {
  const client = new ElevenLabsClient({ baseUrl: gateway.url, apiKey })
  assert.equal((await client.models.list())[0]?.modelId, 'tts_monolingual_v1')
  assert.equal((await client.voices.getAll()).voices[0]?.voiceId, rachel)
  assert.equal((await client.voices.search({ search: 'rachel' })).voices[0]?.voiceId, rachel)
  assert.equal((await client.voices.get(rachel)).name, 'Rachel')
  assert.equal((await client.user.get()).subscription.tier, 'gateway')
  assert.equal((await client.user.subscription.get()).status, 'active')
  const timed = await client.textToSpeech.convertWithTimestamps(rachel, { text: input, modelId: 'eleven_multilingual_v2' })
  assert.deepEqual(timed.alignment?.characters, [...input])
  const made = await client.pronunciationDictionaries.createFromRules({
    name: 'brands',
    rules: [{ type: 'alias', stringToReplace: 'nginx', alias: 'engine x' }],
  })
  assert.equal((await client.pronunciationDictionaries.get(made.id)).latestVersionRulesNum, 1)
  const said = await client.speechToText.convert({ modelId: 'scribe_v1', file: new Blob([new Uint8Array(recording(2))]) })
  assert.equal('text' in said ? said.text : undefined, 'One two')
})

test('AI SDK: generateSpeech works with both of its providers', async () => {
  const openai = await generateSpeech({
    model: createOpenAI({ baseURL, apiKey }).speech('gpt-4o-mini-tts'),
    text: input,
    voice: 'nova',
    outputFormat: 'wav',
    instructions: 'Softly.',
    speed: 1.2,
  })
  assert.deepEqual([openai.audio.mediaType, openai.audio.uint8Array.length, openai.warnings], ['audio/wav', fileBytes, []])
  // The client always calls the address of ElevenLabs, so it is given a `fetch` function that sends
  // the call to the gateway.
  const redirected: typeof fetch = (url, init) => fetch(String(url).replace('https://api.elevenlabs.io', `${baseURL}/tts-e`), init)
  const elevenlabs = await generateSpeech({
    model: createElevenLabs({ apiKey, fetch: redirected }).speech('eleven_multilingual_v2'),
    text: input,
    voice: rachel,
    providerOptions: { elevenlabs: { voiceSettings: { similarityBoost: 0.5 }, seed: 7 } },
  })
  assert.equal(elevenlabs.audio.uint8Array.length, fileBytes - 44)
})
