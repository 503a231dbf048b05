/** Tests family V at the paths of Vertex AI. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { doneClip, fakeVideoDriver, tinyMp4 } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const inProject = 'projects/my-project/locations/us-central1/publishers/google/models'
const places = ['v1', 'v1beta1'].flatMap(version => [inProject, 'publishers/google/models'].map(at => `/${version}/${at}`))
const yaml = `
models:
  - { id: veo-test, family: V, group: "3.1", targets: [{ driver: reels }] }
  - { id: org/veo-2, family: V, group: "2", targets: [{ driver: reels }] }
`
const create = { instances: [{ prompt: 'a ferry' }], parameters: { durationSeconds: 8 } }

let gateway: TestGateway
before(async () => {
  const drivers = [fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(doneClip, { follows: [] }) })]
  gateway = await startTestGateway({ drivers, yaml })
})
after(() => gateway[Symbol.asyncDispose]())

const ended = (path: string, operationName: string) =>
  until(async () => {
    const { status, body } = await gateway.call(path, { body: { operationName } })
    assert.equal(status, 200, JSON.stringify(body))
    return body.done ? body : undefined
  }, 'the end of the operation')

test('operations can be started and queried at all paths of the vendor', async () => {
  for (const place of places) {
    const answer = await gateway.call(`${place}/veo-test:predictLongRunning`, { body: create })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { name } = answer.body
    assert.match(name, /\/models\/veo-test\/operations\/[0-9a-z]{26}$/)
    const { response } = await ended(`${place}/veo-test:fetchPredictOperation`, name)
    assert.deepEqual(response.videos, [{ bytesBase64Encoded: tinyMp4('video 0: a ferry').toString('base64'), mimeType: 'video/mp4' }])
    // The client library google-genai polls at a path that is built from the name of the operation.
    const [resource] = name.split('/operations/')
    assert.equal((await ended(`/v1beta1/${resource}:fetchPredictOperation`, name)).done, true)
  }
})

test('the path names the model; slashes and colons may be encoded', async () => {
  for (const path of [
    `/v1/${inProject}/org%2Fveo-2:predictLongRunning`,
    `/v1/${inProject}/veo-test%3ApredictLongRunning`,
    `/v1/${inProject}/veo-test%3apredictLongRunning`,
  ]) {
    const { status, body } = await gateway.call(path, { body: { ...create, model: 'veo-test' } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(body.name, path.includes('org') ? /models\/org%2Fveo-2\/operations/ : /models\/veo-test\/operations/)
  }
  const { status, body } = await gateway.call(`/v1/${inProject}/veo-9:predictLongRunning`, { body: create })
  assert.deepEqual([status, body.error.code, body.error.status, body.error.param], [404, 404, 'NOT_FOUND', 'model'])
  assert.match(body.error.message, /^There is no model "veo-9"/)
})

test('the vendor’s model names are aliases at its paths', async () => {
  const body = { ...create, parameters: { resolution: '4k' } }
  const refused = await gateway.call(`/v1/${inProject}/veo-3.0-generate-001:predictLongRunning`, { body })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /resolution is 4k; the model takes 720p, 1080p/)
})

test('refusals have the shape that the vendor’s clients expect', async () => {
  const at = `/v1/${inProject}/veo-test`
  const refused = async (path: string, options: object) => {
    const { status, body } = await gateway.call(path, options)
    const { code, message, status: word } = body.error
    assert.deepEqual([code, typeof message], [status, 'string'])
    assert.ok(!message.startsWith('{'), message)
    return `${status} ${word}`
  }
  const parameters = { resolution: '9k' }
  assert.equal(await refused(`${at}:predictLongRunning`, { body: { ...create, parameters } }), '400 INVALID_ARGUMENT')
  assert.equal(await refused(`${at}:predictLongRunning`, { body: create, key: 'wrong' }), '401 UNAUTHENTICATED')
  assert.equal(await refused(`${at}:fetchPredictOperation`, { body: { operationName: 'none' } }), '404 NOT_FOUND')
  assert.equal(await refused(`${at}:generateImages`, { body: create }), '404 NOT_FOUND')
  assert.equal(await refused(`${at}:predictLongRunning`, { method: 'GET' }), '405 INVALID_ARGUMENT')
})

test("enumeration values may be in capitals, as the vendor's clients write them", async () => {
  const parameters = { compressionQuality: 'OPTIMIZED', personGeneration: 'ALLOW_ADULT', resizeMode: 'CROP' }
  const { status, body } = await gateway.call(`/v1/${inProject}/veo-test:predictLongRunning`, { body: { ...create, parameters } })
  assert.equal(status, 200, JSON.stringify(body))
  const { status: other } = await gateway.call(`/v1/${inProject}/veo-test:predictLongRunning`, {
    body: { ...create, parameters: { compressionQuality: 'OPTIMISED' } },
  })
  assert.equal(other, 400)
})

test('the key may be sent as Google’s clients send it', async () => {
  const at = `/v1/${inProject}/veo-test:predictLongRunning`
  const sent = (headers: Record<string, string>) => gateway.call(at, { body: create, key: false, headers })
  assert.equal((await sent({ 'x-goog-api-key': testKey })).status, 200)
  assert.equal((await sent({ authorization: `Bearer ${testKey}`, 'x-goog-user-project': 'my-project' })).status, 200)
  assert.equal((await sent({ 'x-goog-api-key': 'wrong' })).status, 401)
  assert.equal((await gateway.call(`${at}?key=${testKey}`, { body: create, key: false })).status, 401)
})

test('scopes and metric labels are those of the operation', async () => {
  const at = `/v1/${inProject}/veo-test:predictLongRunning`
  const keyed = async (scopes: object) => {
    const { secret: key } = (await gateway.admin('/admin/keys', { body: { name: 'narrow', ...scopes } })).body
    return (await gateway.call(at, { body: create, key })).status
  }
  assert.equal(await keyed({ families: ['F1'] }), 403)
  assert.equal(await keyed({ models: ['org/veo-2'] }), 403)
  assert.equal(await keyed({ families: ['V'], models: ['veo-test'] }), 200)
  const metrics = (await gateway.admin('/metrics')).bytes.toString()
  assert.match(metrics, /operation="V\.create"/)
  assert.match(metrics, /operation="V\.query"/)
  // The metrics are labelled with the name of the operation and never with the path that a caller
  // sent, which can be any text.
  assert.doesNotMatch(metrics, /method="POST"[^\n]*predictLongRunning|veo-test:/)
})
