/** Tests the operations that other gateways call. The requests are sent by the test itself,
 *  without a second gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Job } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { donePixel, fakeImagesDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { type Answer, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

type AnyJob = Pick<Job<ImageGenerateRequest | ImageEditRequest>, 'request' | 'inputs'>
const jobs: AnyJob[] = []
const draw = async (job: Job<ImageGenerateRequest> | Job<ImageEditRequest>) => {
  jobs.push(job)
  if (job.request.prompt === 'endless') {
    await new Promise(resolve => job.signal.addEventListener('abort', resolve, { once: true }))
    job.signal.throwIfAborted()
  }
  if (job.request.prompt === 'spoiled')
    return { state: 'failed', code: 'upstream_error', message: 'The picture is damaged.', mayBeCharged: true } satisfies Failed
  if (job.request.prompt === 'forbidden')
    return { state: 'failed', code: 'request_moderated', message: 'prompt: is refused.', reasons: ['violence'] } satisfies Failed
  return donePixel(job)
}
const ink = fakeImagesDriver('ink', { 'image.generate': once<ImageGenerateRequest>(draw), 'image.edit': once<ImageEditRequest>(draw) })
const yaml = `models:
  - { id: inky, family: F1, group: P, targets: [{ driver: ink }] }
  - { id: editor, family: F1, group: KE, targets: [{ driver: ink }] }
  - { id: hidden, family: F2, group: fast, targets: [{ driver: ink }] }
`
const request = {
  ...{ prompt: 'a kite', width: 256, height: 256, count: 1, seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' },
}
const body = { version: 1, capability: 'image.generate', model: 'inky', request }
const { width: _width, height: _height, count: _count, ...edit } = request
const editBody = { version: 1, capability: 'image.edit', model: 'editor', request: edit, roles: ['image'] }
const png = onePixelPng.toString('base64')
const runs = '/v1/ai/default/gateway/runs'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ drivers: [ink], yaml, env: { GATEWAY_ALLOW_PRIVATE_URLS: '0' } })
})
after(() => gateway[Symbol.asyncDispose]())

async function ended(id: string, key?: string): Promise<Answer['body']> {
  return until(async () => {
    const answer = await gateway.call(`${runs}/${id}`, key === undefined ? {} : { key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return ['queued', 'running'].includes(answer.body.state) ? undefined : answer.body
  }, 'the end of the run')
}

async function refusal(sent: unknown, path = runs): Promise<[number, string, string | null, string]> {
  const before = jobs.length
  const { status, body: reported } = await gateway.call(path, { body: sent })
  assert.ok(reported.error, `accepted: ${JSON.stringify(sent).slice(0, 600)}`)
  assert.equal(jobs.length, before, 'something ran')
  return [status, reported.error.code, reported.error.param, reported.error.message]
}

test('a run follows its request, and its query shows the result', async () => {
  const started = await gateway.call(runs, { body })
  assert.equal(started.status, 200, JSON.stringify(started.body))
  assertDocumented('startGatewayRun', started)
  const run = await ended(started.body.id)
  assert.deepEqual(
    [run.state, run.result, run.usage],
    ['succeeded', { seed: '7', prompt: 'a kite', notDrawn: [] }, [{ unit: 'images', units: 1 }]],
  )
  assert.deepEqual(jobs.at(-1)?.request, request)
  const [output] = run.outputs
  assert.ok((await gateway.call(output.url.slice(gateway.url.length), { key: false })).bytes.equals(onePixelPng))
})

test('files are sent as parts, each with its role', async () => {
  const parts = Object.entries({ ...editBody, request: JSON.stringify(edit) }).map(([name, value]) => [name, String(value)] as const)
  const file = ['files', new File([new Uint8Array(onePixelPng)], '../../etc/passwd')] as const
  const answer = await sendParts(gateway.url + runs, [...parts, file])
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal((await ended(answer.body.id)).state, 'succeeded')
  const { request: requested, inputs } = jobs.at(-1)!
  assert.deepEqual(
    [requested, inputs.map(({ role, mediaType, bytes }) => [role, mediaType, bytes])],
    [edit, [['image', 'image/png', onePixelPng.length]]],
  )
  const missing = await sendParts(gateway.url + runs, parts)
  assert.deepEqual([missing.status, missing.body.error.param], [400, 'roles'])
  const more = await sendParts(gateway.url + runs, [...parts, file, file])
  assert.deepEqual([more.status, more.body.error.param], [400, 'roles'])
})

test('an idempotent repeat returns the same run; another request with its key is a conflict', async () => {
  const headers = { 'idempotency-key': 'job-1' }
  const [first, second] = [await gateway.call(runs, { body, headers }), await gateway.call(runs, { body, headers })]
  assert.equal(first.body.id, second.body.id)
  assert.equal((await ended(first.body.id)).state, 'succeeded')
  const other = await gateway.call(runs, { body: { ...body, request: { ...request, seed: '8' } }, headers })
  assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_conflict'])
})

/** Returns the run in the last event of a stream. */
async function endOf(answer: Response): Promise<Answer['body']> {
  const [, last = ''] = (await answer.text()).trim().split('\n\n').at(-1)?.split('data: ') ?? []
  const { type, run } = JSON.parse(last)
  assert.equal(type, 'end', last)
  return run
}

