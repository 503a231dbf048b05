/** Tests family T2 on the running program (docs/interface/sound.md#t2), with a target whose voice
 *  is a tone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { type SpeechRequest, spokenTexts } from '@generation-gateway/kit/requests/speech.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSpeechDriver, samplesPerCharacter, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const base = '/v1/ai/default/tts-n'
const yaml = `
models:
  - { id: MaaS_Speech_N, family: T2, price: { thousand_characters: 10 }, targets: [{ driver: tone }] }
`
const jobs: Job<SpeechRequest>[] = []
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
let nowMs = Date.now()
let gateway: TestGateway
before(async () => {
  const tone = toneOffer(async function* (job) {
    jobs.push(job)
    const { text } = job.request
    if (text.startsWith('refuse'))
      return yield { type: 'outcome', outcome: { state: 'failed', code: 'request_moderated', message: 'text: not that.' } }
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    job.signal.addEventListener('abort', () => resolve(), { once: true })
    if (mayGoOn.has(text)) job.progress(0.416)
    await Promise.race([mayGoOn.get(text)?.promise, stopped])
    // The longest texts get a short sound, because a tone for each character would take a gigabyte.
    const isLong = spokenTexts(job.request).join('').length > 10_000
    yield* speakTone(isLong ? { ...job, request: { text: 'Long.', speed: 1, volume: 0, format: job.request.format } } : job)
  })
  gateway = await startTestGateway({ yaml, drivers: [fakeSpeechDriver('tone', tone)], clock: { now: () => nowMs } })
})
after(() => gateway[Symbol.asyncDispose]())

interface Sent {
  format?: string
  query?: string
  type?: string
  at?: string
}

const send = (
  text: string | Buffer,
  { format = 'mp3', query = '', type = 'text/plain', at = base }: Sent,
  headers: Record<string, string>,
) => gateway.call(`${at}/text-to-speech/${format}${query}`, { raw: text, headers: { 'content-type': type, ...headers } })
const short = (text: string | Buffer, sent: Sent = {}, headers: Record<string, string> = {}) =>
  send(text, sent, { accept: 'application/octet-stream', ...headers })
const long = (text: string | Buffer, sent: Sent = {}, headers: Record<string, string> = {}) => send(text, sent, headers)

async function requestOf(text: string | Buffer, sent: Sent = {}): Promise<SpeechRequest> {
  const answer = await short(text, sent)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return jobs.at(-1)!.request
}

async function refused(status: number, text: string | Buffer, sent: Sent = {}): Promise<string> {
  const before = jobs.length
  for (const variant of [short, long]) {
    const answer = await variant(text, sent)
    assert.equal(answer.status, status, `${JSON.stringify(answer.body)} ${text.toString().slice(0, 60)}`)
    assert.equal(answer.body.message, answer.body.error.message)
    assertDocumented('createNarration', answer)
  }
  assert.equal(jobs.length, before)
  return (await short(text, sent)).body.message
}

async function ended(statusUrl: string) {
  return until(async () => {
    const { body } = await gateway.call(statusUrl, { key: false })
    return body.finished ? body : undefined
  }, 'the end of the narration')
}

test('the short variant returns the sound, with its length in a header', async () => {
  const answer = await short('Hello there.')
  assert.deepEqual(
    [answer.status, answer.headers.get('x-duration-seconds'), answer.headers.get('content-type')],
    [200, '0.600', 'audio/mpeg'],
  )
  assert.equal(answer.bytes.length, 12 * samplesPerCharacter * 2)
  for (const at of ['/v1/default/tts-n', '/default/tts-n']) assert.equal((await short('Hello.', { at })).status, 200)
  assert.equal((await short('Hello.', { format: 'm4a' })).status, 200)
  assert.match(
    await (await short('Hello.', { format: 'wav' })).body.message,
    /^responseFormat is "wav"; the short variant takes mp3, m4a\.$/,
  )
  assert.equal(
    (await short('Hello.', {}, { accept: 'text/html, application/octet-stream;q=0.5' })).bytes.length,
    6 * samplesPerCharacter * 2,
  )
})

test('the long variant returns a link to its state that needs no key, and keeps the sound for ten minutes', async () => {
  const text = 'A long story.'
  mayGoOn.set(text, Promise.withResolvers())
  const begun = await long(text, { format: 'wav' })
  assert.equal(begun.status, 200)
  assertDocumented('createNarration', begun)
  const { statusUrl, taskId } = begun.body
  assert.ok(statusUrl.startsWith(`${gateway.url}${base}/status/${taskId}?exp=`))
  const running = await until(async () => {
    const answer = await gateway.call(statusUrl, { key: false })
    return answer.body.percent > 0 ? answer : undefined
  }, 'some progress')
  assertDocumented('getNarration', running)
  assert.deepEqual(running.body, { finished: false, succeeded: false, percent: 42, message: '' })
  assert.deepEqual([running.headers.get('cache-control'), running.headers.get('retry-after')], ['no-store', '5'])
  mayGoOn.get(text)?.resolve()
  const { result, ...state } = await ended(statusUrl)
  assert.deepEqual(state, { finished: true, succeeded: true, percent: 100, message: '', durationInSeconds: 1 })
  const sound = await gateway.call(result, { key: false, headers: { range: 'bytes=0-3' } })
  assert.deepEqual([sound.status, sound.bytes.toString(), sound.headers.get('content-type')], [206, 'RIFF', 'audio/wav'])
  assert.equal((await gateway.call(`/v1/tasks/${taskId}`)).body.cost, 0.13)
  nowMs += 600_000 + 2_000
  assert.equal((await gateway.call(result, { key: false })).status, 410)
  assert.equal((await gateway.call((await ended(statusUrl)).result, { key: false })).status, 200)
  for (const wrong of [statusUrl.replace(/sig=./, 'sig='), statusUrl.replace(taskId, taskId.slice(1)), statusUrl.split('?')[0]])
    assert.equal((await gateway.call(wrong)).status, 403)
  nowMs += 24 * 3_600_000
  assert.equal((await gateway.call(statusUrl, { key: false })).status, 410)
})

test('the reason of a failure is in the state, or is the answer', async () => {
  const { statusUrl } = (await long('refuse this')).body
  assert.deepEqual(await ended(statusUrl), { finished: true, succeeded: false, percent: 0, message: 'body: not that.' })
  const answer = await short('refuse this')
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'request_moderated'])
})

test('voice, speed and volume reach the target', async () => {
  const plain = { text: 'Hello.', speed: 1, volume: 0, format: { container: 'mp3' } }
  assert.deepEqual(await requestOf('Hello.'), plain)
  assert.deepEqual(await requestOf('Hello.', { query: '?voice=RACHEL' }), { ...plain, voice: '21m00Tcm4TlvDq8ikWAM' })
  assert.deepEqual(await requestOf('Hello.', { query: '?voice=Alloy&voice-speed=fast&voice-volume=x-loud' }), {
    ...plain,
    voice: 'alloy',
    speed: 1.2,
    volume: 6,
  })
  const speeds: [word: string, speed: number][] = [
    ['slow', 0.8],
    ['normal', 1],
    ['0.3', 0.3],
    ['2', 2],
    ['1.25', 1.25],
  ]
  for (const [word, speed] of speeds) assert.equal((await requestOf('x', { query: `?voice-speed=${word}` })).speed, speed)
  const volumes: [word: string, volume: number | string][] = [
    ['loud', 3],
    ['standard', 0],
    ['soft', -6],
    ['x-soft', -12],
    ['normalized', 'normalized'],
  ]
  for (const [word, volume] of volumes) assert.equal((await requestOf('x', { query: `?voice-volume=${word}` })).volume, volume)
  for (const query of [
    'voice=nobody',
    'voice-speed=2.01',
    'voice-speed=0.29',
    'voice-speed=quick',
    'voice-speed=1e0',
    'voice-volume=7',
    'voice=a&voice=b',
  ])
    await refused(400, 'Hello.', { query: `?${query}` })
  await refused(400, 'Hello.', { format: 'ogg' })
  await refused(404, 'Hello.', { query: '?model=tts-1' })
})

test('stage directions become pauses and voices; other brackets are spoken', async () => {
  const { text, passages } = await requestOf('One (aside). (pause: 1.5) Two. (voice: Fable) Three. (voice: joe)(pause: 2) (PAUSE: 1)', {
    query: '?voice=nova',
  })
  assert.equal(text, '')
  assert.deepEqual(passages, [
    { text: 'One (aside).', pauseMs: 0 },
    { text: 'Two.', pauseMs: 1500 },
    { text: 'Three.', pauseMs: 0, voice: 'fable' },
    { text: '', pauseMs: 3000 },
  ])
  assert.equal((await requestOf('He said (loudly): pause.')).passages, undefined)
  for (const [body, message] of [
    ['a (pause: soon)', /^The body has "\(pause: soon\)"; a pause is a number of seconds from 0 to 600\.$/],
    ['a (pause: 600.5)', /from 0 to 600/],
    ['a (voice: )', /a name of a voice is missing/],
    ['(pause: 0)a '.repeat(20_001), /^The body has more than 20000 stage directions\.$/],
    [' (pause: 3) ', /stage directions and nothing to say/],
    [`a ${'(pause: 600)'.repeat(13)}`, /^The body has pauses of 7800 s together; at most 7200 s of the long variant\.$/],
  ] as const)
    assert.match((await long(body)).body.message, message)
  // A run of opening brackets takes linear time.
  const start = performance.now()
  assert.equal((await long(`${'(pause:'.repeat(140_000)}(pause: x)`)).status, 400)
  assert.ok(performance.now() - start < 20_000)
})

test('a text may be plain or URL-encoded; other types are refused', async () => {
  const form = { type: 'application/x-www-form-urlencoded' }
  assert.equal((await requestOf('\ufeffZwölf')).text, 'Zwölf')
  assert.equal((await requestOf('50%25+of+%E2%82%AC%26c', form)).text, '50% of €&c')
  assert.equal((await requestOf('text=one+two', form)).text, 'one two')
  await refused(400, '100%', form)
  await refused(400, '%ff%fe', form)
  await refused(400, Buffer.from([0x61, 0xff, 0x62]))
  await refused(400, '')
  await refused(400, ' \n'.repeat(400))
  await refused(415, '{"text":"Hello."}', { type: 'application/json' })
  await refused(415, 'Hello.', { type: 'text/html' })
  await refused(415, '--b\r\n', { type: 'multipart/form-data; boundary=b' })
  for (const charset of ['utf-16', 'iso-8859-1'])
    assert.equal(
      await refused(415, 'Hello.', { type: `text/plain; charset=${charset}` }),
      `The content type names the charset "${charset}"; the body has to be in UTF-8.`,
    )
  assert.equal((await requestOf('a\u0000b')).text, 'a\u0000b')
})

test('the limits apply to the decoded text', async () => {
  const kibi = 1024
  assert.equal((await short(`${'€'.repeat(341)}x`)).status, 200)
  assert.equal((await short(`${'€'.repeat(341)}xy`)).status, 413)
  const form = { type: 'application/x-www-form-urlencoded' }
  assert.equal((await short('%78'.repeat(kibi), form)).status, 200)
  assert.equal((await short('%78'.repeat(kibi + 1), form)).status, 413)
  assert.equal((await short('x'.repeat(100_000))).status, 413)
  assert.equal((await long(`refuse ${'x'.repeat(kibi * kibi - 7)}`)).status, 200)
  assert.equal((await long('x'.repeat(kibi * kibi + 1))).status, 413)
})

test('each subtitle is spoken at its time', async () => {
  const vtt = [
    '\ufeffWEBVTT - a film',
    'Kind: captions',
    '',
    'STYLE',
    '::cue { color: red }',
    '',
    'NOTE nothing of this',
    '00:00.000 --> 00:01.000 is said',
    '',
    'intro',
    '00:02.500 --> 00:04.000 align:start position:10%',
    '<v Anna>Hello <b>there</b>,',
    'R&amp;D &lt;3.',
    '',
    '01:00:00.000 --> 01:00:01.000',
    'Late.',
    '',
    '00:00.100 --> 00:03.000',
    'First, and over the next.',
    '',
    '00:05.000 --> 00:06.000',
    '<00:05.500><c></c>',
  ].join('\r\n')
  const { body } = await long(vtt, { type: 'text/vtt' })
  await ended(body.statusUrl)
  const { text, cues } = jobs.findLast(({ request }) => request.cues)!.request
  assert.equal(text, '')
  assert.deepEqual(cues, [
    { startMs: 100, endMs: 3_000, text: 'First, and over the next.' },
    { startMs: 2_500, endMs: 4_000, text: 'Hello there, R&D <3.' },
    { startMs: 3_600_000, endMs: 3_601_000, text: 'Late.' },
  ])
  const srt = '1\n00:00:01,5 --> 00:00:02,250 X1:1\n{\\an8}<i>Two</i> < 3\n\n\n00:03,000-->00:04,000\n<font color="red">No number</font>\n'
  for (const type of ['application/x-subrip', 'text/srt']) {
    assert.deepEqual((await requestOf(srt, { type })).cues, [
      { startMs: 1_500, endMs: 2_250, text: 'Two < 3' },
      { startMs: 3_000, endMs: 4_000, text: 'No number' },
    ])
  }
})

test('subtitles that players accept are spoken, and text without a time is named', async () => {
  const body =
    'Subtitles by somebody\n\n1\n\n00:00:01 --> 00:00:02\nHello there.\n\nAnd welcome.\n2\n00:00:04,000 --> 00:00:06,000\nLate.\n\n3\n'
  const answer = await short(body, { type: 'application/x-subrip' })
  assert.equal(answer.headers.get('x-gateway-warning'), 'body: the text before the first time is not read.')
  assert.deepEqual(jobs.at(-1)?.request.cues, [
    { startMs: 1_000, endMs: 2_000, text: 'Hello there. And welcome.' },
    { startMs: 4_000, endMs: 6_000, text: 'Late.' },
  ])
})

test('subtitles that cannot be spoken in their time are refused with the line', async () => {
  const cases: [type: string, body: string, says: RegExp][] = [
    ['text/vtt', '1\n00:01.000 --> 00:02.000\nx', /begin with WEBVTT/],
    ['text/vtt', 'WEBVTTx\n\n00:01.000 --> 00:02.000\nx', /begin with WEBVTT/],
    ['text/vtt', 'WEBVTT\n\n00:01.000 - 00:02.000\nx', /no time where a cue begins, in line 3/],
    ['text/vtt', 'WEBVTT\n\n00:01.000 --> tomorrow\nx', /another form .* in line 3/],
    ['text/srt', '1\n00:00:03,000 --> 00:00:02,000\nx', /does not end after its start, in line 2/],
    ['text/srt', '1\n00:00:02,000 --> 00:00:02,000\nx', /does not end after its start, in line 2/],
    ['text/srt', '1\n-00:00:03,000 --> 00:00:02,000\nx', /before the start, in line 2/],
    ['text/srt', '1\n00:60:00,000 --> 00:61:00,000\nx', /more than 59/],
    ['text/srt', '1\n00:00:01,000 --> 00:00:02,000\n<i></i>', /no cue with words/],
    ['text/srt', 'Hello.', /no time where a cue begins, in line 1/],
    ['text/srt', '1\n99:00:00,000 --> 99:00:02,000\nx', /ends after 356402 s; at most 600 s of the short variant/],
  ]
  for (const [type, body, says] of cases) assert.match(await refused(400, body, { type }), says)
})

test('a cue has at most 10,000 characters, and a longer one is refused with its line', async () => {
  const cue = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\nrefuse\n\n00:03.000 --> 00:04.000\n${text}`
  const type = 'text/vtt'
  const most = await long(cue('😀'.repeat(10_000)), { type })
  assert.equal(most.status, 200, JSON.stringify(most.body))
  await ended(most.body.statusUrl)
  const before = jobs.length
  const { status, body } = await long(cue('a '.repeat(5_001)), { type })
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_request', 'body'])
  assert.equal(body.message, 'The body has a cue of 10001 characters; at most 10000, in line 6.')
  assert.equal(jobs.length, before)
})

test('thousands of cues, and text full of markup characters, are read quickly', async () => {
  const cue = (at: number) =>
    `${at}\n00:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')},000 --> 01:59:59,000\nrefuse ${at}\n\n`
  const many = Array.from({ length: 3_000 }, (_, at) => cue(at)).join('')
  const { body } = await long(many, { type: 'text/srt' })
  await ended(body.statusUrl)
  assert.equal(jobs.findLast(({ request }) => request.cues)?.request.cues?.length, 3_000)
  const cpu = process.cpuUsage()
  assert.equal((await long(`WEBVTT\n\n00:01.000 --> 00:02.000\n${'<'.repeat(900_000)}`, { type: 'text/vtt' })).status, 400)
  assert.equal((await long(`WEBVTT\n\n${'-->'.repeat(300_000)}`, { type: 'text/vtt' })).status, 400)
  const { user } = process.cpuUsage(cpu)
  assert.ok(user < 5_000_000, `${user} us`)
})

test('voices are listed', async () => {
  const answer = await gateway.call(`${base}/voices`)
  assertDocumented('listNarrationVoices', answer)
  const { name, language, languageCode, gender } = answer.body[0]
  assert.deepEqual([name, language, languageCode, gender], ['alloy', 'American English', 'en-US', 'female'])
})
