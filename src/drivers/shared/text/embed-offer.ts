/** Runs `text.embed` over OpenAI's `POST /embeddings`. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { EmbedEvent, EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { askModel, inputTokensOf } from './infer-upstream.ts'
import type { RelayedProtocol } from './protocols.ts'

export const embeddingsProtocol: RelayedProtocol = {
  path: () => '/embeddings',
  isAnswer: ({ data }) => objectsOf(data).some(({ embedding }) => embedding !== undefined),
  output: 'a vector',
}

/** Returns the offer with which a driver serves `text.embed`. Its runs throw the upstream's
 *  refusals, and `upstream_error` for an answer that lacks a vector. */
export function embedOffer(upstream: Upstream, targetOf: (settings: JsonObject) => ServiceTarget): StreamedOffer<EmbedRequest, EmbedEvent> {
  return streamed<EmbedRequest, EmbedEvent>(async function* (job) {
    const { inputs, dimensions, cutsInputs, extras } = job.request
    const body: JsonObject = {
      ...extras,
      // A single text is not sent as a list, because some servers accept no list.
      input: inputs.length === 1 && typeof inputs[0] === 'string' ? inputs[0] : inputs,
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(cutsInputs ? { truncate: true } : {}),
      model: job.model,
    }
    const answer = await askModel(upstream, {
      ...{ protocol: embeddingsProtocol, target: targetOf(job.settings) },
      ...{ job, body, vectorIn: 'embedding' },
    })
    yield { type: 'event', event: { type: 'vectors', vectors: vectorsOf(answer, inputs.length) } }
    const inputTokens = inputTokensOf(answer)
    const usage = [{ unit: 'input_tokens', units: inputTokens }]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens } }, usage } }
  })
}

/** Returns the vectors of an answer in the order of the inputs. */
function vectorsOf({ data }: JsonObject, count: number): string[] {
  const vectors = new Array<string | undefined>(count)
  for (const [place, { index, embedding }] of objectsOf(data).entries()) {
    const at = typeof index === 'number' ? index : place
    if (Number.isInteger(at) && at >= 0 && at < count) vectors[at] = vectorOf(embedding)
  }
  return Array.from(vectors, (vector, index) => {
    if (vector !== undefined) return vector
    throw new GatewayError('upstream_error', `The upstream service sent no vector for input ${index} of ${count}.`)
  })
}

/** Returns the value when it is the base64 of one or more 32-bit floats; undefined otherwise. */
function vectorOf(embedding: Json | undefined): string | undefined {
  if (typeof embedding !== 'string' || embedding === '') return undefined
  return Buffer.byteLength(embedding, 'base64') % 4 === 0 ? embedding : undefined
}
