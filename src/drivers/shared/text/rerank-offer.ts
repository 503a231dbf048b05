/** Runs `text.rerank` over `POST /rerank`, which Cohere, Jina, Voyage, vLLM and others have. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { expectedSearchUnits, type RerankEvent, type RerankRequest } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { askModel, inputTokensOf, searchUnitsIn } from './infer-upstream.ts'
import type { RelayedProtocol } from './protocols.ts'

export const rerankProtocol: RelayedProtocol = {
  path: () => '/rerank',
  isAnswer: ({ results, data }) => Array.isArray(results) || Array.isArray(data),
  output: 'results',
}

/** Returns the offer with which a driver serves `text.rerank`. Its runs throw the upstream's
 *  refusals, and `upstream_error` for a result that lacks its index or score. */
export function rerankOffer(
  upstream: Upstream,
  targetOf: (settings: JsonObject) => ServiceTarget,
): StreamedOffer<RerankRequest, RerankEvent> {
  return streamed<RerankRequest, RerankEvent>(async function* (job) {
    const { query, documents, topN, maxDocumentTokens, extras } = job.request
    const body: JsonObject = {
      ...extras,
      ...{ query, documents },
      ...(topN === undefined ? {} : { top_n: topN }),
      ...(maxDocumentTokens === undefined ? {} : { max_tokens_per_doc: maxDocumentTokens }),
      model: job.model,
    }
    const answer = await askModel(upstream, { protocol: rerankProtocol, target: targetOf(job.settings), job, body })
    yield { type: 'event', event: { type: 'scores', scores: scoresOf(answer, documents.length).slice(0, topN) } }
    const inputTokens = inputTokensOf(answer)
    const searchUnits = searchUnitsIn(answer)
    const usage = [
      { unit: 'input_tokens', units: inputTokens },
      { unit: 'search_units', units: searchUnits ?? expectedSearchUnits(job.request) },
    ]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens, ...defined({ searchUnits }) } }, usage } }
  })
}

/** Returns the scores of an answer, the highest first. They are in `results`, or in `data` as
 *  Voyage sends them. */
function scoresOf({ results, data }: JsonObject, count: number): RerankEvent['scores'] {
  return objectsOf(results ?? data)
    .map(({ index, relevance_score: score }) => {
      if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count && typeof score === 'number')
        return { index, score }
      throw new GatewayError('upstream_error', 'The upstream service sent a result without the index of a document or its score.')
    })
    .sort((one, other) => other.score - one.score)
}
