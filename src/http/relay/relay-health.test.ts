import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resetReply } from '../../testing/fakes/fake-upstream.ts'
import { chatFrames, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { breakers, exchange, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const calls = [
  { path: '/v1/ai/default/chat/completions', body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] } },
  { path: '/v1/ai/default/responses', body: { model: 'm', stream: true, input: 'x' } },
]

for (const protocols of ['chat, responses', 'chat', 'responses']) {
  test(`a target (${protocols}) is skipped after five streams in a row that broke off after their beginning`, async () => {
    for (const { path, body } of calls) {
      await using own = await startRelayGateway(url => relayYaml([{ url, protocols }]))
      const { gateway, upstream } = own
      const send = () => exchange(gateway.url + path, { body: JSON.stringify(body) })
      upstream.answer((response, request) => {
        const isChat = request.path.endsWith('/chat/completions')
        return resetReply(isChat ? chatFrames({ text: 'Half' }).slice(0, 2) : responsesFrames({ text: 'Half' }).slice(0, 4))(
          response,
          request,
        )
      })
      for (let count = 0; count < 5; count++) assert.match((await send()).text, /upstream_error/)
      assert.deepEqual([await breakers(own), upstream.received.length], [['open'], 5])
    }
  })
}
