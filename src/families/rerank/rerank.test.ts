/** Tests rerank through the whole program, on a fake target and on relayed and translated
 *  upstreams. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeInferDriver, fakeTokens, type InferLog } from '../../testing/fakes/fake-infer-driver.ts'
import { jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { type RelayGateway, recordOf, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'

const path = '/v1/rerank'
const inferred: InferLog = { embed: [], rerank: [] }
const budgeted = 'gk-budgeted-key-000000000000000001'
const yaml = (url: string) => `accounts:
  - { id: acme, keys: [{ name: k, secret: ${budgeted}, quotas: { cost: 0.003 } }], endpoints: [{ name: default }] }
models:
  - { id: fake, family: rerank, price: { thousand_search_units: 2 }, targets: [{ driver: fake-infer }] }
  - id: up
    family: rerank
    price: { thousand_search_units: 2 }
    targets: [{ driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1 }]
`
let relayed: RelayGateway
before(async () => {
  relayed = await startRelayGateway(yaml, { drivers: [fakeInferDriver('fake-infer', inferred)] })
})
after(() => relayed[Symbol.asyncDispose]())
beforeEach(() => {
  inferred.rerank = []
})

const documents = ['zzz', 'abcd', 'ab']
const ask = (body: object, to = path) => relayed.gateway.call(to, { body: { model: 'fake', query: 'abcd', documents, ...body } })

test('documents are sorted by relevance, at both paths, with the members of Cohere and Jina', async () => {
  for (const to of [path, '/v2/rerank', '/v1/ai/default/rerank']) {
    const answer = await ask({}, to)
    if (to === path) assertDocumented('rerankDocumentsAtDefault', answer)
    const { id, ...rest } = answer.body
    assert.equal(typeof id, 'string')
    assert.deepEqual(rest, {
      object: 'list',
      model: 'fake',
      results: [
        { index: 1, relevance_score: 1 },
        { index: 2, relevance_score: 0.5 },
        { index: 0, relevance_score: 0 },
      ],
      usage: { prompt_tokens: 4 * fakeTokens, total_tokens: 4 * fakeTokens },
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    })
  }
})

test('top_n, and documents that are objects and come back as they were sent', async () => {
  const { body } = await ask({ documents: [{ text: 'zzz' }, { text: 'abcd', title: 'T' }, 'ab'], top_n: 2, return_documents: true })
  assert.deepEqual(body.results, [
    { index: 1, relevance_score: 1, document: { text: 'abcd', title: 'T' } },
    { index: 2, relevance_score: 0.5, document: { text: 'ab' } },
  ])
  assert.deepEqual(inferred.rerank, [{ query: 'abcd', documents: ['zzz', 'abcd', 'ab'], topN: 2 }])
})

test('every hundred documents cost one search unit', async () => {
  const answer = await ask({ documents: Array.from({ length: 201 }, () => 'a'), top_n: 1 })
  assert.equal(answer.body.meta.billed_units.search_units, 3)
  const row = await recordOf(relayed.gateway, answer)
  assert.deepEqual([row.input_tokens, row.search_units, row['search_units cost']], [202 * fakeTokens, 3, 6_000])
})

test('invalid input is refused by name, in a shape that clients of both services read', async () => {
  for (const [body, message, param] of [
    [{ documents: [] }, /documents/, 'documents'],
    [{ documents: ['a', { title: 'no text' }] }, /documents\[1\]/, 'documents[1].text'],
    [{ documents: Array.from({ length: 2049 }, () => 'a') }, /documents.*2048/, 'documents'],
    [{ query: '' }, /query/, 'query'],
    [{ top_n: 0 }, /top_n/, 'top_n'],
    [{ rank_fields: ['title', 'text'] }, /rank_fields names "title"; only text is supported/, 'rank_fields'],
  ] as const) {
    const { status, body: answer } = await ask(body)
    assert.equal(status, 400, JSON.stringify(answer))
    assert.match(answer.message, message)
    assert.deepEqual([answer.detail, answer.error.message, answer.error.param], [answer.message, answer.message, param])
  }
  assert.equal((await ask({ rank_fields: ['text'] })).status, 200)
})

test("texts are relayed to a rerank service; Cohere's answer has no tokens, so they are estimated", async () => {
  const { gateway, upstream } = relayed
  const answer = {
    id: 'r-1',
    results: [{ index: 0, relevance_score: 0.9 }],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  }
  upstream.answer(jsonReply(answer))
  const answered = await gateway.call(path, { body: { model: 'up', query: 'q', documents: ['a'], max_tokens_per_doc: 9 } })
  assert.equal(answered.status, 200, JSON.stringify(answered.body))
  assert.deepEqual(answered.body, answer)
  assert.deepEqual(JSON.parse(upstream.received.at(-1)!.body.toString()), {
    model: 'up-1',
    query: 'q',
    documents: ['a'],
    max_tokens_per_doc: 9,
  })
  const row = await recordOf(gateway, answered)
  assert.deepEqual([Number(row.input_tokens) > 0, row.search_units, row.estimated], [true, 1, 1])
})

test("the gateway adds the documents to the answer on request, and charges Jina's tokens", async () => {
  const { gateway, upstream } = relayed
  upstream.answer(jsonReply({ results: [{ index: 1, relevance_score: 0.4 }], usage: { total_tokens: 17 } }))
  const { body } = await gateway.call(path, {
    body: { model: 'up', query: 'q', documents: [{ text: 'a' }, { text: 'b' }], return_documents: true },
  })
  assert.deepEqual(body.results, [{ index: 1, relevance_score: 0.4, document: { text: 'b' } }])
  assert.deepEqual(JSON.parse(upstream.received.at(-1)!.body.toString()), { model: 'up-1', query: 'q', documents: ['a', 'b'] })
  assert.equal(body.usage.total_tokens, 17)
})

/** An answer of Cohere: it reports search units, and no tokens. */
const billed = (units: unknown) => ({
  results: [{ index: 0, relevance_score: 0.9 }],
  meta: { api_version: { version: '2' }, billed_units: { search_units: units } },
})
const long = 'word '.repeat(60_000)

