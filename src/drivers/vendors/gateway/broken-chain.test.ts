/** Tests two gateways: the inner one is the upstream of the outer one. The inner one refuses runs,
 *  ends early, sends invalid answers or is slow. The tests check what the caller of the outer one
 *  receives, and that the ledgers count and hold only delivered work. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImagesDriver } from '../../../testing/fakes/fake-driver.ts'
import { fakeSpeechDriver, toneOffer } from '../../../testing/fakes/fake-speech-driver.ts'
import {
  type FakeReply,
  type FakeUpstream,
  jsonReply,
  rawReply,
  resetReply,
  silentReply,
  sseReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway, testKey } from '../../../testing/gateway.ts'
import { accepted, ended as endedRun, pictureReply } from './testing/run-answers.ts'

const keys = { main: 'sk-inner-main-key-0001', few: 'sk-inner-few-key-00001', scoped: 'sk-inner-scoped-key-01' }
const stops = { spoken: 0, left: 0 }
const gate = { picture: Promise.withResolvers<void>() }

const ink = fakeImagesDriver('ink', {
  'image.generate': once<ImageGenerateRequest>(async job => {
    if (job.request.prompt === 'slow') await gate.picture.promise
    return donePixel(job)
  }),
})
/** A fake speech driver that sends some sound and then waits until its caller disconnects. */
const endless = fakeSpeechDriver(
  'endless',
  toneOffer(async function* ({ signal }) {
    stops.spoken++
    yield { type: 'event', event: { type: 'sound', bytes: Buffer.alloc(4_000, 1) } }
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    stops.left++
    signal.throwIfAborted()
  }),
)
const innerYaml = `accounts:
  - id: partner
    keys:
      - { name: main, secret: ${keys.main} }
      - { name: few, secret: ${keys.few}, quotas: { images: 1/day } }
      - { name: scoped, secret: ${keys.scoped}, scopes: { families: [T1] } }
    endpoints: [{ name: default }]
models:
  - { id: inky, family: F1, group: P, targets: [{ driver: ink }] }
  - { id: tts-1, family: T1, group: tts-1, targets: [{ driver: endless }] }
`

let inner: TestGateway
let outer: TestGateway
let fake: FakeUpstream
before(async () => {
  fake = await startFakeUpstream()
  inner = await startTestGateway({ drivers: [ink, endless], yaml: innerYaml })
  const brief = (await inner.admin('/admin/keys', { body: { account: 'partner', name: 'brief', quotas: ['images=1/day'] } })).body
  const at = (url: string, key: string, model = 'inky') =>
    `{ driver: gateway, base_url: "${url}", api_key: ${key}, model: ${model}, timeout_seconds: 3 }`
  const F1 = (id: string, target: string) => `  - { id: ${id}, family: F1, group: P, price: { image: 1 }, targets: [${target}] }\n`
  const T1 = (id: string, target: string) =>
    `  - { id: ${id}, family: T1, group: tts-1, price: { thousand_characters: 1 }, targets: [${target}] }\n`
  const yaml = `models:\n${[
    ...Object.entries({ main: keys.main, few: keys.few, scoped: keys.scoped, brief: brief.secret }).map(([id, key]) =>
      F1(id, at(inner.url, key)),
    ),
    F1('nonsense', at(fake.baseUrl, 'sk-fake')),
    T1('talker', at(inner.url, keys.main, 'tts-1')),
    T1('mumbler', at(fake.baseUrl, 'sk-fake')),
  ].join('')}`
  outer = await startTestGateway({ yaml })
})
after(async () => {
  gate.picture.resolve()
  for (const gateway of [outer, inner]) await gateway?.[Symbol.asyncDispose]()
  await fake?.close()
})

/** Submits a picture over interface F1 and returns the finished task. */
async function drawn(model: string, prompt = 'a kite') {
  const { status, body } = await outer.call('/v1/ai/default/imgf/image/generate', { body: { model, prompt, width: 64, height: 64 } })
  assert.equal(status, 200, JSON.stringify(body))
  return outer.result(body.polling_url)
}

