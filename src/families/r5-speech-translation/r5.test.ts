import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTranscriptionDriver, recording, type TranscriptionJob } from '../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { type Parts, sendParts } from '../../testing/multipart.ts'

const jobs: TranscriptionJob[] = []
let gateway: TestGateway
before(async () => {
  const yaml = 'models: [{ id: speech-translation, family: R5, price: { second: 0.01 }, targets: [{ driver: ears }] }]'
  gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears', { jobs })], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

async function send(fields: Record<string, string>, file = recording(2), headers: Record<string, string> = {}) {
  const parts: Parts = [...Object.entries({ recognitionLanguages: 'es-ES', ...fields }), ['file', file]]
  const answer = await sendParts(`${gateway.url}/v1/ai/default/audio/realtime/translation`, parts, { headers })
  assertDocumented('translateSpeech', answer)
  return answer
}

test('several translations are returned, under the language codes that the caller sent', async () => {
  const { body, headers } = await send({ targetLanguages: 'en-US, fr,fr-FR ,DE' })
  const { resultId, ...rest } = body
  assert.match(resultId, /^[0-9a-f]{32}$/)
  assert.deepEqual(rest, {
    text: 'One two',
    translations: { 'en-US': 'en: One two', fr: 'fr: One two', 'fr-FR': 'fr: One two', DE: 'de: One two' },
    language: 'es-ES',
    duration: 10_000_000,
    durationInSeconds: 1,
  })
  assert.equal(headers.get('x-audio-truncated'), null)
  const { targets, languages, firstSeconds, voiceActivity } = jobs.at(-1)!.request
  assert.deepEqual([targets, languages, firstSeconds, voiceActivity], [['en', 'fr', 'de'], ['es-ES'], 30, { silenceMs: 2_000 }])
})

test('a recording is cut after 30 s, which a header reports, and only these seconds are charged', async () => {
  const { body, headers } = await send({ targetLanguages: 'en' }, recording(80))
  assert.deepEqual([body.duration, body.durationInSeconds, headers.get('x-audio-truncated')], [300_000_000, 30, 'true'])
  assert.equal((await send({ targetLanguages: 'en' }, recording(60))).headers.get('x-audio-truncated'), null)
  const [{ id }] = (await gateway.call('/v1/tasks?family=R5&limit=2')).body.data.slice(1)
  assert.equal((await gateway.call(`/v1/tasks/${id}`)).body.cost, 0.3)
})

test('with several languages of the recording, hasRecognize decides whether only the first one is used', async () => {
  const languagesWith = async (hasRecognize?: string) => {
    await send({ targetLanguages: 'en', recognitionLanguages: 'fr-FR,de-DE', ...(hasRecognize === undefined ? {} : { hasRecognize }) })
    return jobs.at(-1)?.request.languages
  }
  for (const said of ['true', 'TRUE', '1']) assert.deepEqual(await languagesWith(said), ['fr-FR', 'de-DE'], said)
  for (const said of [undefined, 'false', 'False', '0']) assert.deepEqual(await languagesWith(said), ['fr-FR'])
  assert.equal((await send({ targetLanguages: 'en', hasRecognize: 'yes' })).status, 400)
})

test('silence gives an empty text in every language', async () => {
  const { body } = await send({ targetLanguages: 'en,fr' }, recording(0, { seconds: 2 }))
  assert.deepEqual([body.text, body.translations, body.language], ['', { en: '', fr: '' }, 'es-ES'])
})

test('an unsupported direction is refused with the field', async () => {
  const { status, body } = await send({ targetLanguages: 'en,ja' })
  assert.deepEqual([status, body.error.param], [400, 'targetLanguages'], JSON.stringify(body))
  assert.match(body.error.message, /targetLanguages: ja is not known; there are en, de, fr\./)
})

test('at most ten known target languages are accepted, and a silence timeout of 100 to 5000 ms', async () => {
  const problem = async (fields: Record<string, string>) => (await send({ targetLanguages: 'en', ...fields })).body.error?.message
  assert.match(await problem({ targetLanguages: 'a1,b' }), /has "a1"; each must be a language/)
  assert.match(await problem({ targetLanguages: 'en,fr,de,es,it,nl,pl,cs,da,sv,fi' }), /has 11 languages; from 1 to 10/)
  assert.match(await problem({ targetLanguages: 'fr,xx' }), /has "xx"; each must be a language/)
  assert.match(await problem({ targetLanguages: ' , ' }), /has 0 languages/)
  assert.match(await problem({ recognitionLanguages: 'Spanish' }), /has "Spanish"; known are/)
  assert.match(await problem({ SegmentationSilenceTimeoutMs: '99' }), /at least 100/)
  assert.match(await problem({ SegmentationSilenceTimeoutMs: '5001' }), /at most 5000/)
  assert.equal(await problem({ SegmentationSilenceTimeoutMs: '5000' }), undefined)
})

test('language codes become those of translators; the region stays only where it makes another language', async () => {
  await send({ targetLanguages: 'zh-CN,zh_TW,zh-hans-CN,pt-PT,pt-BR,fr-ca,sr-latn' })
  const { body } = await send({ targetLanguages: 'zh-CN' })
  assert.match(body.error.message, /zh-Hans is not known/)
  assert.match((await send({ targetLanguages: 'pt-PT' })).body.error.message, /pt-PT is not known/)
  assert.match((await send({ targetLanguages: 'pt-BR' })).body.error.message, /: pt is not known/)
})

test('a repeat returns the same id', async () => {
  const headers = { 'idempotency-key': 'once more' }
  const first = await send({ targetLanguages: 'en' }, recording(3), headers)
  assert.deepEqual((await send({ targetLanguages: 'en' }, recording(3), headers)).body, first.body)
})
