/** Runs the clients of providers whose services speak OpenAI's protocol, as published; only the
 *  base URL and a key are set. Groq's client adds `/openai/v1` itself. */
// Client: Groq (npm groq-sdk): createChatCompletion, listModels.
// Client: Together (npm together-ai): createChatCompletion.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Groq from 'groq-sdk'
import Together from 'together-ai'
import { type Routes, startRoutes } from './testing/start-routes.ts'

let routes: Routes
let host: string
before(async () => {
  routes = await startRoutes()
  host = new URL(routes.baseURL).origin
})
after(() => routes?.[Symbol.asyncDispose]())

const names = ['translated', 'relayed', 'over-chat', 'over-responses']
const hello = [{ role: 'user' as const, content: 'hello' }]
const useTool = [{ role: 'user' as const, content: 'use get_weather' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', description: 'The weather of a city.', parameters } }]

const groq = (apiKey = routes.apiKey) => new Groq({ baseURL: host, apiKey, maxRetries: 0 })
const together = (apiKey = routes.apiKey) => new Together({ baseURL: `${host}/v1`, apiKey, maxRetries: 0 })

for (const model of names) {
  test(`Groq, ${model}: answers, streams and calls a tool`, async () => {
    const { completions } = groq().chat
    const whole = await completions.create({ model, messages: hello })
    assert.deepEqual([whole.choices[0]?.message.content, whole.usage?.completion_tokens], ['1: hello', 3])
    let text = ''
    for await (const chunk of await completions.create({ model, messages: hello, stream: true }))
      text += chunk.choices[0]?.delta.content ?? ''
    assert.equal(text, '1: hello')
    const called = await completions.create({ model, messages: useTool, tools })
    assert.equal(called.choices[0]?.message.tool_calls?.[0]?.function.name, 'get_weather')
  })

  test(`Together, ${model}: answers, streams and calls a tool`, async () => {
    const { completions } = together().chat
    const whole = await completions.create({ model, messages: hello })
    assert.deepEqual([whole.choices[0]?.message?.content, whole.usage?.completion_tokens], ['1: hello', 3])
    let text = ''
    for await (const chunk of await completions.create({ model, messages: hello, stream: true }))
      text += chunk.choices[0]?.delta.content ?? ''
    assert.equal(text, '1: hello')
    const called = await completions.create({ model, messages: useTool, tools })
    assert.equal(called.choices[0]?.message?.tool_calls?.[0]?.function.name, 'get_weather')
  })
}

test('errors are those of the clients', async () => {
  const model = 'relayed'
  await assert.rejects(groq('sk-wrong').chat.completions.create({ model, messages: hello }), Groq.AuthenticationError)
  await assert.rejects(together('sk-wrong').chat.completions.create({ model, messages: hello }), Together.AuthenticationError)
  await assert.rejects(groq().chat.completions.create({ model: 'nowhere', messages: hello }), Groq.NotFoundError)
})

test('models are listed', async () => {
  const { data } = await groq().models.list()
  assert.ok(data.some(({ id }) => id === 'relayed'))
})
