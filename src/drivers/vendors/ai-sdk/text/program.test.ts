/** Tests chat and Responses on the whole program with language models of real provider packages.
 *  Fake services answer with bytes that the real services sent. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { type FakeFrame, sseReply } from '../../../../testing/fakes/fake-upstream.ts'
import { responsesFrames } from '../../../../testing/fakes/fake-upstream-text.ts'
import type { Answer } from '../../../../testing/gateway.ts'
import { anthropicReply } from '../testing/anthropic-answers.ts'
import { asks, says, startTextProgram } from '../testing/text-program.ts'

const program = await startTextProgram()
after(() => program[Symbol.asyncDispose]())
const { service, gateway, chat } = program
beforeEach(() => void service.received.splice(0))

const responses = (body: object): Promise<Answer> => gateway.call('/v1/responses', { body })
const sent = (at = -1) => Object(service.received.at(at)?.json ?? assert.fail('nothing was sent'))
const warningOf = ({ headers }: Answer) => headers.get('x-gateway-warning')

const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
}
const tools = [{ type: 'function', function: weather }]
const thinking = (text: string, signature: string) => ({ type: 'thinking', thinking: text, signature }) as const

describe('@ai-sdk/anthropic', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { town: 'Rome' } } as const
  const redacted = { type: 'redacted_thinking', data: 'sealed' } as const
  /** The blocks of the first answer. The second request must contain them unchanged and in this
   *  order. */
  const blocks = [thinking('I should look.', 'sig-1'), says('Let me look.'), redacted, thinking('Rome it is.', 'sig-2'), call]
  const answers = () => [anthropicReply({ blocks, stop: 'tool_use' }), anthropicReply({ blocks: [says('Sunny.')] })]
  const turn = () => sent().messages.find(({ role }: { role: string }) => role === 'assistant').content

  test('a chat returns thinking with its signatures, in order', async () => {
    service.answer(...answers())
    const first = await chat({ model: 'claude', messages: [asks], tools, reasoning_effort: 'medium', max_completion_tokens: 4000 })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual([sent().thinking, sent().stream, sent().max_tokens], [{ type: 'enabled', budget_tokens: 1229 }, true, 5229])
    const [{ message, finish_reason }] = first.body.choices
    assert.deepEqual(
      [finish_reason, message.content, message.reasoning_content, message.tool_calls],
      [
        'tool_calls',
        'Let me look.',
        'I should look.Rome it is.',
        [{ id: 'toolu_1', type: 'function', function: { name: 'weather', arguments: '{"town":"Rome"}' } }],
      ],
    )
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = first.body.usage
    assert.deepEqual([prompt_tokens, completion_tokens, prompt_tokens_details.cached_tokens], [28, 30, 5])
    const result = { role: 'tool', tool_call_id: 'toolu_1', content: '21 degrees' }
    const second = await chat({ model: 'claude', messages: [{ role: 'system', content: 'Be brief.' }, asks, message, result], tools })
    assert.equal(second.body.choices[0].message.content, 'Sunny.', JSON.stringify(second.body))
    assert.deepEqual(turn(), blocks)
    assert.deepEqual(sent().system, [{ type: 'text', text: 'Be brief.' }])
    assert.deepEqual(sent().messages.at(-1).content, [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '21 degrees' }])
  })

  test('a chat whose client drops or changes unknown members continues without signatures', async () => {
    service.answer(...answers())
    const { message } = (await chat({ model: 'claude', messages: [asks], tools })).body.choices[0]
    const result = { role: 'tool', tool_call_id: 'toolu_1', content: '21 degrees' }
    const { provider_parts: parts, ...plain } = message
    for (const kept of [
      plain,
      { ...message, reasoning_content: 'I' },
      { ...message, reasoning_content: 'I should stay.Rome it is.' },
      { ...message, provider_parts: parts.slice(1) },
    ]) {
      const { status } = await chat({ model: 'claude', messages: [asks, kept, result], tools })
      assert.equal(status, 200)
      assert.deepEqual(turn(), [says('Let me look.'), call])
    }
  })

  test('a stored response is continued with its thinking and signatures', async () => {
    service.answer(...answers())
    const declared = [{ type: 'function', ...weather }]
    const first = await responses({ model: 'claude', input: 'Weather in Rome?', tools: declared })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual(
      first.body.output.map(({ type }: { type: string }) => type),
      ['reasoning', 'message', 'reasoning', 'function_call'],
    )
    const input = [{ type: 'function_call_output', call_id: 'toolu_1', output: '21 degrees' }]
    const second = await responses({ model: 'claude', previous_response_id: first.body.id, input, tools: declared })
    assert.equal(second.body.output[0].content[0].text, 'Sunny.', JSON.stringify(second.body))
    assert.deepEqual(turn(), blocks)
  })

  test('a Messages client gets thinking that it can send back', async () => {
    const messages = (body: object) => gateway.call('/v1/messages', { body: { model: 'claude', max_tokens: 4000, ...body } })
    service.answer(...answers())
    const declared = [{ name: weather.name, description: weather.description, input_schema: weather.parameters }]
    const first = await messages({ messages: [asks], tools: declared, thinking: { type: 'enabled', budget_tokens: 2000 } })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual(sent().thinking, { type: 'enabled', budget_tokens: 2000 })
    assert.deepEqual([first.body.stop_reason, first.body.content.at(-1)], ['tool_use', call])
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'no such town', is_error: true }
    const turns = [asks, { role: 'assistant', content: first.body.content }, { role: 'user', content: [result] }]
    const second = await messages({ messages: turns, tools: declared, top_k: 5 })
    assert.equal(second.body.content[0].text, 'Sunny.', JSON.stringify(second.body))
    assert.deepEqual([turn(), sent().top_k], [blocks, 5])
    assert.deepEqual(sent().messages.at(-1).content, [result])
  })

  test('a Messages client learns which stop text ended the answer', async () => {
    service.answer(anthropicReply({ blocks: [says('One, ')], stopText: 'two' }))
    const { body } = await gateway.call('/v1/messages', {
      body: { model: 'claude', max_tokens: 10, messages: [asks], stop_sequences: ['two'] },
    })
    assert.deepEqual([body.stop_reason, body.stop_sequence, sent().stop_sequences], ['stop_sequence', 'two', ['two']])
  })

  test('thinking that another Anthropic service signed keeps its signature; with OpenAI it does not', async () => {
    const content = blocks.filter(({ type }) => type !== 'text')
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '21 degrees' }
    const messages = [asks, { role: 'assistant', content }, { role: 'user', content: [result] }]
    service.answer(anthropicReply({ blocks: [says('Sunny.')] }))
    const { status } = await gateway.call('/v1/messages', { body: { model: 'claude', max_tokens: 10, messages } })
    assert.deepEqual([status, turn()], [200, content])
    service.answer(sseReply(responsesFrames({ text: 'Sunny.' })))
    await gateway.call('/v1/messages', { body: { model: 'gpt', max_tokens: 10, messages } })
    assert.ok(!JSON.stringify(sent()).includes('sig-1'))
  })

  test('a stream has the same content as the whole answer', async () => {
    service.answer(...answers())
    const { bytes } = await chat({ model: 'claude', messages: [asks], tools, stream: true, stream_options: { include_usage: true } })
    const chunks = bytes.toString().matchAll(/^data: (\{.*)$/gm)
    const deltas = [...chunks].flatMap(([, text = '']) => JSON.parse(text).choices.map(({ delta }: { delta: object }) => delta))
    const joined = (name: string) => deltas.map(delta => delta[name] ?? '').join('')
    assert.deepEqual([joined('content'), joined('reasoning_content')], ['Let me look.', 'I should look.Rome it is.'])
    assert.equal(deltas.map(delta => delta.tool_calls?.[0].function.arguments ?? '').join(''), '{"town":"Rome"}')
    assert.match(bytes.toString(), /"prompt_tokens":28[\s\S]*\[DONE\]/)
  })

  test('fields that the model does not follow are reported before the answer, streamed and whole', async () => {
    service.answer(anthropicReply({ blocks: [says('Yes.')] }))
    for (const stream of [false, true]) {
      const answer = await chat({ model: 'claude', messages: [asks], seed: 7, presence_penalty: 1, stream })
      assert.equal(answer.status, 200)
      assert.match(warningOf(answer) ?? '', /presence_penalty: the model does not follow it\. seed: the model does not follow it\./)
    }
    assert.equal(warningOf(await chat({ model: 'claude', messages: [asks] })), null)
  })

  test('pictures, documents and pictures from tools are sent as native blocks', async () => {
    service.answer(anthropicReply({ blocks: [says('A cat.')] }))
    const image = (url: string) => ({ type: 'input_image', image_url: url })
    const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }
    const input = [
      {
        role: 'user',
        content: [{ type: 'input_text', text: 'What?' }, image('data:image/png;base64,AAAA'), image('https://x.example/c.jpg'), file],
      },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'here' }, image('data:image/png;base64,BBBB')] },
    ]
    const answer = await responses({ model: 'claude', input, store: false })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const source = (data: string, media_type = 'image/png') => ({ type: 'base64', media_type, data })
    const [user, , results] = sent().messages
    assert.deepEqual(user.content.slice(1, 3), [
      { type: 'image', source: source('AAAA') },
      { type: 'image', source: { type: 'url', url: 'https://x.example/c.jpg' } },
    ])
    assert.deepEqual(
      [user.content[3].type, user.content[3].title, user.content[3].source],
      ['document', 'a.pdf', source('JVBERi0=', 'application/pdf')],
    )
    assert.deepEqual(results.content[0].content, [
      { type: 'text', text: 'here' },
      { type: 'image', source: source('BBBB') },
    ])
  })

  test('the cache of the service is used if the target says so', async () => {
    service.answer(anthropicReply({ blocks: [says('Yes.')] }))
    await chat({ model: 'caching', messages: [asks] })
    assert.deepEqual(sent().cache_control, { type: 'ephemeral' })
  })

  test('cache marks keep their places, those of Messages and those of chat', async () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    const short = { cache_control: { type: 'ephemeral' } }
    service.answer(anthropicReply({ blocks: [says('Yes.')] }))
    const input_schema = weather.parameters
    const body = {
      model: 'claude',
      max_tokens: 100,
      system: [{ ...says('Be brief.'), ...hour }, says('Be kind.')],
      tools: [
        { name: 'clock', input_schema },
        { name: 'weather', input_schema, ...hour },
      ],
      messages: [
        { role: 'user', content: [says('Look.'), { ...says('Closer.'), ...short }, says('Well?')] },
        { role: 'assistant', content: [says('I call.'), call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: [{ ...says('rain'), ...short }] }] },
      ],
    }
    assert.equal((await gateway.call('/v1/messages', { body })).status, 200)
    const { system, tools: declared, messages } = sent()
    assert.deepEqual(system, body.system)
    assert.deepEqual(
      declared.map(({ cache_control }: { cache_control?: object }) => cache_control),
      [undefined, hour.cache_control],
    )
    assert.deepEqual(messages.slice(0, 2), body.messages.slice(0, 2))
    assert.deepEqual(messages[2].content[0].cache_control, short.cache_control)
    const answered = { role: 'assistant', content: [{ ...says('I call.'), ...short }, says('Now.'), { ...call, ...hour }] }
    const asked = [body.messages[0], answered, { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'rain' }] }]
    await gateway.call('/v1/messages', { body: { model: 'claude', max_tokens: 100, tools: [body.tools[0]], messages: asked } })
    assert.deepEqual(sent().messages[1], answered)
    await chat({ model: 'claude', messages: [{ role: 'user', content: [{ ...says('hi'), ...hour }] }], ...short })
    assert.deepEqual([sent().messages[0].content[0].cache_control, sent().cache_control], [hour.cache_control, short.cache_control])
    await chat({ model: 'gemini', messages: [{ role: 'user', content: [{ ...says('hi'), ...hour }] }] })
    assert.doesNotMatch(JSON.stringify(sent()), /cache_?control/i)
  })
})

