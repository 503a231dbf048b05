/** A JSON body that contains no answer counts as a failure of the upstream, whichever protocols
 *  the caller and the target speak. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonReply, rawReply } from '../../testing/fakes/fake-upstream.ts'
import { exchange, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const bodies: [says: string, text: string][] = [
  ['a list', '[]'],
  ['a list of answers', '[{"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}]'],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"hello"'],
  ['true', 'true'],
  ['an empty object', '{}'],
  ['an object of something else', '{"status":"ok"}'],
  ['choices that are no list', '{"choices":{}}'],
  ['choices that are null', '{"choices":null}'],
  ['no choice', '{"choices":[]}'],
  ['choices that are no objects', '{"choices":[null,1]}'],
  ['a choice without a message', '{"choices":[{"finish_reason":"stop"}]}'],
  ['a message that is none', '{"choices":[{"message":null,"finish_reason":"stop"}]}'],
  ['an output that is no list', '{"object":"response","status":"completed","output":{}}'],
  ['no output', '{"object":"response","status":"completed"}'],
]
const requested = {
  chat: { path: 'chat/completions', body: { messages: [{ role: 'user', content: 'hello' }] } },
  responses: { path: 'responses', body: { input: 'hello' } },
}

for (const caller of ['chat', 'responses'] as const)
  for (const target of ['chat', 'responses'] as const)
    test(`${caller} at a target of ${target}: JSON that is no answer is a 502`, async () => {
      await using relay = await startRelayGateway(url => relayYaml([{ url, protocols: target }]))
      const { path, body } = requested[caller]
      const taken: string[] = []
      for (const [says, text] of bodies)
        for (const stream of [false, true]) {
          // With the same protocol on both sides, the relay forwards any JSON object byte for byte
          // as the target's own answer.
          if (caller === target && text.startsWith('{')) continue
          relay.upstream.answer(...Array.from({ length: 4 }, () => rawReply(text, 200, { 'content-type': 'application/json' })))
          const { status, text: got } = await exchange(`${relay.gateway.url}/v1/ai/default/${path}`, {
            body: JSON.stringify({ model: 'm', ...body, stream }),
          })
          const isError = status === 502 || (stream && /event: error|"error"/.test(got))
          if (!isError) taken.push(`${says}${stream ? ' (streamed)' : ''}: ${status} ${got.slice(0, 200)}`)
        }
      assert.deepEqual(taken, [])
    })

test('a choice with an empty message is an answer', async () => {
  await using relay = await startRelayGateway(url => relayYaml([{ url, protocols: 'chat' }]))
  relay.upstream.answer(jsonReply({ choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'stop' }] }))
  const { status } = await exchange(`${relay.gateway.url}/v1/ai/default/responses`, { body: JSON.stringify({ model: 'm', input: 'x' }) })
  assert.equal(status, 200)
})