async function said(model: string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${testKey}` }
  const body = JSON.stringify({ model, input: 'Hello there.', voice: 'alloy', response_format: 'pcm' })
  return fetch(`${outer.url}/v1/audio/speech`, { method: 'POST', headers, body, ...(signal ? { signal } : {}) })
}

/** Returns the units that a gateway's ledger has counted for a model, and the ledger's lines for
 *  held amounts. */
async function counted(gateway: TestGateway, account: string, model: string) {
  const { usage } = (await gateway.admin(`/admin/usage?account=${account}`)).body
  const units = usage
    .filter((line: { model: string }) => line.model === model)
    .map(({ unit, units: n }: { unit: string; units: number }) => `${unit} ${n}`)
  return {
    units,
    open: (await gateway.admin('/admin/usage/open')).body.lines.filter((line: { model: string }) => line.model === model).length,
  }
}
const nothing = { units: [], open: 0 }

test('a used-up quota at the other gateway is reported as such, and costs nothing', async () => {
  assert.equal((await drawn('few')).status, 'Ready')
  const before = await counted(outer, 'default', 'few')
  assert.deepEqual(before, { units: ['images 1'], open: 0 })
  const refused = await drawn('few')
  assert.deepEqual(
    [refused.status, refused.details],
    ['Error', { error: 'upstream_quota_exhausted', message: Object(refused.details).message }],
  )
  assert.match(Object(refused.details).message, /quota/)
  assert.deepEqual(await counted(outer, 'default', 'few'), before)
})

test('a key with too narrow scopes is reported, and costs nothing', async () => {
  const refused = await drawn('scoped')
  assert.equal(refused.status, 'Error')
  assert.match(Object(refused.details).message, /no model inky for this key|does not allow/)
  assert.deepEqual(await counted(outer, 'default', 'scoped'), nothing)
})

test('a quota that is used up during a run does not affect this run', async () => {
  const submit = (prompt: string) =>
    outer.call('/v1/ai/default/imgf/image/generate', { body: { model: 'brief', prompt, width: 64, height: 64 } })
  const running = (count: number) => async () =>
    (await inner.admin('/admin/tasks')).body.tasks.filter(({ state }: { state: string }) => state === 'running').length === count
  const { body: first } = await submit('slow')
  await until(running(1), 'the inner run')
  const refused = await drawn('brief')
  assert.match(Object(refused.details).message, /quota/)
  gate.picture.resolve()
  assert.equal((await outer.result(first.polling_url)).status, 'Ready')
  assert.deepEqual(await counted(outer, 'default', 'brief'), { units: ['images 1'], open: 0 })
  assert.equal((await outer.admin('/admin/tasks')).body.tasks.filter(({ state }: { state: string }) => state === 'running').length, 0)
})

test('when the caller of a stream disconnects, the run at the other gateway ends, and neither gateway holds anything', async () => {
  const leaving = new AbortController()
  const answer = await said('talker', leaving.signal)
  await answer.body?.getReader().read()
  assert.deepEqual(stops, { spoken: 1, left: 0 })
  leaving.abort()
  await until(() => stops.left === 1, 'the end of the inner run')
  const states = async (gateway: TestGateway) => (await gateway.admin('/admin/tasks?limit=1')).body.tasks[0].state
  await until(async () => (await states(inner)) === 'cancelled' && (await states(outer)) === 'cancelled', 'the end of both tasks')
  for (const gateway of [inner, outer]) {
    const holds = (await gateway.admin('/admin/usage/open')).body.lines.filter(({ model }: { model: string }) =>
      ['talker', 'tts-1'].includes(model),
    )
    assert.deepEqual(holds, [])
  }
})

const sound = { type: 'event', event: { type: 'sound', bytes: Buffer.alloc(2_000, 1).toString('base64') } }

test('a stream that breaks off ends for the caller, and is no result', async () => {
  const begun = [{ type: 'start', id: 'r1' }, sound]
  const half = rawReply('data: {"type":"eve', 200, { 'content-type': 'text/event-stream' })
  for (const reply of [half, resetReply(begun), sseReply(begun)]) {
    fake.answer(reply)
    const answer = await said('mumbler')
    const bytes = await answer.arrayBuffer().catch(() => undefined)
    assert.ok(bytes === undefined || answer.status >= 500, `${answer.status} ${bytes?.byteLength}`)
  }
  // Only two of the three replies contained sound, and each call has 12 characters.
  await until(async () => (await counted(outer, 'default', 'mumbler')).units.join() === 'characters 24', 'the units of two calls')
})

const run = {
  ...{ id: 'r1', state: 'succeeded', result: { seed: '7', prompt: 'x', notDrawn: [] }, usage: [{ unit: 'images', units: 1 }] },
  outputs: [{ role: 'output', url: 'URL', media_type: 'image/png' }],
}
const succeeded = (...outputs: object[]) => jsonReply({ ...run, outputs })

test('nonsense in place of an accepted run or its state leads to another request: there is one run, counted once', async () => {
  const url = `${fake.baseUrl}/picture`
  const rest = [succeeded({ ...run.outputs[0], url }), pictureReply]
  const asked: FakeReply[][] = [
    [rawReply('hello'), accepted, ...rest],
    [rawReply('{"id":"r1","state', 200, { 'content-type': 'application/json' }), jsonReply({ id: 7 }), accepted, ...rest],
    [accepted, rawReply('[]'), jsonReply({ id: 'r1', state: 'thinking', progress: 1e9 }), ...rest],
  ]
  for (const replies of asked) {
    const before = fake.received.length
    fake.answer(...replies)
    assert.equal((await drawn('nonsense')).status, 'Ready')
    const started = fake.received.slice(before).filter(({ method }) => method === 'POST')
    assert.equal(new Set(started.map(({ headers }) => headers['idempotency-key'])).size, 1)
  }
  assert.deepEqual(await counted(outer, 'default', 'nonsense'), { units: [`images ${asked.length}`], open: 0 })
})

test('results that are nonsense fail the task; their possible cost is an open line', async () => {
  const before = await counted(outer, 'default', 'nonsense')
  const url = `${fake.baseUrl}/picture`
  const cases: [string, FakeReply[]][] = [
    ['a code that is none', [accepted, endedRun('failed', { code: '__proto__', message: 'no', reasons: [{}] })]],
    ['a file of this machine', [accepted, succeeded({ ...run.outputs[0], url: 'file:///etc/passwd' })]],
    ['no link', [accepted, succeeded({ role: 'output' })]],
    ['other bytes', [accepted, succeeded({ ...run.outputs[0], url, sha256: '00' }), pictureReply]],
    ['another kind', [accepted, succeeded({ ...run.outputs[0], url, media_type: 'video/mp4' }), pictureReply]],
  ]
  for (const [title, replies] of cases) {
    fake.answer(...replies)
    const seen = await drawn('nonsense')
    assert.equal(seen.status, 'Error', `${title}: ${JSON.stringify(seen)}`)
    assert.ok(!JSON.stringify(seen).includes('passwd'))
  }
  const { units, open } = await counted(outer, 'default', 'nonsense')
  assert.deepEqual(units, before.units)
  assert.ok(open <= cases.length - 1, 'a run that failed there is not charged')
})

test('counts of the other gateway must be finite numbers from 0', async () => {
  const usage =
    '[{"unit":"images","units":-5},{"unit":"images","units":1e999},{"unit":"__proto__","units":"many"},{"unit":"images","units":2}]'
  const outputs = JSON.stringify([{ role: 'output', url: `${fake.baseUrl}/picture`, media_type: 'image/png' }])
  const text = `{"id":"r1","state":"succeeded","outputs":${outputs},"result":{"seed":"7","prompt":"x","notDrawn":[]},"usage":${usage}}`
  const [before = 'images 0'] = (await counted(outer, 'default', 'nonsense')).units
  fake.answer(accepted, rawReply(text, 200, { 'content-type': 'application/json' }), pictureReply)
  assert.equal((await drawn('nonsense')).status, 'Ready')
  assert.deepEqual((await counted(outer, 'default', 'nonsense')).units, [`images ${Number(before.split(' ')[1]) + 2}`])
})

test('a silent gateway is given up after its time, and the task says so', async () => {
  const before = await counted(outer, 'default', 'mumbler')
  fake.answer(silentReply)
  const answer = await said('mumbler')
  assert.ok(answer.status >= 500, String(answer.status))
  assert.deepEqual((await counted(outer, 'default', 'mumbler')).units, before.units)
})
