/** A fake driver for embeddings, rerank and moderation, which computes its answers by simple
 *  rules. */
import { type DriverSpec, defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { Done, Job } from '@generation-gateway/kit/requests/job.ts'
import type { ModerateEvent, ModerateRequest } from '@generation-gateway/kit/requests/moderate.ts'
import { type EmbedEvent, type EmbedInput, type EmbedRequest, encodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { type RerankEvent, type RerankRequest, type RerankResult, searchUnits } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import Type from 'typebox'

export interface InferLog {
  embed: EmbedRequest[]
  rerank: RerankRequest[]
}

/** Number of tokens that the fake counts for each input and document. */
export const fakeTokens = 5

/** Returns a driver with this id. A vector has 4 numbers, or as many as requested: the first is
 *  the length of its text, or the number of its tokens, and the others are 0. The score of a
 *  document is the share of the query's letters that occur in it. An input `bad` of an embedding is
 *  refused. The driver stores the requests for embeddings and rerank in `inferred`. */
export function fakeInferDriver(id: string, inferred: InferLog = { embed: [], rerank: [] }): DriverSpec {
  const title = `Fake ${id}`
  const embed = streamed<EmbedRequest, EmbedEvent>(async function* ({ request }: Job<EmbedRequest>) {
    inferred.embed.push(request)
    const bad = request.inputs.indexOf('bad')
    if (bad >= 0) throw new GatewayError('invalid_request', about('inputs', `number ${bad} is bad.`), { field: 'inputs' })
    const { inputs, dimensions = 4 } = request
    // The vectors come in two events, as from a target that sends vectors while it makes them.
    yield { type: 'event', event: { type: 'vectors', vectors: inputs.slice(0, 1).map(input => vectorOf(input, dimensions)) } }
    yield { type: 'event', event: { type: 'vectors', vectors: inputs.slice(1).map(input => vectorOf(input, dimensions)) } }
    yield { type: 'outcome', outcome: done({ inputTokens: fakeTokens * inputs.length }) }
  })
  const rerank = streamed<RerankRequest, RerankEvent>(async function* ({ request }: Job<RerankRequest>) {
    inferred.rerank.push(request)
    const { query, documents, topN } = request
    const scores = documents.map((document, index) => ({ index, score: likeness(query, document) }))
    const best = scores.sort((one, other) => other.score - one.score).slice(0, topN)
    yield { type: 'event', event: { type: 'scores', scores: best } }
    const outcome = done({ inputTokens: fakeTokens * (documents.length + 1), searchUnits: searchUnits(documents.length) })
    yield { type: 'outcome', outcome }
  })
  const moderate = streamed<ModerateRequest, ModerateEvent>(async function* ({ request: { inputs } }: Job<ModerateRequest>) {
    const verdicts = inputs.map(() => ({ isFlagged: false, categories: {} }))
    yield { type: 'event', event: { type: 'verdicts', verdicts } }
    yield { type: 'outcome', outcome: done({ inputTokens: fakeTokens * inputs.length }) }
  })
  const offers = { 'text.embed': embed, 'text.rerank': rerank, 'text.moderate': moderate }
  return defineDriver({
    ...{ id, title },
    kind: 'upstream',
    settings: Type.Object({}),
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots: 4 }, offers }),
  })
}

function vectorOf(input: EmbedInput, dimensions: number): string {
  return encodedVector(Float32Array.from({ length: dimensions }, (_, place) => (place === 0 ? input.length : 0)))
}

function likeness(query: string, document: string): number {
  const letters = [...new Set(query)]
  return letters.filter(letter => document.includes(letter)).length / letters.length
}

function done(usage: RerankResult['usage']): Done {
  const { inputTokens, searchUnits: charged } = usage
  const units = [{ unit: 'input_tokens', units: inputTokens }, ...(charged === undefined ? [] : [{ unit: 'search_units', units: charged }])]
  return { state: 'done', files: [], report: { usage }, usage: units }
}