test('the search units that the upstream reports are charged, relayed or translated, even in a long answer', async () => {
  const { gateway, upstream } = relayed
  const large = {
    ...billed(4),
    results: Array.from({ length: 900 }, (_, index) => ({ index, relevance_score: 0.5, note: 'x'.repeat(300) })),
  }
  for (const [reply, body, documents] of [
    [billed(4), {}, ['a']],
    [large, {}, Array.from({ length: 900 }, () => 'a')],
    [billed(4), { return_documents: true }, [{ text: 'a' }]],
  ] as const) {
    upstream.answer(jsonReply(reply))
    const answered = await gateway.call(path, { body: { model: 'up', query: 'q', documents, ...body } })
    assert.equal(answered.body.meta.billed_units.search_units, 4)
    const row = await recordOf(gateway, answered)
    assert.deepEqual([row.search_units, row['search_units cost']], [4, 8_000])
  }
})

test('without reported search units, a long document counts once for every 500 tokens', async () => {
  const { gateway, upstream } = relayed
  for (const units of [undefined, 0, -4, '4', 1e15]) {
    upstream.answer(jsonReply(billed(units)))
    // By default only 4,096 tokens of each document are read. Each of the 14 documents counts as 9,
    // because a document counts once per 500 tokens.
    const answered = await gateway.call(path, { body: { model: 'up', query: 'q', documents: Array.from({ length: 14 }, () => long) } })
    const row = await recordOf(gateway, answered)
    assert.equal(row.search_units, 2, String(units))
  }
  upstream.answer(jsonReply(billed(undefined)))
  const cut = { model: 'up', query: 'q', documents: Array.from({ length: 14 }, () => long), max_tokens_per_doc: 400 }
  assert.equal((await recordOf(gateway, await gateway.call(path, { body: cut }))).search_units, 1)
})

test('a budget holds the cost of long documents before the call, and keeps the units that the upstream reports', async () => {
  const { gateway, upstream } = relayed
  const sent = upstream.received.length
  const documents = Array.from({ length: 14 }, () => long)
  for (const body of [{ documents }, { documents: documents.map(text => ({ text })), return_documents: true }]) {
    const refused = await gateway.call(path, { key: budgeted, body: { model: 'up', query: 'q', ...body } })
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'quota_exceeded'], JSON.stringify(refused.body))
  }
  assert.equal(upstream.received.length, sent)
  upstream.answer(jsonReply(billed(1)))
  const answered = await gateway.call(path, { key: budgeted, body: { model: 'up', query: 'q', documents: ['a'] } })
  assert.equal((await recordOf(gateway, answered))['search_units cost'], 2_000)
})
