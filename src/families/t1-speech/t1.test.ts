/** Tests family T1 on the running program (docs/interface/sound.md#t1), with a target whose voice
 *  is a tone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSpeechDriver, samplesPerCharacter, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const path = '/v1/ai/default/audio/speech'
const ids = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']
const yaml = `
accounts:
  - id: default
    keys: [{ name: bounded, secret_env: BOUNDED, quotas: { characters: 100/month } }]
models:
${ids.map(id => `  - { id: ${id}, family: T1, group: ${id}, price: { thousand_characters: 10 }, targets: [{ driver: tone }] }`).join('\n')}
`
const jobs: Job<SpeechRequest>[] = []
/** Promises for which runs wait after their first sound, by text; the test resolves them. */
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
/** Number of pieces that the run of the text `slow` has sent. */
let reported = 0
const slowPieces = 64
const slowBytes = 2 ** 20
let gateway: TestGateway
before(async () => {
  const drivers = [fakeSpeechDriver('tone', toneOffer(say))]
  gateway = await startTestGateway({ yaml, drivers, env: { BOUNDED: 'sk-bounded-key-00000001' } })
})
after(() => gateway[Symbol.asyncDispose]())

/** Speaks the text. Its words select a failure: `refuse` fails at once, `break` after the first
 *  sound; `slow` sends more than any socket buffer holds. */
