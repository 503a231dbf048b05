/** Runs LangChain's ChatOpenAI as published, with both protocols that it speaks; only the base
 *  URL and a key are set. */
// Client: LangChain (npm @langchain/openai): createChatCompletion, createResponse.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { scriptedFacts } from './testing/scripted-model.ts'
import { type RouteName, type Routes, startRoutes } from './testing/start-routes.ts'

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

const names: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'over-responses']
const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  },
}
const reportSchema = {
  title: 'report',
  description: 'What it is like there.',
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
}
const report = { city: scriptedFacts.city, degrees: scriptedFacts.degrees }

for (const useResponsesApi of [false, true]) {
  const protocol = useResponsesApi ? 'responses' : 'chat'
  const chat = (model: string, apiKey = routes.apiKey) =>
    new ChatOpenAI({ model, apiKey, useResponsesApi, configuration: { baseURL: routes.baseURL } })

  for (const id of names) {
    const title = (what: string) => `LangChain, ${protocol}, ${id}: ${what}`

    test(title('invoke has text and usage'), async () => {
      const answer = await chat(id).invoke([new SystemMessage('Be short.'), new HumanMessage('hello')])
      assert.equal(answer.text, '1: hello')
      assert.partialDeepStrictEqual(answer.usage_metadata, { input_tokens: 7, output_tokens: 3 })
    })

    test(title('stream brings the words, then the usage'), async () => {
      const chunks: AIMessageChunk[] = []
      for await (const chunk of await chat(id).stream('one two three')) chunks.push(chunk)
      assert.ok(chunks.filter(chunk => chunk.text !== '').length >= 4, 'the words come one by one')
      assert.equal(chunks.map(chunk => chunk.text).join(''), '1: one two three')
      const whole = chunks.reduce((sum, chunk) => sum.concat(chunk))
      assert.partialDeepStrictEqual(whole.usage_metadata, { total_tokens: 10 })
    })

    test(title('a bound tool is called and its word read, whole and streamed'), async () => {
      const bound = chat(id).bindTools([weatherTool])
      const question = new HumanMessage('use get_weather')
      const requested = await bound.invoke([question])
      const [call] = requested.tool_calls ?? []
      assert.deepEqual([call?.name, call?.args], ['get_weather', { city: scriptedFacts.city }])
      const result = new ToolMessage({ content: 'rain', tool_call_id: call?.id ?? '' })
      assert.equal((await bound.invoke([question, requested, result])).text, 'The tool says rain.')
      const chunks: AIMessageChunk[] = []
      for await (const chunk of await bound.stream([question])) chunks.push(chunk)
      const [streamed] = chunks.reduce((sum, chunk) => sum.concat(chunk)).tool_calls ?? []
      assert.deepEqual([streamed?.name, streamed?.args], ['get_weather', { city: scriptedFacts.city }])
    })

    for (const method of ['jsonSchema', 'functionCalling'] as const) {
      test(title(`withStructuredOutput gives the object, by ${method}`), async () => {
        const structured = chat(id).withStructuredOutput(reportSchema, { name: 'report', method, strict: true })
        assert.deepEqual(await structured.invoke('report'), report)
      })
    }
  }

  test(`LangChain, ${protocol}: refusals have their status and message`, async () => {
    const refusal = async (model: ChatOpenAI) => {
      const error: unknown = await model.invoke('x').then(
        () => undefined,
        (caught: unknown) => caught,
      )
      assert.ok(error instanceof Error, 'it is refused')
      return { status: Reflect.get(error, 'status'), message: error.message }
    }
    assert.equal((await refusal(chat('relayed', 'sk-nobody-has-this-key'))).status, 401)
    const unknown = await refusal(chat('gpt-nowhere'))
    assert.equal(unknown.status, 404)
    assert.match(unknown.message, /gpt-nowhere/)
  })

  test(`LangChain, ${protocol}: the model stops when the caller disconnects`, async () => {
    const before = routes.stopped()
    const controller = new AbortController()
    const reading = async () => {
      for await (const _ of await chat('translated').stream('wait', { signal: controller.signal })) controller.abort()
    }
    await assert.rejects(reading)
    await until(() => routes.stopped() > before, 'the end of the model')
  })
}
