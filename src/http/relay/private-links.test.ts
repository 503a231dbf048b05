/** An upstream opens the URLs in a conversation in its own network, so URLs of private networks do
 *  not reach it, relayed or translated. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject } from '../../testing/fakes/fake-upstream-text.ts'
import { exchange, type RelayGateway, startRelayGateway } from '../../testing/relay-gateway.ts'

const target = (driver: string, url: string) => `targets: [{ driver: ${driver}, base_url: "${url}", api_key: k, model: up-1 }]`
const yaml = (url: string) => `models:
  - { id: claude, family: messages, ${target('anthropic', url)} }
  - { id: gemini, family: generate-content, ${target('gemini', url)} }
  - { id: gpt, family: [chat, responses], targets: [{ driver: openai-compatible, dialect: openai, protocols: [chat, responses], base_url: "${url}", api_key: k, model: up-1 }] }
  - { id: old, family: [chat, responses], targets: [{ driver: openai-compatible, protocols: [chat], base_url: "${url}", api_key: k, model: up-1 }] }
  - { id: judge, family: moderations, ${target('openai-compatible', url)} }
`
let own: RelayGateway
before(async () => {
  own = await startRelayGateway(yaml, { env: { GATEWAY_ALLOW_PRIVATE_URLS: '0' } })
})
after(() => own[Symbol.asyncDispose]())
beforeEach(() => {
  own.upstream.received.length = 0
})

async function refused(path: string, body: object, field: string): Promise<void> {
  const { status, text } = await exchange(own.gateway.url + path, { body: JSON.stringify(body) })
  assert.equal(status, 400, `${path} ${JSON.stringify(body).slice(0, 200)} ${text.slice(0, 300)}`)
  assert.ok(text.includes(field), `${text} does not name ${field}`)
  assert.deepEqual(own.upstream.received, [])
}

const metadata = 'http://169.254.169.254/latest/meta-data/'
const said = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const chat = (part: object) => ({ model: 'gpt', ...said(part) })
const input = (part: object, more: object = {}) => ({ model: 'gpt', input: [{ role: 'user', content: [part] }], ...more })

test('only plain links to public hosts are sent upstream', async () => {
  const wrong = [
    metadata,
    'http://localhost:6379/',
    'http://LOCALHOST./a.png',
    'http://a.localhost/',
    'http://127.1/a.png',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://[::1]:8080/',
    'http://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/a.png',
    'http://169.254.169%2e254/',
    'http://vault:8200/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://printer.local/',
    'https://a.example\\@169.254.169.254/',
    'https://a@b@169.254.169.254/',
    'https:169.254.169.254/',
    'https://a.example\t@10.0.0.1/',
    ' http://10.0.0.1/',
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'ms://file-theirs',
    'oss://bucket/a.png',
    'ftp://a.example/a.png',
    '//10.0.0.1/a.png',
    '/srv/pictures/a.png',
    `http://10.0.0.1/${'a'.repeat(70_000)}`,
  ]
  for (const url of wrong) {
    await refused('/v1/chat/completions', chat({ type: 'image_url', image_url: { url } }), 'messages[0].content[0].image_url.url')
    await refused('/v1/responses', input({ type: 'input_image', image_url: url }), 'input[0].content[0].image_url')
  }
})

test('every place of a body that can contain a link is checked', async () => {
  const own = { url: metadata }
  const at = 'messages[0].content[0]'
  for (const [part, field] of [
    [{ type: 'image_url', image_url: metadata }, 'image_url'],
    [{ type: 'video_url', video_url: own }, 'video_url.url'],
    [{ type: 'audio_url', audio_url: own }, 'audio_url.url'],
    [{ type: 'file_url', file_url: own }, 'file_url.url'],
    [{ type: 'video', video: ['https://a.example/a.png', metadata] }, 'video[1]'],
    [{ type: 'file', file: { filename: 'a.pdf', file_data: metadata } }, 'file.file_data'],
    [{ type: 'input_audio', input_audio: { data: metadata, format: 'mp3' } }, 'input_audio.data'],
  ] as const)
    await refused('/v1/chat/completions', chat(part), `${at}.${field}`)
  const hosted = (more: object) => ({ model: 'gpt', messages: [{ role: 'user', content: 'x' }], ...more })
  const search = { type: 'azure_search', parameters: { endpoint: metadata, key: 'k' } }
  for (const [more, field] of [
    [{ tools: [{ type: 'mcp', server_label: 'a', server_url: metadata }] }, 'tools[0].server_url'],
    [{ tools: [{ type: 'mcp', mcp: { server_url: metadata } }] }, 'tools[0].mcp.server_url'],
    [{ data_sources: [search] }, 'data_sources[0].parameters.endpoint'],
  ] as const)
    await refused('/v1/chat/completions', hosted(more), field)
  const text = { type: 'input_text', text: 'x' }
  const mcp = { type: 'mcp', server_label: 'a', server_url: metadata }
  for (const [body, field] of [
    [input({ type: 'input_file', file_url: metadata }), 'input[0].content[0].file_url'],
    [
      { model: 'gpt', input: [{ type: 'computer_call_output', call_id: 'a', output: { type: 'x', image_url: metadata } }] },
      'input[0].output.image_url',
    ],
    [
      { model: 'gpt', input: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image', image_url: metadata }] }] },
      'input[0].output[0].image_url',
    ],
    [input(text, { tools: [mcp] }), 'tools[0].server_url'],
    [{ model: 'gpt', input: [{ type: 'additional_tools', tools: [mcp] }] }, 'input[0].tools[0].server_url'],
    [
      input(text, { tools: [{ type: 'image_generation', input_image_mask: { image_url: metadata } }] }),
      'tools[0].input_image_mask.image_url',
    ],
    [input(text, { prompt: { id: 'p', variables: { a: { type: 'input_image', image_url: metadata } } } }), 'prompt.variables.a.image_url'],
  ] as const)
    for (const path of ['/v1/responses', '/v1/responses/input_tokens']) await refused(path, body, field)
  const image = { type: 'image', source: { type: 'url', url: metadata } }
  const message = (block: object, more: object = {}) => ({ model: 'claude', max_tokens: 9, ...said(block), ...more })
  await refused('/v1/messages', message(image), `${at}.source.url`)
  await refused(
    '/v1/messages/count_tokens',
    message({ type: 'tool_result', tool_use_id: 'a', content: [image] }),
    `${at}.content[0].source.url`,
  )
  await refused(
    '/v1/messages',
    message({ type: 'text', text: 'x' }, { mcp_servers: [{ type: 'url', ...own, name: 'a' }] }),
    'mcp_servers[0].url',
  )
  const file = { contents: [{ parts: [{ fileData: { fileUri: metadata } }] }] }
  await refused('/v1beta/models/gemini:generateContent', file, 'contents[0].parts[0].fileData.fileUri')
  await refused(
    '/v1beta/models/gemini:countTokens',
    { generateContentRequest: file },
    'generateContentRequest.contents[0].parts[0].fileData.fileUri',
  )
  const tools = [{ mcpServers: [{ streamableHttpTransport: own }] }]
  await refused(
    '/v1beta/models/gemini:generateContent',
    { contents: [{ parts: [{ text: 'x' }] }], tools },
    'tools[0].mcpServers[0].streamableHttpTransport.url',
  )
  await refused('/v1/moderations', { model: 'judge', input: [{ type: 'image_url', image_url: own }] }, 'input[0].image_url.url')
  await refused('/v1/chat/completions', { ...chat({ type: 'image_url', image_url: own }), model: 'old' }, `${at}.image_url.url`)
})

test('public links, data URLs, base64 and citations are relayed unchanged', async () => {
  const large = `data:image/png;base64,${'A'.repeat(100_000)}`
  for (const url of [
    'https://pictures.example:8443/a.png?x=a@b',
    'HTTP://8.8.8.8/a.png',
    'https://[2606:4700::1111]/',
    'data:image/png;base64,AAAA',
    'DATA:image/png,a',
    large,
    '/9j/4AAQSkZJRgABAQ',
    `iVBORw0KGgo${'A'.repeat(100_000)}`,
  ])
    assert.equal(
      (await exchange(`${own.gateway.url}/v1/chat/completions`, { body: JSON.stringify(chat({ type: 'image_url', image_url: { url } })) }))
        .status,
      200,
      url.slice(0, 80),
    )
  own.upstream.answer(jsonReply(responseObject({ text: 'a', usage: { input: 1, output: 1 } })))
  const cited = { type: 'output_text', text: 'a', annotations: [{ type: 'url_citation', url: metadata }] }
  const items = [
    { type: 'message', role: 'assistant', content: [cited] },
    { type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: metadata } },
    { role: 'user', content: `look at ${metadata}` },
  ]
  const parameters = { type: 'object', properties: { image_url: { type: 'string', default: metadata } } }
  const body = { model: 'gpt', store: false, input: items, tools: [{ type: 'function', name: 'f', parameters }] }
  const { status, text } = await exchange(`${own.gateway.url}/v1/responses`, { body: JSON.stringify(body) })
  assert.equal(status, 200, text)
})

test('when private addresses are allowed, links may lead to any http address', async () => {
  await using open = await startRelayGateway(yaml, { env: { GATEWAY_ALLOW_PRIVATE_URLS: '1' } })
  const send = (url: string) =>
    exchange(`${open.gateway.url}/v1/chat/completions`, { body: JSON.stringify(chat({ type: 'image_url', image_url: { url } })) })
  for (const url of ['http://10.0.0.1/a.png', 'http://minio:9000/a.png', 'http://localhost/a.png'])
    assert.equal((await send(url)).status, 200)
  assert.equal((await send('file:///etc/passwd')).status, 400)
})
