import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { operationValidator } from '../../contract/validate.ts'
import { requestOf } from '../shared/answer-runs.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { chat } from './family.ts'
import type { ChatBody } from './schema.ts'
import { toTextRequest } from './to-request.ts'

const operation = chat.operations.create
const validator = operationValidator(chat, operation)
const hello = [{ role: 'user', content: 'hello' }]

function translate(body: object): TextRequest {
  const { model: _model, ...rest } = Object(structuredClone(body))
  // The cast is safe: the validator has checked the body, but its type is only a record.
  return toTextRequest(validator.body({ messages: hello, ...rest }) as ChatBody)
}

/** Returns `param`, `code` and message of the refusal, as the caller sees them. */
function refusalOf(body: object): { param: string; code: string; message: string } {
  try {
    translate(body)
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error))
    const { status, body: answer } = openaiFailure(error, 'req_1')
    assert.equal(status, 400)
    return Object(answer.error)
  }
  throw new Error(`accepted: ${JSON.stringify(body)}`)
}

const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' }, strict: true } }
const shell = { type: 'custom', custom: { name: 'shell', description: 'Runs a line.' } }

test('a message of each role becomes the matching neutral item, in order', () => {
  const { items } = translate({
    messages: [
      { role: 'system', content: 'S' },
      { role: 'developer', content: [{ type: 'text', text: 'D' }] },
      { role: 'user', content: 'Q', name: 'ann' },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'hm',
        refusal: null,
        audio: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } },
          { id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'rain' }] },
      { role: 'assistant', content: 'Rain.', refusal: 'No more.' },
    ],
  })
  assert.deepEqual(items, [
    { type: 'message', role: 'system', parts: [{ type: 'text', text: 'S' }] },
    { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'D' }] },
    { type: 'message', role: 'user', parts: [{ type: 'text', text: 'Q' }], name: 'ann' },
    { type: 'reasoning', summary: [], content: ['hm'] },
    { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' },
    { type: 'call', kind: 'custom', callId: 'c2', name: 'shell', input: 'ls' },
    { type: 'result', kind: 'custom', callId: 'c2', output: 'a.txt' },
    { type: 'result', kind: 'function', callId: 'c1', output: [{ type: 'text', text: 'rain' }] },
    {
      type: 'message',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Rain.' },
        { type: 'refusal', text: 'No more.' },
      ],
    },
  ])
})

test('parts of every kind are read', () => {
  const image = 'data:image/png;base64,iVBORw0KGgo='
  const { items } = translate({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: image, detail: 'low' } },
          { type: 'image_url', image_url: 'https://pictures.example/a.png' },
          { type: 'video_url', video_url: { url: 'https://films.example/a.mp4', fps: 0.2 } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
        ],
      },
    ],
  })
  assert.deepEqual(items, [
    {
      type: 'message',
      role: 'user',
      parts: [
        { type: 'text', text: 'look' },
        { type: 'image', url: image, detail: 'low' },
        { type: 'image', url: 'https://pictures.example/a.png' },
        { type: 'video', url: 'https://films.example/a.mp4', fps: 0.2 },
        { type: 'audio', data: 'UklGRg==', format: 'wav' },
        { type: 'file', data: 'data:application/pdf;base64,JVBERi0=', name: 'a.pdf' },
      ],
    },
  ])
})

test('tools of both kinds are read, a grammar in both nestings', () => {
  const grammar = { syntax: 'regex', definition: '[0-9]+' }
  const custom = (name: string, format: object) => ({ type: 'custom', custom: { name, format } })
  const request = translate({
    tools: [
      weather,
      shell,
      custom('nested', { type: 'grammar', grammar }),
      custom('flat', { type: 'grammar', ...grammar }),
      custom('free', { type: 'text' }),
    ],
  })
  assert.deepEqual(request.tools, [
    { kind: 'function', name: 'weather', parameters: { type: 'object' }, strict: true },
    { kind: 'custom', name: 'shell', description: 'Runs a line.' },
    { kind: 'custom', name: 'nested', grammar },
    { kind: 'custom', name: 'flat', grammar },
    { kind: 'custom', name: 'free' },
  ])
  assert.deepEqual([request.toolChoice, request.parallelToolCalls], [{ mode: 'auto' }, true])
})

