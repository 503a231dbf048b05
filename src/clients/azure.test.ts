/** Runs OpenAI's clients for Azure; only the endpoint, a key and a version are set. */
// Client: openai (npm openai, npm openai-6): createChatCompletion, createResponse, createImage,
// createSpeech, createTranscription.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import OpenAI, { AzureOpenAI, toFile } from 'openai'
import { AzureOpenAI as AzureOpenAI6 } from 'openai-6'
import { donePixel, fakeImageDriver } from '../testing/fakes/fake-driver.ts'
import { fakeSpeechDriver } from '../testing/fakes/fake-speech-driver.ts'
import { fakeTextDriver, says } from '../testing/fakes/fake-text-driver.ts'
import { fakeTranscriptionDriver, recording } from '../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const yaml = `
models:
  - { id: talk, family: [chat, responses], targets: [{ driver: text }] }
  - { id: voice, family: T1, group: tts-1, targets: [{ driver: tone }] }
  - { id: ears, family: R1, group: basic, targets: [{ driver: ears }] }
  - { id: pictures, family: images, targets: [{ driver: pixel }] }
`
let gateway: TestGateway
before(async () => {
  const drivers = [
    fakeTextDriver('text', () => says('Hello from here.')),
    fakeSpeechDriver('tone'),
    fakeTranscriptionDriver('ears'),
    fakeImageDriver('pixel', once(donePixel)),
  ]
  gateway = await startTestGateway({ yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

const versions = [
  { name: 'openai 7', Azure: AzureOpenAI },
  // The cast is safe: both versions have the same calls.
  { name: 'openai 6', Azure: AzureOpenAI6 as unknown as typeof AzureOpenAI },
]
const messages = [{ role: 'user', content: 'hello' } as const]

for (const { name, Azure } of versions) {
  const azure = (deployment?: string) =>
    new Azure({ endpoint: gateway.url, apiKey: testKey, apiVersion: '2024-10-21', ...(deployment === undefined ? {} : { deployment }) })

  test(`${name} for Azure: chat, whole and streamed, with the deployment in the client or in the call`, async () => {
    const whole = await azure().chat.completions.create({ model: 'talk', messages })
    assert.deepEqual([whole.model, whole.choices[0]?.message.content], ['talk', 'Hello from here.'])
    let text = ''
    for await (const chunk of await azure('talk').chat.completions.create({ model: '', messages, stream: true }))
      text += chunk.choices[0]?.delta.content ?? ''
    assert.equal(text, 'Hello from here.')
  })

  test(`${name} for Azure: responses, pictures, speech and transcripts`, async () => {
    assert.equal((await azure().responses.create({ model: 'talk', input: 'x' })).output_text, 'Hello from here.')
    const picture = await azure('pictures').images.generate({ prompt: 'a fox', size: '256x256' })
    assert.ok(picture.data?.[0]?.b64_json)
    const sound = await azure('voice').audio.speech.create({ model: 'voice', voice: 'alloy', input: 'Hello.', response_format: 'wav' })
    assert.equal(sound.headers.get('content-type'), 'audio/wav')
    const file = await toFile(recording(1), 'a.wav', { type: 'audio/wav' })
    assert.match((await azure('ears').audio.transcriptions.create({ model: '', file })).text, /\w/)
  })

  test(`${name} for Azure: an unknown deployment is the client's NotFoundError`, async () => {
    const refused = await azure('nobody')
      .chat.completions.create({ model: '', messages })
      .catch((error: unknown) => error)
    assert.deepEqual([Object(refused).status, Object(refused).param], [404, 'deployment'])
  })
}

test("OpenAI's own client at Azure's newer base URL", async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/openai/v1/`, apiKey: testKey })
  const { choices } = await client.chat.completions.create({ model: 'talk', messages })
  assert.equal(choices[0]?.message.content, 'Hello from here.')
})
