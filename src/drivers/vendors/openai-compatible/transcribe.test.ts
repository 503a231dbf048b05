import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { InputFile, Outcome } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranscriptEvent } from '@generation-gateway/kit/requests/transcript.ts'
import { mayHaveBeenAccepted } from '../../../core/routing/router.ts'
import { errorReply, type FakeReply, hangingReply, jsonReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { runDriver } from '../../shared/sound/testing/run-driver.ts'
import { heard, recording } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import openaiCompatible from './driver.ts'

const verbose = {
  task: 'transcribe',
  language: 'english',
  duration: 3,
  text: 'One two.',
  segments: [
    {
      id: 0,
      seek: 0,
      start: 0.5,
      end: 2,
      text: ' One two.',
      tokens: [1, 2],
      temperature: 0,
      avg_logprob: -0.1,
      compression_ratio: 1.1,
      no_speech_prob: 0.01,
    },
  ],
  words: [
    { word: 'One', start: 0.5, end: 1 },
    { word: 'two', start: 1.2, end: 2 },
  ],
}
const usage = {
  type: 'tokens',
  input_tokens: 30,
  input_token_details: { text_tokens: 0, audio_tokens: 30 },
  output_tokens: 4,
  total_tokens: 34,
}
const tokens = sseReply([
  { type: 'transcript.text.delta', delta: 'One ', logprobs: [{ token: 'One', logprob: -0.2, bytes: [79, 110, 101] }] },
  { type: 'transcript.text.delta', delta: 'two.' },
  { type: 'transcript.text.done', text: 'One two.', usage, logprobs: [{ token: 'One', logprob: -0.2, bytes: [79, 110, 101] }] },
  '[DONE]',
])

driverSuite('OpenAI transcription', {
  driver: openaiCompatible,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'audio.transcribe',
  request: heard,
  inputs: async folder => [await recording(folder)],
  good: () => [jsonReply(verbose)],
  check: (done, events) => {
    assert.deepEqual([done.report.text, done.report.language, done.report.seconds], ['One two.', 'en', 3])
    assert.equal(events.length, 1)
    assert.deepEqual(done.usage, [{ unit: 'seconds', units: 3 }])
  },
  hanging: hangingReply([{ type: 'transcript.text.delta', delta: 'One' }]),
  refusal: (status, message, headers) => errorReply(status, { message, type: 'some_error', code: null, param: null }, headers),
  failed: {
    replies: [errorReply(400, { message: 'file: no', type: 'invalid_request_error', code: null, param: 'file' })],
    code: 'invalid_request',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the text' },
  outputs: { leftOut: 'the answer is the text' },
  relays: { leftOut: 'a transcription is no conversation' },
})

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openai-hears-'))
})
after(() => rm(folder, { recursive: true }))

async function hear(
  model: string,
  changes: Partial<TranscribeRequest>,
  reply: FakeReply,
  further: InputFile[] = [],
  seconds = 3,
): Promise<{ events: TranscriptEvent[]; outcome: Outcome | undefined; form: string }> {
  const { events, outcome, received } = await runDriver<'audio.transcribe', TranscriptEvent>(openaiCompatible, 'audio.transcribe', {
    ...{ request: { ...heard, ...changes }, inputs: [await recording(folder, { seconds }), ...further], scratch: folder, model, reply },
  })
  return { events, outcome, form: received?.body.toString('latin1') ?? '' }
}

/** Returns all values of one field in the text of a form. */
function valuesOf(form: string, name: string): string[] {
  return [...form.matchAll(new RegExp(`name="${name.replaceAll(/[[\]]/g, '\\$&')}"\r\n\r\n([^\r]*)`, 'g'))].map(match => match[1] ?? '')
}

