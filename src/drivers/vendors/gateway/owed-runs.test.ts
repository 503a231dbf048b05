/** Tests two gateways: the inner one is the upstream of the outer one. The tests check that the
 *  outer one keeps the amount reserved for a run (its hold) as long as the inner one may charge for
 *  the run. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { polled, streamed } from '@generation-gateway/kit/driver.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeImageDriver } from '../../../testing/fakes/fake-driver.ts'
import { fakeSpeechDriver } from '../../../testing/fakes/fake-speech-driver.ts'
import {
  type FakeReply,
  type FakeUpstream,
  rawReply,
  silentReply,
  sseReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway, testKey } from '../../../testing/gateway.ts'
import { accepted, ended } from './testing/run-answers.ts'

const failures: Record<string, Failed> = {
  moderated: { state: 'failed', code: 'content_moderated', message: 'The picture is refused.', reasons: ['Violence'], mayBeCharged: true },
  unreadable: { state: 'failed', code: 'upstream_error', message: 'The file is damaged.', mayBeCharged: true },
  free: { state: 'failed', code: 'content_moderated', message: 'The picture is refused.', reasons: ['Violence'] },
}

/** Returns the offer of a fake service. The prompt decides how its runs fail, or that they never
 *  end. */
function service(cancel?: PolledOffer<ImageGenerateRequest>['cancel']): PolledOffer<ImageGenerateRequest> {
  return polled<ImageGenerateRequest>({
    pollEveryMs: 10,
    start: async () => ({ state: 'started', handle: { id: 'u1' } }),
    check: async ({ request }) => failures[request.prompt] ?? { state: 'running' },
    ...(cancel ? { cancel } : {}),
  })
}

const refused = streamed<SpeechRequest, SpeechEvent>(async function* ({ request }) {
  yield { type: 'outcome', outcome: failures['text' in request && request.text === 'Free.' ? 'free' : 'unreadable']! }
})
const innerYaml = `models:
  - { id: stubborn, family: F1, group: P, targets: [{ driver: stubborn }] }
  - { id: obedient, family: F1, group: P, targets: [{ driver: obedient }] }
  - { id: tts-1, family: T1, group: tts-1, targets: [{ driver: voice }] }
`

let inner: TestGateway
let outer: TestGateway
let fake: FakeUpstream
/** Returns the configuration of a gateway whose targets are the inner gateway and the fake one. */
function outerYaml(): string {
  const at = (url: string) => `targets: [{ driver: gateway, base_url: "${url}", api_key: ${testKey} }]`
  const F1 = (id: string, url: string) => `  - { id: ${id}, family: F1, group: P, price: { image: 1 }, ${at(url)} }\n`
  const T1 = (id: string, url: string) => `  - { id: ${id}, family: T1, group: tts-1, price: { thousand_characters: 1 }, ${at(url)} }\n`
  const models = [
    F1('stubborn', inner.url),
    F1('obedient', inner.url),
    T1('tts-1', inner.url),
    F1('sketch', fake.baseUrl),
    T1('far', fake.baseUrl),
  ]
  return `models:\n${models.join('')}`
}
before(async () => {
  fake = await startFakeUpstream()
  const drivers = [
    fakeImageDriver('stubborn', service()),
    fakeImageDriver(
      'obedient',
      service(async () => {}),
    ),
    fakeSpeechDriver('voice', refused),
  ]
  inner = await startTestGateway({ drivers, yaml: innerYaml })
  outer = await startTestGateway({ yaml: outerYaml() })
})
after(async () => {
  for (const gateway of [outer, inner]) await gateway?.[Symbol.asyncDispose]()
  await fake?.close()
})

