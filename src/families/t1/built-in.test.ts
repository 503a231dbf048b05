/** Speech of the built-in voices, decoded: the fast one, which T1's shimmer and T3's Rachel are. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const needsVoice = needPack('speech-hibari')
const text = 'Good morning. It is time to go.'
let gateway: TestGateway
let scratch: string
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  scratch = await mkdtemp(join(tmpdir(), 'gateway-speech-'))
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})

/** Seconds and loudest sample, from 0 to 1, of a file. */
async function heard(bytes: Buffer): Promise<{ seconds: number; peak: number }> {
  const file = join(scratch, 'sound')
  await writeFile(file, bytes)
  const { signal } = new AbortController()
  const { seconds, channels } = await decodeSound(file, { scratch, sampleRate: 8_000, channels: 'mixed', signal })
  const samples = await readSamples(channels[0]?.path ?? '', { from: 0, count: Math.ceil(seconds * 8_000) })
  return { seconds, peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) }
}

test('a sentence as MP3 and as WAV lasts as long as it takes to say it, and can be heard', needsVoice, async () => {
  for (const response_format of ['mp3', 'wav']) {
    const body = { input: text, voice: 'shimmer', response_format }
    const answer = await gateway.call('/v1/ai/default/audio/speech', { body })
    assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
    const { seconds, peak } = await heard(answer.bytes)
    assert.ok(seconds > 1 && seconds < 6 && peak > 0.1, `${response_format}: ${seconds} s, ${peak}`)
  }
  const unknown = await gateway.call('/v1/ai/default/audio/speech', { body: { input: text, voice: 'nobody' } })
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'unsupported_value'])
  assert.match(unknown.body.error.message, /alloy/)
})

test('the short narration says how long it is', needsVoice, async () => {
  const headers = { accept: 'application/octet-stream', 'content-type': 'text/plain' }
  const answer = await gateway.call('/v1/ai/default/tts-n/text-to-speech/mp3?voice=shimmer', { raw: text, headers })
  assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
  const { seconds } = await heard(answer.bytes)
  assert.ok(Math.abs(Number(answer.headers.get('x-duration-seconds')) - seconds) < 0.1)
})
