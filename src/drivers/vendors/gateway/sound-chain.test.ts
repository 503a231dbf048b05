/** Tests music, speech and transcription with two gateways: the outer one uses the inner one as its
 *  upstream, through the driver `gateway`. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { fakeMusicDriver, type MusicJob } from '../../../testing/fakes/fake-music-driver.ts'
import { fakeSpeechDriver, speakTone, toneOffer } from '../../../testing/fakes/fake-speech-driver.ts'
import { fakeTranscriptionDriver, recording, type TranscriptionJob } from '../../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { toneAs } from '../../shared/sound/testing/sounds.ts'

const key = 'sk-inner-access-key-0001'
const names = [
  ...['MaaS_Mus_v7.5_generate M v7.5', 'MaaS_Mus_o1_generate M o1', 'tts-1 T1 tts-1', 'gpt-4o-mini-tts T1 gpt-4o-mini-tts'],
  ...['MaaS_Speech_N T2', 'tts_turbo_v2_5 T3 tts_turbo_v2_5', 'whisper-1 R1 basic', 'gpt-4o-transcribe R1 token'],
  ...['fast-transcription R3', 'short-recognition R4', 'speech-translation R5'],
]
const models = (targetOf: (family: string) => string) =>
  `models:\n${names
    .map(name => name.split(' '))
    .map(
      ([id, family = '', group]) =>
        `  - { id: ${id}, family: ${family}${group ? `, group: ${group}` : ''}, targets: [${targetOf(family)}] }`,
    )
    .join('\n')}`

const [mp3, flac] = await Promise.all([toneAs({ container: 'mp3' }), toneAs({ container: 'flac' })])
const played: MusicJob[] = []
const spokenTexts: (object & { text: string })[] = []
const hearings: TranscriptionJob[] = []
/** The second half of a piece with the prompt `slow` begins when the test resolves this promise. */
const second = Promise.withResolvers<void>()
const band = streamed<MusicRequest, MusicEvent>(
  async function* (job) {
    played.push(job)
    const half = mp3.length >> 1
    yield { type: 'event', event: { type: 'sound', piece: 0, bytes: mp3.subarray(0, half) } }
    if (job.request.prompt === 'slow') {
      const left = new Promise<void>(resolve => job.signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([second.promise, left])
      job.signal.throwIfAborted()
    }
    yield { type: 'event', event: { type: 'sound', piece: 0, bytes: mp3.subarray(half) } }
    const pieces = []
    for (let piece = 0; piece < job.request.count; piece++) {
      const made = [
        ['song', 'audio/mpeg', mp3],
        ['lossless', 'audio/flac', flac],
        ['cover', 'image/png', onePixelPng],
      ] as const
      for (const [role, mediaType, bytes] of made) {
        if (job.request.prompt === 'only the second has more' && piece === 0 && role !== 'song') continue
        const path = join(job.scratch, `${role}-${piece}`)
        await writeFile(path, bytes)
        const file: OutputFile = { role, path, mediaType, ...(role === 'cover' ? { width: 1, height: 1 } : { durationSeconds: 1 }) }
        yield { type: 'file', file }
      }
      pieces.push({
        seed: String(BigInt(job.request.seed) + BigInt(piece)),
        seconds: 1,
        style: 'Folk',
        lines: [{ text: 'la', startSeconds: 0, endSeconds: 1 }],
      })
    }
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { pieces }, usage: [{ unit: 'seconds', units: pieces.length }] } }
  },
  { isRepeatable: true },
)

let inner: TestGateway
let outer: TestGateway
before(async () => {
  const voice = toneOffer(job => {
    spokenTexts.push(job.request)
    return speakTone(job)
  })
  const drivers = [
    fakeMusicDriver('band', { offer: band }),
    fakeSpeechDriver('voice', voice),
    fakeTranscriptionDriver('ear', { jobs: hearings }),
  ]
  const engine = (family: string) => `{ driver: ${family === 'M' ? 'band' : family.startsWith('T') ? 'voice' : 'ear'} }`
  inner = await startTestGateway({ drivers, env: { GATEWAY_ACCESS_KEY: key }, yaml: models(engine) })
  const target = `{ driver: gateway, base_url: "${inner.url}", api_key_env: INNER_KEY }`
  outer = await startTestGateway({ env: { INNER_KEY: key }, yaml: models(() => target) })
})
after(async () => {
  await outer?.[Symbol.asyncDispose]()
  await inner?.[Symbol.asyncDispose]()
})

