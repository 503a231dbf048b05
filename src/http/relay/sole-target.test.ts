/** When every target is paused by its breaker or by a rate limit, a call is still sent to the
 *  target that is free soonest, and the caller gets that target's error unchanged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorReply, type FakeReply, jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, responseObject } from '../../testing/fakes/fake-upstream-text.ts'
import { exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const dialects = {
  chat: { path: '/v1/ai/default/chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'x' }] } },
  responses: { path: '/v1/ai/default/responses', body: { model: 'm', input: 'x' } },
}
const limited = (seconds: number) => errorReply(429, { code: 'rate_limit_exceeded' }, { 'retry-after': String(seconds) })
const works: FakeReply = (response, request) =>
  jsonReply(request.path.endsWith('/responses') ? responseObject({ text: 'Hello' }) : chatCompletion({ text: 'Hello' }))(response, request)

async function ask({ gateway }: RelayGateway, { path, body } = dialects.chat as { path: string; body: object }) {
  const { status, headers, text } = await exchange(gateway.url + path, { body: JSON.stringify(body) })
  return { status, retryAfter: headers['retry-after'], code: JSON.parse(text).error?.code, text }
}

const errors: [name: string, reply: FakeReply, status: number, code: string, retryAfter?: string][] = [
  ['a rate limit', limited(7), 429, 'rate_limit_exceeded', '7'],
  ['a refused credential', errorReply(401, { code: 'invalid_api_key' }), 502, 'upstream_auth_error'],
  ['a used-up quota', errorReply(429, { code: 'insufficient_quota' }), 503, 'upstream_quota_exhausted', '5'],
  ['a failure', errorReply(500, {}), 502, 'upstream_error'],
  ['too much to do', errorReply(503, {}, { 'retry-after': '20' }), 503, 'overloaded', '20'],
]

for (const [dialect, call] of Object.entries(dialects)) {
  for (const protocols of ['chat, responses', dialect === 'chat' ? 'responses' : 'chat']) {
    test(`${dialect} on a sole target that speaks ${protocols}: every call reaches the target, and its errors are forwarded`, async () => {
      await using own = await startRelayGateway(url => relayYaml([{ url, protocols }]))
      for (const [name, reply, status, code, retryAfter] of errors) {
        own.upstream.received.length = 0
        own.upstream.answer(reply)
        for (let count = 1; count <= 8; count++) {
          const got = await ask(own, call)
          assert.deepEqual([got.status, got.code, got.retryAfter], [status, code, retryAfter], `${name}, call ${count}: ${got.text}`)
          assert.equal(own.upstream.received.length, count, `${name}, call ${count}`)
        }
        own.upstream.answer(works)
        assert.equal((await ask(own, call)).status, 200, `${name}: it works again`)
      }
    })
  }
}

test('when the breakers of all targets are open, the target that is free soonest gets the call', async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 3 })
  const [first, second, third] = own.upstreams
  first?.answer(limited(40))
  second?.answer(limited(20))
  third?.answer(limited(30))
  assert.equal((await ask(own)).status, 429)
  assert.deepEqual(
    own.upstreams.map(each => each.received.length),
    [1, 1, 1],
  )
  for (let count = 2; count < 5; count++) {
    const got = await ask(own)
    assert.deepEqual([got.status, got.retryAfter], [429, '20'])
    assert.deepEqual(
      own.upstreams.map(each => each.received.length),
      [1, count, 1],
    )
  }
})

test("a 4xx that the request causes, and an unsupported feature, never open a target's breaker", async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  own.upstreams[1]?.answer(errorReply(501, { message: 'no', type: 'not_supported_error' }))
  for (const status of [400, 404, 406, 409, 410, 411, 412, 413, 415, 422, 424, 431, 451, 501]) {
    for (let count = 0; count < 6; count++) {
      own.upstream.answer(errorReply(status, { message: 'their words', code: 'unsupported_parameter', param: 'top_k' }))
      const got = await ask(own)
      assert.ok(got.status < 500 || got.status === 501, `${status} became ${got.status} ${got.text}`)
    }
    own.upstream.answer(works)
    const before = own.upstream.received.length
    assert.equal((await ask(own)).status, 200, `after ${status}`)
    assert.equal(own.upstream.received.length, before + 1, `after ${status}`)
  }
  own.upstream.answer(errorReply(403, { message: 'Your input was flagged by moderation.', code: 'moderation_blocked' }))
  assert.deepEqual([(await ask(own)).code, own.upstreams[1]?.received.length], ['content_policy_violation', 6])
  own.upstream.answer(works)
  assert.equal((await ask(own)).status, 200)
})