test('a Whisper model returns words with times, each in its segment', async () => {
  const { outcome, form } = await hear('whisper-1', { words: true, languages: ['en-GB'], prompt: 'Ahoy' }, jsonReply(verbose))
  assert.deepEqual(valuesOf(form, 'timestamp_granularities[]'), ['segment', 'word'])
  assert.deepEqual(
    [valuesOf(form, 'language'), valuesOf(form, 'prompt'), valuesOf(form, 'response_format')],
    [['en'], ['Ahoy'], ['verbose_json']],
  )
  assert.ok(outcome?.state === 'done')
  const [segment] = outcome.report.segments as { words: object[] }[]
  assert.deepEqual(segment?.words, [
    { text: 'One', startSeconds: 0.5, endSeconds: 1 },
    { text: 'two', startSeconds: 1.2, endSeconds: 2 },
  ])
})

test('a token model streams its words with their probabilities', async () => {
  const { events, outcome, form } = await hear('gpt-4o-transcribe', { logprobs: true }, tokens)
  assert.deepEqual([valuesOf(form, 'stream'), valuesOf(form, 'include[]')], [['true'], ['logprobs']])
  assert.deepEqual(
    events.map(event => (event.type === 'text' ? event.delta : '')),
    ['One ', 'two.'],
  )
  assert.ok(outcome?.state === 'done')
  assert.deepEqual(outcome.report.usage, { textTokens: 0, audioTokens: 30, outputTokens: 4 })
  assert.deepEqual(outcome.usage, [
    { unit: 'seconds', units: 3 },
    { unit: 'input_tokens', units: 30 },
    { unit: 'output_tokens', units: 4 },
  ])
})

test('a diarizing model gets the known speakers, and names the speaker of each segment', async () => {
  const reply = sseReply([
    { type: 'transcript.text.segment', id: 'seg_001', start: 0, end: 1, text: 'One', speaker: 'ann' },
    { type: 'transcript.text.done', text: 'One', usage },
  ])
  const sample = await recording(folder, { role: 'speaker', name: 'ann.wav' })
  const { outcome, form } = await hear('gpt-4o-transcribe-diarize', { speakers: { names: ['ann'] } }, reply, [sample])
  assert.deepEqual(valuesOf(form, 'known_speaker_names[]'), ['ann'])
  assert.match(valuesOf(form, 'known_speaker_references[]')[0] ?? '', /^data:audio\/wav;base64,UklGR/)
  assert.ok(outcome?.state === 'done')
  assert.deepEqual(
    (outcome.report.segments as { speaker: string }[]).map(({ speaker }) => speaker),
    ['ann'],
  )
})

test('only the requested beginning is sent', async () => {
  const { form } = await hear('whisper-1', { firstSeconds: 2 }, jsonReply(verbose), [], 5)
  const sent = Buffer.from(form, 'latin1')
  assert.equal(sent.readUInt32LE(sent.indexOf('data', sent.indexOf('WAVEfmt ')) + 4), 64_000)
})

test('unsupported requests are refused; a stream that breaks off may be charged', async () => {
  await assert.rejects(hear('gpt-4o-transcribe', { words: true }, tokens), { code: 'not_implemented', message: /^words: / })
  await assert.rejects(hear('whisper-1', { profanity: 'masked' }, tokens), { code: 'not_implemented' })
  const { outcome } = await hear('gpt-4o-transcribe', {}, sseReply([{ type: 'transcript.text.delta', delta: 'One' }]))
  assert.ok(outcome?.state === 'failed' && outcome.mayBeCharged)
})

test('a stop while the recording is cut has sent nothing', async () => {
  const input = await recording(folder, { seconds: 5 })
  const stopped = new AbortController()
  stopped.abort(new Error('cancelled'))
  const run = runDriver<'audio.transcribe', TranscriptEvent>(openaiCompatible, 'audio.transcribe', {
    ...{ request: { ...heard, firstSeconds: 2 }, inputs: [input], scratch: folder, model: 'whisper-1', reply: jsonReply(verbose) },
    signal: stopped.signal,
  })
  assert.ok(!mayHaveBeenAccepted(toGatewayError(await run.catch((thrown: unknown) => thrown))))
})
