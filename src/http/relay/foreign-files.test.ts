/** Files and stores that an upstream keeps for the operator belong to no account of the gateway, so
 *  a request that names one is refused in every protocol, relayed or translated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'
import { sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { exchange, type RelayGateway, startRelayGateway } from '../../testing/relay-gateway.ts'

const families = '[chat, responses, messages, generate-content]'
let own: RelayGateway

before(async () => {
  own = await startRelayGateway(
    url =>
      `models:\n  - { id: claude, family: ${families}, targets: [{ driver: anthropic, base_url: "${url}", api_key: k, model: up-1 }] }\n  - { id: gemini, family: ${families}, targets: [{ driver: gemini, base_url: "${url}", api_key: k, model: up-1 }] }\n  - { id: gpt, family: ${families}, targets: [{ driver: openai-compatible, dialect: openai, protocols: [responses], base_url: "${url}", api_key: k, model: up-1 }] }\n`,
  )
})
after(() => own[Symbol.asyncDispose]())

async function refused(path: string, body: object, says: RegExp): Promise<void> {
  const { status, text } = await exchange(own.gateway.url + path, { body: JSON.stringify(body) })
  assert.equal(status, 400, `${path} ${text.slice(0, 300)}`)
  assert.match(text, says)
  assert.deepEqual(own.upstream.received, [], path)
}

const file = { type: 'image', source: { type: 'file', file_id: 'file_theirs' } }
const message = (block: object, more: object = {}) => ({
  ...{ model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: [block] }] },
  ...more,
})

test('messages that name a file at the upstream, however deep, are refused', async () => {
  const blocks = [
    file,
    { type: 'document', source: { type: 'content', content: [file] } },
    { type: 'search_result', source: 'https://a.example', title: 'a', content: [file] },
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'document', source: { type: 'content', content: [file] } }] },
  ]
  for (const block of blocks)
    for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
      await refused(path, message(block), /file|search_result|content|tool_use/)
  const custom = { container: { skills: [{ type: 'custom', skill_id: 'skill_theirs' }] } }
  await refused('/v1/messages', message({ type: 'text', text: 'x' }, custom), /container/)
  const depth = 20_000
  const nested = `${'[{"type":"document","source":{"content":'.repeat(depth)}[]${'}}]'.repeat(depth)}`
  const body = `{"model":"claude","max_tokens":9,"messages":[{"role":"user","content":${nested}}]}`
  const { status, text } = await exchange(`${own.gateway.url}/v1/messages`, { body })
  assert.equal(status, 400, text.slice(0, 300))
})

const stored = ['https://generativelanguage.googleapis.com/v1beta/files/abc', 'https://x@storage.googleapis.com/b/a.png', 'gs://b/a.png']

test('contents that name a file or store at Google are refused, relayed or translated', async () => {
  for (const fileUri of stored) {
    const body = { contents: [{ parts: [{ fileData: { fileUri, mimeType: 'image/png' } }, { text: 'x' }] }] }
    for (const verb of ['generateContent', 'streamGenerateContent', 'streamGenerateContent?alt=sse', 'countTokens'])
      await refused(`/v1beta/models/gemini:${verb}`, body, /fileData|Google's stores/)
  }
  for (const tool of [
    { file_search: { file_search_store_names: ['fileSearchStores/theirs'] } },
    { retrieval: { vertexRagStore: { ragResources: [{ ragCorpus: 'projects/p/ragCorpora/1' }] } } },
    {
      retrieval: {
        externalApi: {
          endpoint: 'https://a.example',
          apiAuth: { apiKeyConfig: { apiKeySecretVersion: 'projects/p/secrets/s/versions/1' } },
        },
      },
    },
    { retrieval: { vertexAiSearch: { datastore: 'projects/p/dataStores/1' } } },
  ])
    await refused('/v1beta/models/gemini:generateContent', { contents: [{ parts: [{ text: 'x' }] }], tools: [tool] }, /tools\[0\]/)
})

test('a link to a file at Google is refused in every other protocol', async () => {
  for (const url of stored) {
    const content = [{ type: 'image_url', image_url: { url } }]
    await refused('/v1/chat/completions', { model: 'gemini', messages: [{ role: 'user', content }] }, /image_url|Google's stores/)
    const block = { type: 'image', source: { type: 'url', url } }
    await refused('/v1/messages', { ...message(block), model: 'gemini' }, /url|Google's stores/)
  }
})

test('a signature with an id and no encrypted content does not name stored reasoning', async () => {
  const sealed = `carried=${Buffer.from(JSON.stringify({ texts: [], encrypted: '', id: 'rs_theirs' })).toString('base64url')}`
  const answer = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature: sealed },
      { type: 'text', text: 'x' },
    ],
  }
  const asks = { role: 'user', content: 'y' }
  own.upstream.answer(sseReply(responsesFrames({ text: 'z' })))
  const body = JSON.stringify({ model: 'gpt', max_tokens: 9, messages: [asks, answer, asks] })
  const { status, text } = await exchange(`${own.gateway.url}/v1/messages`, { body })
  assert.equal(status, 200, text.slice(0, 300))
  const [sent = assert.fail('nothing was sent')] = own.upstream.received.splice(0)
  assert.doesNotMatch(JSON.stringify(sent.json), /rs_theirs/)
})

test('other links are allowed', () => {
  const odd = [
    'HTTPS://Generativelanguage.googleapis.com./v1beta/files/a',
    'https://us-central1-aiplatform.googleapis.com/a',
    'files/abc',
    'data:,a',
    '',
  ]
  for (const url of [...stored, ...odd]) assert.equal(isOpenLink(url), false, url)
  for (const url of ['https://www.youtube.com/watch?v=a', 'http://pictures.example/a.png', 'https://storage.googleapis.com.example/a'])
    assert.equal(isOpenLink(url), true, url)
})
