/** Turns texts into vectors with an embedding model of a provider package, versions v2 to v4 of
 *  the AI SDK's interface (`EmbeddingModel` of `@ai-sdk/provider`). */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import type { Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { type EmbedEvent, type EmbedRequest, encodedVector, expectedEmbedTokens } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { type RefusedError, refused } from '../../../shared/refusal.ts'
import { countOf } from '../../../shared/upstream/read-json.ts'
import { type ModelUse, openUse, type RunTools } from '../exchanges.ts'
import { textFailureOf } from '../failures.ts'
import { settings, type TargetFacts } from '../settings.ts'
import { callHeaders } from '../text/call.ts'
import { vectorOptionsOf } from './options.ts'

/** Largest size in bytes of all answers to one request together; 2,048 vectors of 3,072 numbers fit
 *  in as JSON. */
const maxBytes = 160 * 2 ** 20
/** Number of simultaneous calls of a model that allows several. */
const callsAtOnce = 4
const kind = {
  kind: 'embedding',
  makers: ['embeddingModel', 'textEmbeddingModel', 'textEmbedding', 'embedding'],
  versions: ['v2', 'v3', 'v4'],
}

type EmbedJob = Job<EmbedRequest>

/** Returns the offer with which the driver serves `text.embed`. A run yields one event for each
 *  call to the model, with the vectors of that call. */
export function embedRuns(tools: RunTools): StreamedOffer<EmbedRequest, EmbedEvent> {
  return streamed<EmbedRequest, EmbedEvent>(
    async function* (job) {
      const facts = settings.targetOf(job.settings)
      const { model, signal } = job
      using used = await openUse(tools, { facts, model, signal, maxBytes, mayRepeat: true })
      let tokens = 0
      try {
        for await (const { vectors, counted } of answersOf(job, used, facts)) {
          tokens += counted
          yield { type: 'event', event: { type: 'vectors', vectors } }
        }
      } catch (error) {
        throw textFailureOf(error, { kind: 'embedding', facts, model, exchange: used.exchange, isAborted: signal.aborted })
      }
      const usage = [{ unit: 'input_tokens', units: tokens }]
      yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens: tokens } }, usage } }
    },
    { refuses: ({ request, model }) => (textsOf(request) === undefined ? tokensRefused(model).refusal : undefined) },
  )
}

function tokensRefused(model: string): RefusedError {
  return refused('inputs', `the model ${model} takes texts, no ids of tokens.`)
}

function textsOf({ inputs }: EmbedRequest): string[] | undefined {
  const texts = inputs.filter(input => typeof input === 'string')
  return texts.length === inputs.length ? texts : undefined
}

interface EmbedAnswer {
  vectors: string[]
  /** Number of input tokens that the service counted; an estimate when it reports none. */
  counted: number
}

/** Yields the answers of the model's calls, in the order of the inputs. */
async function* answersOf(job: EmbedJob, used: ModelUse, facts: TargetFacts): AsyncGenerator<EmbedAnswer> {
  const members = [{ name: 'maxEmbeddingsPerCall' }, { name: 'supportsParallelCalls' }]
  const model = await used.wait(used.model(kind, members))
  const texts = textsOf(job.request)
  if (texts === undefined) throw tokensRefused(job.model)
  const most = limitOf(model.members.maxEmbeddingsPerCall, texts.length)
  const atOnce = model.members.supportsParallelCalls === true ? callsAtOnce : 1
  const call = callOf(job, used, { facts, version: model.version })
  const result = { wanted: ['embeddings', 'usage'], vectors: 'embeddings' }
  const ask = async (values: string[]) => answerOf(await used.wait(model.call('doEmbed', { ...call, values }, result)), values, job)
  for (let start = 0; start < texts.length; start += most * atOnce) {
    const batches: string[][] = []
    for (let at = start; at < Math.min(texts.length, start + most * atOnce); at += most) batches.push(texts.slice(at, at + most))
    yield* await Promise.all(batches.map(ask))
  }
}

/** Returns the largest number of texts per call. */
function limitOf(most: unknown, count: number): number {
  return typeof most === 'number' && most >= 1 ? Math.min(count, Math.floor(most)) : count
}

function callOf(
  { request, id, warn }: EmbedJob,
  { signal }: ModelUse,
  { facts, version }: { facts: TargetFacts; version: string },
): object {
  const { dimensions, cutsInputs, hops } = request
  const wanted = { cutsInputs, ...(version === 'v4' ? {} : { dimensions }) }
  const { options, lacks } = vectorOptionsOf(facts.package, wanted, facts.providerOptions)
  if (lacks.includes('dimensions')) throw refused('dimensions', `the package ${facts.package} has no option for the length of vectors.`)
  if (lacks.includes('cutsInputs')) warn?.('cutsInputs', 'the model has no such setting.')
  return {
    ...(version === 'v4' && dimensions !== undefined ? { dimensions } : {}),
    ...{ providerOptions: options, headers: callHeaders({ requestId: id, hops }), abortSignal: signal },
  }
}

function answerOf(given: unknown, values: string[], { request: { dimensions } }: EmbedJob): EmbedAnswer {
  const { embeddings, usage } = objectOf(given)
  if (!Array.isArray(embeddings) || embeddings.length !== values.length)
    throw new GatewayError('upstream_error', `The provider package did not return a vector for each of ${values.length} texts.`)
  const vectors = embeddings.map((vector: unknown) => {
    if (!(vector instanceof Float32Array) || vector.length === 0)
      throw new GatewayError('upstream_error', 'The provider package returned a vector that is not a list of numbers.')
    if (dimensions !== undefined && vector.length !== dimensions)
      throw new GatewayError('upstream_error', `The service returned vectors of ${vector.length} numbers; ${dimensions} were requested.`)
    return encodedVector(vector)
  })
  return { vectors, counted: countOf(objectOf(usage).tokens) || expectedEmbedTokens({ inputs: values }) }
}
