import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { responses } from './family.ts'
import { all, type Model, path, startModel, words } from './testing/start-model.ts'

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: { town: { type: 'string' } } } }

/** Returns the request that the model got for this body. */
async function asked(body: object) {
  await model.create(body)
  const request = model.requests.at(-1)
  assert.ok(request)
  return request
}

test('the answer has every key of the object, and its own defaults', async () => {
  model.says(() => words('Hello there.'))
  const before = Math.floor(Date.now() / 1000)
  const { id, created_at: createdAt, completed_at: completedAt, output, ...rest } = await model.create({ input: 'Hi' })
  assert.match(id, /^resp_[0-9a-f]{48}$/)
  assert.ok(Number.isInteger(createdAt) && createdAt >= before && completedAt >= createdAt && completedAt <= before + 60)
  assert.deepEqual(output, [
    {
      id: output[0].id,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello there.', annotations: [], logprobs: [] }],
    },
  ])
  assert.deepEqual(rest, {
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    model: 'fake',
    parallel_tool_calls: true,
    previous_response_id: null,
    conversation: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: true,
    background: false,
    max_output_tokens: null,
    max_tool_calls: null,
    temperature: 1,
    top_p: 1,
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    truncation: 'disabled',
    metadata: {},
    user: null,
    safety_identifier: null,
    prompt_cache_key: null,
    usage: {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 10,
    },
  })
})

test("the caller's fields are returned in the answer, and sent to the model", async () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const body = {
    input: 'Hi',
    instructions: 'Be brief.',
    max_output_tokens: 16,
    max_tool_calls: 2,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 2,
    presence_penalty: 1,
    frequency_penalty: -1,
    parallel_tool_calls: false,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'form', schema, strict: true }, verbosity: 'low' },
    truncation: 'auto',
    metadata: { order: '17' },
    user: 'u1',
    safety_identifier: 's1',
    prompt_cache_key: 'k1',
    service_tier: 'flex',
    thinking: { type: 'enabled' },
    caching: { type: 'enabled' },
    something_new: [1],
    expire_at: Math.floor(Date.now() / 1000) + 3600,
  }
  const answer = await model.create(body)
  const { input: _, thinking: _t, caching: _c, something_new: _s, service_tier: _tier, text: _text, ...echoed } = body
  for (const [key, value] of Object.entries(echoed)) assert.deepEqual(answer[key], value, key)
  assert.deepEqual(answer.text, {
    format: { type: 'json_schema', name: 'form', description: null, schema, strict: true },
    verbosity: 'low',
  })
  assert.deepEqual(model.requests.at(-1), {
    items: [
      { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Be brief.' }] },
      { type: 'message', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    ],
    tools: [],
    toolChoice: { mode: 'auto' },
    parallelToolCalls: false,
    format: { type: 'json_schema', name: 'form', schema, strict: true },
    verbosity: 'low',
    user: 'u1',
    maxOutputTokens: 16,
    temperature: 0.5,
    topP: 0.9,
    presencePenalty: 1,
    frequencyPenalty: -1,
    topLogprobs: 2,
    reasoning: { effort: 'low', summary: 'auto' },
    extras: {
      protocol: 'responses',
      fields: {
        max_tool_calls: 2,
        truncation: 'auto',
        metadata: { order: '17' },
        safety_identifier: 's1',
        prompt_cache_key: 'k1',
        service_tier: 'flex',
        thinking: { type: 'enabled' },
        caching: { type: 'enabled' },
        something_new: [1],
      },
    },
  })
})

test('null stands for the default', async () => {
  const names = Object.keys(responses.operations.create.body.schema.properties).filter(name => name !== 'input' && name !== 'model')
  const answer = await model.create({ input: 'Hi', ...Object.fromEntries(names.map(name => [name, null])) })
  assert.deepEqual([answer.store, answer.parallel_tool_calls, answer.background, answer.metadata], [true, true, false, {}])
})

