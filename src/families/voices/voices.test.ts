/** Tests the lists of voices and their samples on the running program, with an engine of the test's
 *  own whose voice is a tone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DriverSpec, defineEngine } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices, type OwnVoice } from '@generation-gateway/kit/requests/voices.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import azureSpeech from '../../drivers/vendors/azure-speech/driver.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSpeechDriver, speakTone } from '../../testing/fakes/fake-speech-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const facts = { age: 'young', sex: 'female', maker: 'Tone' } as const
const carmen: OwnVoice = { ...facts, id: 'carmen', title: 'Carmen', language: 'es-ES', manner: 'a tone', speaksFor: ['nova'] }
const jobs: Job<SpeechRequest>[] = []
let speak = speakTone
const fake = fakeSpeechDriver('tone', {
  kind: 'streamed',
  run: job => {
    jobs.push(job)
    return speak(job)
  },
})
const tone: DriverSpec = defineEngine({ ...fake, kind: 'engine', capabilities: ['speech.synthesize'], voices: [carmen] })
const bounded = 'sk-bounded-key-00000001'
const yaml = `
accounts: [{ id: default, keys: [{ name: bounded, secret_env: BOUNDED, quotas: { characters: 30 } }] }]
models:
  - { id: MaaS_Voice_Sample, family: voices, price: { thousand_characters: 10 }, targets: [{ driver: tone }] }
  - { id: house, family: T1, targets: [{ driver: azure-speech, api_key: k, model: m, voices: { nova: en-US-JennyNeural, anna: de-DE-KatjaNeural } }] }
`
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, drivers: [tone, azureSpeech], env: { BOUNDED: bounded } })
})
after(() => gateway[Symbol.asyncDispose]())

interface Voice {
  id: string
  language: string | null
  sample_url: string
  targets: { model: string; voice: string }[]
  spoken_by: string | null
  speaks_for: string[]
  maker: string | null
}

async function voiceOf(id: string, key?: string): Promise<Voice> {
  const answer = await gateway.call('/v1/voices', key === undefined ? {} : { key })
  assertDocumented('listVoices', answer)
  return answer.body.data.find((voice: Voice) => voice.id === id)
}

test('the list has every named voice and every engine voice, with the engine voice that speaks for each named one', async () => {
  const { data } = (await gateway.call('/v1/ai/default/voices')).body
  const ids = data.map(({ id }: Voice) => id)
  assert.ok([...namedVoices.map(({ id }) => id), 'carmen'].every(id => ids.includes(id)))
  const [named, own] = [await voiceOf('nova'), await voiceOf('carmen')]
  assert.deepEqual([named.spoken_by === null, named.maker, named.speaks_for], [false, null, []])
  assert.deepEqual([own.spoken_by, own.maker, own.speaks_for], [null, 'Tone', ['nova']])
})

test("voices in a target's settings are listed, with the named voices that they replace", async () => {
  const [anna, nova] = [await voiceOf('anna'), await voiceOf('nova')]
  assert.deepEqual([anna.language, anna.maker, anna.sample_url], ['de-DE', 'Azure Speech', null])
  assert.deepEqual(anna.targets, [{ model: 'house', voice: 'de-DE-KatjaNeural' }])
  assert.deepEqual(nova.targets, [{ model: 'house', voice: 'en-US-JennyNeural' }])
})

test('a sample is spoken in the language of the voice at the first request, and charged once to its account', async () => {
  const { sample_url } = await voiceOf('carmen')
  assert.equal(jobs.length, 0)
  const first = await gateway.call(sample_url, { key: false })
  assert.deepEqual([first.status, first.headers.get('content-type'), first.bytes.length > 1_000], [200, 'audio/mpeg', true])
  assert.deepEqual([jobs.length, jobs[0]?.request.language, jobs[0]?.request.voice], [1, 'es', 'carmen'])
  const again = await gateway.call((await voiceOf('carmen')).sample_url, { key: false, headers: { range: 'bytes=0-9' } })
  assert.deepEqual([again.status, again.bytes, jobs.length], [206, first.bytes.subarray(0, 10), 1])
  const [task] = (await gateway.call('/v1/tasks?family=voices')).body.data
  const { cost } = await until(async () => {
    const { body } = await gateway.call(`/v1/tasks/${task.id}`)
    return body.state === 'succeeded' ? body : undefined
  }, 'the end of the task')
  assert.equal(cost, [...(jobs[0]?.request.text ?? '')].length / 100)
  // A HEAD request creates no sample.
  const head = await fetch((await voiceOf('echo')).sample_url, { method: 'HEAD' })
  assert.deepEqual([head.status, jobs.length], [405, 1])
})

test('all calls of a link share one run, which continues when the callers disconnect', async () => {
  const { sample_url } = await voiceOf('shimmer')
  const before = jobs.length
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  speak = async function* (job) {
    await mayEnd
    yield* speakTone(job)
  }
  const leaving = new AbortController()
  const left = fetch(sample_url, { signal: leaving.signal }).catch(() => 'left')
  await until(() => jobs.length > before, 'the run')
  leaving.abort()
  assert.equal(await left, 'left')
  const waiting = Array.from({ length: 4 }, () => gateway.call(sample_url, { key: false }))
  await until(async () => (await gateway.call('/v1/tasks?family=voices&state=running')).body.data.length === 1, 'the run still there')
  end()
  const answers = await Promise.all(waiting)
  speak = speakTone
  for (const { status, bytes } of answers) assert.deepEqual([status, bytes], [200, answers[0]?.bytes])
  assert.equal(jobs.length, before + 1)
})

test('a failed sample is tried again, at most five times a day', async () => {
  const { sample_url } = await voiceOf('fable')
  const before = jobs.length
  // biome-ignore lint/correctness/useYield: the run fails before its first sound.
  speak = async function* () {
    throw new GatewayError('upstream_error', 'The voice is hoarse.')
  }
  for (let run = 1; run <= 7; run++) assert.equal((await gateway.call(sample_url, { key: false })).status, 502)
  assert.equal(jobs.length, before + 5)
  speak = speakTone
  assert.equal((await gateway.call((await voiceOf('ash')).sample_url, { key: false })).status, 200)
})

test('a link is subject to the quotas of the key that requested it, and only the exact link is valid', async () => {
  const { sample_url } = await voiceOf('onyx', bounded)
  const spent = await gateway.call(sample_url, { key: false })
  assert.deepEqual([spent.status, spent.body.error.code], [429, 'quota_exceeded'])
  assert.equal((await gateway.call(sample_url.replace('onyx', 'echo'), { key: false })).status, 403)
  assert.equal((await gateway.call(sample_url.split('?')[0] ?? '')).status, 403)
  const { keys } = (await gateway.admin('/admin/keys')).body
  const { id } = keys.find(({ name }: { name: string }) => name === 'bounded')
  assert.equal((await gateway.admin(`/admin/keys/${id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await gateway.call(sample_url, { key: false })).status, 401)
})