async function* say(job: Job<SpeechRequest>): AsyncGenerator<StreamEvent<SpeechEvent>> {
  jobs.push(job)
  const { text } = job.request
  if (text === 'refuse') throw new GatewayError('rate_limited', 'No room.', { retryAfterSeconds: 3 })
  if (text === 'moderated') {
    yield { type: 'outcome', outcome: { state: 'failed', code: 'content_moderated', message: 'It was refused.' } }
    return
  }
  if (text === 'slow') {
    // The pieces together are larger than all socket buffers, so that the run can only end when the
    // client reads.
    for (let at = 0; at < slowPieces; at++) {
      yield { type: 'event', event: { type: 'sound', bytes: Buffer.alloc(slowBytes) } }
      reported += 1
    }
  }
  let isFirst = true
  for await (const part of speakTone(job)) {
    yield part
    if (isFirst && text === 'break') throw new GatewayError('upstream_error', 'The voice broke.')
    if (isFirst) await Promise.race([mayGoOn.get(text)?.promise, aborted(job.signal)])
    isFirst = false
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

const hello = { input: 'Hello.', voice: 'alloy', response_format: 'wav' }
const ask = (body: object, headers: Record<string, string> = {}, at = path) => gateway.call(at, { body: { ...hello, ...body }, headers })

const soundBytes = (text: string) => [...text].length * samplesPerCharacter * 2

async function refused(body: object): Promise<{ code: string; param: string; message: string }> {
  const answer = await ask(body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  assertDocumented('createSpeech', answer)
  return answer.body.error
}

/** Returns the newest task of the family, once it has ended. */
async function endedTask(state: string) {
  return until(async () => {
    const [task] = (await gateway.call('/v1/tasks?family=T1&limit=1')).body.data
    return task?.state === state ? (await gateway.call(`/v1/tasks/${task.id}`)).body : undefined
  }, `a task that is ${state}`)
}

/** Content types by format (docs/vendors/openai-audio.md#speech). */
const types = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

test('the file is returned in every format, with its media type', async () => {
  for (const [word, mediaType] of Object.entries(types)) {
    const answer = await ask({ response_format: word })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, mediaType])
    assert.ok(answer.headers.get('x-request-id'))
    assert.equal(jobs.at(-1)?.request.format.container, word)
  }
  const { bytes } = await ask({})
  assert.equal(bytes.length, 44 + soundBytes('Hello.'))
  assert.deepEqual([bytes.toString('latin1', 0, 4), bytes.readUInt32LE(40)], ['RIFF', soundBytes('Hello.')])
})

test('the operation is served at every documented prefix', async () => {
  for (const at of ['/v1/default/audio/speech', '/default/audio/speech', '/v1/audio/speech'])
    assert.equal((await ask({}, {}, at)).status, 200, at)
  const other = await gateway.call(path)
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST'])
})

test('each field reaches the target', async () => {
  const plain = { text: 'Hello.', voice: 'alloy', speed: 1, volume: 0, format: { container: 'mp3' } }
  await ask({ response_format: undefined })
  assert.deepEqual(jobs.at(-1)?.request, plain)
  await ask({ voice: { id: 'onyx' }, speed: 4, response_format: 'pcm', model: 'tts-1-hd' })
  const pcm = { container: 'pcm', sampleRate: 24_000 }
  assert.deepEqual(jobs.at(-1)?.request, { ...plain, voice: 'onyx', speed: 4, format: pcm, quality: 'best' })
  await ask({ instructions: 'Softly.', speed: 0.25 })
  assert.deepEqual(jobs.at(-1)?.request, { ...plain, format: { container: 'wav' }, instructions: 'Softly.', speed: 0.25 })
  assert.equal((await endedTask('succeeded')).model, 'gpt-4o-mini-tts')
})

test('invalid fields are refused in the words of the protocol, at no cost', async () => {
  const before = jobs.length
  const cases: [body: object, code: string, param: string][] = [
    [{ input: undefined }, 'missing_required_parameter', 'input'],
    [{ input: '' }, 'missing_required_parameter', 'input'],
    [{ input: '\n'.repeat(4096) }, 'invalid_value', 'input'],
    [{ input: 'x'.repeat(4097) }, 'string_above_max_length', 'input'],
    [{ input: '\n'.repeat(8192) }, 'string_above_max_length', 'input'],
    [{ input: { text: 'nested' } }, 'invalid_value', 'input'],
    [{ input: 'half \ud83d of it' }, 'invalid_value', 'input'],
    [{ voice: undefined }, 'missing_required_parameter', 'voice'],
    [{ voice: 'nobody' }, 'unsupported_value', 'voice'],
    [{ speed: 4.01 }, 'decimal_above_max_value', 'speed'],
    [{ speed: 0.24 }, 'decimal_below_min_value', 'speed'],
    [{ speed: '1' }, 'invalid_value', 'speed'],
    [{ response_format: 'ogg' }, 'unsupported_value', 'response_format'],
    [{ model: 'tts-1', instructions: 'Softly.' }, 'unsupported_value', 'instructions'],
    [{ model: 'tts-1', stream_format: 'sse' }, 'invalid_value', 'stream_format'],
  ]
  for (const [body, code, param] of cases) {
    const error = await refused(body)
    assert.deepEqual([error.code, error.param], [code, param], JSON.stringify(body).slice(0, 100))
    assert.ok(error.message.includes(param), error.message)
  }
  assert.match((await refused({ voice: 'nobody' })).message, /^voice: "nobody" is not known; there are alloy, echo, /)
  assert.equal((await ask({ model: 'tts-9' })).status, 404)
  assert.equal(jobs.length, before)
})

test('bodies that contain no text are refused', async () => {
  const send = (raw: string | Buffer, type = 'application/json') => gateway.call(path, { raw, headers: { 'content-type': type } })
  const body = JSON.stringify(hello)
  const form = '--b\r\ncontent-disposition: form-data; name="input"\r\n\r\nHello.\r\n--b--\r\n'
  assert.equal((await send(form, 'multipart/form-data; boundary=b')).status, 415)
  assert.equal((await send('input=Hello.&voice=alloy', 'application/x-www-form-urlencoded')).status, 415)
  assert.equal((await send(Buffer.from([...Buffer.from('{"input":"'), 0xff, 0xfe, ...Buffer.from('"}')]))).status, 400)
  assert.equal((await send(`[${body}]`)).status, 400)
  // As everywhere in JSON, the last of two members with the same name counts.
  assert.equal((await send(`{"voice":"nobody",${body.slice(1)}`)).status, 200)
  assert.equal((await send(JSON.stringify({ ...hello, input: 'a\u0000b', neighbours: { previous_text: 'x' } }))).status, 200)
})

test('the characters are held while the call runs, and counted when it has ended', async () => {
  const bounded = { key: 'sk-bounded-key-00000001' }
  const speakAs = (input: string) => gateway.call(path, { ...bounded, body: { ...hello, input } })
  // The key has a quota of 100 characters.
  assert.equal((await speakAs('x'.repeat(101))).status, 429)
  assert.equal((await speakAs('refuse')).status, 429)
  const text = '€'.repeat(60)
  assert.equal((await speakAs(text)).status, 200)
  const task = await endedTask('succeeded')
  assert.deepEqual([task.cost, task.usage[0].unit, task.usage[0].units], [0.6, 'characters', 60])
  assert.equal((await speakAs('x'.repeat(41))).status, 429)
  assert.equal((await speakAs('x'.repeat(40))).status, 200)
})

test('a text may have 4096 characters, also characters of two UTF-16 units', async () => {
  const { status, bytes } = await ask({ input: '😀'.repeat(4096), voice: 'echo' })
  assert.deepEqual([status, bytes.length], [200, 44 + 4096 * samplesPerCharacter * 2])
})

test('a target’s error before the first sound is returned to the caller, at no cost', async () => {
  const busy = await ask({ input: 'refuse' })
  assert.deepEqual([busy.status, busy.body.error.code, busy.headers.get('retry-after')], [429, 'rate_limit_exceeded', '3'])
  assertDocumented('createSpeech', busy)
  assert.equal((await endedTask('failed')).cost, 0)
  const refusal = await ask({ input: 'moderated' })
  assert.deepEqual([refusal.status, refusal.body.error.code], [400, 'content_policy_violation'])
})

test('a target’s error behind the first sound cuts the connection', async () => {
  await assert.rejects(ask({ input: 'break' }))
  assert.equal((await endedTask('failed')).error.code, 'upstream_error')
})

test('the first sound is sent before the whole text is spoken, and the target stops when the caller disconnects', async () => {
  const text = 'held back'
  mayGoOn.set(text, Promise.withResolvers())
  const leaving = new AbortController()
  const answer = await open(text, leaving.signal)
  const reader = answer.body!.getReader()
  assert.equal((await reader.read()).value?.length, 44)
  const job = jobs.at(-1)!
  assert.equal(job.signal.aborted, false)
  leaving.abort()
  await until(() => job.signal.aborted, 'the end of the work')
  await endedTask('cancelled')
})

test('a slow reader slows the target down, and receives every byte', async () => {
  const answer = await open('slow')
  const toldBefore = await settled(() => reported)
  const bytes = (await answer.arrayBuffer()).byteLength
  assert.ok(toldBefore < slowPieces, 'all was made before anybody read it')
  assert.equal(bytes, slowPieces * slowBytes + 44 + soundBytes('slow'))
})

function open(input: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...hello, input }),
    ...(signal ? { signal } : {}),
  })
}

