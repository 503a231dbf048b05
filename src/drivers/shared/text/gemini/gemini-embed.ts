/** Runs `text.embed` over Gemini's `batchEmbedContents`. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { EmbedEvent, EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { ServiceTarget } from '../../upstream/service-settings.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { askModel } from '../infer-upstream.ts'
import type { RelayedProtocol } from '../protocols.ts'
import { cannotTake } from '../text-common-request.ts'

const protocol: RelayedProtocol = {
  path: model => `/models/${encodeURIComponent(model)}:batchEmbedContents`,
  isAnswer: ({ embeddings }) => objectsOf(embeddings).length > 0,
  output: 'a vector',
}

/** Returns the offer with which a driver serves `text.embed`. The service reports no token counts,
 *  so the gateway charges the number of tokens that it expected. A run throws `invalid_request` for
 *  inputs given as token ids, before it sends anything. It also throws the upstream's refusals, and
 *  `upstream_error` for an answer that lacks a vector. */
export function geminiEmbedOffer(
  upstream: Upstream,
  targetOf: (settings: JsonObject) => ServiceTarget,
): StreamedOffer<EmbedRequest, EmbedEvent> {
  return streamed<EmbedRequest, EmbedEvent>(async function* (job) {
    const { inputs, dimensions, cutsInputs } = job.request
    if (cutsInputs) job.warn?.('cutsInputs', 'the service has no such setting.')
    const requests = inputs.map(input => {
      if (typeof input !== 'string') throw cannotTake('ids of tokens')
      const content = { parts: [{ text: input }] }
      return { model: `models/${job.model}`, content, ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }) }
    })
    const target = targetOf(job.settings)
    const answer = await askModel(upstream, { protocol, target, job, body: { requests }, vectorIn: 'values' })
    const vectors = objectsOf(answer.embeddings).map(({ values }) => vectorOf(values))
    if (vectors.length !== inputs.length)
      throw new GatewayError('upstream_error', `The upstream service sent ${vectors.length} vectors for ${inputs.length} inputs.`)
    yield { type: 'event', event: { type: 'vectors', vectors } }
    const usage = [{ unit: 'input_tokens', units: 0 }]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens: 0 } }, usage } }
  })
}

function vectorOf(values: unknown): string {
  if (typeof values === 'string' && values !== '') return values
  throw new GatewayError('upstream_error', 'The upstream service sent a vector that is not a list of numbers.')
}
