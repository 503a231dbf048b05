import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import { unreadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { checkObject } from '../../contract/validate.ts'
import { says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { follow, gateway, requested, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { type Answer, testKey } from '../../testing/gateway.ts'
import { chat } from './family.ts'

/** Tests chat completions through the whole program; the test supplies the model's answers. */
const path = '/v1/ai/default/chat/completions'
const messages = [{ role: 'user', content: 'hello' }]

startBeforeTests()

/** Sends a body to the model `fake`, which answers with `reply`. */
async function ask(reply: TextScript, body: object = {}, to = path): Promise<Answer> {
  follow(reply)
  return gateway.call(to, { body: { model: 'fake', messages, ...body } })
}

/** Returns the parsed data of each frame of the stream; the last frame, `[DONE]`, is returned as
 *  text. */
// biome-ignore lint/suspicious/noExplicitAny: chunks of every shape.
async function stream(reply: TextScript, body: object = {}): Promise<any[]> {
  const answer = await ask(reply, { stream: true, ...body })
  assert.equal(answer.status, 200, answer.bytes.toString())
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  return framesOf(answer)
}

function framesOf({ bytes }: Answer): unknown[] {
  const frames = bytes.toString().split('\n\n')
  assert.equal(frames.pop(), '', 'the last frame ends with a blank line')
  return frames.map(frame => {
    assert.match(frame, /^data: [^\n]*$/)
    return frame === 'data: [DONE]' ? '[DONE]' : JSON.parse(frame.slice(6))
  })
}

const noPrediction = { audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 }

test('a completion has every key of the interface', async () => {
  const usage = { inputTokens: 20, cachedInputTokens: 4, outputTokens: 6, reasoningTokens: 2 }
  const { status, body } = await ask(() => says('Hello to you.', { usage }))
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(body.id, /^chatcmpl-[0-9a-f]{32}$/)
  assert.ok(Math.abs(body.created - Date.now() / 1000) < 60)
  const { id: _id, created: _created, ...rest } = body
  assert.deepEqual(rest, {
    object: 'chat.completion',
    model: 'fake',
    service_tier: 'default',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello to you.', refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 2, ...noPrediction },
    },
  })
})

test('answers and examples have the declared form', async () => {
  const { examples, reply } = chat.operations.create
  for (const example of examples) checkObject(reply.schema, structuredClone(example.reply), 'reply')
  for (const [script, body] of [
    [twoCalls, { tools }],
    [() => says('two words', { finish: 'length' }), { n: 2 }],
  ] as const) {
    const answer = await ask(script, body)
    checkObject(reply.schema, structuredClone(answer.body), 'reply')
    assert.deepEqual(Object.keys(answer.body).sort(), Object.keys(reply.schema.properties).sort())
  }
})

test('the path without an endpoint uses the endpoint named default', async () => {
  const { body } = await ask(() => says('ok'), {}, '/v1/chat/completions')
  assert.equal(body.choices[0].message.content, 'ok')
})

test('a stream begins with the role, ends with an empty delta with the finish reason, and has a single id', async () => {
  const chunks = await stream(() => says('one two', { finish: 'length' }))
  assert.equal(chunks.pop(), '[DONE]')
  assert.deepEqual(
    chunks.map(({ choices, usage }) => [choices, usage]),
    [
      [[{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, logprobs: null, finish_reason: null }], undefined],
      [[{ index: 0, delta: { content: 'one ' }, logprobs: null, finish_reason: null }], undefined],
      [[{ index: 0, delta: { content: 'two' }, logprobs: null, finish_reason: null }], undefined],
      [[{ index: 0, delta: {}, logprobs: null, finish_reason: 'length' }], undefined],
    ],
  )
  const [{ id, created, model, object }] = chunks
  assert.match(id, /^chatcmpl-/)
  assert.deepEqual([model, object], ['fake', 'chat.completion.chunk'])
  for (const chunk of chunks) assert.deepEqual([chunk.id, chunk.created, chunk.model, chunk.object], [id, created, model, object])
})

test('with include_usage the usage is sent once, before the end of the stream, and is null in all chunks before', async () => {
  const chunks = await stream(() => says('a b'), { stream_options: { include_usage: true } })
  assert.equal(chunks.pop(), '[DONE]')
  const last = chunks.pop()
  assert.deepEqual(last.choices, [])
  assert.deepEqual([last.usage.prompt_tokens, last.usage.completion_tokens, last.usage.total_tokens], [7, 3, 10])
  for (const chunk of chunks) assert.equal(chunk.usage, null)
})

const twoCalls: TextScript = async function* () {
  yield { type: 'reasoning', part: 'content', delta: 'Let me ' }
  yield { type: 'reasoning', part: 'content', delta: 'look.' }
  yield { type: 'reasoning-end' }
  yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'weather' }
  yield { type: 'call-input', index: 0, delta: '{"city":' }
  yield { type: 'call', index: 1, kind: 'custom', callId: 'call_b', name: 'shell' }
  yield { type: 'call-input', index: 1, delta: 'ls -l' }
  yield { type: 'call-input', index: 0, delta: '"Oslo"}' }
  yield { type: 'finish', finish: 'tool_calls' }
}
const tools = [
  { type: 'function', function: { name: 'weather' } },
  { type: 'custom', custom: { name: 'shell', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "ls"' } } } },
]

test('a message with calls of both kinds has null content', async () => {
  const { body } = await ask(twoCalls, { tools })
  assert.deepEqual(body.choices[0], {
    index: 0,
    message: {
      role: 'assistant',
      content: null,
      refusal: null,
      annotations: [],
      reasoning_content: 'Let me look.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        { id: 'call_b', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
      ],
    },
    logprobs: null,
    finish_reason: 'tool_calls',
  })
  assert.deepEqual(requested[0]?.tools[1], { kind: 'custom', name: 'shell', grammar: { syntax: 'lark', definition: 'start: "ls"' } })
})

test('calls of both kinds are streamed by index: first id, type and name, then the input', async () => {
  const chunks = (await stream(twoCalls, { tools })).slice(1, -1)
  assert.deepEqual(
    chunks.map(({ choices: [choice] }) => choice.delta),
    [
      { reasoning_content: 'Let me ' },
      { reasoning_content: 'look.' },
      { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', type: 'custom', custom: { name: 'shell', input: '' } }] },
      { tool_calls: [{ index: 1, custom: { input: 'ls -l' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
      {},
    ],
  )
  assert.equal(chunks.at(-1).choices[0].finish_reason, 'tool_calls')
})

test('functions are answered in the older function_call form', async () => {
  const weather: TextScript = async function* () {
    yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'weather' }
    yield { type: 'call-input', index: 0, delta: '{}' }
    yield { type: 'finish', finish: 'tool_calls' }
  }
  const { body } = await ask(weather, { functions: [{ name: 'weather' }] })
  const [choice] = body.choices
  assert.deepEqual(
    [choice.finish_reason, choice.message.function_call, choice.message.tool_calls],
    ['function_call', { name: 'weather', arguments: '{}' }, undefined],
  )
  const chunks = (await stream(weather, { functions: [{ name: 'weather' }] })).slice(1, -1)
  assert.deepEqual(
    chunks.map(({ choices: [each] }) => [each.delta.function_call, each.finish_reason]),
    [
      [{ name: 'weather', arguments: '' }, null],
      [{ arguments: '{}' }, null],
      [undefined, 'function_call'],
    ],
  )
})

test('a refusal has a member of its own, and log probabilities stand with the content, whole and streamed', async () => {
  const refuses: TextScript = async function* () {
    yield { type: 'refusal', delta: 'I will ' }
    yield { type: 'refusal', delta: 'not.' }
  }
  const { message } = (await ask(refuses)).body.choices[0]
  assert.deepEqual([message.content, message.refusal], [null, 'I will not.'])
  const token = { token: 'Hi', logprob: -0.5, bytes: [72, 105] }
  const hi: TextScript = async function* () {
    yield { type: 'text', delta: 'Hi', logprobs: [{ ...token, top: [token] }] }
  }
  const shown = { content: [{ ...token, top_logprobs: [token] }], refusal: null }
  const whole = await ask(hi, { logprobs: true, top_logprobs: 1 })
  assert.deepEqual(whole.body.choices[0].logprobs, shown)
  assert.equal(requested[0]?.topLogprobs, 1)
  const chunks = await stream(hi, { logprobs: true, top_logprobs: 1 })
  assert.deepEqual(chunks[1].choices[0].logprobs, shown)
})

test('three answers have indices and seeds of their own, and the prompt counts once', async () => {
  const bySeed: TextScript = ({ request }) => says(`seed ${request.seed}`)
  const { body } = await ask(bySeed, { n: 3, seed: 40 })
  assert.deepEqual(
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested.
    body.choices.map(({ index, message }: any) => [index, message.content]),
    [
      [0, 'seed 40'],
      [1, 'seed 41'],
      [2, 'seed 42'],
    ],
  )
  assert.deepEqual([body.usage.prompt_tokens, body.usage.completion_tokens, body.usage.total_tokens], [7, 9, 16])
  const chunks = await stream(bySeed, { n: 3, seed: 40, stream_options: { include_usage: true } })
  assert.equal(chunks.pop(), '[DONE]')
  assert.equal(chunks.pop().usage.total_tokens, 16)
  for (const index of [0, 1, 2]) {
    const own = chunks.map(({ choices: [choice] }) => choice).filter(choice => choice.index === index)
    assert.equal(own[0].delta.role, 'assistant')
    assert.equal(own.map(({ delta }) => delta.content ?? '').join(''), `seed ${40 + index}`)
    assert.equal(own.at(-1).finish_reason, 'stop')
  }
})

test('a JSON schema reaches the model unchanged', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const { status } = await ask(() => says('{"city":"Oslo"}'), {
    response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
  })
  assert.equal(status, 200)
  assert.deepEqual(requested[0]?.format, { type: 'json_schema', name: 'place', schema, strict: true })
})

test('an error before the first word is an HTTP error, streamed or not, and also when several answers are requested', async () => {
  const tooLong: TextScript = async function* () {
    yield* []
    throw new GatewayError('context_length_exceeded', 'The conversation has 9000 tokens; at most 8192.', { field: 'items' })
  }
  for (const body of [{}, { stream: true }, { n: 3 }, { n: 3, stream: true }]) {
    const answer = await ask(tooLong, body)
    assert.equal(answer.status, 400)
    const { error, request_id } = answer.body
    assert.deepEqual(
      [error.code, error.type, error.param, error.request_id],
      ['context_length_exceeded', 'invalid_request_error', 'messages', answer.headers.get('x-request-id')],
    )
    assert.equal(request_id, error.request_id)
  }
})

test("a target's refusal is reported with the field names of chat", async () => {
  const refuses: TextScript = async function* () {
    yield* []
    throw new GatewayError('invalid_request', about('topLogprobs', 'not here.'), { field: 'topLogprobs' })
  }
  for (const body of [{}, { stream: true }]) {
    const { error } = (await ask(refuses, body)).body
    assert.deepEqual([error.param, error.message], ['top_logprobs', 'top_logprobs: not here.'])
  }
})

test('an error after the first word ends the stream with an error object and the terminator', async () => {
  const breaks: TextScript = async function* () {
    yield { type: 'text', delta: 'Half' }
    throw new GatewayError('upstream_error', 'The model broke off.')
  }
  const chunks = await stream(breaks)
  assert.equal(chunks.at(-1), '[DONE]')
  const { error } = chunks.at(-2)
  assert.deepEqual([error.message, error.code, error.type, error.param], ['The model broke off.', 'upstream_error', 'upstream_error', null])
  assert.equal(chunks.at(-3).choices[0].delta.content, 'Half')
  assert.equal((await ask(breaks)).status, 502)
})

test('an invalid body is refused with the path of the field before the model is called', async () => {
  const cases: [object, string, string][] = [
    [{ messages: [{ role: 'user' }] }, 'messages[0].content', 'missing_required_parameter'],
    [{ temperature: 2.1 }, 'temperature', 'invalid_value'],
    [{ reasoning_effort: 'huge' }, 'reasoning_effort', 'unsupported_value'],
    [{ tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } }, 'tool_choice', 'invalid_value'],
  ]
  for (const [body, param, code] of cases) {
    for (const extra of [{}, { stream: true }]) {
      const answer = await ask(() => says('no'), { ...body, ...extra })
      assert.deepEqual([answer.status, answer.body.error.param, answer.body.error.code], [400, param, code])
      assert.equal(requested.length, 0)
    }
  }
})

test('unknown keys and models are refused with the error codes of the family', async () => {
  const noKey = await gateway.call(path, { key: false, body: { messages } })
  assert.deepEqual([noKey.status, noKey.body.error.type, noKey.body.error.code], [401, 'invalid_request_error', 'missing_api_key'])
  const noModel = await gateway.call(path, { body: { messages, model: 'nobody' } })
  assert.deepEqual([noModel.status, noModel.body.error.code, noModel.body.error.param], [404, 'model_not_found', 'model'])
  const noJson = await gateway.call(path, { raw: '{"messages": [' })
  assert.deepEqual([noJson.status, noJson.body.error.code], [400, 'invalid_json'])
})

test('all answers stop when the caller disconnects', { timeout: 120_000 }, async () => {
  const stopped = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  follow(async function* ({ signal }) {
    const own = stopped[runs++]
    signal.addEventListener('abort', () => own?.resolve())
    yield { type: 'text', delta: 'Hi' }
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const leaving = new AbortController()
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake', messages, stream: true, n: 2 }),
    signal: leaving.signal,
  })
  await answer.body?.getReader().read()
  // The first chunk may arrive before the second of the two answers is begun, so the test waits
  // until both are running.
  await until(() => runs === 2, 'both answers')
  leaving.abort()
  await Promise.all(stopped.map(({ promise }) => promise))
})

test('a part that the model cannot read is refused with its path', async () => {
  const content = [
    { type: 'text', text: 'x' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
  ]
  // biome-ignore lint/correctness/useYield: the model refuses before its first event.
  const refuses: TextScript = async function* () {
    throw unreadablePart('image', 'This model reads no images.')
  }
  const { status, body } = await ask(refuses, { messages: [...messages, { role: 'user', content }] })
  assert.deepEqual([status, body.error.param, body.error.message], [400, 'messages[1].content[1]', 'This model reads no images.'])
})
