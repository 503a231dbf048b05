/** Runs the AI SDK of Vercel as published; only the base URL and a key are set. Covers its two
 *  model classes for OpenAI and the class for compatible services. */
// Client: AI SDK (npm ai, npm @ai-sdk/openai, npm @ai-sdk/openai-compatible):
// createChatCompletion, createResponse.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { until } from '@generation-gateway/kit/testing/until.ts'
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { scriptedFacts } from './testing/scripted-model.ts'
import { type RouteName, type Routes, startRoutes } from './testing/start-routes.ts'

type Report = Pick<typeof scriptedFacts, 'city' | 'degrees'>

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const names: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'over-responses']
const classes = ['responses', 'chat', 'compatible'] as const
type ModelClass = (typeof classes)[number]

function modelOf(kind: ModelClass, id: string, key = routes.apiKey): LanguageModel {
  const { baseURL } = routes
  if (kind === 'compatible')
    return createOpenAICompatible({ baseURL, apiKey: key, name: 'gateway', includeUsage: true, supportsStructuredOutputs: true })(id)
  const openai = createOpenAI({ baseURL, apiKey: key })
  return kind === 'chat' ? openai.chat(id) : openai(id)
}

const report = jsonSchema<Report>({
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
})

/** Returns a tool that answers `rain` and records its arguments. */
function weather() {
  const requested: unknown[] = []
  const tools = {
    get_weather: tool({
      description: 'The weather of a city.',
      inputSchema: jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      }),
      execute: input => {
        requested.push(input)
        return 'rain'
      },
    }),
  }
  return { tools, asked: requested }
}

for (const kind of classes) {
  for (const id of names) {
    const title = (what: string) => `AI SDK, ${kind} model, ${id}: ${what}`

    test(title('generateText has text, usage and the reason of its end'), async () => {
      const { text, usage, finishReason } = await generateText({
        model: modelOf(kind, id),
        instructions: 'Be short.',
        prompt: 'hello',
        temperature: 0,
      })
      assert.deepEqual([text, finishReason, usage.inputTokens, usage.outputTokens, usage.totalTokens], ['1: hello', 'stop', 7, 3, 10])
    })

    test(title('streamText brings the words, then the usage'), async () => {
      const result = streamText({ model: modelOf(kind, id), prompt: 'one two three' })
      const words: string[] = []
      for await (const word of result.textStream) words.push(word)
      assert.ok(words.length >= 4, 'the words come one by one')
      assert.deepEqual([words.join(''), await result.finishReason], ['1: one two three', 'stop'])
      assert.equal((await result.totalUsage).totalTokens, 10)
    })

    test(title('a tool is called and its word read'), async () => {
      const { tools, asked } = weather()
      const options = { model: modelOf(kind, id), prompt: 'use get_weather', tools, stopWhen: stepCountIs(3) }
      const { text, steps } = await generateText(options)
      assert.deepEqual([text, steps.length, steps[0]?.finishReason], ['The tool says rain.', 2, 'tool-calls'])
      assert.equal(await streamText(options).text, 'The tool says rain.')
      assert.deepEqual(asked, [{ city: scriptedFacts.city }, { city: scriptedFacts.city }])
    })

    test(title('a conversation goes on with reasoning, tool calls and answers of the turns before'), async () => {
      const { tools } = weather()
      const providerOptions = { openai: { reasoningSummary: 'auto', forceReasoning: true } }
      const options = { model: modelOf(kind, id), tools, stopWhen: stepCountIs(3), providerOptions }
      const messages: ModelMessage[] = [{ role: 'user', content: 'think, use get_weather' }]
      const first = await generateText({ ...options, messages })
      assert.equal(first.text, 'The tool says rain.')
      messages.push(...first.response.messages, { role: 'user', content: 'think again' })
      const second = await generateText({ ...options, messages })
      assert.equal(second.text, '2: think again')
      messages.push(...second.response.messages, { role: 'user', content: 'and now' })
      assert.equal(await streamText({ ...options, messages }).text, '3: and now')
    })

    test(title('a picture is sent'), async () => {
      const image = Buffer.from(pixel, 'base64')
      const content = [
        { type: 'text' as const, text: 'look ' },
        { type: 'image' as const, image, mediaType: 'image/png' },
      ]
      const { text } = await generateText({ model: modelOf(kind, id), messages: [{ role: 'user', content }] })
      assert.equal(text, '1: look [image]')
    })

    test(title('an object comes by its schema'), async () => {
      const model = modelOf(kind, id)
      const wanted = { city: scriptedFacts.city, degrees: scriptedFacts.degrees }
      const prompt = 'report'
      assert.deepEqual((await generateText({ model, prompt, output: Output.object({ schema: report, name: 'report' }) })).output, wanted)
      assert.deepEqual(await streamText({ model, prompt, output: Output.object({ schema: report }) }).output, wanted)
      assert.deepEqual((await generateObject({ model, prompt, schema: report })).object, wanted)
    })

    test(title('a failure within a stream is an error part'), async () => {
      const errors: unknown[] = []
      const { fullStream } = streamText({ model: modelOf(kind, id), prompt: 'fail', maxRetries: 0, onError: () => {} })
      for await (const part of fullStream) if (part.type === 'error') errors.push(part.error)
      assert.equal(errors.length, 1)
      assert.match(messageOf(errors[0]), /scripted model has failed/)
    })
  }

  test(`AI SDK, ${kind} model: refusals have their status and message, and are not retried`, async () => {
    const refusal = async (model: LanguageModel, settings: { temperature?: number } = {}) => {
      const asking = generateText({ model, prompt: 'x', ...settings })
      const error: unknown = await asking.then(
        () => undefined,
        (caught: unknown) => caught,
      )
      assert.ok(APICallError.isInstance(error), String(error))
      assert.equal(error.isRetryable, false)
      return [error.statusCode, error.message]
    }
    assert.deepEqual((await refusal(modelOf(kind, 'relayed', 'sk-nobody-has-this-key')))[0], 401)
    const [status, message] = await refusal(modelOf(kind, 'gpt-nowhere'))
    assert.deepEqual([status, /gpt-nowhere/.test(String(message))], [404, true])
    const [bad, why] = await refusal(modelOf(kind, 'translated'), { temperature: 3 })
    assert.deepEqual([bad, /temperature/.test(String(why))], [400, true])
  })

  test(`AI SDK, ${kind} model: the model stops when the caller disconnects`, async () => {
    const before = routes.stopped()
    const controller = new AbortController()
    const { textStream } = streamText({ model: modelOf(kind, 'translated'), prompt: 'wait', abortSignal: controller.signal })
    for await (const word of textStream) {
      assert.equal(word, 'One ')
      controller.abort()
    }
    await until(() => routes.stopped() > before, 'the end of the model')
  })
}

