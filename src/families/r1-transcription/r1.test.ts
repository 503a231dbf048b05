import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTranscriptionDriver, recording, type TranscriptionJob } from '../../testing/fakes/fake-transcription-driver.ts'
import { type Answer, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { formOf, type Parts, sendParts } from '../../testing/multipart.ts'

const path = '/v1/ai/default/audio/transcriptions'
const mebi = 2 ** 20
const groups = { 'gpt-4o-transcribe': 'token', 'gpt-4o-transcribe-diarize': 'diarize', 'whisper-1': 'basic' }
const yaml = `models:
${Object.entries(groups)
  .map(([id, group]) => `  - { id: ${id}, family: R1, group: ${group}, price: { second: 0.01 }, targets: [{ driver: ears }] }`)
  .join('\n')}
  - { id: late-speakers, family: R1, group: diarize, targets: [{ driver: late }] }
  - { id: late-first, family: R1, group: diarize, targets: [{ driver: late-first }] }
`
const jobs: TranscriptionJob[] = []
/** Promises for which runs wait after their first words, by prompt; the test resolves them. */
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
let gateway: TestGateway
before(async () => {
  const ears = fakeTranscriptionDriver('ears', { jobs, gate: ({ request }) => mayGoOn.get(request.prompt ?? '')?.promise })
  const late = fakeTranscriptionDriver('late', { namesLate: () => true })
  const lateFirst = fakeTranscriptionDriver('late-first', { namesLate: index => index === 0 })
  gateway = await startTestGateway({ drivers: [ears, late, lateFirst], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

const send = (parts: Parts, { at = path, ...further }: { at?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
  sendParts(gateway.url + at, parts, further)

/** Returns the answer to a recording of `words` words with these fields. */
async function given(fields: Record<string, string> = {}, words = 6): Promise<Answer> {
  const answer = await send([['file', recording(words)], ...Object.entries(fields)])
  assert.equal(answer.status, 200, answer.bytes.toString())
  if (answer.body) assertDocumented('createTranscription', answer)
  return answer
}

async function refused(parts: Parts, at = path): Promise<string> {
  const answer = await send(parts, { at })
  assertDocumented('createTranscription', answer)
  const { code, param, message } = answer.body.error
  return `${answer.status} ${code} ${param}: ${message}`
}

const framesOf = ({ bytes }: Pick<Answer, 'bytes'>) =>
  bytes
    .toString()
    .split('\n\n')
    .filter(frame => frame.startsWith('data: '))
    .map(frame => (frame === 'data: [DONE]' ? frame : JSON.parse(frame.slice(6))))

const spoken = 'One two three four. Five six'

test('without a model, the first model answers in json, with token usage', async () => {
  const { body } = await given({ prompt: 'twelve chars' })
  const details = { text_tokens: 3, audio_tokens: 30 }
  assert.deepEqual(body, {
    text: spoken,
    usage: { type: 'tokens', input_tokens: 33, input_token_details: details, output_tokens: 7, total_tokens: 40 },
  })
  const { request } = jobs.at(-1)!
  assert.deepEqual(request, { languages: [], prompt: 'twelve chars', temperature: 0, words: false, logprobs: false, profanity: 'kept' })
})

test('without a model, the fields decide the model', async () => {
  const used = async (fields: Record<string, string>) => {
    const { headers } = await given(fields)
    const { model } = (await gateway.call('/v1/tasks?family=R1&limit=1')).body.data[0]
    assert.ok(headers)
    return model
  }
  assert.equal(await used({ response_format: 'diarized_json' }), 'gpt-4o-transcribe-diarize')
  for (const response_format of ['text', 'srt', 'vtt', 'verbose_json']) assert.equal(await used({ response_format }), 'whisper-1')
  assert.equal(await used({ timestamp_granularities: 'none' }), 'whisper-1')
  assert.equal(await used({ 'timestamp_granularities[]': 'sentence' }), 'whisper-1')
  assert.equal(await used({ 'timestamp_granularities[]': 'segment' }), 'gpt-4o-transcribe')
  assert.equal(await used({ include: 'logprobs' }), 'gpt-4o-transcribe')
})

test('the older model answers in every response format', async () => {
  const model = 'whisper-1'
  assert.deepEqual((await given({ model })).body, { text: spoken, usage: { type: 'duration', seconds: 3 } })
  const text = await given({ model, response_format: 'text' })
  assert.deepEqual([text.headers.get('content-type'), text.bytes.toString()], ['text/plain; charset=utf-8', `${spoken}\n`])
  const srt = await given({ model, response_format: 'srt' })
  assert.equal(srt.headers.get('content-type'), 'application/x-subrip; charset=utf-8')
  assert.equal(
    srt.bytes.toString(),
    '1\n00:00:00,000 --> 00:00:02,000\nOne two three four.\n\n2\n00:00:02,000 --> 00:00:03,000\nFive six\n',
  )
  const vtt = await given({ model, response_format: 'vtt' })
  assert.match(vtt.bytes.toString(), /^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.000\nOne two/)
  assert.equal(jobs.at(-1)?.request.words, true)
  const { body } = await given({ model, response_format: 'verbose_json', language: 'de-AT', temperature: '0.5' })
  assert.deepEqual([body.task, body.language, body.duration, body.text, body.words], ['transcribe', 'german', 3, spoken, undefined])
  assert.deepEqual(body.segments[1], {
    ...{ id: 1, seek: 0, start: 2, end: 3, text: 'Five six', tokens: [], temperature: 0.5 },
    ...{ avg_logprob: 0, compression_ratio: 0, no_speech_prob: 0 },
  })
})

test('times are returned for words, for segments, for both or for neither', async () => {
  const reported = async (...wanted: string[]) => {
    const parts: Parts = wanted.map(each => ['timestamp_granularities[]', each])
    const { body } = await send([['response_format', 'verbose_json'], ...parts, ['file', recording(6)]])
    return [body.words?.length, body.segments?.length]
  }
  assert.deepEqual(await reported(), [undefined, 2])
  assert.deepEqual(await reported('word'), [6, undefined])
  assert.deepEqual(await reported('word', 'segment'), [6, 2])
  assert.deepEqual(await reported('sentence'), [undefined, 2])
  assert.deepEqual(await reported('none'), [undefined, undefined])
  const { body } = await given({ response_format: 'verbose_json', timestamp_granularities: 'word' })
  assert.deepEqual(body.words[4], { word: 'Five', start: 2, end: 2.5 })
})

test('samples of known speakers are data URLs, and the answer has their names', async () => {
  const sample = (seconds: number) => `data:audio/wav;base64,${recording(0, { seconds }).toString('base64')}`
  const parts: Parts = [
    ['file', recording(8)],
    ['response_format', 'diarized_json'],
    ['known_speaker_names[]', 'agent'],
    ['known_speaker_references[]', sample(10)],
  ]
  const { status, body } = await send(parts)
  assert.equal(status, 200, JSON.stringify(body))
  assertDocumented('createTranscription', { status, body })
  assert.deepEqual(body.segments, [
    { type: 'transcript.text.segment', id: 'seg_001', start: 0, end: 2, text: 'One two three four.', speaker: 'agent' },
    { type: 'transcript.text.segment', id: 'seg_002', start: 2, end: 4, text: 'Five six seven eight.', speaker: 'A' },
  ])
  const { request, inputs } = jobs.at(-1)!
  assert.deepEqual(request.speakers, { names: ['agent'] })
  assert.deepEqual(
    inputs.map(({ role, durationSeconds }) => [role, durationSeconds]),
    [
      ['audio', 4],
      ['speaker', 10],
    ],
  )
  const withSample = (seconds: number) => refused([...parts.slice(0, 3), ['known_speaker_references', sample(seconds)]])
  assert.match(
    await withSample(1.8),
    /^400 invalid_value known_speaker_references\[0\]: .* lasts 1\.8 s; it has to last from 1\.9 to 10\.1 s/,
  )
  assert.match(await withSample(10.2), /^400 invalid_value known_speaker_references\[0\]/)
  assert.match(await refused(parts.slice(0, 3)), /^400 invalid_value known_speaker_references: .* 0 samples beside 1 known_speaker_names/)
  const five = Array.from(
    { length: 5 },
    (_, index): Parts => [
      ['known_speaker_names', `n${index}`],
      ['known_speaker_references', sample(2)],
    ],
  ).flat()
  assert.match(await refused([['file', recording(2)], ...five]), /known_speaker_names has 5 items; at most 4/)
})

test('a stream sends the text while recognition continues', async () => {
  const prompt = 'slowly'
  mayGoOn.set(prompt, Promise.withResolvers())
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: formOf([
      ['stream', 'true'],
      ['include[]', 'logprobs'],
      ['prompt', prompt],
      ['file', recording(8)],
    ]),
  })
  const reader = response.body!.getReader()
  let text = ''
  const readUntil = async (wanted: string) => {
    while (!text.includes(wanted)) {
      const { value, done } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString()
    }
  }
  await readUntil('\n\n')
  // The first words have arrived, although the recognizer has not finished the recording.
  assert.equal(text.includes('Five'), false)
  mayGoOn.get(prompt)?.resolve()
  await readUntil('[DONE]\n\n')
  const frames = framesOf({ bytes: Buffer.from(text) })
  assert.deepEqual(
    frames.map(frame => frame.type ?? frame),
    [...['transcript.text.delta', 'transcript.text.delta', 'transcript.text.done', 'data: [DONE]']],
  )
  const [first, second, done] = frames
  assert.equal(first.delta + second.delta, done.text)
  assert.deepEqual([first.logprobs.length, done.logprobs.length, done.usage.type], [1, 2, 'tokens'])
  // `early` is set in the target's request because this caller streams.
  assert.equal(jobs.at(-1)?.request.early, true)
})

test('a stream with speakers sends their segments; the older model answers in one piece', async () => {
  const parts: Parts = [
    ['file', recording(8)],
    ['stream', 'true'],
  ]
  const frames = framesOf(await send([...parts, ['response_format', 'diarized_json']]))
  assert.deepEqual(
    frames.filter(({ type }) => type === 'transcript.text.segment').map(({ id, speaker }) => [id, speaker]),
    [
      ['seg_001', 'A'],
      ['seg_002', 'B'],
    ],
  )
  const { body, headers } = await send([...parts, ['model', 'whisper-1']])
  assert.equal(body.text, 'One two three four. Five six seven eight.')
  assert.match(headers.get('x-gateway-warning') ?? '', /^stream: /)
})

test('a segment is sent as soon as its speaker is known, or at the end when the target names speakers late', async () => {
  const reported = async (model: string) => {
    const parts: Parts = [
      ['file', recording(8)],
      ['stream', 'true'],
      ['response_format', 'diarized_json'],
      ['model', model],
    ]
    const frames = framesOf(await send(parts))
    return frames.map(({ type, id, speaker }) => [type?.replace('transcript.text.', ''), id, speaker].filter(Boolean).join(' '))
  }
  const [first, second] = ['segment seg_001 A', 'segment seg_002 B']
  assert.deepEqual(await reported('late-speakers'), ['delta', 'delta', first, second, 'done', ''])
  assert.deepEqual(await reported('late-first'), ['delta', 'delta', second, first, 'done', ''])
})

test('recognition stops when the caller disconnects', async () => {
  const prompt = 'left alone'
  mayGoOn.set(prompt, Promise.withResolvers())
  const controller = new AbortController()
  const answer = send(
    [
      ['file', recording(8)],
      ['prompt', prompt],
    ],
    { signal: controller.signal },
  )
  const job = await until(() => jobs.find(({ request }) => request.prompt === prompt), 'the work')
  controller.abort()
  await assert.rejects(answer)
  await until(() => job.signal.aborted || undefined, 'the end of the work')
})

test('a repeat with the same key is the same call; as a stream it has a single delta', async () => {
  const headers = { 'idempotency-key': 'again' }
  const parts: Parts = [
    ['file', recording(8)],
    ['stream', 'true'],
  ]
  const first = framesOf(await send(parts, { headers }))
  const heardBefore = jobs.length
  const second = framesOf(await send(parts, { headers }))
  assert.equal(jobs.length, heardBefore)
  assert.deepEqual(
    second.map(frame => frame.type ?? frame),
    ['transcript.text.delta', 'transcript.text.done', 'data: [DONE]'],
  )
  assert.equal(second[0].delta, first.at(-2).text)
})

test('silence has an empty text', async () => {
  const silence: Parts = [['file', recording(0, { seconds: 3 })]]
  assert.equal((await send(silence)).body.text, '')
  assert.equal((await send([...silence, ['response_format', 'srt']])).bytes.toString(), '')
  assert.equal((await send([...silence, ['response_format', 'vtt']])).bytes.toString(), 'WEBVTT\n')
  assert.deepEqual((await send([...silence, ['response_format', 'verbose_json']])).body.segments, [])
  assert.deepEqual(
    framesOf(await send([...silence, ['stream', 'true']])).map(frame => frame.type ?? frame),
    ['transcript.text.done', 'data: [DONE]'],
  )
})

test('contradicting fields are refused with the field', async () => {
  const file: Parts[number] = ['file', recording(2)]
  const by = (fields: Record<string, string>) => refused([file, ...Object.entries(fields)])
  assert.equal(
    await by({ model: 'gpt-4o-transcribe', response_format: 'srt' }),
    '400 unsupported_value response_format: response_format is srt; the model answers in json.',
  )
  assert.match(await by({ model: 'whisper-1', response_format: 'diarized_json' }), /^400 unsupported_value response_format/)
  assert.match(await by({ model: 'gpt-4o-transcribe-diarize', response_format: 'vtt' }), /^400 unsupported_value response_format/)
  assert.match(
    await by({ include: 'logprobs', response_format: 'text' }),
    /^400 unsupported_value include: include is not a field of whisper-1; it belongs to token \(gpt-4o-transcribe, gpt-4o-mini-transcribe\)/,
  )
  assert.match(await by({ include: 'logprobs', response_format: 'diarized_json' }), /^400 unsupported_value include/)
  assert.match(await by({ model: 'gpt-4o-transcribe-diarize', prompt: 'x' }), /^400 unsupported_value prompt/)
  assert.match(
    await by({ timestamp_granularities: 'word' }),
    /^400 invalid_value timestamp_granularities: .* needs response_format verbose_json/,
  )
  assert.match(await by({ include: 'everything' }), /^400 unsupported_value include\[0\]/)
  assert.match(await by({ temperature: '1.01' }), /^400 invalid_value temperature/)
  assert.match(await by({ language: 'English!' }), /^400 invalid_value language/)
  assert.match(await by({ model: 'nobody' }), /^404 model_not_found model/)
  assert.match(await refused([['prompt', 'x']]), /^400 missing_required_parameter file/)
})

test('a file that is no recording is refused', async () => {
  const sent = (bytes: Buffer) => refused([['file', bytes]])
  assert.match(await sent(Buffer.alloc(0)), /^400 invalid_file_format file/)
  assert.match(await sent(Buffer.from('PK\x03\x04 no sound at all')), /^400 invalid_file_format file: file is not/)
  assert.equal(
    await sent(Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(32 * 50, 0x3c)])),
    '400 invalid_file_format file: file is audio/amr; wav, mpeg, mp4, quicktime, mp2t, flac, ogg, webm, matroska are accepted.',
  )
  // The header of the file is valid and its data is not, so the decoder reports the error.
  assert.equal(await sent(Buffer.concat([recording(2), Buffer.from('broken')])), '400 invalid_file_format file: file: cannot be decoded.')
  assert.match(await refused([['file', 'hello']]), /^400 invalid_file_format file/)
  assert.match(await refused([['file', 'data:audio/wav;base64,!!']]), /^400 invalid_value file/)
  assert.match(
    await refused([
      ['file', recording(1)],
      ['file', recording(1)],
    ]),
    /^400 .*given twice/,
  )
})

test('a header that lies about its length is not believed, and the real container is named', async () => {
  const lying = recording(4)
  lying.writeUInt32LE(0xff_ff_ff_ff, 4)
  lying.writeUInt32LE(0xff_ff_ff_f0, 40)
  const { status, body } = await send([
    ['file', lying],
    ['model', 'whisper-1'],
  ])
  assert.deepEqual([status, body.usage], [200, { type: 'duration', seconds: 2 }])
  // A recording of eleven hours in 25 MB, in a container that is not in the table of accepted
  // formats.
  const hours = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(13 * 50 * 60 * 60 * 11, 0x04)])
  assert.match(await refused([['file', hours]]), /^400 invalid_file_format file: file is audio\/amr/)
})

test('a file of 25 MB is accepted, one byte more is refused', async () => {
  const padded = (bytes: number) => Buffer.concat([recording(2), Buffer.alloc(bytes - recording(2).length)])
  assert.equal((await send([['file', padded(25 * mebi)]])).status, 200)
  assert.match(await refused([['file', padded(25 * mebi + 1)]]), /^413 payload_too_large file: file has more than 26214400 bytes/)
})

test('the parts may have any order, and lists and objects any usual spelling', async () => {
  const { body } = await send([
    ['chunking_strategy[type]', 'server_vad'],
    ['chunking_strategy[threshold]', '0.4'],
    ['chunking_strategy[silence_duration_ms]', '300'],
    ['include', '["logprobs"]'],
    ['stream', 'False'],
    ['model', 'gpt-4o-transcribe'],
    ['file', recording(2)],
  ])
  assert.equal(body.text, 'One two')
  assert.deepEqual(jobs.at(-1)?.request.voiceActivity, { threshold: 0.4, silenceMs: 300 })
  const json = await gateway.call('/v1/audio/transcriptions', {
    body: { file: `data:audio/wav;base64,${recording(2).toString('base64')}`, chunking_strategy: 'auto' },
  })
  assert.deepEqual([json.status, json.body.text], [200, 'One two'])
  assert.deepEqual(jobs.at(-1)?.request.voiceActivity, {})
  assert.equal((await gateway.call(path, { raw: 'x', headers: { 'content-type': 'audio/wav' } })).status, 415)
})

test('a translation is in English, in every format except diarized', async () => {
  const at = '/v1/ai/default/audio/translations'
  const parts: Parts = [['file', recording(6)]]
  const plain = await send(parts, { at })
  assertDocumented('createAudioTranslation', plain)
  assert.deepEqual(plain.body, { text: `en: ${spoken}`, usage: { type: 'duration', seconds: 3 } })
  const { body } = await send([...parts, ['response_format', 'verbose_json'], ['model', 'whisper-1']], { at })
  assert.deepEqual([body.task, body.language, body.segments.length], ['translate', 'english', 1])
  assert.match(
    (await send([...parts, ['response_format', 'srt']], { at: '/v1/audio/translations' })).bytes.toString(),
    /^1\n00:00:00,000 --> 00:00:02,\d+\nen: One two three four\.\n\n2\n/,
  )
  assert.match(
    (await send([...parts, ['model', 'gpt-4o-transcribe']], { at })).body.error.message,
    /whisper-1 is the model that translates/,
  )
})

test('every call has its usage line and its cost', async () => {
  await given({}, 8)
  const [{ id }] = (await gateway.call('/v1/tasks?family=R1&limit=1')).body.data
  const { cost, usage } = (await gateway.call(`/v1/tasks/${id}`)).body
  assert.equal(cost, 0.04, JSON.stringify(usage))
})
