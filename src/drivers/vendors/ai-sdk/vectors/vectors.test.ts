/** Tests embeddings and rankings on the whole program with real provider packages, and with models
 *  that the test supplies. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { errorReply, type FakeUpstream, jsonReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../../testing/gateway.ts'
import { aiSdkDriver } from '../driver.ts'
import { installedPackages } from '../packages.ts'
import type { RecordedCall } from '../testing/fake-package.ts'

interface FakeVectorModel {
  specificationVersion: string
  maxEmbeddingsPerCall?: unknown
  supportsParallelCalls?: unknown
}

const calls: RecordedCall[] = []
let model: FakeVectorModel = { specificationVersion: 'v4' }
let give: (call: RecordedCall) => unknown = () => ({})
const answered = async (call: RecordedCall) => {
  calls.push(call)
  return give(call)
}
const createFake = () => ({
  embeddingModel: () => ({ ...model, doEmbed: answered }),
  rerankingModel: () => ({ ...model, doRerank: answered }),
})
/** Loads the project's packages of the AI SDK. For Cohere's package and for every other name, loads
 *  the fake package. */
const source = {
  has: () => true,
  load: async (name: string) => (name.startsWith('@ai-sdk/') && name !== '@ai-sdk/cohere' ? installedPackages.load(name) : { createFake }),
}

