/** Runs the JavaScript clients that these tests cover against the built-in model of a gateway
 *  without configuration. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { GoogleGenAI } from '@google/genai'
import { ChatOpenAI } from '@langchain/openai'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { needPack } from '../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const model = 'smollm2-135m-instruct'
const question = 'What is the capital of France?'
const apiKey = testKey
const needs = needPack('text-135m')

let gateway: TestGateway
let baseURL: string
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  baseURL = `${gateway.url}/v1/ai/default`
})
after(() => gateway[Symbol.asyncDispose]())

test('openai: the built-in model answers, counts its tokens and continues a conversation', needs, async () => {
  const { responses } = new OpenAI({ baseURL, apiKey })
  const first = await responses.create({ model, input: question, temperature: 0, max_output_tokens: 16 })
  assert.match(first.output_text, /Paris/)
  assert.ok((first.usage?.input_tokens ?? 0) > 7 && first.usage?.output_tokens === 7, JSON.stringify(first.usage))
  const second = await responses.create({ model, input: 'Why?', previous_response_id: first.id, temperature: 0, max_output_tokens: 16 })
  assert.match(second.output_text, /\S/)
  assert.ok((second.usage?.input_tokens ?? 0) > (first.usage?.input_tokens ?? 0) + 7, 'it has read the first turn')
})

test('Anthropic and google-genai: hosted model names in their samples mean the built-in model', needs, async () => {
  const { messages } = new Anthropic({ baseURL: gateway.url, apiKey })
  const asked = { max_tokens: 16, temperature: 0, messages: [{ role: 'user' as const, content: question }] }
  for (const name of ['claude-haiku-4-5-20251001', 'claude-sonnet-5-5']) {
    const answer = await messages.create({ ...asked, model: name })
    assert.match(JSON.stringify(answer.content), /Paris/, name)
  }
  const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } })
  for (const name of ['gemini-2.5-flash', 'models/gemini-3.8-flash'])
    assert.match((await models.generateContent({ model: name, contents: question, config: { temperature: 0 } })).text ?? '', /Paris/, name)
})

test('AI SDK: the built-in model answers word by word', needs, async () => {
  const result = streamText({ model: createOpenAI({ baseURL, apiKey }).chat(model), prompt: question, temperature: 0, maxOutputTokens: 16 })
  const words: string[] = []
  for await (const word of result.textStream) words.push(word)
  assert.match(words.join(''), /Paris/)
  assert.ok(words.length >= 3, 'it streams')
})

test('LangChain: the built-in model follows a schema', needs, async () => {
  const chat = new ChatOpenAI({ model, apiKey, temperature: 0, maxTokens: 40, configuration: { baseURL } })
  const schema = {
    title: 'answer',
    type: 'object',
    properties: { country: { enum: ['France', 'Spain'] } },
    required: ['country'],
    additionalProperties: false,
  }
  const answer = await chat.withStructuredOutput(schema, { name: 'answer', method: 'jsonSchema' }).invoke('Paris is in which country?')
  assert.ok(answer.country === 'France' || answer.country === 'Spain', JSON.stringify(answer))
})

test('openai: a response reports its sampling parameters, the model’s own when the caller has sent none', needs, async () => {
  const { responses } = new OpenAI({ baseURL, apiKey })
  const requested = { model, input: question, max_output_tokens: 16 }
  const own = await responses.create(requested)
  assert.deepEqual([own.temperature, own.top_p], [0.2, 0.9])
  const kept = await responses.retrieve(own.id)
  assert.deepEqual([kept.temperature, kept.top_p], [0.2, 0.9])
  const named = await responses.create({ ...requested, temperature: 0.5 })
  assert.deepEqual([named.temperature, named.top_p], [0.5, 0.9])
  const seen: (number | null)[] = []
  for await (const event of await responses.create({ ...requested, top_p: 0.4, stream: true })) {
    if ('response' in event) seen.push(event.response.temperature, event.response.top_p)
  }
  assert.deepEqual(seen, [0.2, 0.4, 0.2, 0.4, 0.2, 0.4])
  const begun = await responses.create({ ...requested, background: true })
  const done = await until(async () => {
    const now = await responses.retrieve(begun.id)
    return now.status === 'queued' || now.status === 'in_progress' ? undefined : now
  }, 'the background response')
  assert.deepEqual([done.temperature, done.top_p], [0.2, 0.9])
})

test('openai: a conversation that is too long is refused in the words that clients recognise', needs, async () => {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
  /** The texts by which LiteLLM and pi recognize the error for a conversation that is too long. */
  const known = [/this model's maximum context length is/i, /maximum context length is \d+ tokens/i]
  const refusals = [
    { field: 'messages', run: (content: string) => client.chat.completions.create({ model, messages: [{ role: 'user', content }] }) },
    { field: 'input', run: (input: string) => client.responses.create({ model, input }) },
  ]
  for (const { field, run } of refusals) {
    for (const [words, tokens] of [
      [9_000, /resulted in 90\d\d tokens\. Please reduce the length of the messages\.$/],
      [200_000, /resulted in more than 8192 tokens\. Please reduce the length of the messages\.$/],
    ] as const) {
      await assert.rejects(run('word '.repeat(words)), (error: unknown) => {
        assert.ok(error instanceof OpenAI.BadRequestError)
        assert.deepEqual([error.code, error.type, error.param], ['context_length_exceeded', 'invalid_request_error', field])
        for (const pattern of [...known, tokens]) assert.match(error.message, pattern)
        return true
      })
    }
  }
})