/** Starts a streamed run and returns the answer. */
function streamedRun({ url }: TestGateway, prompt: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${testKey}` }
  const sent = JSON.stringify({ ...body, request: { ...request, prompt }, stream: true })
  return fetch(url + runs, { method: 'POST', headers, body: sent })
}

test('a failed run reports whether it may still be charged, also at the end of its stream', async () => {
  for (const [prompt, code, mayBeCharged] of [
    ['forbidden', 'request_moderated', false],
    ['spoiled', 'upstream_error', true],
  ] as const) {
    const started = await gateway.call(runs, { body: { ...body, request: { ...request, prompt } } })
    assert.equal(started.body.may_be_charged, false)
    const run = await ended(started.body.id)
    assert.deepEqual([run.state, run.error.code, run.usage, run.may_be_charged], ['failed', code, [], mayBeCharged])
    const streamed = await endOf(await streamedRun(gateway, prompt))
    assert.deepEqual([streamed.state, streamed.error, streamed.may_be_charged], ['failed', run.error, mayBeCharged])
  }
})

test('the stream of a run that ends because its gateway stops reports that the run may be charged', async () => {
  await using stopping = await startTestGateway({ drivers: [ink], yaml })
  const answer = await streamedRun(stopping, 'endless')
  await until(() => jobs.at(-1)?.request.prompt === 'endless', 'the run')
  const [run] = await Promise.all([endOf(answer), stopping.stop()])
  assert.deepEqual([run.state, run.error.code, run.may_be_charged], ['failed', 'outcome_unknown', true])
})

test('a refusal names field, value and limit, and nothing runs', async () => {
  const editOf = (change: object) => ({ ...editBody, request: { ...edit, ...change }, files: [png] })
  const refused: [object, string, RegExp][] = [
    [{ version: 0 }, 'version', /version is 0; it must be one of 1/],
    [{ version: 99 }, 'version', /version is 99/],
    [{ version: '1' }, 'version', /version is "1"/],
    [{ capability: 'image.destroy' }, 'capability', /capability is "image.destroy"/],
    [{ capability: 'video.generate' }, 'seconds', /seconds is required/],
    [{ capability: 'search.top', request: { list: 1 } }, 'capability', /inky is a model of image.generate/],
    [{ capability: 'text.respond' }, 'capability', /./],
    [{ request: { ...request, width: 16_385 } }, 'width', /width is 16385; at most 16384/],
    [{ request: { ...request, width: 16_384, height: 16_384 } }, 'width', /268435456 pixels; at most 16777216/],
    [editOf({ tier: { name: '4K', sizes: [{ width: 16_384, height: 16_384 }] } }), 'width', /268435456 pixels; at most 16777216/],
    [editOf({ width: 16_384 }), 'height', /height: is required beside width/],
    [editOf({ height: 64 }), 'width', /width: is required beside height/],
    [{ request: { ...request, width: 32 } }, 'width', /width: is 32; inky takes at least 64/],
    [{ request: { ...request, prompt: 'x'.repeat(8_193) } }, 'prompt', /prompt: has 8193 characters; inky takes at most 8192/],
    [{ request: { ...request, prompt: 7 } }, 'prompt', /prompt is 7; it must be string/],
    [{ request: { ...request, evil: 1 } }, 'evil', /evil is not known/],
    [{ request: { ...request, hops: 1 } }, 'hops', /hops is not known/],
    [{ request: { ...request, seed: '9223372036854775808' } }, 'seed', /seed is 9223372036854775808/],
    [{ request: { ...request, count: 16 } }, 'count', /at most 15/],
    [{ request: [] }, 'request', /request/],
    [{ roles: ['image'] }, 'roles', /roles has 1 items; there are 0 files/],
    [{ roles: ['../../etc/passwd'], files: [png] }, 'roles[0]', /roles\[0\] is/],
    [{ files: [png] }, 'roles', /roles has 0 items; there are 1 files/],
    [{ roles: ['image'], files: [png] }, 'image', /image: is given; inky takes no such file/],
    [{ roles: ['audio'], files: [png] }, 'audio', /audio: is given; inky takes no such file/],
    [{ roles: ['image'], files: ['http://127.0.0.1:9/x.png'] }, 'files[0]', /private address/],
  ]
  for (const [change, field, says] of refused) {
    const [status, code, param, message] = await refusal({ ...body, ...change })
    assert.deepEqual([status, code, param], [400, 'invalid_request', field], `${JSON.stringify(change)}: ${message}`)
    assert.match(message, says)
  }
})

test('a key has its usual rights: the models and families of its scopes, its endpoints, its quota and its own runs', async () => {
  const keyOf = async (limits: object) => {
    const made = await gateway.admin('/admin/keys', { method: 'POST', body: { account: 'default', name: 'scoped', ...limits } })
    assert.ok(made.body.secret, JSON.stringify(made.body))
    return String(made.body.secret)
  }
  const scoped = await keyOf({ families: ['F1'] })
  const { body: offered } = await gateway.call('/v1/ai/default/gateway', { key: scoped })
  assert.deepEqual(offered.versions, [1], JSON.stringify(offered))
  const ids = offered.models.map(({ id }: { id: string }) => id)
  assert.ok(ids.includes('inky') && !ids.includes('hidden'), ids.join())
  const hidden = await gateway.call(runs, { key: scoped, body: { ...body, model: 'hidden' } })
  assert.deepEqual([hidden.status, hidden.body.error.code], [404, 'model_not_found'])
  const own = await gateway.call(runs, { key: scoped, body })
  assert.equal((await ended(own.body.id, scoped)).state, 'succeeded')
  assert.equal((await gateway.call('/v1/ai/elsewhere/gateway/runs', { body })).status, 404)
  const elsewhere = await keyOf({ endpoints: ['lab'] })
  for (const path of ['/v1/ai/default/gateway', '/v1/gateway'])
    assert.ok((await gateway.call(path, { key: elsewhere })).status >= 403, path)
  assert.equal((await gateway.call(runs, { body, key: false })).status, 401)
  assert.equal((await gateway.call(`${runs}/01K9ZQ5T8W3N6R2V4X7Y0ABCDE`)).status, 404)
})

test('a deck that is stored at a service can be named only through a run of the caller', async () => {
  const render = { title: 'x', language: 'en', slides: [{ layout: 'title', title: 'x', points: [] }], template: '1' }
  const origin = { service: 'slides.example', id: '1' }
  const sent = { version: 1, capability: 'slides.render', model: 'MaaS_Slides', request: { ...render, origin } }
  assert.deepEqual((await refusal(sent)).slice(0, 3), [400, 'invalid_request', 'origin'])
  const foreign = { ...sent, request: { ...render, origin: { service: 'run', id: '01K9ZQ5T8W3N6R2V4X7Y0ABCDE' } } }
  assert.deepEqual((await refusal(foreign)).slice(0, 2), [404, 'task_not_found'])
})
