import { defined } from '@generation-gateway/kit/defined.ts'
import {
  type DriverTools,
  defineEngine,
  engineQueue,
  engineSlots,
  noSettings,
  parkedBecause,
  streamed,
} from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'
import { about, type FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type Done, type Job, type Refusal, refusal, type StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { type EmbedEvent, type EmbedRequest, encodedVector, expectedEmbedTokens } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { type RerankEvent, type RerankRequest, searchUnits } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { type EmbedAnswer, type EmbedJob, vectorLength } from './messages.ts'
import { embedderPacks, modelPack, networkFile, tokenizerFile } from './packs.ts'

const title = 'Built-in embeddings'
/** Estimated milliseconds that the model needs for a token; by this estimate, short jobs run before
 *  long ones. */
const tokenMs = 0.2

/** The built-in embedder: all-MiniLM-L6-v2 in a child process. It ranks documents by the
 *  likeness of their vectors to that of the query. */
export default defineEngine({
  id: 'embedder',
  title,
  kind: 'engine',
  settings: noSettings,
  capabilities: ['text.embed', 'text.rerank'],
  models: [
    {
      id: 'all-minilm-l6-v2',
      title: 'all-MiniLM-L6-v2, built in',
      capability: 'text.embed',
      name: 'all-minilm-l6-v2',
      notes: `English; vectors of ${vectorLength} numbers.`,
    },
    {
      id: 'all-minilm-l6-v2-rerank',
      title: 'Likeness by all-MiniLM-L6-v2, built in',
      capability: 'text.rerank',
      name: 'all-minilm-l6-v2',
      notes: 'English; compares the vectors of query and document.',
    },
  ],
  packs: embedderPacks,
  open: tools => {
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: 1,
      // Largest number of paused child processes. A job that gives way to other jobs stays in its
      // process, which pauses.
      paused: 2,
      queueLimit: engineSlots,
      jobTimeoutMs: 10 * 60_000,
      maxRssBytes: 1200 * 2 ** 20,
      writable: [tools.scratchDirectory],
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'embedder' }, message),
    })
    return {
      id: 'embedder',
      title,
      queue: engineQueue('embedder', { cores: tools.cores, accountSlots: 8 }),
      offers: {
        'text.embed': streamed<EmbedRequest, EmbedEvent>(job => embed({ tools, pool }, job), {
          refuses: ({ request }) => refusalOf(request),
        }),
        'text.rerank': streamed<RerankRequest, RerankEvent>(job => rerank({ tools, pool }, job)),
      },
      unusable: () => (filesOf(tools) ? undefined : tools.packs.howToGet(modelPack)),
      close: () => pool.close(),
    }
  },
})

function refusalOf({ dimensions }: EmbedRequest): Refusal | undefined {
  if (dimensions === undefined || dimensions === vectorLength) return undefined
  return refusal('dimensions', `is ${dimensions}; vectors of the built-in model have ${vectorLength} numbers.`)
}

interface Parts {
  tools: DriverTools
  pool: EnginePool
}

async function* embed(parts: Parts, job: Job<EmbedRequest>): AsyncGenerator<StreamEvent<EmbedEvent>> {
  const { inputs, cutsInputs } = job.request
  // The request is checked again, because a node without engines, which may have sent the job, does
  // not know what an engine refuses.
  const refused = refusalOf(job.request)
  if (refused) throw new GatewayError('invalid_request', refused.message, defined({ field: refused.field }))
  const isAlone = inputs.length === 1
  const { vectors, tokens } = await vectorsOf(parts, job, {
    work: { inputs, ...(cutsInputs ? { cutFrom: 0 } : {}) },
    workTokens: expectedEmbedTokens(job.request),
    problem: (index, says) => ['inputs', isAlone ? says : `number ${index} (from 0) ${says}`],
  })
  const encoded = inputs.map((_, index) => encodedVector(vectorAt(vectors, index)))
  yield { type: 'event', event: { type: 'vectors', vectors: encoded } }
  yield { type: 'outcome', outcome: done({ usage: { inputTokens: tokens } }) }
}

async function* rerank(parts: Parts, job: Job<RerankRequest>): AsyncGenerator<StreamEvent<RerankEvent>> {
  const { query, documents, topN, maxDocumentTokens } = job.request
  const inputs = [query, ...documents]
  const { vectors, tokens, cut } = await vectorsOf(parts, job, {
    work: { inputs, cutFrom: 1, ...(maxDocumentTokens === undefined ? {} : { cutAt: maxDocumentTokens }) },
    workTokens: expectedEmbedTokens({ inputs }),
    problem: (_index, says) => ['query', says],
  })
  const asked = vectorAt(vectors, 0)
  const scores = documents
    .map((_, index) => ({ index, score: likeness(asked, vectorAt(vectors, index + 1)) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, topN)
  yield { type: 'event', event: { type: 'scores', scores } }
  const charged = searchUnits(documents.length)
  const units = { unit: 'search_units', units: charged }
  const outcome = done({ usage: { inputTokens: tokens, searchUnits: charged }, ...(cut > 0 ? { cutDocuments: cut } : {}) })
  yield { type: 'outcome', outcome: { ...outcome, usage: [...outcome.usage, units] } }
}

interface VectorWork {
  work: Pick<EmbedJob, 'inputs' | 'cutFrom' | 'cutAt'>
  /** Estimated number of tokens. */
  workTokens: number
  /** Returns the field and the sentence of the error about an input that cannot be embedded. */
  problem(index: number, says: string): [field: FieldName, says: string]
}

async function vectorsOf({ tools, pool }: Parts, job: Job<object>, { work, workTokens, problem }: VectorWork) {
  if (tools.cores <= 0) throw new GatewayError('capability_unavailable', parkedBecause('embedder'))
  const files = filesOf(tools)
  if (!files) throw new GatewayError('capability_unavailable', tools.packs.howToGet(modelPack))
  const payload: EmbedJob = { ...files, threads: tools.cores, ...work }
  const { account, signal } = job
  // The cast is safe: the child process's method `embed` returns this type (process.ts).
  const answer = (await pool.run({ method: 'embed', payload, account, workMs: workTokens * tokenMs, signal })) as EmbedAnswer
  if (!('badInput' in answer)) return answer
  const [field, says] = problem(answer.badInput.index, answer.badInput.says)
  throw new GatewayError('invalid_request', about(field, says), { field })
}

function filesOf({ packs }: DriverTools): Pick<EmbedJob, 'network' | 'tokenizer'> | undefined {
  const network = packs.file(modelPack, networkFile)
  const tokenizer = packs.file(modelPack, tokenizerFile)
  return network === undefined || tokenizer === undefined ? undefined : { network, tokenizer }
}

function vectorAt(vectors: Float32Array, index: number): Float32Array {
  return vectors.subarray(index * vectorLength, (index + 1) * vectorLength)
}

/** Returns the cosine of two vectors of length 1. */
function likeness(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
}

function done(report: { usage: { inputTokens: number; searchUnits?: number }; cutDocuments?: number }): Done {
  return { state: 'done', files: [], report, usage: [{ unit: 'input_tokens', units: report.usage.inputTokens }] }
}
