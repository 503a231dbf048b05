import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const path = '/v1/ai/default/imgf/image/generate'
const body = { prompt: 'a red fox' }
const yaml = `
accounts:
  - id: acme
    keys:
      - { name: all, secret: sk-acme-key-000000001 }
      - { name: slow, secret: sk-acme-slow-00000001, rate_per_minute: 3 }
      - { name: old, secret: sk-acme-old-000000001, expires: 2020-01-01 }
      - { name: scoped, secret: sk-acme-scoped-000001, scopes: { endpoints: [studio], models: [MaaS_ImgF_KG] } }
    endpoints:
      - { name: studio }
      - { name: fixed, routes: { F1: { model: MaaS_ImgF_KG } } }
`
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, env: { GATEWAY_CORS_ORIGINS: 'https://app.example' } })
})
after(() => gateway[Symbol.asyncDispose]())

test('a key is asked for, in any of its headers, never in the query', async () => {
  const missing = await gateway.call(path, { body, key: false })
  assert.equal(missing.status, 401)
  assert.equal(missing.body.error.code, 'missing_api_key')
  assert.equal(missing.headers.get('www-authenticate'), 'Bearer')
  assert.equal((await gateway.call(path, { body, key: 'sk-unknown' })).body.error.code, 'invalid_api_key')
  assert.equal((await gateway.call(`${path}?api_key=${testKey}`, { body, key: false })).status, 401)
  for (const name of ['xi-api-key', 'x-api-key', 'api-key', 'Ocp-Apim-Subscription-Key']) {
    assert.equal((await gateway.call(path, { body, key: false, headers: { [name]: testKey } })).status, 200, name)
  }
  assert.equal((await gateway.call(path, { body, key: false, headers: { authorization: `bearer ${testKey}` } })).status, 200)
})

test('expired and revoked keys are refused', async () => {
  assert.match(
    (await gateway.call(path.replace('default', 'studio'), { body, key: 'sk-acme-old-000000001' })).body.error.message,
    /expired/,
  )
  const made = await gateway.admin('/admin/keys', { body: { name: 'short-lived' } })
  assert.equal((await gateway.call(path, { body, key: made.body.secret })).status, 200)
  assert.equal((await gateway.admin(`/admin/keys/${made.body.key.id}`, { method: 'DELETE' })).status, 200)
  assert.match((await gateway.call(path, { body, key: made.body.secret })).body.error.message, /revoked/)
})

test('an account sees only its own endpoints and tasks', async () => {
  const acme = 'sk-acme-key-000000001'
  assert.equal((await gateway.call(path, { body, key: acme })).body.error.code, 'endpoint_not_found')
  const own = await gateway.call('/v1/ai/studio/imgf/image/generate', { body, key: acme })
  assert.equal(own.status, 200)
  assert.equal((await gateway.call(own.body.polling_url, { key: acme })).body.status, 'Pending')
  assert.equal((await gateway.call(own.body.polling_url)).status, 404)
  assert.equal((await gateway.call(`/v1/ai/default/imgf/get_result?id=${own.body.id}`)).status, 404)
  assert.equal((await gateway.call(`/v1/ai/fixed/imgf/get_result?id=${own.body.id}`, { key: acme })).status, 404)
  assert.equal((await gateway.call(own.body.polling_url, { key: acme, method: 'DELETE' })).body.status, 'Error')
})

test('scopes of a key are 403 outside of them', async () => {
  const key = 'sk-acme-scoped-000001'
  const studio = '/v1/ai/studio/imgf/image/generate'
  assert.equal((await gateway.call(studio, { body: { ...body, aspect_ratio: '1:1' }, key })).status, 200)
  assert.equal((await gateway.call(studio, { body, key })).status, 403)
  assert.equal((await gateway.call(studio.replace('studio', 'fixed'), { body, key })).status, 403)
})

test('a route may fix the model of a family', async () => {
  const key = 'sk-acme-key-000000001'
  const fixed = '/v1/ai/fixed/imgf/image/generate'
  assert.equal((await gateway.call(fixed, { body, key })).status, 200)
  const other = await gateway.call(fixed, { body: { ...body, width: 512 }, key })
  assert.equal(other.status, 422)
  assert.match(other.body.error.message, /width is not a field of MaaS_ImgF_KG/)
})

test('the rate limit answers 429 with Retry-After, and polls cost nothing', async () => {
  const key = 'sk-acme-slow-00000001'
  const url = '/v1/ai/studio/imgf/image/generate'
  const first = await gateway.call(url, { body, key })
  assert.equal(first.headers.get('x-ratelimit-limit'), '3')
  assert.equal(first.headers.get('x-ratelimit-remaining'), '2')
  await gateway.call(url, { body, key })
  await gateway.call(url, { body, key })
  for (let i = 0; i < 10; i++) assert.equal((await gateway.call(first.body.polling_url, { key })).status, 200)
  const refused = await gateway.call(url, { body, key })
  assert.equal(refused.status, 429)
  const retryAfter = Number(refused.headers.get('retry-after'))
  assert.ok(retryAfter >= 1 && retryAfter <= 60)
})

