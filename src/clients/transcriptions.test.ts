/** Runs published clients that transcribe: OpenAI's client in two major versions, the AI SDK,
 *  and plain `fetch` for family R3. */
// Client: openai (npm openai, npm openai-6): createTranscription, createAudioTranslation.
// Client: AI SDK (npm ai, npm @ai-sdk/openai): createTranscription.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { experimental_transcribe as transcribe } from 'ai'
import { toFile } from 'openai'
import { fakeTranscriptionDriver, recording } from '../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { connect, sdks } from './testing/openai-sdk.ts'

const groups = { 'gpt-4o-transcribe': 'token', 'gpt-4o-transcribe-diarize': 'diarize', 'whisper-1': 'basic' }
const models = Object.entries(groups).map(([id, group]) => `  - { id: ${id}, family: R1, group: ${group}, targets: [{ driver: ears }] }`)
const yaml = `models:\n${models.join('\n')}\n  - { id: fast-transcription, family: R3, targets: [{ driver: ears }] }`
const apiKey = testKey
const spoken = 'One two three four. Five six'
let gateway: TestGateway
let baseURL: string
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears')], yaml })
  baseURL = `${gateway.url}/v1/ai/default`
})
after(() => gateway[Symbol.asyncDispose]())

const file = (words = 6) => toFile(recording(words), 'speech.wav')

for (const sdk of sdks) {
  test(`${sdk.name}: every response format works`, async () => {
    const { transcriptions } = connect(sdk, { baseURL, apiKey }).audio
    const plain = await transcriptions.create({ file: await file(), model: 'gpt-4o-transcribe', include: ['logprobs'] })
    assert.deepEqual([plain.text, plain.usage?.type, plain.logprobs?.length], [spoken, 'tokens', 2])
    const model = 'whisper-1'
    assert.equal(await transcriptions.create({ file: await file(), model, response_format: 'text' }), `${spoken}\n`)
    assert.match(String(await transcriptions.create({ file: await file(), model, response_format: 'srt' })), /^1\n00:00:00,000 --> /)
    assert.match(String(await transcriptions.create({ file: await file(), model, response_format: 'vtt' })), /^WEBVTT\n/)
    const wanted = { response_format: 'verbose_json' as const, timestamp_granularities: ['word' as const, 'segment' as const] }
    const verbose = await transcriptions.create({ file: await file(), model, ...wanted, language: 'en', temperature: 0.2 })
    assert.deepEqual([verbose.duration, verbose.words?.length, verbose.segments?.length], [3, 6, 2])
  })

  test(`${sdk.name}: the deltas of a stream add up to the text`, async () => {
    const { transcriptions } = connect(sdk, { baseURL, apiKey }).audio
    const chunking_strategy = { type: 'server_vad', threshold: 0.6 } as const
    let said = ''
    let whole: string | undefined
    for await (const event of await transcriptions.create({
      file: await file(),
      model: 'gpt-4o-transcribe',
      stream: true,
      chunking_strategy,
    })) {
      if (event.type === 'transcript.text.delta') said += event.delta
      if (event.type === 'transcript.text.done') whole = event.text
    }
    assert.deepEqual([said, whole], [spoken, spoken])
  })

  test(`${sdk.name}: speakers are named, with a sample of a known one`, async () => {
    const { transcriptions } = connect(sdk, { baseURL, apiKey }).audio
    // This data URL is longer than a text part of a form may be, so the gateway writes it to disk
    // as it does with a file.
    const sample = `data:audio/wav;base64,${recording(0, { seconds: 10, channels: 16 }).toString('base64')}`
    assert.ok(sample.length > 2 ** 20)
    const diarized = await transcriptions.create({
      file: await file(8),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
      known_speaker_names: ['agent'],
      known_speaker_references: [sample],
    })
    assert.deepEqual(
      Object(diarized).segments.map(({ speaker }: { speaker: string }) => speaker),
      ['agent', 'A'],
    )
  })

  test(`${sdk.name}: a translation works, and an error is the client's own`, async () => {
    const { transcriptions, translations } = connect(sdk, { baseURL, apiKey }).audio
    assert.equal((await translations.create({ file: await file(), model: 'whisper-1' })).text, `en: ${spoken}`)
    const no = await toFile(Buffer.from('no sound'), 'speech.mp3')
    const refused = await transcriptions.create({ file: no, model: 'whisper-1' }).catch((error: unknown) => error)
    const { status, code, param, requestID } = Object(refused)
    assert.deepEqual([status, code, param, typeof requestID], [400, 'invalid_file_format', 'file', 'string'])
  })
}

test('AI SDK: transcribe works with its default options', async () => {
  const { transcription } = createOpenAI({ baseURL, apiKey })
  for (const model of ['whisper-1', 'gpt-4o-transcribe']) {
    const { text, language, durationInSeconds, segments } = await transcribe({ model: transcription(model), audio: recording(6) })
    assert.equal(text, spoken, model)
    const providerOptions = { openai: { temperature: 0, timestampGranularities: ['segment'] } }
    const timed = await transcribe({ model: transcription(model), audio: recording(6), providerOptions })
    assert.equal(timed.text, spoken, model)
    if (model !== 'whisper-1') continue
    assert.deepEqual([timed.language ?? language, timed.durationInSeconds ?? durationInSeconds], ['en', 3])
    assert.equal((timed.segments.length > 0 ? timed.segments : segments).length, 2)
  }
})

test('fetch: fast transcription works as its clients call it', async () => {
  const form = new FormData()
  form.append('audio', new Blob([new Uint8Array(recording(6))], { type: 'audio/wav' }), 'speech.wav')
  form.append('definition', JSON.stringify({ locales: ['en-US'], profanityFilterMode: 'Masked', channels: [0] }))
  const answer = await fetch(`${baseURL}/speechtotext/transcriptions:transcribe?api-version=2024-11-15`, {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': apiKey },
    body: form,
  })
  assert.equal(answer.status, 200)
  const { combinedPhrases, phrases } = Object(await answer.json())
  assert.deepEqual([combinedPhrases, phrases.length], [[{ text: spoken }], 2])
})