async function submitted(model: string, prompt: string): Promise<{ id: string; polling_url: string }> {
  const { status, body } = await outer.call('/v1/ai/default/imgf/image/generate', { body: { model, prompt, width: 64, height: 64 } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Returns the answer about a picture that has failed. */
async function failedPicture(model: string, prompt: string): Promise<{ status: unknown; message: string }> {
  const { status, details } = await outer.result((await submitted(model, prompt)).polling_url)
  return { status, message: Object(details).message }
}

interface SpeechOptions {
  input?: string
  signal?: AbortSignal
  /** Idempotency key; the task then continues when its caller leaves. */
  key?: string
}

function said(gateway: TestGateway, model: string, { input = 'Hello there.', signal, key }: SpeechOptions = {}): Promise<Response> {
  const headers = {
    ...{ 'content-type': 'application/json', authorization: `Bearer ${testKey}` },
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const body = JSON.stringify({ model, input, voice: 'alloy', response_format: 'pcm' })
  return fetch(`${gateway.url}/v1/audio/speech`, { method: 'POST', headers, body, ...(signal ? { signal } : {}) })
}

async function openLines(gateway: TestGateway, model: string): Promise<number> {
  const { lines } = (await gateway.admin('/admin/usage/open')).body
  return lines.filter((line: { model: string }) => line.model === model).length
}

/** Returns the state of the newest task of a gateway. */
const newest = async (gateway: TestGateway): Promise<string> => (await gateway.admin('/admin/tasks?limit=1')).body.tasks[0]?.state

test('a run that failed there and may still be charged leaves an open line here, and keeps its reason', async () => {
  const moderated = await failedPicture('stubborn', 'moderated')
  assert.equal(moderated.status, 'Content Moderated', JSON.stringify(moderated))
  assert.deepEqual([await openLines(inner, 'stubborn'), await openLines(outer, 'stubborn')], [1, 1])
  const unreadable = await failedPicture('stubborn', 'unreadable')
  assert.match(unreadable.message, /The file is damaged/)
  assert.deepEqual([await openLines(inner, 'stubborn'), await openLines(outer, 'stubborn')], [2, 2])
  assert.equal((await failedPicture('stubborn', 'free')).status, 'Content Moderated')
  assert.deepEqual([await openLines(inner, 'stubborn'), await openLines(outer, 'stubborn')], [2, 2])
})

test('a streamed run that failed there also leaves an open line', async () => {
  assert.ok((await said(outer, 'tts-1')).status >= 500)
  assert.deepEqual([await openLines(inner, 'tts-1'), await openLines(outer, 'tts-1')], [1, 1])
  assert.equal((await said(outer, 'tts-1', { input: 'Free.' })).status, 400)
  assert.deepEqual([await openLines(inner, 'tts-1'), await openLines(outer, 'tts-1')], [1, 1])
})

test('a run that failed there with usage leaves an open line here, also at a gateway of an earlier version', async () => {
  fake.answer(
    accepted,
    ended('failed', { code: 'upstream_error', message: 'Broken.', reasons: [] }, { usage: [{ unit: 'images', units: 1 }] }),
  )
  assert.match((await failedPicture('sketch', 'a kite')).message, /Broken/)
  assert.equal(await openLines(outer, 'sketch'), 1)
  fake.answer(accepted, ended('expired', { code: 'deadline_exceeded', message: 'Late.', reasons: [] }))
  assert.match((await failedPicture('sketch', 'a kite')).message, /Late/)
  assert.equal(await openLines(outer, 'sketch'), 1)
})

test('a cancelled task keeps an open line unless the run there has ended and costs nothing', async () => {
  for (const [model, lines] of [['stubborn', 1] as const, ['obedient', 0] as const]) {
    const before = [await openLines(inner, model), await openLines(outer, model)]
    const { polling_url: url } = await submitted(model, 'endless')
    await until(async () => (await newest(inner)) === 'running', 'the run there')
    await until(async () => (await newest(outer)) === 'running', 'the task here')
    assert.equal((await outer.call(url, { method: 'DELETE' })).status, 200)
    await until(async () => (await newest(inner)) === 'cancelled' && (await newest(outer)) === 'cancelled', 'the end of both')
    const after = [await openLines(inner, model), await openLines(outer, model)]
    assert.deepEqual(
      after,
      before.map(count => count + lines),
      model,
    )
  }
})

/** Replies to a streamed run that has ended; its output is to be fetched from the fake gateway. */
function endOfStream(): FakeReply {
  const outputs = [{ role: 'output', index: 0, url: `${fake.baseUrl}/sound`, media_type: 'audio/mpeg' }]
  const result = { seconds: 1, characters: 12 }
  const run = { id: 'r1', state: 'succeeded', error: null, outputs, result, usage: [{ unit: 'characters', units: 12 }] }
  return sseReply([
    { type: 'start', id: 'r1' },
    { type: 'end', run },
  ])
}
const downloads = () => fake.received.filter(({ path }) => path.endsWith('/sound'))
const runs = () => fake.received.filter(({ method }) => method === 'POST')

test('an output of a streamed run that cannot be fetched was paid', async () => {
  for (const status of [403, 404, 410]) {
    const before = await openLines(outer, 'far')
    fake.answer(endOfStream(), rawReply('', status))
    assert.equal((await said(outer, 'far')).status, 502)
    assert.equal(await openLines(outer, 'far'), before + 1, String(status))
  }
})

test('an output whose caller disconnects during its download was paid, too', async () => {
  const [before, seen] = [await openLines(outer, 'far'), downloads().length]
  fake.answer(endOfStream(), silentReply)
  const leaving = new AbortController()
  const answer = said(outer, 'far', { signal: leaving.signal }).catch(() => undefined)
  await until(() => downloads().length > seen, 'the download')
  leaving.abort()
  await answer
  await until(async () => (await newest(outer)) === 'cancelled', 'the end of the task')
  assert.equal(await openLines(outer, 'far'), before + 1)
})

test('a node that stops while it fetches an output does not cause the run to be sent again', async t => {
  const stopping = await startTestGateway({ yaml: outerYaml() })
  const { dataDir } = stopping
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const [sent, seen] = [runs().length, downloads().length]
  fake.answer(endOfStream(), silentReply)
  const answer = said(stopping, 'far', { key: 'speech-1' }).then(
    reply => reply.arrayBuffer(),
    () => undefined,
  )
  await until(() => downloads().length > seen, 'the download')
  await stopping.stop()
  await answer
  await using again = await startTestGateway({ yaml: outerYaml(), dataDir })
  await until(async () => runs().length > sent + 1 || (await newest(again)) === 'failed', 'the end of the task')
  assert.equal(runs().length, sent + 1)
  assert.equal(await openLines(again, 'far'), 1)
})