describe('@ai-sdk/google', () => {
  const gemini = (parts: object[], more: object = {}): FakeFrame => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  })
  const usageMetadata = {
    promptTokenCount: 12,
    candidatesTokenCount: 8,
    thoughtsTokenCount: 6,
    cachedContentTokenCount: 4,
    totalTokenCount: 26,
  }

  test('thoughts, a signed call and its result are sent back with their signatures', async () => {
    const functionCall = { name: 'weather', args: { town: 'Rome' } }
    service.answer(
      sseReply([
        gemini([{ text: 'Looking it up.', thought: true }]),
        gemini([{ functionCall, thoughtSignature: 'c2lnbmVk' }]),
        { ...Object(gemini([{ text: '' }], { finishReason: 'STOP' })), usageMetadata },
      ]),
      sseReply([{ ...Object(gemini([{ text: 'Sunny.' }], { finishReason: 'STOP' })), usageMetadata }]),
    )
    const first = await chat({ model: 'gemini', messages: [asks], tools })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const { message } = first.body.choices[0]
    assert.equal(message.reasoning_content, 'Looking it up.')
    assert.deepEqual(
      [message.tool_calls[0].function, first.body.choices[0].finish_reason],
      [{ name: 'weather', arguments: '{"town":"Rome"}' }, 'tool_calls'],
    )
    const { prompt_tokens, completion_tokens, completion_tokens_details } = first.body.usage
    assert.deepEqual([prompt_tokens, completion_tokens, completion_tokens_details.reasoning_tokens], [12, 14, 6])
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '21 degrees' }
    const second = await chat({ model: 'gemini', messages: [asks, message, result], tools })
    assert.equal(second.body.choices[0].message.content, 'Sunny.', JSON.stringify(second.body))
    const [, model, user] = sent().contents
    assert.deepEqual(model.parts.at(-1).thoughtSignature, 'c2lnbmVk')
    assert.deepEqual(user.parts[0].functionResponse.response.content, '21 degrees')
  })

  test("a generateContent client gets signatures that it can send back, and keeps Google's", async () => {
    const functionCall = { name: 'weather', args: { town: 'Rome' } }
    const generate = (body: object) => gateway.call('/v1beta/models/gemini:generateContent', { body })
    const user = { role: 'user', parts: [{ text: 'Weather in Rome?' }] }
    const result = { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: '21 degrees' } } }] }
    const declared = [{ functionDeclarations: [{ name: 'weather', parameters: weather.parameters }] }]
    service.answer(
      sseReply([gemini([{ functionCall, thoughtSignature: 'c2lnbmVk' }], { finishReason: 'STOP' })]),
      sseReply([gemini([{ text: 'Sunny.' }], { finishReason: 'STOP' })]),
    )
    const first = await generate({ contents: [user], tools: declared })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const own = { role: 'model', parts: [{ functionCall, thoughtSignature: 'c2lnbmVk' }] }
    for (const content of [first.body.candidates[0].content, own]) {
      const second = await generate({ contents: [user, content, result], tools: declared })
      assert.equal(second.body.candidates[0].content.parts[0].text, 'Sunny.', JSON.stringify(second.body))
      assert.equal(sent().contents[1].parts.at(-1).thoughtSignature, 'c2lnbmVk')
    }
  })

  test("the user's name is reported as left out, and sent by packages that support it", async () => {
    service.answer(sseReply([gemini([{ text: 'Sunny.' }], { finishReason: 'STOP' })]))
    assert.equal(warningOf(await chat({ model: 'gemini', messages: [asks], user: 'u-1' })), 'user: the model has no such setting.')
    service.answer(anthropicReply({ blocks: [says('Sunny.')] }))
    assert.equal(warningOf(await chat({ model: 'claude', messages: [asks], user: 'u-1' })), null)
    assert.deepEqual(sent().metadata, { user_id: 'u-1' })
  })

  test('later instructions are sent together with the first ones', async () => {
    service.answer(sseReply([gemini([{ text: 'Oui.' }], { finishReason: 'STOP' })]))
    const messages = [{ role: 'system', content: 'Be brief.' }, asks, { role: 'developer', content: 'In French.' }]
    assert.equal((await chat({ model: 'gemini', messages })).status, 200)
    assert.deepEqual(sent().systemInstruction.parts, [{ text: 'Be brief.\n\nIn French.' }])
  })

  test('an answer schema is sent natively', async () => {
    service.answer(sseReply([gemini([{ text: '{"n":1}' }], { finishReason: 'STOP' })]))
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const answer = await chat({
      model: 'gemini',
      messages: [asks],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    })
    assert.equal(answer.body.choices[0].message.content, '{"n":1}')
    assert.equal(sent().generationConfig.responseMimeType, 'application/json')
  })
})

