/** Runs Python clients of speech services as published: ElevenLabs' client, whose base URL is set
 *  to the host of the gateway; Azure's client for transcription; and the voice pipeline of
 *  openai-agents. */
import { after, before, test } from 'node:test'
import { fakeSpeechDriver, speakTone } from '../../testing/fakes/fake-speech-driver.ts'
import { fakeTranscriptionDriver, recording } from '../../testing/fakes/fake-transcription-driver.ts'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { textReply } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const models = (baseUrl: string) => `
models:
  - { id: eleven_multilingual_v2, family: T3, group: tts_multilingual_v2, targets: [{ driver: tone }] }
  - { id: scribe_v1, family: R1, group: basic, targets: [{ driver: ears }] }
  - { id: fast-transcription, family: R3, targets: [{ driver: ears }] }
  - { id: gpt-4o-mini-tts, family: T1, targets: [{ driver: tone }] }
  - { id: gpt-4o-transcribe, family: R1, group: token, targets: [{ driver: ears }] }
  - { id: far-chat, family: [chat, responses], targets: [{ driver: openai-compatible, model: up-1, api_key: sk-afar, dialect: openai, base_url: "${baseUrl}", protocols: [chat] }] }
`

let gateway: TestGateway
let upstream: FakeUpstream
let env: Record<string, string>
before(async () => {
  upstream = await startFakeUpstream()
  upstream.answer((response, request) => {
    if (request.path === '/a.wav') response.writeHead(200, { 'content-type': 'audio/wav' }).end(recording(5))
    else textReply(response, request)
  })
  const tone = fakeSpeechDriver('tone', { kind: 'streamed', run: speakTone })
  gateway = await startTestGateway({ yaml: models(upstream.baseUrl), drivers: [tone, fakeTranscriptionDriver('ears')] })
  env = { GATEWAY_URL: gateway.url, GATEWAY_KEY: testKey, SOUND_URL: new URL('/a.wav', upstream.baseUrl).href }
  env.SOUND_BASE64 = recording(5).toString('base64')
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

for (const [name, script] of [
  ['elevenlabs', 'use_elevenlabs.py'],
  ['azure-ai-transcription', 'use_azure_transcription.py'],
  ['openai-agents, voice', 'use_agents_voice.py'],
] as const)
  test(`${name} (Python)`, needEnvironment('speech'), t => runCases(t, 'speech', script, env))
