/** Tests Gemini's embeddings through the whole program, on a fake target and on upstreams. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { GoogleGenAI } from '@google/genai'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeInferDriver, type InferLog } from '../../testing/fakes/fake-infer-driver.ts'
import { jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { testKey } from '../../testing/gateway.ts'
import { type RelayGateway, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'

const inferred: InferLog = { embed: [], rerank: [] }
const yaml = (url: string) => `models:
  - { id: fake, family: embeddings, targets: [{ driver: fake-infer }] }
  - { id: google, family: embeddings, targets: [{ driver: gemini, base_url: "${url}", api_key: ${upstreamKey}, model: embed-up }] }
`
let started: RelayGateway
before(async () => {
  started = await startRelayGateway(yaml, { drivers: [fakeInferDriver('fake-infer', inferred)] })
})
after(() => started[Symbol.asyncDispose]())

const ask = (verb: string, body: object, model = 'fake') => started.gateway.call(`/v1beta/models/${model}:${verb}`, { body })
const content = (...texts: string[]) => ({ parts: texts.map(text => ({ text })) })

test('a text gets its vector, and several texts get theirs in order', async () => {
  const one = await ask('embedContent', { content: content('three'), outputDimensionality: 2, model: 'models/fake' })
  assertDocumented('embedContent', one)
  assert.deepEqual(one.body, { embedding: { values: [5, 0] } })
  const all = await ask('batchEmbedContents', {
    requests: ['a', 'two'].map(text => ({ content: content(text), output_dimensionality: 2 })),
  })
  assertDocumented('batchEmbedContents', all)
  assert.deepEqual(all.body, { embeddings: [{ values: [1, 0] }, { values: [3, 0] }] })
  assert.deepEqual(inferred.embed.at(-1), { inputs: ['a', 'two'], dimensions: 2 })
})

test('fields that are not followed are reported in a warning, and invalid fields are refused by name', async () => {
  const told = await ask('embedContent', { content: content('a'), taskType: 'RETRIEVAL_QUERY' })
  assert.match(told.headers.get('x-gateway-warning') ?? '', /^taskType left out/)
  const wrong: [body: object, says: RegExp][] = [
    [{ content: { parts: [{ inlineData: { data: 'AA==', mimeType: 'image/png' } }] } }, /^content\.parts\[0\] has no text/],
    [{ content: content('') }, /^content\.parts is empty/],
    [{ content: content('a'), model: 'models/other' }, /^model is models\/other; the path names fake/],
    [{ content: content('a'), outputDimensionality: 0 }, /outputDimensionality/],
  ]
  for (const [body, says] of wrong) {
    const { status, body: answer } = await ask('embedContent', body)
    assert.equal(status, 400)
    assert.match(answer.error.message, says)
    assert.equal(answer.error.status, 'INVALID_ARGUMENT')
  }
  const mixed = { requests: [{ content: content('a') }, { content: content('b'), outputDimensionality: 3 }] }
  assert.match((await ask('batchEmbedContents', mixed)).body.error.message, /^requests\[1\]\.outputDimensionality is 3/)
})

test('a target of Google gets the texts, and the call is charged by an estimate', async () => {
  started.upstream.answer(jsonReply({ embeddings: [{ values: [0.5, 0.25] }] }))
  const { body } = await ask('embedContent', { content: content('The tide comes in at noon.') }, 'google')
  assert.deepEqual(body, { embedding: { values: [0.5, 0.25] } })
  const { path, json, headers } = started.upstream.received.at(-1)!
  assert.equal(path, '/v1/models/embed-up:batchEmbedContents')
  assert.deepEqual(json, { requests: [{ model: 'models/embed-up', content: content('The tide comes in at noon.') }] })
  assert.equal(headers['x-goog-api-key'], upstreamKey)
  const tokens = await until(async () => {
    const { body: report } = await started.gateway.call('/v1/usage?group_by=model')
    const lines: { model: string; unit: string; units: number }[] = report.data
    return lines.find(({ model, unit }) => model === 'google' && unit === 'input_tokens')?.units
  }, 'the usage of the call')
  assert.ok(tokens >= 6 && tokens < 20, `${tokens}`)
})

test('a target of Google cannot cut long texts, so the caller gets a warning', async () => {
  started.upstream.answer(jsonReply({ embeddings: [{ values: [0.5, 0.25] }] }))
  const { status, headers } = await started.gateway.call('/v1/embeddings', { body: { model: 'google', input: 'a', truncate: true } })
  assert.deepEqual([status, headers.get('x-gateway-warning')], [200, 'truncate: the service has no such setting.'])
})

test("Google's client embeds one text and several", async () => {
  const client = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: started.gateway.url } })
  const one = await client.models.embedContent({ model: 'fake', contents: 'three' })
  assert.deepEqual(one.embeddings?.[0]?.values, [5, 0, 0, 0])
  const two = await client.models.embedContent({ model: 'fake', contents: ['a', 'two'], config: { outputDimensionality: 2 } })
  assert.deepEqual(
    two.embeddings?.map(({ values }) => values),
    [
      [1, 0],
      [3, 0],
    ],
  )
})
