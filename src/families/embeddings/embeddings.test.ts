/** Tests embeddings through the whole program, on a fake target and on relayed and translated
 *  upstreams. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { decodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import OpenAI from 'openai'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeInferDriver, fakeTokens, type InferLog } from '../../testing/fakes/fake-infer-driver.ts'
import { errorReply, jsonReply, rawReply } from '../../testing/fakes/fake-upstream.ts'
import { testKey } from '../../testing/gateway.ts'
import { callRows, type RelayGateway, recordOf, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'

const path = '/v1/embeddings'
const inferred: InferLog = { embed: [], rerank: [] }
const yaml = (url: string) => `models:
  - { id: fake, family: embeddings, targets: [{ driver: fake-infer }] }
  - id: up
    family: embeddings
    price: { million_input_tokens: 2 }
    targets: [{ driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1, dialect: openai }]
`
let relayed: RelayGateway
before(async () => {
  relayed = await startRelayGateway(yaml, { drivers: [fakeInferDriver('fake-infer', inferred)] })
})
after(() => relayed[Symbol.asyncDispose]())
beforeEach(() => {
  inferred.embed = []
})

const ask = (body: object) => relayed.gateway.call(path, { body: { model: 'fake', ...body } })

test('each input gets its vector, in order, and usage counts the tokens of all inputs', async () => {
  const answer = await ask({ input: ['a', 'two', 'three'], dimensions: 2 })
  assertDocumented('createEmbeddingAtDefault', answer)
  assert.deepEqual(answer.body, {
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [1, 0] },
      { object: 'embedding', index: 1, embedding: [3, 0] },
      { object: 'embedding', index: 2, embedding: [5, 0] },
    ],
    model: 'fake',
    usage: { prompt_tokens: 3 * fakeTokens, total_tokens: 3 * fakeTokens },
  })
  assert.deepEqual(inferred.embed, [{ inputs: ['a', 'two', 'three'], dimensions: 2 }])
})

test('a base64 vector has the same numbers as a float vector', async () => {
  const input = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index + 1))
  const float = await ask({ input })
  const base64 = await ask({ input, encoding_format: 'base64' })
  assertDocumented('createEmbeddingAtDefault', base64)
  const numbers = base64.body.data.map(({ embedding }: { embedding: string }) => Array.from(decodedVector(embedding)))
  assert.equal(numbers.length, 200)
  assert.deepEqual(
    numbers,
    float.body.data.map(({ embedding }: { embedding: number[] }) => embedding),
  )
})

test('a text, a list of tokens and several lists of tokens are valid inputs', async () => {
  for (const [input, inputs] of [
    ['hello', ['hello']],
    [[7592, 2088], [[7592, 2088]]],
    [
      [[7592], [2088, 12]],
      [[7592], [2088, 12]],
    ],
  ]) {
    const { status, body } = await ask({ input, user: 'u-1', task: 'text-matching' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(inferred.embed.at(-1), { inputs, extras: { user: 'u-1', task: 'text-matching' } })
  }
})

test('invalid input is refused with its path and its limit, at no cost', async () => {
  const refused: (string | null)[] = []
  for (const [body, message, param] of [
    [{ input: '' }, /input/, 'input'],
    [{ input: [] }, /input/, 'input'],
    [{ input: ['a', ''] }, /input\[1\]/, 'input[1]'],
    [{ input: ['a', 7] }, /input\[1\] is a number, but input\[0\] is a text/, 'input'],
    [{ input: Array.from({ length: 2049 }, () => 'a') }, /input has 2049 members; at most 2048/, 'input'],
    [{ input: [Array.from({ length: 8193 }, () => 1)] }, /input\[0\].*8192/, 'input[0]'],
    [{ input: [1, -1] }, /input\[1\]/, 'input[1]'],
    [{ input: 'a', encoding_format: 'int8' }, /encoding_format/, 'encoding_format'],
    [{ input: 'a', dimensions: 0 }, /dimensions/, 'dimensions'],
    [{ input: ['good', 'bad'] }, /^input: number 1 is bad\.$/, 'input'],
    [{}, /input/, 'input'],
  ] as const) {
    const { status, body: answer, headers } = await ask(body)
    refused.push(headers.get('x-request-id'))
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(answer.error.message, message)
    assert.deepEqual([answer.error.param, answer.error.type], [param, 'invalid_request_error'], JSON.stringify(answer))
  }
  // Records are written in the order of the calls. When this call has a record, records of the
  // earlier calls would exist as well.
  await recordOf(relayed.gateway, await ask({ input: 'good' }))
  assert.ok((await callRows(relayed.gateway)).every(({ request_id: id }) => !refused.includes(String(id))))
})

test('a request may have 2,048 inputs', async () => {
  const { status, body } = await ask({ input: Array.from({ length: 2048 }, () => 'a'), encoding_format: 'base64' })
  assert.deepEqual([status, body.data.length, body.data.at(-1).index], [200, 2048, 2047])
})

const openaiAnswer = {
  object: 'list',
  data: [
    { object: 'embedding', index: 1, embedding: [0.5, -1] },
    { object: 'embedding', index: 0, embedding: [0.25, 1] },
  ],
  model: 'up-1',
  usage: { prompt_tokens: 9, total_tokens: 9 },
}

test('an upstream with this interface gets the body byte for byte; its answer comes back in the same way, and its tokens are charged', async () => {
  const { gateway, upstream } = relayed
  upstream.answer(jsonReply(openaiAnswer))
  const raw = '{ "input": ["a", "b"],  "model":"up", "future_field": {"x": 1} }'
  const answer = await gateway.call(path, { raw, headers: { 'content-type': 'application/json' } })
  assert.equal(answer.status, 200, answer.bytes.toString())
  assert.deepEqual(answer.body, openaiAnswer)
  const received = upstream.received.at(-1)!
  assert.equal(received.path, '/v1/embeddings')
  assert.equal(received.body.toString(), raw.replace('"up"', '"up-1"'))
  assert.equal(received.headers.authorization, `Bearer ${upstreamKey}`)
  const row = await recordOf(gateway, answer)
  assert.deepEqual([row.input_tokens, row['input_tokens cost'], row.estimated], [9, 18, 0])
})

test('the tokens that the upstream reports are charged, and not the numbers of a large answer', async () => {
  const { gateway, upstream } = relayed
  const embedding = Array.from({ length: 1536 }, (_, place) => Math.sin(place))
  const data = Array.from({ length: 20 }, (_, index) => ({ object: 'embedding', index, embedding }))
  const send = (usage: object | undefined) => {
    upstream.answer(jsonReply({ ...openaiAnswer, data, usage }))
    return gateway.call(path, { body: { model: 'up', input: Array.from({ length: 20 }, () => 'a') } })
  }
  const counted = await send({ prompt_tokens: 40, total_tokens: 40 })
  assert.ok(counted.bytes.length > 300 * 1024)
  const row = await recordOf(gateway, counted)
  assert.deepEqual([row.input_tokens, row.output_tokens, row.estimated], [40, 0, 0])
  const uncounted = await recordOf(gateway, await send(undefined))
  assert.deepEqual([uncounted.output_tokens, uncounted.estimated], [0, 1])
})

test('300,000 token ids are relayed; many more, or very many members, are refused', async () => {
  const { gateway, upstream } = relayed
  upstream.answer(jsonReply(openaiAnswer))
  const send = (body: object) => {
    const raw = JSON.stringify({ model: 'up', ...body })
    return gateway.call(path, { raw, headers: { 'content-type': 'application/json' } })
  }
  const lists = (tokens: number) => Array.from({ length: tokens / 150 }, () => Array.from({ length: 150 }, (_, at) => 100_000 + at))
  const most = await send({ input: lists(300_000) })
  assert.equal(most.status, 200, most.bytes.toString())
  assert.deepEqual(JSON.parse(upstream.received.at(-1)!.body.toString()).input, lists(300_000))
  const more = await send({ input: lists(306_000) })
  assert.deepEqual([more.status, more.body.error.message], [413, 'The body has more than 304096 values.'])
  const members = await send({
    input: 'a',
    future: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`member${at}${'x'.repeat(100)}`, at])),
  })
  assert.deepEqual([members.status, members.body.error.message], [413, 'The body has more than 10000 members.'])
})

test('a body with truncate is translated for a server that does not support truncate', async () => {
  const { gateway, upstream } = relayed
  upstream.answer(jsonReply(openaiAnswer))
  const { status, body } = await gateway.call(path, { body: { model: 'up', input: ['a', 'b'], truncate: true, user: 'u-1' } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.data.map(({ embedding }: { embedding: number[] }) => embedding),
    [
      [0.25, 1],
      [0.5, -1],
    ],
  )
  assert.deepEqual([body.model, body.usage.prompt_tokens], ['up', 9])
  assert.deepEqual(JSON.parse(upstream.received.at(-1)!.body.toString()), { model: 'up-1', user: 'u-1', input: ['a', 'b'], truncate: true })
})

test('the vectors of a translated answer are read correctly wherever the network splits the answer', async () => {
  const { gateway, upstream } = relayed
  const embedding = Array.from({ length: 40 }, (_, place) => place / 64 - 0.25)
  const answer = JSON.stringify(
    { ...openaiAnswer, data: [0, 1].map(index => ({ object: 'embedding', embedding: embedding, index })), note: '"embedding":[' },
    null,
    1,
  )
  upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (let at = 0; at < answer.length; at += 7) {
      response.write(answer.slice(at, at + 7))
      await new Promise(resolve => setImmediate(resolve))
    }
    response.end()
  })
  const { status, body } = await gateway.call(path, { body: { model: 'up', input: ['a', 'b'], truncate: true } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.data.map((each: { embedding: number[] }) => each.embedding),
    [embedding, embedding],
  )
  for (const wrong of [
    '{"data":[{"embedding":["a"]}]}',
    '{"data":[{"embedding":[1,2',
    '{"data":[{"embedding":[]}]}',
    '{"data":[{"embedding":7}]}',
  ]) {
    upstream.answer(rawReply(wrong, 200, { 'content-type': 'application/json' }))
    const { status } = await gateway.call(path, { body: { model: 'up', input: 'a', truncate: true } })
    assert.equal(status, 502, wrong)
  }
})

test('a base64 vector that is no list of numbers is an upstream error', async () => {
  const { gateway, upstream } = relayed
  upstream.answer(
    jsonReply({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: 'AACAPgA=' }], usage: { prompt_tokens: 9 } }),
  )
  const { status, body } = await gateway.call(path, { body: { model: 'up', input: 'a', truncate: true } })
  assert.equal(status, 502, JSON.stringify(body))
  assert.match(body.error.message, /no vector for input 0/)
})

test("an upstream's refusal has OpenAI's shape", async () => {
  const { gateway, upstream } = relayed
  upstream.answer(errorReply(400, { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded', param: 'input' }))
  const { status, body } = await gateway.call(path, { body: { model: 'up', input: 'a' } })
  assert.deepEqual([status, body.error.code], [400, 'context_length_exceeded'])
  assert.match(body.error.message, /too long/)
})

test('a quota of tokens is held before the call; only the used tokens count', async () => {
  const secret = 'sk-embeddings-quota-01'
  const limited = `accounts: [{ id: acme, keys: [{ name: a, secret: ${secret}, quotas: { tokens: 100/day } }], endpoints: [{ name: studio }] }]`
  await using own = await startRelayGateway(url => `${limited}\n${yaml(url)}`, { drivers: [fakeInferDriver('fake-infer', inferred)] })
  const send = (input: string[]) => own.gateway.call('/v1/ai/studio/embeddings', { key: secret, body: { model: 'fake', input } })
  const refused = await send(['word '.repeat(200)])
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'quota_exceeded'])
  assert.equal(inferred.embed.length, 0)
  assert.equal((await send(['a', 'two'])).status, 200)
  const tokens = await until(async () => {
    const [quota] = (await own.gateway.call('/v1/usage', { key: secret })).body.quotas
    return quota.held === 0 && quota.used > 0 ? quota.used : undefined
  }, 'the end of the hold')
  assert.equal(tokens, 2 * fakeTokens)
})

test("OpenAI's client, which requests base64, returns numbers", async () => {
  const client = new OpenAI({ baseURL: `${relayed.gateway.url}/v1`, apiKey: testKey })
  const { data, usage } = await client.embeddings.create({ model: 'fake', input: ['a', 'two'] })
  assert.deepEqual(
    data.map(({ embedding }) => embedding),
    [
      [1, 0, 0, 0],
      [3, 0, 0, 0],
    ],
  )
  assert.equal(usage.total_tokens, 2 * fakeTokens)
  const plain = await client.embeddings.create({ model: 'fake', input: 'two', encoding_format: 'float' })
  assert.deepEqual(plain.data[0]?.embedding, [3, 0, 0, 0])
})