const base = '/v1/ai/default'

async function music(kind: string, body: object) {
  const begun = await outer.call(`${base}/mus/${kind}/generate`, { body })
  assert.equal(begun.status, 200, JSON.stringify(begun.body))
  return until(async () => {
    const { body: task } = await outer.call(`${base}/mus/${kind}/query/${begun.body.id}`)
    return ['succeeded', 'failed', 'cancelled'].includes(task.status) ? task : undefined
  }, 'the music')
}

/** Sends a body of form data. */
async function send(path: string, fields: Record<string, string | Blob>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const headers = { authorization: 'Bearer sk-test-access-key-0001' }
  const answer = await fetch(`${outer.url}${path}`, { method: 'POST', headers, body: form })
  // The answers at these paths are JSON.
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

test('songs have their lossless copies, covers, lines and uploads', async () => {
  const file = new Blob([new Uint8Array(recording(12))], { type: 'audio/wav' })
  const upload = await send(`${base}/mus/files/upload`, { purpose: 'melody', file })
  assert.equal(upload.status, 200, JSON.stringify(upload.body))
  const song = await music('song', { lyrics: '[Verse]\nla', n: 2, melody_id: upload.body.id })
  assert.equal(song.status, 'succeeded', JSON.stringify(song))
  const [choice, other] = song.choices
  assert.deepEqual([choice.duration, choice.style, choice.lyrics_sections[0].lines[0].text, other.index], [1000, 'Folk', 'la', 1])
  for (const [url, bytes] of [[choice.url, mp3] as const, [choice.flac_url, flac] as const, [other.cover_url, onePixelPng] as const])
    assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes))
  const requested = played.at(-1)
  assert.deepEqual([requested?.request.count, requested?.inputs.map(({ role }) => role)], [2, ['melody']])
  const refused = await music('song', { lyrics: '[Verse]\nla', n: 1, model: 'MaaS_Mus_o1_generate', prompt: 'x' })
  assert.equal(refused.status, 'succeeded')
})

test('a piece without a lossless copy and a cover does not get those of the next one', async () => {
  const { choices } = await music('instrumental', { prompt: 'only the second has more', n: 2 })
  assert.deepEqual(
    choices.map((choice: object & { index: number }) => [choice.index, 'flac_url' in choice, 'cover_url' in choice]),
    [
      [0, false, false],
      [1, true, true],
    ],
  )
})

test('a piece can be heard here while it is made there, and a cancelled task ends there', async () => {
  const begun = await outer.call(`${base}/mus/instrumental/generate`, { body: { prompt: 'slow', n: 1, stream: true } })
  const path = `${base}/mus/instrumental/query/${begun.body.id}`
  const streaming = await until(async () => {
    const { body } = await outer.call(path)
    return body.status === 'streaming' ? body : undefined
  }, 'the stream')
  const listening = await fetch(streaming.stream_url)
  const reader = listening.body?.getReader()
  const first = await reader?.read()
  assert.ok(first?.value && mp3.subarray(0, first.value.length).equals(Buffer.from(first.value)))
  await reader?.cancel()
  const { status } = await outer.call(path, { method: 'DELETE' })
  assert.ok(status < 300, String(status))
  const states = async (gateway: TestGateway) =>
    (await gateway.admin('/admin/tasks')).body.tasks.map((task: { state: string }) => task.state)
  await until(async () => (await states(inner)).includes('cancelled') && (await states(outer)).includes('cancelled'), 'the end of both')
  second.resolve()
})