test('tool_choice limits the tools to exactly those that it names', () => {
  const tools = [weather, shell]
  const choose = (tool_choice: unknown) => translate({ tools, tool_choice }).toolChoice
  assert.deepEqual(choose('required'), { mode: 'required' })
  assert.deepEqual(choose('none'), { mode: 'none' })
  assert.deepEqual(choose(null), { mode: 'auto' })
  assert.deepEqual(choose({ type: 'function', function: { name: 'weather' } }), { mode: 'required', only: ['weather'] })
  assert.deepEqual(choose({ type: 'custom', custom: { name: 'shell' } }), { mode: 'required', only: ['shell'] })
  const allowed = {
    mode: 'auto',
    tools: [
      { type: 'custom', custom: { name: 'shell' } },
      { type: 'function', function: { name: 'weather' } },
    ],
  }
  assert.deepEqual(choose({ type: 'allowed_tools', allowed_tools: allowed }), { mode: 'auto', only: ['shell', 'weather'] })
  assert.deepEqual(translate({}).toolChoice, { mode: 'none' })
})

test('settings keep their values; unknown fields, and fields without a neutral meaning, are passed on', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
  const request = translate({
    response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true, description: 'A place.' } },
    max_completion_tokens: 40,
    temperature: 0,
    top_p: 0.5,
    stop: ['a', 'b'],
    seed: 0,
    presence_penalty: -2,
    frequency_penalty: 2,
    logit_bias: { '50256': -100 },
    logprobs: true,
    top_logprobs: 3,
    reasoning_effort: 'xhigh',
    verbosity: 'low',
    parallel_tool_calls: false,
    stream: true,
    stream_options: { include_usage: true },
    user: 'u1',
    metadata: { a: 'b' },
    service_tier: 'flex',
    house_field: { deep: [1] },
  })
  const { items: _items, tools: _tools, toolChoice: _choice, ...rest } = request
  assert.deepEqual(rest, {
    parallelToolCalls: false,
    format: { type: 'json_schema', name: 'place', schema, strict: true, description: 'A place.' },
    maxOutputTokens: 40,
    temperature: 0,
    topP: 0.5,
    stop: ['a', 'b'],
    seed: 0,
    presencePenalty: -2,
    frequencyPenalty: 2,
    logitBias: { '50256': -100 },
    topLogprobs: 3,
    reasoning: { effort: 'xhigh' },
    verbosity: 'low',
    user: 'u1',
    extras: { protocol: 'chat', fields: { metadata: { a: 'b' }, service_tier: 'flex', house_field: { deep: [1] } } },
  })
  assert.deepEqual([requestOf(request, 0).seed, requestOf(request, 2).seed], [0, 2])
})

test('null is the same as leaving a field out', () => {
  const { extras: _extras, ...plain } = translate({})
  const nulls = Object.fromEntries(
    Object.keys(operation.body.schema.properties).flatMap(name => (/^(messages|model)$/.test(name) ? [] : [[name, null]])),
  )
  const { extras: _other, ...withNulls } = translate(nulls)
  assert.deepEqual(withNulls, plain)
})

test('the older fields are read: max_tokens, a single stop string, functions and their results', () => {
  const request = translate({
    messages: [
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
      { role: 'function', name: 'weather', content: 'rain' },
    ],
    functions: [{ name: 'weather', parameters: { type: 'object' } }],
    function_call: { name: 'weather' },
    max_tokens: 9,
    stop: 'x',
  })
  const [, call, result] = request.items
  assert.ok(call?.type === 'call' && result?.type === 'result')
  assert.deepEqual([call.kind, call.name, result.callId === call.callId, result.output], ['function', 'weather', true, 'rain'])
  assert.deepEqual(request.tools, [{ kind: 'function', name: 'weather', parameters: { type: 'object' } }])
  assert.deepEqual(request.toolChoice, { mode: 'required', only: ['weather'] })
  assert.deepEqual([request.parallelToolCalls, request.maxOutputTokens, request.stop], [false, 9, ['x']])
})

const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const after = (...messages: object[]) => ({ messages: [...hello, ...messages] })
const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }
const allow = (...tools: object[]) => ({ tools: [weather], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } } })

const refusals: [what: string, body: object, param: string, code: string][] = [
  ['no messages', { messages: [] }, 'messages', 'invalid_value'],
  ['an unknown role', after({ role: 'robot', content: 'x' }), 'messages[1].role', 'unsupported_value'],
  ['no role', after({ content: 'x' }), 'messages[1].role', 'missing_required_parameter'],
  ['no content', after({ role: 'user' }), 'messages[1].content', 'missing_required_parameter'],
  ['content of a wrong type', after({ role: 'user', content: 5 }), 'messages[1].content', 'invalid_value'],
  ['an empty list of parts', user(), 'messages[0].content', 'invalid_value'],
  ['a silent assistant', after({ role: 'assistant', content: null }), 'messages[1].content', 'missing_required_parameter'],
  ['an unknown part', user({ type: 'smell' }), 'messages[0].content[0].type', 'unsupported_value'],
  ['a part without a type', user({ text: 'x' }), 'messages[0].content[0].type', 'missing_required_parameter'],
  ...['image_url', 'video_url', 'input_audio', 'file'].map((type): [string, object, string, string] => [
    `a part without its ${type}`,
    user({ type }),
    `messages[0].content[0].${type}`,
    'missing_required_parameter',
  ]),
  [
    'a refusal without its text',
    after({ role: 'assistant', content: [{ type: 'refusal' }] }),
    'messages[1].content[0].refusal',
    'missing_required_parameter',
  ],
  ...['data', 'format'].map((name): [string, object, string, string] => [
    `sound without its ${name}`,
    user({ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav', [name]: undefined } }),
    `messages[0].content[0].input_audio.${name}`,
    'missing_required_parameter',
  ]),
  [
    'empty sound',
    user({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }),
    'messages[0].content[0].input_audio.data',
    'invalid_value',
  ],
  ['a text part without text', user({ type: 'text' }), 'messages[0].content[0].text', 'missing_required_parameter'],
  [
    'a picture of the system',
    after({ role: 'system', content: [{ type: 'image_url', image_url: 'https://a.example/' }] }),
    'messages[1].content[0].type',
    'unsupported_value',
  ],
  [
    'a picture by another scheme',
    user({ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'file:///etc/passwd' } }),
    'messages[0].content[1].image_url.url',
    'invalid_value',
  ],
  [
    'a data URL of no picture',
    user({ type: 'image_url', image_url: { url: 'data:text/html;base64,AAAA' } }),
    'messages[0].content[0].image_url.url',
    'invalid_value',
  ],
  [
    'a data URL without base64',
    user({ type: 'image_url', image_url: { url: 'data:image/png;base64,A*AA' } }),
    'messages[0].content[0].image_url.url',
    'invalid_value',
  ],
  ['a URL that is none', user({ type: 'image_url', image_url: 'https://' }), 'messages[0].content[0].image_url', 'invalid_value'],
  [
    'too many pictures a second',
    user({ type: 'video_url', video_url: { url: 'https://a.example/', fps: 6 } }),
    'messages[0].content[0].video_url.fps',
    'invalid_value',
  ],
  [
    'sound of another format',
    user({ type: 'input_audio', input_audio: { data: 'AA==', format: 'tape' } }),
    'messages[0].content[0].input_audio.format',
    'unsupported_value',
  ],
  ['an empty file', user({ type: 'file', file: {} }), 'messages[0].content[0].file.file_data', 'missing_required_parameter'],
  [
    'a file that is no data URL',
    user({ type: 'file', file: { file_data: 'AA==' } }),
    'messages[0].content[0].file.file_data',
    'invalid_value',
  ],
  ['a result without an id', after({ role: 'tool', content: 'x' }), 'messages[1].tool_call_id', 'missing_required_parameter'],
  ['a result of no call', after({ role: 'tool', tool_call_id: 'c1', content: 'x' }), 'messages[1].tool_call_id', 'invalid_value'],
  [
    'a result without content',
    after({ role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: 'c1' }),
    'messages[2].content',
    'missing_required_parameter',
  ],
  [
    'a call without its function',
    after({ role: 'assistant', tool_calls: [{ id: 'c1', type: 'function' }] }),
    'messages[1].tool_calls[0].function',
    'missing_required_parameter',
  ],
  ['an older result of no call', after({ role: 'function', name: 'weather', content: 'x' }), 'messages[1].name', 'invalid_value'],
  ['a spoken answer', after({ role: 'assistant', audio: { id: 'a1' } }), 'messages[1].audio', 'unsupported_value'],
  ['another kind of tool', { tools: [weather, { type: 'web_search' }] }, 'tools[1].type', 'unsupported_value'],
  ['a tool without its function', { tools: [{ type: 'function' }] }, 'tools[0].function', 'missing_required_parameter'],
  ['a tool without a name', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name', 'missing_required_parameter'],
  ['a name with a space', { tools: [{ type: 'function', function: { name: 'a b' } }] }, 'tools[0].function.name', 'invalid_value'],
  ['a name of 65', { tools: [{ type: 'function', function: { name: 'a'.repeat(65) } }] }, 'tools[0].function.name', 'invalid_value'],
  ['one name twice', { tools: [weather, { type: 'custom', custom: { name: 'weather' } }] }, 'tools[1].custom.name', 'invalid_value'],
  [
    'a grammar without a syntax',
    { tools: [{ type: 'custom', custom: { name: 'a', format: { type: 'grammar', grammar: { definition: 'x' } } } }] },
    'tools[0].custom.format.grammar.syntax',
    'missing_required_parameter',
  ],
  [
    'a grammar of another syntax',
    { tools: [{ type: 'custom', custom: { name: 'a', format: { type: 'grammar', syntax: 'bnf', definition: 'x' } } }] },
    'tools[0].custom.format.syntax',
    'unsupported_value',
  ],
  [
    'a choice of an undeclared tool',
    { tools: [weather], tool_choice: { type: 'function', function: { name: 'b' } } },
    'tool_choice',
    'invalid_value',
  ],
  [
    'a choice of the other kind',
    { tools: [weather], tool_choice: { type: 'custom', custom: { name: 'weather' } } },
    'tool_choice',
    'invalid_value',
  ],
  ['a choice without a name', { tools: [weather], tool_choice: { type: 'function' } }, 'tool_choice', 'invalid_value'],
  ['a required tool without tools', { tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
  ['an unknown choice', { tools: [weather], tool_choice: 'maybe' }, 'tool_choice', 'invalid_value'],
  ['an empty list of allowed tools', allow(), 'tool_choice', 'invalid_value'],
  [
    'an undeclared allowed tool',
    allow({ type: 'function', function: { name: 'weather' } }, { type: 'function', function: { name: 'b' } }),
    'tool_choice',
    'invalid_value',
  ],
  ['functions beside tools', { tools: [weather], functions: [{ name: 'a' }] }, 'functions', 'invalid_value'],
  ['an undeclared older function', { functions: [{ name: 'a' }], function_call: { name: 'b' } }, 'function_call', 'invalid_value'],
  ['an unknown effort', { reasoning_effort: 'extreme' }, 'reasoning_effort', 'unsupported_value'],
  ['an unknown verbosity', { verbosity: 'chatty' }, 'verbosity', 'unsupported_value'],
  ['a schema that is not there', { response_format: { type: 'json_schema' } }, 'response_format.json_schema', 'missing_required_parameter'],
  ['an unknown format', { response_format: { type: 'xml' } }, 'response_format.type', 'unsupported_value'],
  ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'invalid_value'],
  ['too many answers', { n: 129 }, 'n', 'invalid_value'],
  ['stream options without a stream', { stream_options: { include_usage: true } }, 'stream_options', 'invalid_value'],
  ['alternatives without log probabilities', { top_logprobs: 2 }, 'top_logprobs', 'invalid_value'],
  ['two token limits', { max_tokens: 1, max_completion_tokens: 2 }, 'max_tokens', 'invalid_value'],
  ['a bias beyond its bound', { logit_bias: { a: -101 } }, 'logit_bias.a', 'invalid_value'],
  [
    '17 pairs of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) },
    'metadata',
    'invalid_value',
  ],
  ['a long name in metadata', { metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', 'invalid_value'],
  ['a long value in metadata', { metadata: { k: 'v'.repeat(513) } }, 'metadata.k', 'invalid_value'],
  ['a spoken reply', { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } }, 'modalities', 'unsupported_value'],
  ['a web search', { web_search_options: {} }, 'web_search_options', 'unsupported_value'],
]

for (const [what, body, param, code] of refusals) {
  test(`${what} is refused, naming ${param}`, () => {
    const refused = refusalOf(body)
    assert.deepEqual([refused.param, refused.code], [param, code], refused.message)
    assert.ok(refused.message.startsWith(param.split('.')[0] ?? ''), refused.message)
  })
}