test('@ai-sdk/openai: reasoning is returned through the options of the package', async () => {
  service.answer(sseReply(responsesFrames({ reasoning: 'hmm', text: 'hi', usage: { input: 5, output: 6, reasoning: 2 } })))
  const body = { model: 'gpt', input: 'x', reasoning: { effort: 'low', summary: 'auto' }, store: false }
  assert.equal((await responses(body)).status, 200)
  assert.deepEqual(sent().reasoning, { effort: 'low', summary: 'auto' })
  const first = await chat({ model: 'gpt', messages: [asks], seed: 3 })
  assert.equal(first.body.choices[0].message.content, 'hi', JSON.stringify(first.body))
  assert.match(warningOf(first) ?? '', /^seed: /)
  assert.equal(first.body.usage.completion_tokens_details.reasoning_tokens, 2)
})

describe('@ai-sdk/openai does not refer to objects that the service stores for other callers', () => {
  const stored = 'msg_of_another_account'
  const metadata = { openai: { itemId: stored } }
  const listed = { index: 1, type: 'text', length: 4, sum: crc32(Buffer.from('Sunn', 'utf16le')), metadata }
  const result = { type: 'tool-result', toolCallId: stored, toolName: 'find', output: { type: 'text', value: '' } }
  const answer = { role: 'assistant', content: 'Sunny.', provider_parts: [{ index: 0, type: 'part', part: result }, listed] }

  for (const model of ['gpt', 'stored'])
    test(`by ids of items in an answer that the caller forged (${model})`, async () => {
      service.answer(sseReply(responsesFrames({ text: 'Sunny.' })))
      const { status } = await chat({ model, messages: [asks, answer, asks] })
      assert.equal(status, 200)
      assert.equal(sent().store, model === 'stored')
      assert.doesNotMatch(JSON.stringify(sent()), /item_reference|msg_of_another_account/)
      assert.match(JSON.stringify(sent().input), /Sunn/)
    })

  test('by file ids in place of bytes', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,file-of-another-account' } }
    const document = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,file-of-another-account' } }
    for (const part of [picture, document]) {
      service.answer(sseReply(responsesFrames({ text: 'Sunny.' })))
      assert.equal((await chat({ model: 'gpt', messages: [{ role: 'user', content: [part] }] })).status, 200)
      assert.doesNotMatch(JSON.stringify(sent()), /file_id|file-of-another/)
    }
  })
})

test('a custom tool, and one call at a time, work for models that support neither', async () => {
  const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input }) as const
  service.answer(anthropicReply({ blocks: [call('t1', 'run', { input: 'ls -l' }), call('t2', 'run', { input: 'rm' })], stop: 'tool_use' }))
  const custom = [{ type: 'custom', custom: { name: 'run', description: 'Runs a line.' } }]
  const { body } = await chat({ model: 'claude', messages: [asks], tools: custom, parallel_tool_calls: false, tool_choice: 'required' })
  assert.deepEqual(body.choices[0].message.tool_calls, [{ id: 't1', type: 'custom', custom: { name: 'run', input: 'ls -l' } }])
  assert.deepEqual([sent().tool_choice.type, sent().tools.length], ['any', 1])
})