test('a member of an item, a part, a tool or a format that is null is absent', async () => {
  const nulls = (...names: string[]) => Object.fromEntries(names.map(name => [name, null]))
  const image = `data:image/png;base64,${Buffer.from('png').toString('base64')}`
  const call = { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"town":null}' }
  const part = { type: 'input_text', text: 'Look', ...nulls('annotations', 'logprobs') }
  const picture = { type: 'input_image', image_url: image, ...nulls('detail', 'file_id') }
  const file = { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA', ...nulls('filename', 'file_id', 'file_url') }
  const sent = (more: object, inner: object) => ({
    input: [
      { role: 'user', content: 'Hi', ...more },
      { role: 'user', content: [part, picture, file], ...more },
      { ...call, ...more, ...inner },
      { type: 'function_call_output', call_id: 'c1', output: 'rain', ...more },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], ...more, ...inner },
    ],
    tools: [
      { ...weather, parameters: { ...weather.parameters, default: null }, ...inner },
      { type: 'custom', name: 'free', ...inner },
    ],
    text: { format: { type: 'json_schema', name: 'f', schema: { type: 'object', default: null }, ...inner } },
  })
  const { items, tools, format } = await asked(sent({}, {}))
  const request = await asked({
    ...sent(nulls('id', 'status', 'phase'), nulls('description', 'strict', 'namespace', 'encrypted_content', 'content', 'format')),
    ...{ reasoning: nulls('effort', 'summary', 'generate_summary'), tool_choice: null },
  })
  assert.deepEqual([request.items, request.tools, request.format], [items, tools, format])
  assert.deepEqual(Object(request.tools[0]).parameters.default, null)
  const typed = await asked({ input: [{ type: null, role: 'user', content: 'Hi' }] })
  assert.deepEqual(typed.items, items.slice(0, 1))
})

test('data URLs in every form that the URL standard allows reach the model as plain ones', async () => {
  const content = [
    { type: 'input_image', image_url: 'DATA:image/PNG;name=a;base64,iVBORw%3D%3d' },
    { type: 'input_video', video_url: ' data:video/mp4;BASE64,AA AA' },
    { type: 'input_file', file_data: 'data:application/PDF; base64 ,JVBERi0', filename: 'a.pdf' },
    { type: 'input_audio', audio_url: 'data:Audio/x-wav;rate=8000;base64,AA-_' },
  ]
  const { items } = await asked({ input: [{ role: 'user', content }] })
  assert.deepEqual(items, [
    {
      type: 'message',
      role: 'user',
      parts: [
        { type: 'image', url: 'data:image/png;base64,iVBORw==' },
        { type: 'video', url: 'data:video/mp4;base64,AAAA', fps: 1 },
        { type: 'file', data: 'data:application/pdf;base64,JVBERi0=', name: 'a.pdf' },
        { type: 'audio', data: 'AA+/', format: 'wav' },
      ],
    },
  ])
})

