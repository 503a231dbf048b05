import assert from 'node:assert/strict'
import { decodedVector, type EmbedEvent } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { RerankEvent } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { errorReply, jsonReply, silentReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import driver from './driver.ts'

const vector = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding })
const base64 = Buffer.from(Float32Array.from([0.5, -1]).buffer).toString('base64')
const common = {
  driver,
  settings: (base_url: string, api_key: string) => ({ base_url, api_key }),
  hanging: silentReply,
  refusal: (status: number, message: string, headers?: Record<string, string>) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { code: 'content_policy_violation', message: 'not this' })], code: 'request_moderated' as const },
  polled: { leftOut: 'one request has one answer' },
  outputs: { leftOut: 'vectors and scores are no files' },
}

for (const [title, second] of [
  ['numbers', [0.5, -1]],
  ['base64', base64],
] as const)
  driverSuite(`openai-compatible, embeddings as ${title}`, {
    ...common,
    capability: 'text.embed',
    request: { inputs: ['a', 'b'], dimensions: 2 },
    good: () => [jsonReply({ data: [vector(1, second), vector(0, [1, 2])], usage: { prompt_tokens: 4, total_tokens: 4 } })],
    check: (done, events) => {
      // The cast is safe: events of this capability have this type.
      const [{ vectors }] = events as [EmbedEvent]
      assert.deepEqual(
        vectors.map(each => [...decodedVector(each)]),
        [
          [1, 2],
          [0.5, -1],
        ],
      )
      assert.deepEqual(done.usage, [{ unit: 'input_tokens', units: 4 }])
    },
    relays: ['embeddings'],
  })

driverSuite('openai-compatible, rerank', {
  ...common,
  capability: 'text.rerank',
  request: { query: 'q', documents: ['a', 'b'] },
  good: () => [
    jsonReply({
      results: [
        { index: 1, relevance_score: 0.1 },
        { index: 0, relevance_score: 0.9 },
      ],
      meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 6 } },
    }),
  ],
  check: (done, events) => {
    // The cast is safe: events of this capability have this type.
    const [{ scores }] = events as [RerankEvent]
    assert.deepEqual(scores, [
      { index: 0, score: 0.9 },
      { index: 1, score: 0.1 },
    ])
    assert.deepEqual(done.usage, [
      { unit: 'input_tokens', units: 6 },
      { unit: 'search_units', units: 1 },
    ])
  },
  relays: ['rerank'],
})