test('AI SDK, responses model: reasoning is returned as a summary', async () => {
  const providerOptions = { openai: { reasoningEffort: 'low', reasoningSummary: 'auto', forceReasoning: true } }
  for (const id of ['translated', 'relayed', 'over-responses']) {
    const requested = { model: modelOf('responses', id), prompt: 'think', providerOptions }
    const { text, reasoningText } = await generateText(requested)
    assert.deepEqual([id, text, reasoningText], [id, '1: think', 'Hm.'])
    assert.equal(await streamText(requested).reasoningText, 'Hm.', id)
  }
})

test('AI SDK, compatible model: reasoning is returned beside the text', async () => {
  for (const id of names) {
    const requested = { model: modelOf('compatible', id), prompt: 'think' }
    const { text, reasoningText } = await generateText(requested)
    assert.deepEqual([id, text, reasoningText], [id, '1: think', 'Hm.'])
    assert.equal(await streamText(requested).reasoningText, 'Hm.', id)
  }
})

test('AI SDK, responses model: a custom tool with a grammar is called with raw text', async () => {
  const { tools } = createOpenAI({ apiKey: routes.apiKey })
  const run_sql = tools.customTool({ format: { type: 'grammar', syntax: 'regex', definition: 'select \\d+' } })
  for (const id of names) {
    const { toolCalls } = await generateText({ model: modelOf('responses', id), prompt: 'use run_sql', tools: { run_sql } })
    assert.deepEqual(
      toolCalls.map(call => [id, call.toolName, call.input]),
      [[id, 'run_sql', scriptedFacts.input]],
    )
  }
})

/** Returns the message of an error part, which is an Error, a text, or the error object from the
 *  API. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : JSON.stringify(error)
}