test('an idempotency key makes a repeat safe and refuses another body', async () => {
  const headers = { 'idempotency-key': 'order-1' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.call(path, { body, headers })))
  assert.deepEqual(new Set(answers.map(answer => answer.body.id)).size, 1)
  const other = await gateway.call(path, { body: { prompt: 'another' }, headers })
  assert.equal(other.status, 409)
  assert.equal(other.body.error.code, 'idempotency_conflict')
})

test('unknown paths, methods and content types are answered as JSON errors', async () => {
  const unknown = await gateway.call('/v1/ai/default/nothing/here')
  assert.equal(unknown.status, 404)
  assert.equal(unknown.body.error.code, 'not_found')
  const method = await gateway.call(path, { method: 'PUT', body })
  assert.equal(method.status, 405)
  assert.equal(method.headers.get('allow'), 'POST')
  assert.equal(
    (await gateway.call(path, { raw: 'prompt=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status,
    415,
  )
  assert.equal((await gateway.call(path, { raw: '{"prompt":', headers: {} })).body.error.code, 'invalid_json')
  assert.equal((await gateway.call(path, { raw: '[]' })).body.error.code, 'invalid_json')
  assert.equal((await gateway.call(`//v1/ai/default//imgf/image/generate/`, { body })).status, 200)
})

test('a request id is on every answer and in the error', async () => {
  const ok = await gateway.call('/healthz', { key: false })
  assert.match(ok.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  const echoed = await gateway.call('/healthz', { headers: { 'x-client-request-id': 'mine-1' } })
  assert.equal(echoed.headers.get('x-client-request-id'), 'mine-1')
})

test('health, readiness, metrics, reference and home page answer', async () => {
  assert.deepEqual((await gateway.call('/healthz', { key: false })).body, { status: 'ok' })
  const ready = await gateway.call('/readyz', { key: false })
  assert.equal(ready.status, 200)
  assert.equal(ready.body.engines[0].id, 'studio')
  const metrics = (await gateway.call('/metrics', { key: false })).bytes.toString()
  assert.match(metrics, /gateway_http_request_duration_seconds_count\{operation="F1\.submit",status="200"\} \d+/)
  assert.match(metrics, /gateway_jobs\{queue="engine:studio",state="ready"\} \d+/)
  const openapi = (await gateway.call('/openapi.json', { key: false })).body
  assert.equal(openapi.openapi, '3.1.0')
  assert.ok(openapi.paths['/v1/ai/{endpoint}/imgf/image/generate'].post)
  const docs = (await gateway.call('/docs', { key: false })).bytes.toString()
  assert.match(docs, /input_image/)
  assert.doesNotMatch(docs, /(src|href)="https?:/, 'the reference loads nothing from elsewhere')
  assert.match((await gateway.call('/', { key: false })).bytes.toString(), /Families served/)
})

test('links are signed: a changed one is 403, an expired one 410', async () => {
  assert.equal((await gateway.call('/files/01abc?exp=9999999999&kid=x&sig=y', { key: false })).status, 403)
  assert.equal((await gateway.call('/files/01abc', { key: false })).status, 403)
})

test('the admin API wants its own key and hides secrets', async () => {
  assert.equal((await gateway.call('/admin/keys')).status, 401)
  const keys = await gateway.admin('/admin/keys')
  assert.equal(keys.status, 200)
  assert.doesNotMatch(JSON.stringify(keys.body), /sha256|sk-acme/)
  const reserved = await gateway.admin('/admin/endpoints', { body: { name: 'admin' } })
  assert.equal(reserved.status, 400)
  assert.match(reserved.body.error.message, /reserved/)
  assert.equal((await gateway.admin('/admin/endpoints', { body: { name: 'second', routes: ['F1=MaaS_ImgF_P'] } })).status, 200)
  assert.equal((await gateway.call('/v1/ai/second/imgf/image/generate', { body })).status, 200)
})

test('a browser of an allowed origin may call, another may not', async () => {
  const allowed = await preflight('https://app.example')
  assert.equal(allowed['access-control-allow-origin'], 'https://app.example')
  const other = await preflight('https://evil.example')
  assert.notEqual(other['access-control-allow-origin'], 'https://evil.example')
})

function preflight(origin: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    request(gateway.url + path, { method: 'OPTIONS', headers }, response => {
      response.resume()
      resolve(response.headers)
    })
      .on('error', reject)
      .end()
  })
}
