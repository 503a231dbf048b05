import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTranscriptionDriver, recording, type TranscriptionJob } from '../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { type Parts, sendParts } from '../../testing/multipart.ts'
import { sendRaw } from '../../testing/raw-http.ts'

const path = '/v1/ai/default/speechtotext/transcriptions:transcribe'
const version = '?api-version=2024-11-15'
const jobs: TranscriptionJob[] = []
let gateway: TestGateway
before(async () => {
  const yaml = 'models: [{ id: fast-transcription, family: R3, targets: [{ driver: ears }] }]'
  gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears', { jobs })], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

async function send(parts: Parts, at = path + version, headers: Record<string, string> = {}) {
  const answer = await sendParts(gateway.url + at, parts, { headers })
  assertDocumented('transcribeFast', answer)
  return answer
}

/** Returns the answer to a recording of five words with this definition. */
async function given(definition?: object, audio = recording(5)) {
  const { status, body } = await send([['audio', audio], ...(definition ? [['definition', JSON.stringify(definition)] as const] : [])])
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function refused(definition: object | string, audio = recording(5)) {
  const text = typeof definition === 'string' ? definition : JSON.stringify(definition)
  const { status, body } = await send([
    ['definition', text],
    ['audio', audio],
  ])
  assert.equal(body.error.message, body.message)
  return `${status} ${body.code} ${body.target}: ${body.message}`
}

const requested = () => jobs.at(-1)!.request

test('the answer has phrases with their words in milliseconds, and the whole text', async () => {
  const body = await given({ locales: ['en-IN'] })
  assert.equal(body.durationMilliseconds, 2_500)
  assert.deepEqual(body.combinedPhrases, [{ text: 'One two three four. Five' }])
  assert.deepEqual(body.phrases[1], {
    offsetMilliseconds: 2_000,
    durationMilliseconds: 500,
    text: 'Five',
    words: [{ text: 'Five', offsetMilliseconds: 2_000, durationMilliseconds: 500 }],
    locale: 'en-IN',
    confidence: 0.9,
  })
  assert.equal(body.phrases[0].words.length, 4)
})

test('the definition may be a text, a JSON part or a file; without it, the defaults apply', async () => {
  const json = JSON.stringify({ locales: ['de-DE'], profanityFilterMode: 'None' })
  for (const definition of [json, new Blob([json], { type: 'application/json' })]) {
    const { status } = await send([
      ['definition', definition],
      ['audio', recording(2)],
    ])
    assert.deepEqual([status, requested().languages, requested().profanity], [200, ['de-DE'], 'kept'])
  }
  // The definition is sent as a part with a content type and without a file name.
  const boundary = 'b0undary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="definition"\r\ncontent-type: application/json\r\n\r\n${json}\r\n`
  const audio = `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head + audio), recording(2), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  assert.equal((await gateway.call(path + version, { raw, headers })).status, 200)
  assert.equal(requested().profanity, 'kept')
  await given()
  assert.deepEqual(
    [requested().languages, requested().profanity, requested().channels, requested().speakers],
    [[], 'masked', undefined, undefined],
  )
  for (const [mode, neutral] of [
    ['Masked', 'masked'],
    ['Removed', 'removed'],
    ['Tags', 'tagged'],
  ]) {
    await given({ profanityFilterMode: mode })
    assert.equal(requested().profanity, neutral)
  }
})

test('unknown locales are left out; their case does not matter', async () => {
  await given({ locales: ['xx-YY', 'EN-us', 'fr-FR', 'fr-fr'] })
  assert.deepEqual(requested().languages, ['en-US', 'fr-FR'])
  const { phrases } = await given({ locales: ['tlh'] })
  assert.deepEqual([requested().languages, phrases[0].locale], [[], 'en-US'])
})

test('a recording without a language is a 422 in both error shapes, unless the caller names a locale', async () => {
  const silence = recording(0, { seconds: 2 })
  const { status, body } = await send([['audio', silence]])
  assert.deepEqual(
    [status, body.code, body.innerError.code, body.error.code],
    [422, 'UnprocessableEntity', 'NoLanguageIdentified', 'language_not_identified'],
  )
  assert.equal(body.innerError.message, body.message)
  assert.deepEqual(await given({ locales: ['en-US'] }, silence), { durationMilliseconds: 2_000, combinedPhrases: [], phrases: [] })
})

test('channels are transcribed separately; the field is ignored for mono, and refused for missing or too many channels', async () => {
  const stereo = recording(4, { channels: 2 })
  const body = await given({ channels: [0, 1] }, stereo)
  assert.deepEqual(
    body.combinedPhrases.map(({ channel }: { channel: number }) => channel),
    [0, 1],
  )
  assert.deepEqual(
    body.phrases.map(({ channel }: { channel: number }) => channel),
    [0, 1],
  )
  assert.equal((await given({ channels: [1] }, stereo)).phrases[0].channel, 1)
  await given({ channels: [0, 1] })
  assert.equal(requested().channels, undefined)
  for (const channels of [[0, 1, 2], [1, 1], [99], [-1], Array.from({ length: 100 }, (_, channel) => channel)]) {
    await given({ channels })
    assert.equal(requested().channels, undefined)
  }
  await given({ channels: [] }, stereo)
  assert.equal(requested().channels, undefined)
  const field = '400 InvalidArgument definition.channels'
  assert.equal(await refused({ channels: [2] }, stereo), `${field}: definition.channels has 2; the recording has the channels 0 to 1.`)
  assert.ok((await refused({ channels: [0, 1, 2] }, recording(2, { channels: 3 }))).startsWith(field))
  assert.ok((await refused({ channels: [1, 1] }, stereo)).startsWith(field))
  assert.equal(await refused({ channels: [-1] }, stereo), `${field}: definition.channels has -1; the recording has the channels 0 to 1.`)
})

test('speakers are numbered from 1, with diarization', async () => {
  const { phrases } = await given({ diarization: { enabled: true } }, recording(12))
  assert.deepEqual(
    phrases.map(({ speaker }: { speaker: number }) => speaker),
    [1, 2, 1],
  )
  assert.deepEqual(requested().speakers, { most: 10, names: [] })
  await given({ diarization: { enabled: true, maxSpeakers: 35 } })
  assert.equal(requested().speakers?.most, 35)
  assert.equal((await given({ diarization: { enabled: false } })).phrases[0].speaker, undefined)
  assert.match(
    await refused({ diarization: { enabled: true, maxSpeakers: 36 } }),
    /^400 InvalidArgument definition\.diarization\.maxSpeakers/,
  )
  assert.match(await refused({ diarization: { enabled: true, maxSpeakers: 1 } }), /at least 2/)
  const stereo = recording(4, { channels: 2 })
  assert.match(
    await refused({ channels: [0, 1], diarization: { enabled: true } }, stereo),
    /with diarization the recording is taken mixed, or one of them/,
  )
  assert.equal((await given({ channels: [1], diarization: { enabled: true } }, stereo)).phrases[0].speaker, 1)
})

test("the version must be that of the interface; the path of Azure clients accepts Azure's versions", async () => {
  const at = (where: string, version: string) => send([['audio', recording(2)]], `${where}?api-version=${version}`)
  for (const version of ['2025-10-15', '2024-05-15-preview', 'x'.repeat(65)]) {
    const { status, body } = await at(path, version)
    assert.deepEqual([status, body.code, body.target], [400, 'UnsupportedApiVersionValue', 'api-version'], version)
    assert.match(body.message, /must be "2024-11-15"/)
  }
  for (const version of ['2024-11-15', '2025-10-15', 'v3.2'])
    assert.equal((await at('/speechtotext/transcriptions:transcribe', version)).status, 200, version)
})

test('a missing version is refused before the recording is read', async () => {
  const of = async (query: string) => await send([['audio', recording(2)]], path + query)
  assert.deepEqual([(await of('')).body.code, (await of('')).body.target], ['MissingApiVersionParameter', 'api-version'])
  assert.equal((await of('?api-version=')).body.code, 'UnsupportedApiVersionValue')
  // Only the head of the request is sent, never the body that it declares.
  const head = `authorization: Bearer ${testKey}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 20000000`
  const early = await sendRaw(gateway.url, `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
  assert.deepEqual([early?.status, JSON.parse(early?.body ?? '').code], [400, 'MissingApiVersionParameter'])
})

test('the recording may be at a URL, if the address is allowed', async () => {
  const sounds = createServer((request, response) => response.end(request.url === '/a.wav' ? recording(3) : 'no sound')).listen(
    0,
    '127.0.0.1',
  )
  await once(sounds, 'listening')
  const { port } = sounds.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/a.wav`
  const of = (definition: object, at = gateway) => sendParts(at.url + path + version, [['definition', JSON.stringify(definition)]])
  try {
    for (const definition of [{ audioUrl: url }, { contentUrls: [url] }, { content_urls: [url] }]) {
      const { status, body } = await of(definition)
      assert.deepEqual([status, body.combinedPhrases], [200, [{ text: 'One two three' }]], JSON.stringify(body))
    }
    const json = await gateway.call(path + version, { body: { definition: { audioUrl: url, locales: ['de-DE'] } } })
    assert.deepEqual([json.status, requested().languages], [200, ['de-DE']])
    const message = async (definition: object) => (await of(definition)).body.message
    assert.equal(await message({}), 'audio is required, or definition.audioUrl.')
    assert.match(await message({ audioUrl: url, contentUrls: [url] }), /has 2 recordings; one/)
    assert.match(await message({ contentUrls: [url, url] }), /definition\.contentUrls has 2 items; at most 1/)
    assert.match(await message({ audioUrl: 'file:///etc/passwd' }), /an http or https URL/)
    assert.match(await message({ audioUrl: url.replace('a.wav', 'b.wav') }), /definition\.audioUrl is not a file the gateway knows/)
    await using strict = await startTestGateway({ env: { GATEWAY_ALLOW_PRIVATE_URLS: '0' } })
    assert.match((await of({ audioUrl: url }, strict)).body.message, /definition\.audioUrl/)
  } finally {
    sounds.close()
  }
})

test('the path works with a plain or encoded colon, with and without an endpoint, and with the key header of Azure clients', async () => {
  const headers = { 'Ocp-Apim-Subscription-Key': testKey }
  for (const at of [path, path.replace(':', '%3A'), path.replace(':', '%3a'), '/speechtotext/transcriptions:transcribe'])
    assert.equal((await send([['audio', recording(2)]], at + version, headers)).status, 200, at)
  const wrong = await sendParts(gateway.url + path + version, [['audio', recording(2)]], {
    headers: { 'Ocp-Apim-Subscription-Key': 'sk-nobody' },
  })
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'Unauthorized'])
  assert.equal((await gateway.call(path.replace(':transcribe', '') + version, { raw: 'x' })).status, 404)
})

test('fields of later versions are followed, or named in a warning', async () => {
  const definition = {
    diarization: { maxSpeakers: 3 },
    phraseList: { phrases: ['Contoso', 'Jessie'] },
    enhancedMode: { task: 'translate' },
  }
  const { status, headers, body } = await send([
    ['definition', JSON.stringify(definition)],
    ['audio', recording(2)],
  ])
  assert.deepEqual([status, headers.get('x-gateway-warning')], [200, 'definition.enhancedMode is not followed.'])
  assert.deepEqual([requested().prompt, requested().speakers, body.phrases[0].speaker], ['Contoso, Jessie', { most: 3, names: [] }, 1])
  await given({ diarization: { enabled: false, maxSpeakers: 3 } })
  assert.deepEqual([requested().prompt, requested().speakers], [undefined, undefined])
})

test('malicious definitions are refused with a message', async () => {
  assert.match(await refused('not JSON'), /^400 InvalidArgument definition: definition is "not JSON"; it must be object\./)
  assert.match(await refused('[]'), /^400 InvalidArgument definition/)
  assert.match(
    await refused(`{"channels":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    /^400 InvalidArgument definition: definition is nested deeper than 64 levels/,
  )
  assert.match(await refused('{"channels":["0","1"]}'), /^400 InvalidArgument definition\.channels\[0\]: .*it must be integer/)
  assert.match(await refused('{"diarization":{"enabled":"true"}}'), /it must be boolean/)
  assert.match(await refused('{"profanityFilterMode":"masked"}'), /one of None, Masked, Removed, Tags/)
  // As everywhere in JSON, the last of two values with the same name counts.
  await given()
  const twice = '{"locales":["de-DE"],"locales":["fr-FR"],"__proto__":{"channels":[9]},"constructor":1}'
  assert.equal(
    (
      await send([
        ['definition', twice],
        ['audio', recording(2)],
      ])
    ).status,
    200,
  )
  assert.deepEqual([requested().languages, requested().channels], [['fr-FR'], undefined])
})

test('a body may have 25 MB; another kind of body, and a file without sound, are refused', async () => {
  const padded = (bytes: number) => Buffer.concat([recording(2), Buffer.alloc(bytes - recording(2).length)])
  assert.equal((await send([['audio', padded(25 * 2 ** 20)]])).status, 200)
  assert.equal((await send([['audio', padded(25 * 2 ** 20 + 1)]])).status, 413)
  const { status, body } = await gateway.call(path + version, { raw: 'x', headers: { 'content-type': 'audio/wav' } })
  assert.deepEqual([status, body.code], [415, 'UnsupportedMediaType'])
  assert.equal((await send([['audio', Buffer.from('PK zip')]])).body.error.code, 'invalid_file_format')
})
