/** Ranks documents with a reranking model of a provider package, versions v3 and v4 of the AI SDK's
 *  interface (`RerankingModel` of `@ai-sdk/provider`). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import {
  expectedRerankTokens,
  type RerankEvent,
  type RerankRequest,
  searchUnits,
} from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { type ModelUse, openUse, type RunTools, unlessCancelled } from '../exchanges.ts'
import { textFailureOf } from '../failures.ts'
import { invoked, providerModel } from '../provider-model.ts'
import { settings, type TargetFacts } from '../settings.ts'
import { callHeaders } from '../text/call.ts'
import { vectorOptionsOf } from './options.ts'

/** Largest size in bytes of the answer, in which some services repeat the documents. */
const maxBytes = 128 * 2 ** 20
const kind = { kind: 'reranking', makers: ['rerankingModel', 'reranking'], versions: ['v3', 'v4'] }

type RerankJob = Job<RerankRequest>

/** Returns the offer of `text.rerank`. The interface reports no tokens, so the gateway estimates
 *  their number. */
export function rerankRuns(tools: RunTools): StreamedOffer<RerankRequest, RerankEvent> {
  return streamed<RerankRequest, RerankEvent>(async function* (job) {
    const facts = settings.targetOf(job.settings)
    const { model, signal, request } = job
    using used = await openUse(tools, { facts, model, signal, maxBytes })
    try {
      yield { type: 'event', event: { type: 'scores', scores: await scoresOf(job, used, facts) } }
    } catch (error) {
      throw textFailureOf(error, { kind: 'reranking', facts, model, exchange: used.exchange, isAborted: signal.aborted })
    }
    const inputTokens = expectedRerankTokens(request)
    const usage = [
      { unit: 'input_tokens', units: inputTokens },
      { unit: 'search_units', units: searchUnits(request.documents.length) },
    ]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens } }, usage } }
  })
}

async function scoresOf(
  { request, id, warn }: RerankJob,
  { source, signal }: ModelUse,
  facts: TargetFacts,
): Promise<RerankEvent['scores']> {
  const { model } = providerModel(source, kind)
  const { query, documents, topN, maxDocumentTokens: documentTokens, hops } = request
  const { options, lacks } = vectorOptionsOf(facts.package, { documentTokens }, facts.providerOptions)
  if (lacks.includes('documentTokens')) warn?.('maxDocumentTokens', 'the model has no such setting.')
  const call = {
    ...{ query, documents: { type: 'text', values: documents }, ...defined({ topN }) },
    ...{ providerOptions: options, headers: callHeaders({ requestId: id, hops }), abortSignal: signal },
  }
  const { ranking } = objectOf(await unlessCancelled(Promise.resolve(invoked(model, 'doRerank', call)), signal))
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
