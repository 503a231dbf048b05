/** Tests embeddings and rankings on the whole program with the packages of further providers. Fake
 *  services answer with bytes that the real services sent. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../../testing/gateway.ts'
import { aiSdkDriver } from '../driver.ts'
import { needPackages, providerPackagesOf } from './testing/packages.ts'

const needs = needPackages()

let service: FakeUpstream
let gateway: TestGateway
before(async () => {
  service = await startFakeUpstream()
  const target = (more: string) => `targets: [{ driver: ai-sdk, base_url: "${service.baseUrl}", ${more} }]`
  const cohere = 'package: "@ai-sdk/cohere", api_key: k-none-at-all'
  const bedrock =
    'package: "@ai-sdk/amazon-bedrock", options: { region: us-east-1, accessKeyId: AKIDEXAMPLE, secretAccessKey: secret-of-nobody }'
  gateway = await startTestGateway({
    drivers: [aiSdkDriver(providerPackagesOf())],
    yaml: `models:
  - { id: cohere, family: embeddings, ${target(`${cohere}, model: embed-v4.0`)} }
  - { id: mistral, family: embeddings, ${target('package: "@ai-sdk/mistral", api_key: k-none-at-all, model: mistral-embed')} }
  - { id: titan, family: embeddings, ${target(`${bedrock}, model: amazon.titan-embed-text-v2:0`)} }
  - { id: cohere-rank, family: rerank, ${target(`${cohere}, model: rerank-v3.5`)} }
  - { id: bedrock-rank, family: rerank, ${target(`${bedrock}, model: amazon.rerank-v1:0`)} }
`,
  })
})
beforeEach(() => void service.received.splice(0))
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

const meta = { api_version: { version: '2' }, billed_units: { input_tokens: 5, search_units: 1 } }
const vectors = {
  cohere: {
    answer: { id: 'e', embeddings: { float: [[0.5, 1]] }, texts: ['hello'], meta },
    path: /\/embed$/,
  },
  mistral: {
    answer: {
      id: 'e',
      object: 'list',
      model: 'mistral-embed',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, 1] }],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    },
    path: /\/embeddings$/,
  },
  titan: { answer: { embedding: [0.5, 1], inputTextTokenCount: 5 }, path: /\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/ },
}

for (const [model, { answer, path }] of Object.entries(vectors))
  test(`${model}: a vector and its tokens`, needs, async () => {
    service.answer(jsonReply(answer))
    const { status, body } = await gateway.call('/v1/embeddings', { body: { model, input: 'hello', encoding_format: 'float' } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.data[0].embedding, body.usage.prompt_tokens], [[0.5, 1], 5])
    assert.match(service.received[0]?.path ?? '', path)
  })

const rankings = {
  'cohere-rank': {
    answer: {
      id: 'r',
      results: [
        { index: 1, relevance_score: 0.75 },
        { index: 0, relevance_score: 0.25 },
      ],
      meta,
    },
    path: /\/rerank$/,
  },
  'bedrock-rank': {
    answer: {
      results: [
        { index: 1, relevanceScore: 0.75 },
        { index: 0, relevanceScore: 0.25 },
      ],
    },
    path: /\/rerank$/,
  },
}

for (const [model, { answer, path }] of Object.entries(rankings))
  test(`${model}: two documents in their order`, needs, async () => {
    service.answer(jsonReply(answer))
    const { status, body } = await gateway.call('/v1/rerank', { body: { model, query: 'which', documents: ['one', 'two'] } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.results, [
      { index: 1, relevance_score: 0.75 },
      { index: 0, relevance_score: 0.25 },
    ])
    assert.match(service.received[0]?.path ?? '', path)
  })
