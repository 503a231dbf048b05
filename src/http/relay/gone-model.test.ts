/** When a target no longer has the model, the next target takes over: in relayed calls, in
 *  translated calls, and in tasks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorReply, type FakeReply, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, chatFrames, responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { breakers, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const requested = {
  chat: { path: 'chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'hello' }] } },
  responses: { path: 'responses', body: { model: 'm', input: 'hello' } },
}
const gone: Record<string, FakeReply> = {
  404: errorReply(404, { message: 'The model `up-1` does not exist.', code: 'model_not_found' }),
  decommissioned: errorReply(400, { message: 'The model `up-1` has been decommissioned.', code: 'model_decommissioned' }),
  Azure: jsonReply({ error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } }, 404),
  410: rawReply('', 410, {}),
  424: rawReply('', 424, {}),
}
const works: FakeReply = (response, request) => {
  const isStream = Object(request.json).stream === true
  const isChat = request.path.endsWith('/chat/completions')
  const frames = isChat ? chatFrames({ text: 'Hello' }) : responsesFrames({ text: 'Hello' })
  const whole = isChat ? chatCompletion({ text: 'Hello' }) : responseObject({ text: 'Hello' })
  return (isStream ? sseReply(frames) : jsonReply(whole))(response, request)
}

async function ask({ gateway }: RelayGateway, caller: keyof typeof requested, stream: boolean) {
  const { path, body } = requested[caller]
  return exchange(`${gateway.url}/v1/ai/default/${path}`, { body: JSON.stringify({ ...body, stream }) })
}

for (const caller of ['chat', 'responses'] as const)
  for (const protocols of ['chat', 'responses'])
    test(`${caller} at targets of ${protocols}: when the upstream lacks the model, the next target answers`, async () => {
      await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url, protocols }))), { count: 2 })
      own.upstreams[1]?.answer(works)
      for (const [name, reply] of Object.entries(gone))
        for (const stream of [false, true]) {
          own.upstream.answer(reply)
          const got = await ask(own, caller, stream)
          assert.deepEqual([got.status, /Hello|"delta":"Hel/.test(got.text)], [200, true], `${name}: ${got.text}`)
        }
      assert.equal(own.upstream.received.length, 2 * Object.keys(gone).length)
      assert.deepEqual(await breakers(own), ['closed', 'closed'])
    })

test('a model that its only target lacks is a 404 with this reason, and the status of the target shows it', async () => {
  await using own = await startRelayGateway()
  own.upstream.answer(gone[404]!)
  const got = await ask(own, 'chat', false)
  assert.deepEqual([got.status, JSON.parse(got.text).error.code], [404, 'model_not_found'])
  const { body } = await own.gateway.call('/readyz')
  assert.equal(body.targets[0].lastError ?? body.targets[0].last_error, 'model_not_found')
})

test("a caller's invalid request is sent to one target only", async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  const refusals = [
    errorReply(400, { message: 'max_tokens is too large', param: 'max_tokens' }),
    errorReply(404, { message: 'No such File object: file-1', param: null }),
    errorReply(404, { message: "The model 'x' does not exist", param: 'tools[0].model' }),
    errorReply(424, { message: 'Error retrieving tool list from MCP server', code: 'external_connector_error' }),
  ]
  for (const reply of refusals) {
    own.upstream.answer(reply)
    const got = await ask(own, 'chat', false)
    assert.equal(got.status, 400, got.text)
  }
  assert.equal(own.upstreams[1]?.received.length, 0)
})

test('a wrong path at the upstream does not count as a missing model', async () => {
  await using own = await startRelayGateway()
  for (const reply of [
    rawReply('<h1>Not Found</h1>', 404, { 'content-type': 'text/html' }),
    jsonReply({ detail: 'Not Found' }, 404),
    errorReply(404, { message: 'Invalid URL (POST /v1/v1/chat/completions)' }),
  ]) {
    own.upstream.answer(reply)
    const got = await ask(own, 'chat', false)
    assert.equal(got.status, 502)
    assert.match(got.text, /base_url may be wrong/)
  }
})
