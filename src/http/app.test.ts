import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
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

test('a key is required, in any of its headers, and never read from the query', async () => {
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

test("an operation outside of a key's scopes is a 403", async () => {
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

test('a repeat with an idempotency key is safe; another body with this key is refused', async () => {
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

test("an error that quotes the caller's input is short, however long the input is", async () => {
  const long = '\u{1f98a}'.repeat(50_000)
  const messages = [{ role: 'user', content: 'x' }]
  const refused = await gateway.call('/v1/chat/completions', { body: { messages, tools: [{ type: long }] } })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.param, 'tools[0].type')
  assert.match(refused.body.error.message, /^tools\[0\]\.type is \u{1f98a}+.?\.\.\.$/u)
  assert.ok(refused.body.error.message.length <= 5_000)
  const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
  const model = 'qwen2.5-coder-0.5b-instruct'
  const named = await gateway.call(`/v1beta/models/${model}:generateContent`, { body: { contents, tools: [{ [long]: {} }] } })
  assert.equal(named.status, 400)
  assert.ok(named.bytes.length < 50_000, `${named.bytes.length} bytes`)
})

test('every path of the gateway, also of the admin API, answers other methods with 405', async () => {
  for (const [url, allow] of [
    ['/admin/keys', 'GET, HEAD, POST'],
    ['/healthz', 'GET, HEAD'],
    ['/files/x', 'GET, HEAD'],
    ['/v1/ai/default/imgf/get_result', 'GET, HEAD, DELETE'],
    ['/v1/ai/default/imgf/get_result/events', 'GET'],
  ] as const) {
    for (const method of ['PATCH', 'PROPFIND']) {
      const { status, headers, body: answer } = await gateway.call(url, { method })
      assert.equal(status, 405, `${method} ${url}`)
      assert.deepEqual(headers.get('allow')?.split(', ').sort(), allow.split(', ').sort(), url)
      assert.equal(answer.error.code, 'method_not_allowed')
    }
  }
  assert.equal((await gateway.call('/v1/ai/default/imgf/get_result/events?id=x', { method: 'HEAD' })).status, 405)
})

test("an unknown path below a family's paths is a 404 in the shape of the family", async () => {
  const ours = (url: string, method = 'POST') => gateway.call(url, { method })
  for (const url of [
    '/v1/ai/default/responses/nothing/here',
    '/v1/ai/default/responses/other_tokens',
    '/v1/responses/other_tokens/',
    '/v1/ai/default/responses/nothing/here/cancel/again',
    '/v1/ai/default/chat/completions/chatcmpl-1/choices',
  ]) {
    const { status, headers, body: answer } = await ours(url)
    assert.equal(status, 404, url)
    assert.equal(headers.get('allow'), null)
    assert.deepEqual(
      [answer.error.code, answer.error.type, answer.error.param, answer.request_id],
      ['not_found', 'invalid_request_error', null, answer.error.request_id],
    )
  }
  assert.equal((await ours('/v1/ai/default/responses/nothing/here/cancel', 'GET')).status, 404)
  for (const [method, url] of [
    ['POST', '/v1/ai/default/responses/resp_1'],
    ['GET', '/v1/ai/default/responses/resp_1/cancel'],
    ['PUT', '/v1/ai/default/responses'],
  ] as const) {
    const { status, body: answer } = await ours(url, method)
    assert.deepEqual([status, answer.error.code, answer.request_id], [405, 'method_not_allowed', answer.error.request_id], url)
  }
  assert.match((await ours(path, 'GET')).body.detail, /takes POST, not GET/)
})

test('paths that the router cannot parse are JSON errors with a request id, too', async () => {
  for (const [url, status] of [
    ['/v1/ai/%zz/imgf/get_result', 400],
    [`/v1/ai/${'a'.repeat(700)}/imgf/get_result`, 404],
  ] as const) {
    const answer = await gateway.call(url)
    assert.equal(answer.status, status)
    assert.equal(answer.body.error.request_id, answer.headers.get('x-request-id'))
  }
})

test('a request that is not valid HTTP gets a JSON error with a request id', async () => {
  const answer = await sendRaw('NONSENSE\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
  assert.equal(body.error.code, 'invalid_request')
  assert.match(answer, new RegExp(`x-request-id: ${body.error.request_id}`))
})

test('links contain the host that the caller used, and an invalid Host header is refused', async () => {
  const authorization = `Bearer ${testKey}`
  const submit = (line: string, version = '1.1') =>
    sendRaw(
      `POST ${path} HTTP/${version}\r\n${line}authorization: ${authorization}\r\nconnection: close\r\ncontent-length: 14\r\n\r\n{"prompt":"x"}`,
    )
  assert.match(await submit('Host: gw.example:8443\r\n'), /"polling_url":"http:\/\/gw\.example:8443\//)
  assert.match(await submit('Host: [::1]:80\r\n'), /"polling_url":"http:\/\/\[::1\]\//)
  for (const host of ['"<x>', 'a/b', 'a?b', 'user@host', 'a b'])
    assert.match(await submit(`Host: ${host}\r\n`), /^HTTP\/1\.1 400 .*Host header/s, host)
  for (const second of ['gw.example', 'other.example'])
    assert.match(await submit(`Host: gw.example\r\nhost: ${second}\r\n`), /^HTTP\/1\.1 400 .*Host header/s, second)
  assert.match(await submit('', '1.0'), new RegExp(`"polling_url":"${gateway.url}/`))
})

test('every answer has a request id, and every error contains it', async () => {
  const ok = await gateway.call('/healthz', { key: false })
  assert.match(ok.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  const echoed = await gateway.call('/healthz', { headers: { 'x-client-request-id': 'mine-1' } })
  assert.equal(echoed.headers.get('x-client-request-id'), 'mine-1')
})

test('health, readiness, metrics, reference and home page can be read', async () => {
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

test('the admin API requires its own key and hides secrets', async () => {
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

test('a browser may call from an allowed origin only', async () => {
  const allowed = await preflight('https://app.example')
  assert.equal(allowed['access-control-allow-origin'], 'https://app.example')
  assert.equal(allowed['access-control-allow-headers'], 'authorization, x-stainless-os')
  const other = await preflight('https://evil.example')
  assert.notEqual(other['access-control-allow-origin'], 'https://evil.example')
})

test('a browser may read files and event streams from an allowed origin', async () => {
  const headers = { origin: 'https://app.example' }
  const { body: submitted } = await gateway.call(path, { body })
  await gateway.call(submitted.polling_url, { method: 'DELETE' })
  const events = await gateway.call(submitted.polling_url.replace('get_result', 'get_result/events'), { headers })
  assert.equal(events.status, 200)
  assert.equal(events.headers.get('access-control-allow-origin'), 'https://app.example')
  assert.match(events.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
})

test('dates that do not exist are refused, instead of making a key that never expires', async () => {
  for (const expires of ['2027-13-01', '2027-02-30', '2027-1-1']) {
    const made = await gateway.admin('/admin/keys', { body: { name: 'dated', expires } })
    assert.equal(made.status, 400, expires)
    assert.match(made.body.error.message, /date like 2027-01-01/)
    assert.equal((await gateway.admin(`/admin/usage?from=${expires}`)).status, 400)
  }
})

test('the admin API refuses an empty key', async () => {
  for (const headers of [{ authorization: 'Bearer ' }, { authorization: 'Basic x' }, { 'x-api-key': '' }])
    assert.equal((await gateway.call('/admin/keys', { key: false, headers })).status, 401)
})

/** Sends the text over a connection of its own, and returns everything that the server sends
 *  until the connection is closed. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
    socket.write(text)
  })
}

function preflight(origin: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization, x-stainless-os' }
    request(gateway.url + path, { method: 'OPTIONS', headers }, response => {
      response.resume()
      resolve(response.headers)
    })
      .on('error', reject)
      .end()
  })
}
