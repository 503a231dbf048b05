import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTranscriptionDriver, recording, type TranscriptionJob } from '../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { type Parts, sendParts } from '../../testing/multipart.ts'

const jobs: TranscriptionJob[] = []
let gateway: TestGateway
before(async () => {
  const yaml = 'models: [{ id: short-recognition, family: R4, targets: [{ driver: ears }] }]'
  gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears', { jobs })], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

async function send(...parts: Parts) {
  const answer = await sendParts(`${gateway.url}/v1/ai/default/audio/recognize`, parts)
  assertDocumented('recognizeShort', answer)
  return answer
}

const recognised = async (seconds: number, words = 2) => (await send(['file', recording(words, { seconds })])).body

test('the answer has text, locale and length; absent fields have their defaults', async () => {
  assert.deepEqual(await recognised(6.52), { text: 'One two', language: 'en-US', duration: 65_200_000, durationInSeconds: 7 })
  const { languages, voiceActivity } = jobs.at(-1)!.request
  assert.deepEqual([languages, voiceActivity], [['en-US', 'zh-CN'], { silenceMs: 2_000 }])
})

test('the length is rounded to seconds, at least one', async () => {
  const rounded = async (seconds: number) => (await recognised(seconds, 0)).durationInSeconds
  assert.deepEqual([await rounded(0.2), await rounded(1.49), await rounded(1.5), await rounded(29.5)], [1, 1, 2, 30])
})

test('a recording may last at most 30 s', async () => {
  assert.equal((await recognised(30)).durationInSeconds, 30)
  const { status, body } = await send(['file', recording(2, { seconds: 30.01 })])
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'audio_too_long', 'file'])
  assert.equal(body.error.message, 'file lasts 30.01 s; it has to last at most 30 s.')
})

test('up to ten listed locales are accepted in any case, and an unknown one is named', async () => {
  const of = async (recognitionLanguages: string) =>
    (await send(['recognitionLanguages', recognitionLanguages], ['file', recording(2)])).body
  assert.equal((await of(' FR-fr , en-gb ')).language, 'fr-FR')
  assert.deepEqual(jobs.at(-1)?.request.languages, ['fr-FR', 'en-GB'])
  const ten = ['ar-AE', 'da-DK', 'nl-NL', 'en-AU', 'et-EE', 'fi-FI', 'fr-CA', 'de-DE', 'el-GR', 'gu-IN']
  assert.equal((await of(ten.join(','))).language, 'ar-AE')
  assert.match((await of([...ten, 'en-IN'].join(','))).error.message, /has 11 locales; from 1 to 10/)
  assert.match((await of('en-US,xx-XX')).error.message, /has "xx-XX"; known are ar-AE/)
  assert.match((await of(' , ')).error.message, /has 0 locales/)
})

test('all locales are candidates; those that the model does not support are named in a header', async () => {
  const of = async (recognitionLanguages: string) => {
    const { status, headers, body } = await send(['recognitionLanguages', recognitionLanguages], ['file', recording(2)])
    return [status, body.language, headers.get('x-gateway-warning')]
  }
  assert.deepEqual(await of('ga-IE,de-DE'), [200, 'de-DE', 'recognitionLanguages: the model does not know ga-IE.'])
  assert.deepEqual(await of('ga-IE'), [200, 'en', 'recognitionLanguages: the model does not know ga-IE.'])
  assert.deepEqual(await of('de-DE'), [200, 'de-DE', null])
})

test('the timeout must be 100 to 5000 ms', async () => {
  const of = async (timeout: string) => (await send(['timeout', timeout], ['file', recording(2)])).status
  assert.deepEqual(
    [await of('100'), await of('5000'), await of('99'), await of('5001'), await of('1.5'), await of('soon')],
    [200, 200, 400, 400, 400, 400],
  )
})

test('silence gives an empty text in the first locale', async () => {
  const { body } = await send(['recognitionLanguages', 'it-IT,de-DE'], ['file', recording(0, { seconds: 3 })])
  assert.deepEqual(body, { text: '', language: 'it-IT', duration: 30_000_000, durationInSeconds: 3 })
})
