/** Tests of OpenAI's client with chat completions; each runs on every route to the model
 *  (`RouteName`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type OpenAI from 'openai'
import { connect, type OpenaiSdk, routesOf } from './openai-sdk.ts'
import { scriptedFacts } from './scripted-model.ts'
import { chatRoutes, type Routes } from './start-routes.ts'

type Message = OpenAI.ChatCompletionMessageParam

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const weatherTool: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather of a city.', parameters, strict: true },
}
const sqlTool: OpenAI.ChatCompletionCustomTool = {
  type: 'custom',
  custom: { name: 'run_sql', format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'select \\d+' } } },
}
const reportFormat = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'report',
    strict: true,
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
      required: ['city', 'degrees'],
      additionalProperties: false,
    },
  },
}
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

const user = (content: string): Message => ({ role: 'user', content })

export function chatCases(sdk: OpenaiSdk, routes: () => Routes): void {
  for (const model of routesOf(sdk, chatRoutes)) {
    const title = (what: string) => `${sdk.name}, chat ${model}: ${what}`
    const completions = () => connect(sdk, routes()).chat.completions

    test(title('a stored completion is read, changed, listed and deleted'), async () => {
      const metadata = { run: `${sdk.name} ${model}` }
      const { id, choices } = await completions().create({ model, messages: [user('hello')], store: true, metadata })
      assert.equal((await completions().retrieve(id)).choices[0]?.message.content, choices[0]?.message.content)
      const { data: messages } = await completions().messages.list(id)
      assert.deepEqual(
        messages.map(({ content }) => content),
        ['hello'],
      )
      const changed = { ...metadata, seen: 'yes' }
      assert.deepEqual(((await completions().update(id, { metadata: changed })) as { metadata?: unknown }).metadata, changed)
      const listed: string[] = []
      for await (const each of completions().list({ metadata: changed })) listed.push(each.id)
      // A completion that was relayed is kept by the upstream, so the gateway does not list it.
      assert.deepEqual(listed, model === 'relayed' || model === 'chained' ? [] : [id])
      assert.equal((await completions().delete(id)).deleted, true)
      await assert.rejects(completions().retrieve(id), { status: 404 })
    })

    test(title('a legacy completion answers the prompt, whole and as a stream'), async () => {
      const legacy = connect(sdk, routes()).completions
      const whole = await legacy.create({ model, prompt: ['hello', 'goodbye'], max_tokens: 20 })
      assert.deepEqual(
        whole.choices.map(({ text }) => text),
        ['1: hello', '1: goodbye'],
      )
      assert.equal(whole.usage?.total_tokens, 20)
      let text = ''
      for await (const chunk of await legacy.create({ model, prompt: 'hello', stream: true })) text += chunk.choices[0]?.text ?? ''
      assert.equal(text, '1: hello')
      await assert.rejects(legacy.create({ model, prompt: 'x', echo: true }), { status: 400, param: 'echo' })
    })

    test(title('a completion has text, usage and a request id'), async () => {
      const messages: Message[] = [
        { role: 'system', content: 'Be short.' },
        user('hello'),
        { role: 'assistant', content: 'Yes?' },
        user('again'),
      ]
      const completion = await completions().create({ model, messages, temperature: 0, max_completion_tokens: 50, user: 'someone' })
      assert.match(completion._request_id ?? '', /\S/)
      const [choice] = completion.choices
      assert.deepEqual([choice?.message.role, choice?.message.content, choice?.finish_reason], ['assistant', '2: again', 'stop'])
      assertUsage(completion.usage)
    })

    test(title('a stream brings the words, then the usage'), async () => {
      const stream = await completions().create({
        model,
        messages: [user('one two three')],
        stream: true,
        stream_options: { include_usage: true },
      })
      const chunks = await collect(stream)
      assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant')
      assert.equal(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join(''), '1: one two three')
      assert.ok(chunks.filter(chunk => chunk.choices[0]?.delta.content).length >= 4, 'the words come one by one')
      const last = chunks.pop()
      assert.deepEqual(last?.choices, [])
      assertUsage(last?.usage)
      assert.ok(chunks.every(chunk => !chunk.usage && chunk.id === last?.id))
      assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop')
    })

    test(title('the stream helper puts the completion together'), async () => {
      const stream = completions().stream({ model, messages: [user('hello')], stream_options: { include_usage: true } })
      const deltas: string[] = []
      stream.on('content', delta => deltas.push(delta))
      const completion = await stream.finalChatCompletion()
      assert.deepEqual([deltas.join(''), completion.choices[0]?.message.content], ['1: hello', '1: hello'])
      assertUsage(await stream.totalUsage())
    })

    test(title('the stream helper puts a tool call together'), async () => {
      const stream = completions().stream({ model, messages: [user('use get_weather')], tools: [weatherTool], parallel_tool_calls: false })
      const [choice] = (await stream.finalChatCompletion()).choices
      assert.equal(choice?.finish_reason, 'tool_calls')
      const [call] = choice?.message.tool_calls ?? []
      assert.deepEqual(call?.type === 'function' && [call.function.name, JSON.parse(call.function.arguments)], [
        'get_weather',
        { city: scriptedFacts.city },
      ])
    })

    for (const stream of [false, true]) {
      test(title(`runTools ends with the tool's word${stream ? ', streamed' : ''}`), async () => {
        const requested: unknown[] = []
        const call = (text: string) => {
          requested.push(JSON.parse(text))
          return 'rain'
        }
        const tools = [
          { type: 'function' as const, function: { name: 'get_weather', description: 'Weather.', parameters, function: call } },
        ]
        const body = { model, messages: [user('use get_weather')], tools }
        const runner = stream ? completions().runTools({ ...body, stream }) : completions().runTools(body)
        assert.equal(await runner.finalContent(), 'The tool says rain.')
        assert.deepEqual(requested, [{ city: scriptedFacts.city }])
      })
    }

    test(title('parse gives the object of a JSON schema'), async () => {
      const response_format = sdk.makeParseableResponseFormat<{ city: string }>(reportFormat, JSON.parse)
      const body = { model, messages: [user('report')], response_format }
      const wanted = { city: scriptedFacts.city, degrees: scriptedFacts.degrees }
      assert.deepEqual((await completions().parse(body)).choices[0]?.message.parsed, wanted)
      assert.deepEqual((await completions().stream(body).finalChatCompletion()).choices[0]?.message.parsed, wanted)
    })

    test(title('a custom tool with a grammar is called with raw text, and its output is read'), async () => {
      const body = { model, tools: [weatherTool, sqlTool], tool_choice: { type: 'custom' as const, custom: { name: 'run_sql' } } }
      const { choices } = await completions().create({ ...body, messages: [user('query')] })
      assert.equal(choices[0]?.finish_reason, 'tool_calls')
      const [call] = choices[0]?.message.tool_calls ?? []
      assert.ok(call?.type === 'custom', JSON.stringify(choices))
      assert.deepEqual(call.custom, { name: 'run_sql', input: scriptedFacts.input })
      const answered = await completions().create({
        ...body,
        tool_choice: 'auto',
        messages: [user('query'), { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '1 row' }],
      })
      assert.equal(answered.choices[0]?.message.content, 'The tool says 1 row.')
    })

    test(title('a custom tool call comes in a stream'), async () => {
      const body = { model, tools: [sqlTool], tool_choice: 'required' as const, messages: [user('query')] }
      const pieces: { id?: string; type?: string; custom?: { name?: string; input?: string } }[] = []
      for await (const { choices } of await completions().create({ ...body, stream: true }))
        pieces.push(...(choices[0]?.delta.tool_calls ?? []))
      assert.deepEqual([pieces[0]?.type, pieces[0]?.custom?.name], ['custom', 'run_sql'])
      assert.equal(pieces.map(piece => piece.custom?.input ?? '').join(''), scriptedFacts.input)
      // In version 6 of the client, the helper for streams does not support custom tools at all,
      // whatever the server sends.
      if (sdk.major === 6) return
      const [choice] = (await completions().stream(body).finalChatCompletion()).choices
      const [call] = choice?.message.tool_calls ?? []
      assert.deepEqual(call?.type === 'custom' && call.custom, { name: 'run_sql', input: scriptedFacts.input })
    })

    test(title('allowed_tools is exact'), async () => {
      const other: OpenAI.ChatCompletionFunctionTool = { type: 'function', function: { name: 'get_time', parameters } }
      const allowed = (mode: 'auto' | 'required') => ({
        type: 'allowed_tools' as const,
        allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'get_time' } }] },
      })
      const ask = async (mode: 'auto' | 'required') => {
        const body = { model, tools: [weatherTool, other], tool_choice: allowed(mode), messages: [user('use get_weather')] }
        return (await completions().create(body)).choices[0]?.message
      }
      const [call] = (await ask('required'))?.tool_calls ?? []
      assert.equal(call?.type === 'function' && call.function.name, 'get_time')
      const free = await ask('auto')
      assert.deepEqual([free?.content, free?.tool_calls], ['1: use get_weather', undefined])
    })

    test(title('messages of every role and parts of every kind arrive'), async () => {
      const parts: Message = {
        role: 'user',
        content: [
          { type: 'text', text: 'look ' },
          { type: 'image_url', image_url: { url: largePicture(), detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        ],
      }
      const developer: Message = { role: 'developer', content: [{ type: 'text', text: 'Be short.' }] }
      const { choices } = await completions().create({ model, messages: [developer, parts] })
      assert.equal(choices[0]?.message.content, '1: look [image][file][audio]')
      const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } }
      const said: Message[] = [
        user('x'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'rain' }] },
      ]
      assert.equal((await completions().create({ model, messages: said })).choices[0]?.message.content, 'The tool says rain.')
    })

    test(title('several answers come side by side'), async () => {
      const body = { model, n: 2, messages: [user('hi there')] }
      const { choices } = await completions().create(body)
      assert.deepEqual(
        choices.map(({ index, message }) => [index, message.content]),
        [
          [0, '1: hi there'],
          [1, '1: hi there'],
        ],
      )
      const texts = ['', '']
      for await (const chunk of await completions().create({ ...body, stream: true }))
        for (const { index, delta } of chunk.choices) texts[index] += delta.content ?? ''
      assert.deepEqual(texts, ['1: hi there', '1: hi there'])
    })

    test(title('a failure within a stream is thrown with its message'), async () => {
      const stream = await completions().create({ model, messages: [user('fail')], stream: true })
      await assert.rejects(
        collect(stream),
        error => error instanceof sdk.Client.APIError && /scripted model has failed/.test(error.message),
      )
    })
  }
}

/** Returns a data URL of more than 4 MB. The gateway reads bodies of this size in another way
 *  than small ones. Only the beginning of the data is a picture. */
function largePicture(): string {
  const beginning = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  return `data:image/png;base64,${Buffer.concat([beginning, Buffer.alloc(4_000_000)]).toString('base64')}`
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

function assertUsage(found: OpenAI.CompletionUsage | null | undefined): void {
  const { prompt_tokens, completion_tokens, total_tokens } = found ?? {}
  assert.deepEqual({ prompt_tokens, completion_tokens, total_tokens }, usage)
}
