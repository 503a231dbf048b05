/** Tests family T3 at the paths that ElevenLabs' clients use, whose base URL is only the host.
 *  The gateway recognizes these clients by the header `xi-api-key`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSpeechDriver, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { fakeTranscriptionDriver, recording } from '../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const other = 'sk-other-account-0001'
const crowded = 'sk-crowded-account-01'
const yaml = `
accounts:
  - { id: other, keys: [{ name: other, secret_env: OTHER }], endpoints: [{ name: default }] }
  - { id: crowded, keys: [{ name: all, secret: ${crowded} }], endpoints: [{ name: default }] }
  - { id: default, quotas: { characters: 100000 } }
models:
  - { id: tts_monolingual_v1, family: T3, group: tts_monolingual_v1, targets: [{ driver: tone }] }
  - { id: scribe_v1, family: R1, group: basic, targets: [{ driver: ears }] }
`
const jobs: Job<SpeechRequest>[] = []
let gateway: TestGateway
before(async () => {
  const tone = toneOffer(async function* (job) {
    jobs.push(job)
    yield* speakTone(job)
  })
  const drivers = [fakeSpeechDriver('tone', tone), fakeTranscriptionDriver('ears')]
  gateway = await startTestGateway({ yaml, drivers, env: { OTHER: other } })
})
after(() => gateway[Symbol.asyncDispose]())

const rachel = '21m00Tcm4TlvDq8ikWAM'
const asClient = (path: string, body?: unknown, key = testKey) =>
  gateway.call(path, { key: false, headers: { 'xi-api-key': key }, ...(body === undefined ? {} : { body }) })

test('shared paths answer in the shape that the client expects', async () => {
  const [models, openai] = [await asClient('/v1/models'), await gateway.call('/v1/models')]
  assertDocumented('listVoiceModels', models)
  assert.deepEqual([Array.isArray(models.body), openai.body.object], [true, 'list'])
  const [voices, ours] = [await asClient('/v1/voices'), await gateway.call('/v1/voices')]
  assertDocumented('listVoiceIds', voices)
  assert.deepEqual([voices.body.voices[0].voice_id.length > 0, ours.body.object], [true, 'list'])
  assert.equal((await gateway.call('/v1/ai/default/tts-e/v1/voices')).body.has_more, false)
  assert.equal((await asClient('/v1/models', undefined, 'sk-nobody')).status, 401)
  const spoken = await asClient(`/v1/text-to-speech/${rachel}`, { text: 'Hello.' })
  assert.deepEqual([spoken.status, spoken.headers.get('character-cost')], [200, '6'])
  assert.equal((await asClient(`/v1/text-to-speech/${rachel}/stream`, { text: 'Hello.' })).status, 200)
})

test('voices are searched by their properties, in pages, and found by id', async () => {
  const page = async (query: string) => {
    const answer = await asClient(`/v2/voices?${query}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assertDocumented('searchVoiceIds', answer)
    return answer.body
  }
  const all = await page('page_size=100')
  const rest = await page(`page_size=100&next_page_token=${all.next_page_token ?? '0'}`)
  assert.ok(rest.has_more === false && all.voices.length + (all.has_more ? rest.voices.length : 0) === all.total_count)
  const first = await page('page_size=3')
  const second = await page(`page_size=3&next_page_token=${first.next_page_token}`)
  assert.deepEqual([...first.voices, ...second.voices], all.voices.slice(0, 6))
  const women = await page('gender=female&page_size=100')
  assert.ok(women.voices.length > 0 && women.voices.every((voice: { labels: { gender: string } }) => voice.labels.gender === 'female'))
  assert.deepEqual((await page('search=rachel')).voices[0].voice_id, rachel)
  assert.equal((await page(`voice_ids=${rachel}`)).total_count, 1)
  assert.equal((await page('')).voices.length, all.total_count)
  for (const none of ['voice_type=personal', 'category=cloned', 'search=nobodyatall', 'language=xx'])
    assert.equal((await page(none)).total_count, 0, none)
  const names: string[] = (await page('sort=name&sort_direction=desc&page_size=100')).voices.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    names,
    names.toSorted((a, b) => b.localeCompare(a)),
  )
  for (const wrong of ['page_size=0', 'page_size=101', 'next_page_token=x', 'sort=age'])
    assert.equal((await asClient(`/v2/voices?${wrong}`)).status, 400, wrong)
  const one = await asClient(`/v1/voices/${rachel}`)
  assertDocumented('getVoiceId', one)
  assert.deepEqual([one.body.name, one.body.category], ['Rachel', 'premade'])
  const nobody = await asClient('/v1/voices/nobody')
  assert.deepEqual([nobody.status, nobody.body.detail.code], [404, 'voice_not_found'])
})

test('user and subscription report how many characters the account has used', async () => {
  const user = await asClient('/v1/user')
  assertDocumented('getVoiceUser', user)
  const { character_count, character_limit, tier } = user.body.subscription
  assert.deepEqual([user.body.user_id, tier, character_limit], ['default', 'gateway', 100_000])
  assert.ok(character_count >= 12)
  const subscription = await asClient('/v1/user/subscription')
  assertDocumented('getVoiceSubscription', subscription)
  assert.equal((await asClient('/v1/user/subscription', undefined, other)).body.character_limit, 2 ** 31 - 1)
})

test('with timestamps: each character has a time, marked as estimated', async () => {
  const text = 'Hello there, you. 你好'
  const answer = await asClient(`/v1/text-to-speech/${rachel}/with-timestamps`, { text })
  assertDocumented('createTimedVoiceSpeech', answer)
  const { audio_base64, alignment } = answer.body
  assert.match(answer.headers.get('x-gateway-warning') ?? '', /^alignment: the times are estimated/)
  assert.deepEqual(alignment.characters, [...text])
  const [starts, ends] = [alignment.character_start_times_seconds, alignment.character_end_times_seconds]
  assert.ok(starts[0] === 0 && starts.every((start: number, at: number) => start <= ends[at] && (at === 0 || start === ends[at - 1])))
  assert.ok(Buffer.from(audio_base64, 'base64').length > 1_000)
  const stream = await asClient(`/v1/text-to-speech/${rachel}/stream/with-timestamps`, { text })
  const lines = stream.bytes.toString().trim().split('\n')
  const parsed = lines.map(line => JSON.parse(line))
  assert.deepEqual(parsed.at(-1), { audio_base64: '', alignment, normalized_alignment: alignment })
  assert.deepEqual(Buffer.concat(parsed.map(line => Buffer.from(line.audio_base64, 'base64'))), Buffer.from(audio_base64, 'base64'))
  const kept = await asClient(`/v1/text-to-speech/${rachel}/with-timestamps?enable_logging=false`, { text })
  assert.deepEqual([kept.status, kept.body.alignment], [200, alignment])
  assert.equal((await asClient(`/v1/text-to-speech/${rachel}/with-timestamps`, { text: '' })).body.detail.code, 'empty_text')
})

const dictionaries = '/v1/pronunciation-dictionaries'
const lexicon = `<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en">
  <lexeme><grapheme>W3C</grapheme><grapheme>w3c</grapheme><alias>World Wide Web &amp; Consortium</alias></lexeme>
  <lexeme><grapheme>tomato</grapheme><phoneme>təˈmeɪtoʊ</phoneme></lexeme>
</lexicon>`

test('dictionaries of rules and of lexicons can be created, listed, read, and used by their ids', async () => {
  const rules = [{ type: 'alias', string_to_replace: 'nginx', alias: 'engine x' }]
  const made = await asClient(`${dictionaries}/add-from-rules`, { name: 'brands', description: 'Ours', rules })
  assertDocumented('createPronunciationDictionary', made)
  assert.deepEqual([made.status, made.body.name, made.body.version_rules_num], [200, 'brands', 1])
  const upload = await sendParts(
    `${gateway.url}${dictionaries}/add-from-file`,
    [
      ['name', 'words'],
      ['file', new Blob([lexicon], { type: 'application/octet-stream' })],
    ],
    { headers: { 'xi-api-key': testKey } },
  )
  assert.deepEqual([upload.status, upload.body.version_rules_num], [200, 3], JSON.stringify(upload.body))
  const list = await asClient(`${dictionaries}?page_size=1`)
  assertDocumented('listPronunciationDictionaries', list)
  assert.deepEqual([list.body.pronunciation_dictionaries[0].id, list.body.has_more], [upload.body.id, true])
  const next = await asClient(`${dictionaries}?page_size=1&cursor=${list.body.next_cursor}`)
  assert.deepEqual([next.body.pronunciation_dictionaries[0].id, next.body.has_more], [made.body.id, false])
  const one = await asClient(`${dictionaries}/${upload.body.id}`)
  assertDocumented('getPronunciationDictionary', one)
  assert.deepEqual(one.body.rules.at(-1), { type: 'phoneme', string_to_replace: 'tomato', phoneme: 'təˈmeɪtoʊ', alphabet: 'ipa' })

  const locators = [made, upload].map(({ body }) => ({ pronunciation_dictionary_id: body.id, version_id: body.version_id }))
  const spoken = await asClient(`/v1/text-to-speech/${rachel}`, { text: 'nginx', pronunciation_dictionary_locators: locators })
  assert.equal(spoken.headers.get('x-gateway-warning'), 'pronunciation_dictionary_locators: rules with phonemes are not followed.')
  assert.deepEqual(jobs.at(-1)?.request.pronunciations, [
    { word: 'nginx', say: 'engine x' },
    { word: 'W3C', say: 'World Wide Web & Consortium' },
    { word: 'w3c', say: 'World Wide Web & Consortium' },
  ])
  const foreign = { text: 'nginx', pronunciation_dictionary_locators: locators }
  assert.equal((await asClient(`/v1/text-to-speech/${rachel}`, foreign, other)).status, 400)
  assert.equal((await asClient(`${dictionaries}/${made.body.id}`, undefined, other)).status, 404)
  assert.deepEqual((await asClient(dictionaries, undefined, other)).body.pronunciation_dictionaries, [])
})

test('an invalid dictionary is refused with the reason', async () => {
  const file = async (text: string) => (await asClient(`${dictionaries}/add-from-file`, { name: 'x', file: text })).body.detail?.message
  assert.match(await file('hello'), /^file is no XML/)
  assert.match(await file('<lexicon><lexeme>'), /^file is no XML/)
  assert.match(await file('<html/>'), /has no lexicon/)
  assert.match(await file('<lexicon/>'), /has no lexeme with/)
  assert.match(await file('<!DOCTYPE x [<!ENTITY a "b">]><lexicon/>'), /has a document type/)
  assert.match(
    await file(`<lexicon><lexeme><grapheme>${'x'.repeat(201)}</grapheme><alias>y</alias></lexeme></lexicon>`),
    /more than 200 characters/,
  )
  assert.match(await file('x'.repeat(256 * 1024 + 1)), /at most 262144/)
  const rules = (count: number, length = 5) =>
    Array.from({ length: count }, (_, at) => ({ type: 'alias', string_to_replace: `${at}`, alias: 'x'.repeat(length) }))
  const add = async (body: object) => await asClient(`${dictionaries}/add-from-rules`, body)
  assert.equal((await add({ name: 'x', rules: rules(1_001) })).status, 400)
  assert.match((await add({ name: 'x', rules: rules(600, 200) })).body.detail.message, /at most 65536/)
  assert.equal((await add({ name: 'x', rules: [] })).status, 400)
  assert.equal((await add({ name: 'x', rules: [{ type: 'sound', string_to_replace: 'a' }] })).status, 400)
})

test('a lexicon that breaks the parser is refused with a short message', async () => {
  const file = async (text: string) => {
    const { status, body } = await asClient(`${dictionaries}/add-from-file`, { name: 'x', file: text })
    return [status, body.detail?.message] as const
  }
  const cases: [text: string, says: RegExp][] = [
    [`<lexicon>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</lexicon>`, /^file cannot be read: Maximum nested tags exceeded\.$/],
    ['<lexicon><__proto__/></lexicon>', /^file cannot be read: /],
    ['<lexicon><constructor/></lexicon>', /^file cannot be read: /],
    ['<lexicon><toString/><hasOwnProperty/></lexicon>', /^file (cannot be read|has no lexeme)/],
    ['<a>\n'.repeat(9_000), /^file is no XML: /],
    ['<'.repeat(9_000), /^file is no XML: /],
    [`<lexicon>${'<?a?>'.repeat(50_000)}</lexicon>`, /^file has 50002 tags and attributes; at most 10000\.$/],
    [`<lexicon ${Array.from({ length: 20_000 }, (_, at) => `a${at}="x"`).join(' ')}/>`, /^file has 20001 tags and attributes/],
    ['<lexicon>text<lexeme>text</lexeme><lexeme/></lexicon>', /^file has no lexeme/],
    ['<lexicon><lexeme><grapheme>a</grapheme><alias/></lexeme></lexicon>', /^file has a word without a reading: a\.$/],
    [
      `<lexicon alphabet="${'z'.repeat(41)}"><lexeme><grapheme>a</grapheme><phoneme>b</phoneme></lexeme></lexicon>`,
      /^file has an alphabet of 41 characters; from 1 to 40\.$/,
    ],
  ]
  for (const [text, says] of cases) {
    const [status, message] = await file(text)
    assert.equal(status, 400, `${text.slice(0, 60)}: ${message}`)
    assert.match(message, says)
    assert.ok(message.length < 200, `${message.length} characters`)
  }
})

test('an account can have a hundred dictionaries, even when many are created at the same time', async () => {
  const rules = [{ type: 'alias', string_to_replace: 'nginx', alias: 'engine x' }]
  const answers = await Promise.all(
    Array.from({ length: 130 }, (_, at) => asClient(`${dictionaries}/add-from-rules`, { name: `${at}`, rules }, crowded)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 100)
  const refused = answers.find(({ status }) => status !== 200)
  assert.match(refused?.body.detail.message, /^The account has 100 pronunciation dictionaries; at most 100\. Delete one first\.$/)
  const list = await asClient(`${dictionaries}?page_size=100`, undefined, crowded)
  assert.deepEqual([list.body.pronunciation_dictionaries.length, list.body.has_more], [100, false])

  const [{ id }] = list.body.pronunciation_dictionaries
  const remove = (key: string) => gateway.call(`${dictionaries}/${id}`, { method: 'DELETE', key: false, headers: { 'xi-api-key': key } })
  assert.equal((await remove(other)).status, 404)
  const removed = await remove(crowded)
  assertDocumented('deletePronunciationDictionary', removed)
  assert.deepEqual([removed.status, removed.body], [200, { id, deleted: true }])
  assert.deepEqual([(await remove(crowded)).status, (await asClient(`${dictionaries}/${id}`, undefined, crowded)).status], [404, 404])
  const locators = [{ pronunciation_dictionary_id: id }]
  const spoken = { text: 'nginx', pronunciation_dictionary_locators: locators }
  assert.equal((await asClient(`/v1/text-to-speech/${rachel}`, spoken, crowded)).status, 400)
  assert.equal((await asClient(`${dictionaries}/add-from-rules`, { name: 'again', rules }, crowded)).status, 200)
})

test('characters of a lexicon may be written as numeric references', async () => {
  const text = '<lexicon><lexeme><grapheme>caf&#233; &amp;#65;</grapheme><alias>caf&#xe9; <![CDATA[&amp;]]></alias></lexeme></lexicon>'
  const made = await asClient(`${dictionaries}/add-from-file`, { name: 'x', file: text })
  const { body } = await asClient(`${dictionaries}/${made.body.id}`)
  assert.deepEqual(body.rules, [{ type: 'alias', string_to_replace: 'café &#65;', alias: 'café &amp;' }])
})

test('speech-to-text answers in the shape of the service', async () => {
  const send = (...parts: [string, string | Buffer][]) =>
    sendParts(`${gateway.url}/v1/speech-to-text`, [['model_id', 'scribe_v1'], ...parts], { headers: { 'xi-api-key': testKey } })
  const answer = await send(['file', recording(2)], ['language_code', 'eng'], ['diarize', 'true'])
  assertDocumented('createScribeTranscription', answer)
  const { text, language_code, words, audio_duration_secs } = answer.body
  assert.deepEqual([text, language_code, audio_duration_secs], ['One two', 'en', 1])
  assert.deepEqual(
    words.map(({ text: word, type, speaker_id }: Record<string, string>) => [word, type, speaker_id]),
    [
      ['One', 'word', 'speaker_0'],
      [' ', 'spacing', 'speaker_0'],
      ['two', 'word', 'speaker_0'],
    ],
  )
  assert.deepEqual((await send(['file', recording(2)], ['timestamps_granularity', 'none'])).body.words, [])
  assert.equal((await send()).body.error.message, 'file is required, or source_url.')
  for (const url of ['file:///etc/passwd', 'data:audio/wav;base64,AAAA', 'x'])
    assert.equal((await send(['source_url', url])).body.error.message, 'source_url is a file; it must be an http or https URL.')
  assert.equal((await send(['file', recording(2)], ['webhook', 'true'])).status, 400)
  assert.equal((await send(['file', recording(2)], ['num_speakers', '33'])).status, 400)
})