test('every kind of item and part reaches the model', async () => {
  const image = `data:image/png;base64,${Buffer.from('png').toString('base64')}`
  const request = await asked({
    input: [
      { role: 'system', content: 'Rules.' },
      {
        type: 'message',
        id: 'msg_ignored',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: image, detail: 'low' },
          { type: 'input_image', image_url: 'https://media.example/a.png' },
          { type: 'input_video', video_url: 'https://media.example/a.mp4', fps: 0.2 },
          { type: 'input_video', video_url: 'data:video/mp4;base64,AAAA' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'input_audio', audio_url: 'data:audio/wav;base64,AAAA' },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Seen', annotations: [] }] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { type: 'reasoning', id: 'rs_theirs', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'xyz' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'rain' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'select 1' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: '1' }] },
    ],
  })
  assert.deepEqual(request.items, [
    { type: 'message', role: 'system', parts: [{ type: 'text', text: 'Rules.' }] },
    {
      type: 'message',
      role: 'user',
      parts: [
        { type: 'text', text: 'Look' },
        { type: 'image', url: image, detail: 'low' },
        { type: 'image', url: 'https://media.example/a.png' },
        { type: 'video', url: 'https://media.example/a.mp4', fps: 0.2 },
        { type: 'video', url: 'data:video/mp4;base64,AAAA', fps: 1 },
        { type: 'file', data: 'data:application/pdf;base64,AAAA', name: 'a.pdf' },
        { type: 'audio', data: 'AAAA', format: 'mp3' },
        { type: 'audio', data: 'AAAA', format: 'wav' },
      ],
    },
    { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Seen' }] },
    { type: 'message', role: 'assistant', parts: [{ type: 'refusal', text: 'No.' }] },
    { type: 'reasoning', summary: ['Hm'], content: [], encrypted: 'xyz', id: 'rs_theirs' },
    { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' },
    { type: 'result', kind: 'function', callId: 'c1', output: 'rain' },
    { type: 'call', kind: 'custom', callId: 'c2', name: 'sql', input: 'select 1' },
    { type: 'result', kind: 'custom', callId: 'c2', output: [{ type: 'text', text: '1' }] },
  ])
})

test('tools, both nestings of a grammar, and every tool choice are read', async () => {
  const grammar = { syntax: 'lark', definition: 'start: "a"' }
  const tools = [
    { ...weather, strict: true, description: 'Weather' },
    { type: 'custom', name: 'flat', format: { type: 'grammar', ...grammar } },
    { type: 'custom', name: 'nested', format: { type: 'grammar', grammar } },
    { type: 'custom', name: 'free', format: { type: 'text' } },
  ]
  const answer = await model.create({ input: 'x', tools })
  assert.deepEqual(model.requests.at(-1)?.tools, [
    { kind: 'function', name: 'weather', description: 'Weather', parameters: weather.parameters, strict: true },
    { kind: 'custom', name: 'flat', grammar },
    { kind: 'custom', name: 'nested', grammar },
    { kind: 'custom', name: 'free' },
  ])
  assert.deepEqual(answer.tools[0], { ...weather, description: 'Weather', strict: true })
  assert.deepEqual(answer.tools[2], { type: 'custom', name: 'nested', description: null, format: { type: 'grammar', ...grammar } })
  const named = { type: 'custom', name: 'flat' }
  const cases: [unknown, object, unknown][] = [
    ['none', { mode: 'none' }, 'none'],
    ['required', { mode: 'required' }, 'required'],
    [named, { mode: 'required', only: ['flat'] }, named],
    [
      { type: 'function', function: { name: 'weather' } },
      { mode: 'required', only: ['weather'] },
      { type: 'function', name: 'weather' },
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [named] },
      { mode: 'auto', only: ['flat'] },
      { type: 'allowed_tools', mode: 'auto', tools: [named] },
    ],
    [
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'flat' } }] } },
      { mode: 'required', only: ['flat'] },
      { type: 'allowed_tools', mode: 'required', tools: [named] },
    ],
  ]
  for (const [choice, neutral, echo] of cases) {
    const { tool_choice: shown } = await model.create({ input: 'x', tools, tool_choice: choice })
    assert.deepEqual([model.requests.at(-1)?.toolChoice, shown], [neutral, echo])
  }
})

test('disabled thinking is the effort none', async () => {
  const request = await asked({ input: 'x', thinking: { type: 'disabled' } })
  assert.deepEqual([request.reasoning, request.extras.fields], [{ effort: 'none' }, {}])
})

test('included encrypted reasoning is returned to the caller, and comes back to the model with its upstream id', async () => {
  model.says(() =>
    all(
      { type: 'reasoning', part: 'summary', delta: 'Hm' },
      { type: 'reasoning-end', encrypted: 'sealed', id: 'rs_up' },
      { type: 'text', delta: 'Yes.' },
    ),
  )
  const hidden = await model.create({ input: 'x' })
  assert.equal('encrypted_content' in hidden.output[0], false)
  const shown = await model.get(hidden.id, '?include[]=reasoning.encrypted_content')
  assert.match(shown.body.output[0].encrypted_content, /sealed$/)
  const included = await model.create({ input: 'x', store: false, include: ['reasoning.encrypted_content'] })
  const again = await asked({ input: included.output, store: false })
  assert.deepEqual(again.items[0], { type: 'reasoning', summary: ['Hm'], content: [], encrypted: 'sealed', id: 'rs_up' })
  const chained = await asked({ input: 'y', previous_response_id: hidden.id })
  assert.deepEqual(chained.items[1], again.items[0])
})

test('both paths serve the same conversations', async () => {
  model.says(() => words('Hi.'))
  const { body } = await model.gateway.call('/v1/responses', { body: { model: 'fake', input: 'x' } })
  assert.deepEqual((await model.get(body.id)).body, body)
  assert.deepEqual((await model.gateway.call(`/v1/responses/${body.id}`)).body, body)
})

test('a request without a key is refused in the form of this family', async () => {
  const { status, body } = await model.gateway.call(path, { body: { input: 'x' }, key: false })
  assert.deepEqual([status, body.error.code, body.error.type], [401, 'missing_api_key', 'invalid_request_error'])
})
