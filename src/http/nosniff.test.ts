/** Every answer of the gateway tells browsers not to guess its content type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeReply, errorReply, jsonReply, rawReply, sseReply } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, testKey } from '../testing/gateway.ts'
import { openRaw } from '../testing/raw-http.ts'
import { exchange, startRelayGateway } from '../testing/relay-gateway.ts'

const origin = 'https://app.example'

test('answers at every path of the gateway have the nosniff header', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_CORS_ORIGINS: origin, GATEWAY_ENGINE_WORKERS: '1' } })
  const submitted = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a fox', width: 256, height: 256 } })
  const result = await gateway.result(submitted.body.polling_url)
  const sample = new URL(String(Object(result.result).sample))
  const file = sample.pathname + sample.search
  const poll = new URL(submitted.body.polling_url)
  const requested: [status: number, path: string, options?: object][] = [
    ...['/healthz', '/readyz', '/metrics', '/', '/docs', '/openapi.json', '/v1/models', file].map((path): [number, string] => [200, path]),
    [200, poll.pathname + poll.search],
    [200, `${poll.pathname}/events${poll.search}`],
    [206, file, { headers: { range: 'bytes=0-9' } }],
    [416, file, { headers: { range: 'bytes=99999999-' } }],
    [204, '/v1/models', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } }],
    [204, '/webhooks/wake/x/y', { method: 'POST' }],
    [400, '/%zz'],
    [401, '/v1/models', { key: false }],
    [401, '/admin/keys'],
    [403, '/files/x?exp=1&kid=a&sig=b'],
    [404, '/nothing'],
    [405, '/healthz', { method: 'PUT' }],
  ]
  for (const [status, path, options] of requested) {
    const { status: given, headers } = await gateway.call(path, options)
    assert.deepEqual([path, given, headers.get('x-content-type-options')], [path, status, 'nosniff'])
  }
  for (const [text, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ] as const) {
    const { socket, ended } = await openRaw(gateway.url)
    socket.write(text)
    assert.match(await ended, new RegExp(`^HTTP/1\\.1 ${status} [^]*x-content-type-options: nosniff`, 'i'))
    socket.destroy()
  }
})

test('answers of upstreams and refusals of the relay have the nosniff header', async () => {
  await using relay = await startRelayGateway()
  const { gateway, upstream } = relay
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
  const url = `${gateway.url}/v1/ai/default/chat/completions`
  const cases = [
    [200, [jsonReply({ choices: [{ message: { role: 'assistant', content: 'hi' } }] })]],
    [200, [sseReply([{ choices: [{ delta: { content: 'hi' } }] }, '[DONE]'])]],
    [400, [errorReply(400, { message: 'no' })]],
    [502, [rawReply('no JSON')]],
    [502, [errorReply(500, { message: 'x' })]],
    [502, [closeReply]],
  ] as const
  for (const [status, replies] of cases) {
    upstream.answer(...replies, ...replies, ...replies, ...replies)
    const stream = replies[0] === cases[1][1][0] ? { body: body.replace('{', '{"stream":true,') } : { body }
    const answer = await exchange(url, { ...stream, headers: { 'content-type': 'application/json' }, key: testKey })
    assert.deepEqual([answer.status, answer.headers['x-content-type-options']], [status, 'nosniff'])
  }
})
