/** Ranks documents with a reranking model of a provider package, versions v3 and v4 of the AI SDK's
 *  interface (`RerankingModel` of `@ai-sdk/provider`). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import {
  expectedRerankTokens,
  expectedSearchUnits,
  type RerankEvent,
  type RerankRequest,
} from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { searchUnitsIn } from '../../../shared/text/infer-upstream.ts'
import { type ModelUse, openUse, type RunTools } from '../exchanges.ts'
import { textFailureOf } from '../failures.ts'
import { settings, type TargetFacts } from '../settings.ts'
import { callHeaders } from '../text/call.ts'
import { vectorOptionsOf } from './options.ts'

/** Largest size in bytes of the answer, in which some services repeat the documents. */
const maxBytes = 128 * 2 ** 20
const kind = { kind: 'reranking', makers: ['rerankingModel', 'reranking'], versions: ['v3', 'v4'] }

type RerankJob = Job<RerankRequest>

/** Returns the offer with which the driver serves `text.rerank`. The interface reports no tokens,
 *  so the gateway estimates the number of tokens. A provider that charges by search units reports
 *  the number of units in its own answer. */
export function rerankRuns(tools: RunTools): StreamedOffer<RerankRequest, RerankEvent> {
  return streamed<RerankRequest, RerankEvent>(async function* (job) {
    const facts = settings.targetOf(job.settings)
    const { model, signal, request } = job
    using used = await openUse(tools, { facts, model, signal, maxBytes, mayRepeat: true })
    let searchUnits: number | undefined
    try {
      const answer = await rankingOf(job, used, facts)
      searchUnits = searchUnitsIn(objectOf(objectOf(answer.response).body))
      yield { type: 'event', event: { type: 'scores', scores: scoresIn(answer, request) } }
    } catch (error) {
      throw textFailureOf(error, { kind: 'reranking', facts, model, exchange: used.exchange, isAborted: signal.aborted })
    }
    const inputTokens = expectedRerankTokens(request)
    const usage = [
      { unit: 'input_tokens', units: inputTokens },
      { unit: 'search_units', units: searchUnits ?? expectedSearchUnits(request) },
    ]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens, ...defined({ searchUnits }) } }, usage } }
  })
}

async function rankingOf(
  { request, id, warn }: RerankJob,
  { model: modelOf, signal, wait }: ModelUse,
  facts: TargetFacts,
): Promise<JsonObject> {
  const model = await wait(modelOf(kind, []))
  const { query, documents, topN, maxDocumentTokens: documentTokens, hops } = request
  const { options, lacks } = vectorOptionsOf(facts.package, { documentTokens }, facts.providerOptions)
  if (lacks.includes('documentTokens')) warn?.('maxDocumentTokens', 'the model has no such setting.')
  const call = {
    ...{ query, documents: { type: 'text', values: documents }, ...defined({ topN }) },
    ...{ providerOptions: options, headers: callHeaders({ requestId: id, hops }), abortSignal: signal },
  }
  return objectOf(await wait(model.call('doRerank', call, { wanted: ['ranking', 'response.body.meta'] })))
}

function scoresIn({ ranking }: JsonObject, { documents, topN }: RerankRequest): RerankEvent['scores'] {
  if (!Array.isArray(ranking)) throw new GatewayError('upstream_error', 'The provider package returned no ranking.')
  return objectsOf(ranking)
    .map(({ index, relevanceScore: score }) => {
      if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < documents.length && typeof score === 'number')
        return { index, score }
      throw new GatewayError('upstream_error', 'The provider package returned a rank without the index of a document or its score.')
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, topN)
}