/** Waits until a figure no longer changes, and returns it. */
async function settled(read: () => number): Promise<number> {
  let last = -1
  let same = 0
  return until(() => {
    same = read() === last ? same + 1 : 0
    last = read()
    return same >= 20 ? last : undefined
  }, 'a standstill')
}

test('simultaneous calls get their own sounds', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => 'x'.repeat(at + 1))
  const answers = await Promise.all(texts.map(input => ask({ input })))
  assert.deepEqual(
    answers.map(({ bytes }) => bytes.length),
    texts.map(text => 44 + soundBytes(text)),
  )
})

test('events contain the same file, and the usage', async () => {
  const { bytes: file } = await ask({ response_format: 'wav' })
  const answer = await ask({ stream_format: 'sse', response_format: 'wav' })
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const lines = answer.bytes.toString().trim().split('\n\n')
  assert.equal(lines.pop(), 'data: [DONE]')
  const events = lines.map(line => JSON.parse(line.slice('data: '.length)))
  const { type, usage } = events.pop()
  assert.equal(type, 'speech.audio.done')
  assert.equal(usage.total_tokens, usage.input_tokens + usage.output_tokens)
  // 0.3 s of sound are 6 tokens, at 1,250 tokens per minute.
  assert.deepEqual([usage.input_tokens > 0, usage.output_tokens], [true, 6])
  assert.deepEqual(Buffer.concat(events.map(({ audio }) => Buffer.from(audio, 'base64'))), file)
  const broken = await ask({ stream_format: 'sse', input: 'break' })
  const [, error, end] = broken.bytes.toString().trim().split('\n\n').slice(-3)
  assert.deepEqual([JSON.parse(error?.slice('data: '.length) ?? '').error.code, end], ['upstream_error', 'data: [DONE]'])
})

test('a repeat with the same Idempotency-Key returns the same file, whole or as an event, at no cost', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await ask({ stream_format: 'audio' }, headers)
  const made = jobs.length
  const again = await ask({ stream_format: 'audio' }, headers)
  assert.deepEqual([again.status, again.headers.get('content-type')], [200, 'audio/wav'])
  assert.deepEqual([again.bytes, jobs.length], [first.bytes, made])
  assert.equal((await ask({ speed: 2 }, headers)).status, 409)
  const events = { 'idempotency-key': 'once, as events' }
  await ask({ stream_format: 'sse' }, events)
  const [delta, done] = (await ask({ stream_format: 'sse' }, events)).bytes.toString().split('\n\n')
  assert.deepEqual(Buffer.from(JSON.parse(delta?.slice('data: '.length) ?? '').audio, 'base64'), first.bytes)
  assert.match(done ?? '', /"speech\.audio\.done"/)
})
