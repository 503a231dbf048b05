/** Decodes the audio of the fast built-in voice and checks its length and loudness. The OpenAI
 *  speech interface (family T1) offers this voice as "shimmer", the ElevenLabs interface (family
 *  T3) as "Rachel". */
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

/** Returns the length of a file in seconds and its loudest sample, from 0 to 1. */
async function heard(bytes: Buffer): Promise<{ seconds: number; peak: number }> {
  const file = join(scratch, 'sound')
  await writeFile(file, bytes)
  const { signal } = new AbortController()
  const { seconds, channels } = await decodeSound(file, { scratch, sampleRate: 8_000, channels: 'mixed', signal })
  const samples = await readSamples(channels[0]?.path ?? '', { from: 0, count: Math.ceil(seconds * 8_000) })
  return { seconds, peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) }
}

test('a sentence as MP3 and as WAV has a plausible length and is audible', needsVoice, async () => {
  for (const response_format of ['mp3', 'wav']) {
    const body = { input: text, voice: 'shimmer', response_format }
    const answer = await gateway.call('/v1/ai/default/audio/speech', { body })
    assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
    const { seconds, peak } = await heard(answer.bytes)
    assert.ok(seconds > 1 && seconds < 6 && peak > 0.1, `${response_format}: ${seconds} s, ${peak}`)
  }
  const unknown = await gateway.call('/v1/ai/default/audio/speech', { body: { input: text, voice: 'nobody' } })
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'unsupported_value'])
  assert.match(unknown.body.error.message, /^voice: there is no voice "nobody"; .{1,80}\.$/)
})

test("OpenAI's newer voices are replaced by others; headers name them and what was left out", needsVoice, async () => {
  const body = { model: 'gpt-4o-mini-tts', voice: 'coral', input: 'Today is a wonderful day.', instructions: 'Speak in a cheerful tone.' }
  const answer = await gateway.call('/v1/audio/speech', { body })
  assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
  assert.ok((await heard(answer.bytes)).seconds > 1)
  const says = answer.headers.get('x-gateway-warning')
  assert.match(says ?? '', /^voice: coral is spoken by a[fm]_\w+\. instructions: not followed by this voice\.$/)
  const george = await gateway.call('/v1/ai/default/tts-e/text-to-speech/JBFqnCBsd6RMkjVDRZzb', {
    body: { text: 'Hello.', model_id: 'eleven_v3' },
  })
  assert.equal(george.status, 200, george.bytes.subarray(0, 500).toString())
  assert.match(
    george.headers.get('x-gateway-warning') ?? '',
    /^model_id: eleven_v3 is an alias of .*\. voice_id: JBF\w+ is spoken by bm_george\.$/,
  )
})

test('a replaced voice is named also for a whole file, and for a repeat with the same key', needsVoice, async () => {
  const narration = {
    raw: 'Hello.',
    headers: { accept: 'application/octet-stream', 'content-type': 'text/plain', 'idempotency-key': 'n-1' },
  }
  for (const _ of [1, 2]) {
    const narrated = await gateway.call('/v1/ai/default/tts-n/text-to-speech/mp3?voice=coral', narration)
    assert.equal(narrated.status, 200, narrated.bytes.subarray(0, 500).toString())
    assert.match(narrated.headers.get('x-gateway-warning') ?? '', /^voice: coral is spoken by \w+\.$/)
  }
  const timed = await gateway.call('/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/with-timestamps', { body: { text: 'Hello.' } })
  assert.equal(timed.status, 200, timed.bytes.subarray(0, 500).toString())
  assert.match(timed.headers.get('x-gateway-warning') ?? '', /^voice_id: JBF\w+ is spoken by \w+\. alignment: /)
  const speech = { body: { voice: 'coral', input: 'Hello.' }, headers: { 'idempotency-key': 's-1' } }
  for (const _ of [1, 2]) {
    const spoken = await gateway.call('/v1/ai/default/audio/speech', speech)
    assert.match(spoken.headers.get('x-gateway-warning') ?? '', /^voice: coral is spoken by \w+\.$/)
  }
})

async function countedCharacters(): Promise<number> {
  const { usage } = (await gateway.admin('/admin/usage?by=account')).body
  return usage
    .filter(({ unit }: { unit: string }) => unit === 'characters')
    .reduce((sum: number, { units }: { units: number }) => sum + units, 0)
}

/** Texts that contain nothing to read aloud: scene breaks, lone dots, and punctuation marks of
 *  several scripts. */
const silentTexts = ['...', '***', '—', '. . .', '?!', '- - -', '…', '。。。', '،؟', '「」', '।', '\u200b', '"…" (—)']

test('a text without words gives a short silence that plays in every format and is not counted', needsVoice, async () => {
  const before = await countedCharacters()
  const least = { mp3: 200, opus: 200, aac: 100, flac: 8_300, wav: 1_000, pcm: 1_000 }
  const speak = async (input: string, response_format: string) => {
    const answer = await gateway.call('/v1/audio/speech', { body: { model: 'tts-1', input, voice: 'shimmer', response_format } })
    assert.equal(answer.status, 200, `${input} as ${response_format}: ${answer.bytes.subarray(0, 300).toString()}`)
    return answer.bytes
  }
  for (const [format, bytes] of Object.entries(least)) {
    const sound = await speak('...', format)
    assert.ok(sound.length >= bytes, `${format} has ${sound.length} bytes`)
    if (format !== 'pcm') assert.ok(Math.abs((await heard(sound)).seconds - 0.5) < 0.15, format)
  }
  for (const text of silentTexts) {
    const { seconds, peak } = await heard(await speak(text, 'wav'))
    assert.deepEqual([seconds, peak < 0.001], [0.5, true], text)
  }
  const narrated = (raw: string, type = 'text/plain') =>
    gateway.call('/v1/ai/default/tts-n/text-to-speech/mp3?voice=shimmer', {
      raw,
      headers: { accept: 'application/octet-stream', 'content-type': type },
    })
  for (const answer of [await narrated('***'), await narrated('WEBVTT\n\n00:00.000 --> 00:01.000\n...\n', 'text/vtt')])
    assert.ok((await heard(answer.bytes)).seconds > 0.4, String(answer.status))
  assert.equal((await narrated('(pause: 1) ... (pause: 1)')).status, 400)
  const voice = '21m00Tcm4TlvDq8ikWAM'
  for (const path of [voice]) {
    const answer = await gateway.call(`/v1/ai/default/tts-e/text-to-speech/${path}`, { body: { text: '...' } })
    assert.equal(answer.status, 200)
    assert.ok((await heard(answer.bytes)).seconds > 0.4, path)
  }
  for (const response_format of ['mp3', 'wav']) {
    const unsaid = await gateway.call('/v1/audio/speech', {
      body: { model: 'tts-1', input: '<break time="1s"/>', voice: 'shimmer', response_format },
    })
    assert.deepEqual([unsaid.status, unsaid.body?.error.param], [400, 'input'])
  }
  assert.equal(await countedCharacters(), before)
})

test('the short narration reports its length', needsVoice, async () => {
  const headers = { accept: 'application/octet-stream', 'content-type': 'text/plain' }
  const answer = await gateway.call('/v1/ai/default/tts-n/text-to-speech/mp3?voice=shimmer', { raw: text, headers })
  assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
  const { seconds } = await heard(answer.bytes)
  assert.ok(Math.abs(Number(answer.headers.get('x-duration-seconds')) - seconds) < 0.1)
})
