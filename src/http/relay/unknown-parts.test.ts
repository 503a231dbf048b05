/** Message parts of types that the gateway does not know: a target of the dialect `openai` gets
 *  them unchanged, and their bytes are counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { callRows, exchange, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const words = 'one two three '.repeat(2_000)
const parts: object[] = [
  { type: 'input_video', video_url: 'https://media.example/a.mp4', fps: 2 },
  { type: 'input_video', input_video: { url: 'data:video/mp4;base64,AAAA' } },
  { type: 'video_url', video_url: { url: 'https://media.example/a.mp4' } },
  { type: 'input_audio', audio_url: 'https://media.example/a.wav' },
  { type: 'audio_url', audio_url: { url: 'https://media.example/a.wav' } },
  { type: 'hologram', hologram: { words } },
]
const bodies: [protocol: string, path: string, body: (content: object[]) => object][] = [
  ['chat', '/v1/ai/default/chat/completions', content => ({ model: 'm', messages: [{ role: 'user', content }] })],
  ['responses', '/v1/ai/default/responses', content => ({ model: 'm', input: [{ role: 'user', content }] })],
]

for (const [protocol, path, bodyOf] of bodies) {
  test(`${protocol}: unknown parts are relayed, and count`, async () => {
    await using own = await startRelayGateway()
    own.upstream.answer(jsonReply({ id: 'resp_parts', choices: [{ message: {} }], output: [] }))
    for (const [index, part] of parts.entries()) {
      // The type `input_audio` is known in chat, so this part is tested only for responses.
      if (protocol === 'chat' && Object(part).type === 'input_audio') continue
      const body = JSON.stringify(bodyOf([{ type: protocol === 'chat' ? 'text' : 'input_text', text: 'Look.' }, part]))
      const got = await exchange(own.gateway.url + path, { body })
      assert.equal(got.status, 200, `part ${index}: ${got.text}`)
      assert.equal(own.upstream.received.at(-1)?.body.toString(), body.replace('"model":"m"', '"model":"up-1"'))
    }
    const sent = own.upstream.received.length
    const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === sent), 'the records')
    const most = Math.max(...rows.map(row => Number(row.input_tokens)))
    assert.ok(most >= 6_000, `${most} tokens of 6,000 words`)
  })

  test(`${protocol}: a basic target that may not support videos gets none`, async () => {
    await using own = await startRelayGateway(url => relayYaml([{ url, dialect: 'basic' }]))
    const got = await exchange(own.gateway.url + path, {
      body: JSON.stringify(bodyOf([{ type: 'input_video', video_url: 'https://a.example/a.mp4' }])),
    })
    assert.equal(got.status, 400, got.text)
    assert.deepEqual(own.upstream.received, [])
  })
}

test('a type that no text can be made of is refused or passes', async () => {
  await using own = await startRelayGateway(url => relayYaml([{ url }]).replace('[chat, responses]', '[chat, responses, messages]'))
  const type = { toString: 5, valueOf: 5 }
  const block = { type: 'document', source: { type: 'content', content: [{ type }] } }
  const messages = [{ role: 'user', content: [block] }]
  const sent: [path: string, body: object][] = [
    ...bodies.map(([, path, bodyOf]): [string, object] => [path, bodyOf([{ type, text: 'a' }])]),
    ['/v1/messages', { model: 'm', max_tokens: 5, messages }],
  ]
  for (const [path, body] of sent) {
    const { status, text } = await exchange(own.gateway.url + path, { body: JSON.stringify(body) })
    assert.ok(status === 200 || status === 400, `${path}: ${status} ${text}`)
  }
})
