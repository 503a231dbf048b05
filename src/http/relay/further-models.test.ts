/** A key pays for the model that the request names, and may use only certain models. So a body that
 *  also names other models of the upstream service is refused, whether it would be relayed or
 *  translated. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { textReply } from '../../testing/fakes/fake-upstream-text.ts'
import { exchange, type RelayGateway, startRelayGateway } from '../../testing/relay-gateway.ts'

const conversations = '[chat, responses, messages, generate-content, completions]'
let own: RelayGateway

before(async () => {
  own = await startRelayGateway(
    url => `models:
  - { id: claude, family: messages, targets: [{ driver: anthropic, base_url: "${url}", api_key: k, model: up-1 }] }
  - { id: gemini, family: generate-content, targets: [{ driver: gemini, base_url: "${url}", api_key: k, model: up-1 }] }
  - id: open
    family: ${conversations}
    targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1, protocols: [chat, responses, messages, completions] }]
  - { id: chat, family: chat, targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1, dialect: basic }] }
  - { id: vectors, family: [embeddings, rerank, moderations], targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1 }] }
  - id: trusted
    family: chat
    further_models: true
    targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1 }]
`,
  )
})
after(() => own[Symbol.asyncDispose]())
beforeEach(() => {
  own.upstream.received.length = 0
})

const said = [{ role: 'user', content: 'hello' }]
const contents = [{ parts: [{ text: 'hello' }] }]
const bodies: Readonly<Record<string, object>> = {
  '/v1/messages': { max_tokens: 9, messages: said },
  '/v1/messages/count_tokens': { messages: said },
  '/v1/chat/completions': { messages: said },
  '/v1/responses': { input: 'hello', store: false },
  '/v1/responses/input_tokens': { input: 'hello' },
  '/v1/responses/compact': { input: 'hello' },
  '/v1/completions': { prompt: 'hello' },
  '/v1/embeddings': { input: 'hello' },
  '/v1/rerank': { query: 'hello', documents: ['a'] },
  '/v1/moderations': { input: 'hello' },
  '/v1beta/models/gemini:generateContent': { contents },
  '/v1beta/models/gemini:streamGenerateContent': { contents },
  '/v1beta/models/gemini:countTokens': { contents },
}

function send(path: string, model: string, more: object) {
  const named = path.startsWith('/v1beta') ? {} : { model }
  return exchange(own.gateway.url + path, { body: JSON.stringify({ ...named, ...bodies[path], ...more }) })
}

async function refused(path: string, model: string, { field, ...more }: { field: string; [name: string]: unknown }): Promise<void> {
  const { status, text } = await send(path, model, more)
  assert.equal(status, 400, `${path} ${model} ${field}: ${text.slice(0, 300)}`)
  const { message } = JSON.parse(text).error
  assert.ok(message.startsWith(field), `${path} ${model} ${field}: ${message}`)
  assert.match(message, /further model/)
  assert.deepEqual(own.upstream.received, [], `${path} ${model} ${field}`)
}

const adviser = { type: 'advisor_20260301', name: 'advisor', model: 'dearest' }
const tool = { name: 'look', input_schema: { type: 'object', properties: { model: { type: 'string' } } } }

test('messages that name fallback models or another adviser model are refused', async () => {
  const cases = [
    { field: 'fallbacks', fallbacks: [{ model: 'dearest' }] },
    { field: 'fallbacks', fallbacks: 'default' },
    { field: 'tools[1].model', tools: [tool, adviser] },
    {
      field: 'messages[1].content[0].tool.definition.model',
      messages: [...said, { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: adviser } }] }],
    },
  ]
  for (const each of cases)
    for (const model of ['claude', 'open', 'chat'])
      for (const path of ['/v1/messages', '/v1/messages/count_tokens']) await refused(path, model, each)
})

test('conversations of the other protocols that name further models are refused', async () => {
  const cases = [
    { field: 'models', models: ['cheap', 'dearest'] },
    { field: 'Models', Models: ['dearest'] },
    { field: 'route', route: 'fallback' },
    { field: 'fallbacks', fallbacks: ['dearest'] },
    { field: 'context_window_fallback_dict', context_window_fallback_dict: { cheap: 'dearest' } },
    { field: 'user_config.model_list', user_config: { model_list: [{ model_name: 'm', litellm_params: { model: 'dearest' } }] } },
    { field: 'providerOptions.gateway.models', providerOptions: { gateway: { models: ['dearest'] } } },
    { field: 'compound_custom.models.answering_model', compound_custom: { models: { answering_model: 'dearest' } } },
    { field: 'plugins[0].model', plugins: [{ id: 'fusion', model: 'dearest' }] },
    { field: 'tools[0].parameters.model', tools: [{ type: 'openrouter:advisor', parameters: { model: 'dearest' } }] },
  ]
  for (const each of cases) {
    for (const model of ['open', 'chat', 'claude']) await refused('/v1/chat/completions', model, each)
    await refused('/v1/responses', 'open', each)
  }
  await refused('/v1/responses', 'open', { field: 'tools[0].model', tools: [{ type: 'thinker', model: 'dearest' }] })
  const later = { type: 'tool_search_output', tools: [{ type: 'thinker', deep: { model: 'dearest' } }] }
  await refused('/v1/responses', 'open', { field: 'input[0].tools[0].deep.model', input: [later] })
})

test('every operation that can be relayed refuses further models', async () => {
  const models = new Map([
    ['/v1/embeddings', 'vectors'],
    ['/v1/rerank', 'vectors'],
    ['/v1/moderations', 'vectors'],
  ])
  for (const path of Object.keys(bodies)) await refused(path, models.get(path) ?? 'open', { field: 'models', models: ['dearest'] })
  const routed = { routingConfig: { manualMode: { modelName: 'dearest' } } }
  const content = '/v1beta/models/gemini:generateContent'
  await refused(content, '', { field: 'generationConfig.routingConfig.manualMode.modelName', generationConfig: routed })
  await refused(content, '', { field: 'model', model: 'dearest' })
  const whole = { contents: undefined, generateContentRequest: { contents, model: 'models/gemini', models: ['dearest'] } }
  await refused('/v1beta/models/gemini:countTokens', '', { field: 'generateContentRequest.models', ...whole })
})

test('bodies without further models are relayed as before', async () => {
  own.upstream.answer(textReply)
  const schema = { type: 'object', properties: { model: { type: 'string', enum: ['t-1'] } }, required: ['model'] }
  const harmless = {
    ...{ models: [], fallbacks: null, route: null, provider: { allow_fallbacks: false, order: ['a'] } },
    ...{ metadata: { model: 'their own word' }, moderation: { model: 'omni-moderation-latest' } },
    ...{ chat_template_kwargs: { model: 'x' }, fallback_credit_token: 'token', guided_json: schema },
    tools: [{ type: 'function', function: { name: 'look', parameters: { ...schema, examples: [{ model: 't-1' }] } } }],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { ...schema, examples: [{ model: 't-1' }] } } },
  }
  for (const model of ['open', 'chat']) {
    const { status, text } = await send('/v1/chat/completions', model, harmless)
    assert.equal(status, 200, text)
  }
  const drawing = { tools: [{ type: 'image_generation', model: 'gpt-image-1', svg: { model: 'x' } }] }
  const { status, text } = await send('/v1/responses', 'open', drawing)
  assert.notEqual(status, 400, text)
  assert.equal(own.upstream.received.length, 3)
  for (const model of ['gemini', 'models/gemini']) {
    const { text: answer } = await send('/v1beta/models/gemini:generateContent', '', { model })
    assert.doesNotMatch(answer, /further model/)
  }
})

test('a model whose operator allows it accepts further models', async () => {
  own.upstream.answer(textReply)
  const { status, text } = await send('/v1/chat/completions', 'trusted', { models: ['spare'] })
  assert.equal(status, 200, text)
  assert.deepEqual(
    own.upstream.received.map(({ json }) => Object(json).models),
    [['spare']],
  )
})