let service: FakeUpstream
let gateway: TestGateway
before(async () => {
  service = await startFakeUpstream()
  const target = (name: string) =>
    `{ driver: ai-sdk, package: "${name}", base_url: "${service.baseUrl}", api_key: k-none-at-all, model: up-1 }`
  const names = { gpt: '@ai-sdk/openai', gemini: '@ai-sdk/google', fake: 'fake-provider', cohere: '@ai-sdk/cohere' }
  const models = Object.entries(names).flatMap(([id, name]) => [
    `  - { id: ${id}, family: embeddings, targets: [${target(name)}] }`,
    `  - { id: ${id}-rank, family: rerank, targets: [${target(name)}] }`,
  ])
  gateway = await startTestGateway({ drivers: [aiSdkDriver(source)], yaml: `models:\n${models.join('\n')}\n` })
})
beforeEach(() => {
  service.received.splice(0)
  calls.splice(0)
  model = { specificationVersion: 'v4' }
  give = ({ values }) => ({ embeddings: Array.isArray(values) ? values.map(text => [String(text).length, 0.5]) : [], usage: { tokens: 7 } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

const embed = (body: object): Promise<Answer> => gateway.call('/v1/embeddings', { body })
const rank = (body: object): Promise<Answer> => gateway.call('/v1/rerank', { body })
const vectorsOf = ({ body }: Answer) => body.data.map(({ embedding }: { embedding: number[] }) => embedding)

describe('embeddings', () => {
  test('of @ai-sdk/openai have the requested length and a token count', async () => {
    const data = [
      { object: 'embedding', index: 0, embedding: [0.5, 0.25] },
      { object: 'embedding', index: 1, embedding: [-1, 2] },
    ]
    service.answer(jsonReply({ object: 'list', data, model: 'up-1', usage: { prompt_tokens: 6, total_tokens: 6 } }))
    const answer = await embed({ model: 'gpt', input: ['a', 'b'], dimensions: 2, encoding_format: 'float' })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual(vectorsOf(answer), [
      [0.5, 0.25],
      [-1, 2],
    ])
    assert.equal(answer.body.usage.prompt_tokens, 6)
    const { path, json } = service.received[0] ?? assert.fail('nothing was sent')
    assert.deepEqual([path, Object(json).input, Object(json).dimensions], ['/v1/embeddings', ['a', 'b'], 2])
  })

  test('of @ai-sdk/google, whose service counts no tokens, are estimated', async () => {
    service.answer(jsonReply({ embeddings: [{ values: [0.5, 1] }, { values: [2, 3] }] }))
    const answer = await embed({ model: 'gemini', input: ['some words', 'and more of them'], encoding_format: 'float' })
    assert.deepEqual(vectorsOf(answer), [
      [0.5, 1],
      [2, 3],
    ])
    assert.ok(answer.body.usage.prompt_tokens >= 4, JSON.stringify(answer.body.usage))
  })

  test('use as many calls as the model needs, in the order of the texts, and their tokens are added up', async () => {
    for (const supportsParallelCalls of [true, false]) {
      calls.splice(0)
      model = { specificationVersion: 'v4', maxEmbeddingsPerCall: Promise.resolve(2), supportsParallelCalls }
      const answer = await embed({ model: 'fake', input: ['1', '22', '333', '4444', '55555'], encoding_format: 'float' })
      assert.deepEqual(
        vectorsOf(answer).map(([length]: number[]) => length),
        [1, 2, 3, 4, 5],
      )
      assert.deepEqual(
        calls.map(({ values }) => values),
        [['1', '22'], ['333', '4444'], ['55555']],
      )
      assert.equal(answer.body.usage.prompt_tokens, 21)
    }
  })

  test('of each version of the interface work', async () => {
    for (const specificationVersion of ['v2', 'v3', 'v4']) {
      model = { specificationVersion }
      assert.equal((await embed({ model: 'fake', input: 'abc' })).status, 200)
      const wanted = await embed({ model: 'cohere', input: 'abc', dimensions: 2 })
      assert.equal(wanted.status, 200, JSON.stringify(wanted.body))
      const { dimensions, providerOptions } = calls.at(-1) ?? assert.fail('no call')
      assert.deepEqual(
        [dimensions, providerOptions],
        specificationVersion === 'v4' ? [2, {}] : [undefined, { cohere: { outputDimension: 2 } }],
      )
    }
    model = { specificationVersion: 'v1' }
    const { status, body } = await embed({ model: 'fake', input: 'abc' })
    assert.equal(status, 503)
    assert.match(body.error.message, /version v1/)
  })

  test('of token ids are refused by name, and too long texts are cut only if the package can do so', async () => {
    const refusal = await embed({ model: 'fake', input: [[1, 2], [3]] })
    assert.deepEqual([refusal.status, refusal.body.error.param, calls.length], [400, 'input', 0], JSON.stringify(refusal.body))
    const told = await embed({ model: 'fake', input: 'abc', truncate: true })
    assert.equal(told.headers.get('x-gateway-warning'), 'truncate: the model has no such setting.')
    const cut = await embed({ model: 'cohere', input: 'abc', truncate: true })
    assert.equal(cut.headers.get('x-gateway-warning'), null)
    assert.deepEqual(calls.at(-1)?.providerOptions, { cohere: { truncate: 'END' } })
  })

  for (const [what, answer] of [
    ['no list', {}],
    ['too few vectors', { embeddings: [] }],
    ['an empty vector', { embeddings: [[]] }],
    ['words', { embeddings: [['x']] }],
  ] as const)
    test(`with ${what} are an upstream failure`, async () => {
      give = () => answer
      const { status, body } = await embed({ model: 'fake', input: 'abc' })
      assert.deepEqual([status, body.error.code], [502, 'upstream_error'])
    })

  test('of another length than requested are an upstream failure', async () => {
    const { status, body } = await embed({ model: 'fake', input: 'abc', dimensions: 3 })
    assert.equal(status, 502)
    assert.match(body.error.message, /vectors of 2 numbers; 3 were requested/)
  })

  test('that the service refuses have its code', async () => {
    service.answer(errorReply(429, { message: 'slower' }, { 'retry-after': '4' }))
    const { status, headers } = await embed({ model: 'gpt', input: 'abc' })
    assert.deepEqual([status, headers.get('retry-after')], [429, '4'])
  })
})

describe('a ranking', () => {
  test('lists the best documents first, with search units and estimated tokens', async () => {
    give = () => ({
      ranking: [
        { index: 2, relevanceScore: 0.1 },
        { index: 0, relevanceScore: 0.9 },
      ],
    })
    const documents = ['one', 'two', 'three']
    const { status, body } = await rank({ model: 'fake-rank', query: 'which', documents, top_n: 2 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.results, [
      { index: 0, relevance_score: 0.9 },
      { index: 2, relevance_score: 0.1 },
    ])
    const { query, documents: sent, topN } = calls[0] ?? assert.fail('no call')
    assert.deepEqual([query, sent, topN], ['which', { type: 'text', values: documents }, 2])
    assert.ok(body.usage.prompt_tokens >= 4)
  })

  test('limits the length of documents if the package has an option for it, else reports this', async () => {
    give = () => ({ ranking: [{ index: 0, relevanceScore: 1 }] })
    const body = { query: 'which', documents: ['one'], max_tokens_per_doc: 9 }
    assert.equal((await rank({ model: 'cohere-rank', ...body })).headers.get('x-gateway-warning'), null)
    assert.deepEqual(calls[0]?.providerOptions, { cohere: { maxTokensPerDoc: 9 } })
    const told = await rank({ model: 'fake-rank', ...body })
    assert.equal(told.headers.get('x-gateway-warning'), 'max_tokens_per_doc: the model has no such setting.')
  })

  test('counts the search units in the answer of the provider', async () => {
    give = () => ({ ranking: [{ index: 0, relevanceScore: 1 }], response: { body: { meta: { billed_units: { search_units: 7 } } } } })
    const { body } = await rank({ model: 'fake-rank', query: 'q', documents: ['one'] })
    assert.equal(body.meta.billed_units.search_units, 7)
  })

  for (const ranking of [undefined, [{ index: 5, relevanceScore: 1 }], [{ index: 0 }]])
    test(`that is ${JSON.stringify(ranking)} is an upstream failure`, async () => {
      give = () => ({ ranking })
      assert.equal((await rank({ model: 'fake-rank', query: 'which', documents: ['one'] })).status, 502)
    })

  test('of a package without such models is unavailable', async () => {
    const { status, body } = await rank({ model: 'gpt-rank', query: 'which', documents: ['one'] })
    assert.equal(status, 503)
    assert.match(JSON.stringify(body), /no AI SDK provider of reranking models/)
  })
})
