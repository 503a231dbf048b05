/** Runs JavaScript clients for embeddings and rerank as published against the built-in model of a
 *  gateway without configuration; only the base URL and a key are set. */
// Client: openai (npm openai): createEmbedding.
// Client: AI SDK (npm ai, npm @ai-sdk/openai, npm @ai-sdk/openai-compatible): createEmbedding.
// Client: LangChain (npm @langchain/openai): createEmbedding.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { OpenAIEmbeddings } from '@langchain/openai'
import { cosineSimilarity, embed, embedMany } from 'ai'
import OpenAI from 'openai'
import { needPack } from '../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const needs = needPack('embed-minilm')
const texts = ['The tide comes in at noon.', 'High water is at twelve.', 'Boats are painted in spring.']
/** A name that ships as an alias of the built-in model. */
const model = 'text-embedding-3-small'
const apiKey = testKey

let gateway: TestGateway
let baseURL: string
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  baseURL = `${gateway.url}/v1`
})
after(() => gateway[Symbol.asyncDispose]())

function assertMeaning(vectors: readonly (readonly number[])[]): void {
  assert.deepEqual(
    vectors.map(vector => vector.length),
    [384, 384, 384],
  )
  const [tide = [], water = [], boats = []] = vectors.map(vector => [...vector])
  assert.ok(cosineSimilarity(tide, water) > cosineSimilarity(tide, boats) + 0.1)
}

test('openai: vectors of texts with the same meaning are similar, and equal from base64 and floats', needs, async () => {
  const { embeddings } = new OpenAI({ baseURL, apiKey })
  const made = await embeddings.create({ model, input: texts })
  assertMeaning(made.data.map(({ embedding }) => embedding))
  const floats = await embeddings.create({ model, input: texts, encoding_format: 'float' })
  assert.deepEqual(
    floats.data.map(({ embedding }) => embedding),
    made.data.map(({ embedding }) => Array.from(embedding)),
  )
  assert.deepEqual([made.usage.prompt_tokens, made.model], [25, 'all-minilm-l6-v2'])
  await assert.rejects(embeddings.create({ model, input: 'x', dimensions: 256 }), {
    status: 400,
    param: 'dimensions',
    message: /dimensions: is 256; vectors of the built-in model have 384 numbers/,
  })
  await assert.rejects(embeddings.create({ model, input: ['short', 'word '.repeat(600)] }), {
    status: 400,
    param: 'input',
    message: /input: number 1 \(from 0\) has 602 tokens; the model takes at most 512/,
  })
})

test('AI SDK: one text and several get vectors and usage', needs, async () => {
  for (const made of [createOpenAI({ baseURL, apiKey }), createOpenAICompatible({ baseURL, apiKey, name: 'gateway' })]) {
    const many = await embedMany({ model: made.embeddingModel(model), values: texts })
    assertMeaning(many.embeddings)
    const one = await embed({ model: made.embeddingModel(model), value: texts[0] ?? '' })
    assert.ok(cosineSimilarity(one.embedding, many.embeddings[0] ?? []) > 0.99999)
    assert.deepEqual([many.usage.tokens, one.usage.tokens], [25, 9])
  }
})

test('LangChain: documents and a query get vectors', needs, async () => {
  const made = new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL } })
  assertMeaning(await made.embedDocuments(texts))
  assert.equal((await made.embedQuery('tide')).length, 384)
})

test('rerank: the built-in model ranks the document with the answer first, and reports cut documents', needs, async () => {
  const documents = ['Boats are painted in spring.', 'The tide comes in at noon.', 'word '.repeat(600)]
  const { status, body, headers } = await gateway.call('/v2/rerank', {
    body: { model: 'rerank-v3.5', query: 'When is high water?', documents, top_n: 2, return_documents: true },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.results[0].document, { text: 'The tide comes in at noon.' })
  assert.deepEqual([body.results.length, body.model], [2, 'all-minilm-l6-v2-rerank'])
  assert.match(
    headers.get('x-gateway-warning') ?? '',
    /documents: only the beginning of 1 of them was read; the rest is over the limit of tokens/,
  )
})