async function speech(path: string, { body, headers = {} }: { body: string; headers?: Record<string, string> }) {
  const answer = await fetch(`${outer.url}${base}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test-access-key-0001', 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('each family of speech is forwarded to its counterpart there, with the fields that it supports', async () => {
  const wav = await speech('/audio/speech', {
    body: JSON.stringify({ model: 'tts-1', input: 'Hi', voice: 'alloy', response_format: 'wav', speed: 2 }),
  })
  assert.deepEqual([wav.status, wav.bytes.toString('latin1', 0, 4)], [200, 'RIFF'], wav.bytes.toString().slice(0, 300))
  const reported = await speech('/audio/speech', {
    body: JSON.stringify({ model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy', instructions: 'softly', response_format: 'wav' }),
  })
  assert.equal(reported.status, 200)
  const settings = { stability: 0.4, use_speaker_boost: true }
  const voiced = await speech('/tts-e/text-to-speech/21m00Tcm4TlvDq8ikWAM?output_format=wav_8000', {
    body: JSON.stringify({ text: 'Hey', model_id: 'tts_turbo_v2_5', voice_settings: settings, previous_text: 'Before.', seed: 3 }),
  })
  assert.equal(voiced.status, 200, voiced.bytes.toString().slice(0, 300))
  const cues = '1\n00:00:00,500 --> 00:00:01,000\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n'
  const begun = await speech('/tts-n/text-to-speech/wav?voice-volume=loud&voice-speed=1.5', {
    body: cues,
    headers: { 'content-type': 'application/x-subrip' },
  })
  const { statusUrl } = JSON.parse(begun.bytes.toString())
  const status = await until(async () => {
    const seen = (await (await fetch(statusUrl)).json()) as { finished: boolean; succeeded: boolean }
    return seen.finished ? seen : undefined
  }, 'the narration')
  assert.equal(status.succeeded, true, JSON.stringify(status))
  const [plain, steered, styled, narrated] = spokenTexts.slice(-4).map(each => each as unknown as Record<string, unknown>)
  assert.deepEqual([plain?.text, plain?.speed, plain?.voice], ['Hi', 2, 'alloy'])
  assert.equal(steered?.instructions, 'softly')
  assert.deepEqual([styled?.previousText, styled?.seed, styled?.style], ['Before.', 3, { stability: 0.4, boost: true }])
  assert.deepEqual(
    [narrated?.cues, narrated?.volume, narrated?.speed],
    [
      [
        { startMs: 500, endMs: 1000, text: 'One' },
        { startMs: 2000, endMs: 3000, text: 'Two' },
      ],
      3,
      1.5,
    ],
  )
})

test('each family of recognition is forwarded to its counterpart there', async () => {
  const sound = new Blob([new Uint8Array(recording(8))], { type: 'audio/wav' })
  const near = async (path: string, fields: Record<string, string>, field = 'file') => {
    const answer = await send(`${base}${path}`, { ...fields, [field]: sound })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const words = { model: 'whisper-1', response_format: 'verbose_json', 'timestamp_granularities[]': 'word' }
  const timed = await near('/audio/transcriptions', words)
  assert.deepEqual([timed.words.length, timed.words[1].word, timed.duration], [8, 'two', 4])
  assert.equal((await near('/audio/transcriptions', { model: 'gpt-4o-transcribe' })).text, timed.text)
  const definition = JSON.stringify({ locales: ['en-US'], diarization: { enabled: true, maxSpeakers: 2 } })
  const fast = await near('/speechtotext/transcriptions:transcribe?api-version=2024-11-15', { definition }, 'audio')
  assert.deepEqual([fast.phrases.length, fast.phrases[1].speaker, fast.phrases[0].words.length], [2, 2, 4])
  const short = await near('/audio/recognize', { recognitionLanguages: 'en-US,fr-FR' })
  assert.deepEqual([short.text, short.language], [timed.text, 'en-US'])
  const fields = { targetLanguages: 'fr,de', recognitionLanguages: 'en-US' }
  const translated = await near('/audio/realtime/translation', fields)
  assert.deepEqual(Object.keys(translated.translations), ['fr', 'de'])
  assert.match(translated.translations.de, /^de: One two/)
  assert.deepEqual(hearings.at(-1)?.request.targets, ['fr', 'de'])
  const refused = await send(`${base}/audio/recognize`, { file: new Blob([new Uint8Array(recording(80))], { type: 'audio/wav' }) })
  assert.equal(refused.status, 400)
})
