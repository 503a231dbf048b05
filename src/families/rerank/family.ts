/** Rerank, Cohere's and Jina's interface that sorts documents by their relevance for a query. */
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject } from '../../contract/schemas.ts'
import { inferRelay } from '../shared/infer-relay.ts'
import { openaiError, openaiErrorSchema } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { type RerankBody, rerankBody, rerankReply } from './schema.ts'

/** Model names that clients send by default: those of Cohere and Jina. */
const usualNames = [
  ...['rerank-v4.0-pro', 'rerank-v4.0-fast', 'rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0'],
  ...['rerank-english-v2.0', 'rerank-multilingual-v2.0'],
  ...['jina-reranker-v3', 'jina-reranker-m0', 'jina-reranker-v2-base-multilingual', 'jina-reranker-v1-base-en'],
]

const failureBody = namedObject('RerankError', {
  id: Type.String({ description: 'Id of the request.' }),
  message: Type.String({ description: "What was wrong; Cohere's clients read this member." }),
  detail: Type.String({ description: "The same; Jina's clients read this member." }),
  error: openaiErrorSchema,
})

function rerankFailure(error: GatewayError, requestId: string): Failure {
  const { message } = error
  return {
    status: error.status,
    body: { id: requestId, message, detail: message, error: openaiError(error, requestId) },
    schema: failureBody,
  }
}

const rules: Rule<Pick<RerankBody, 'rank_fields'>>[] = [
  {
    id: 'rank-fields-unsupported',
    says: 'rank_fields names no field other than text.',
    field: 'rank_fields',
    source: 'ours',
    holds: ({ rank_fields: fields }) => fields == null || fields.every(field => field === 'text'),
    explain: ({ rank_fields: fields }) =>
      `rank_fields names ${JSON.stringify(fields?.find(field => field !== 'text'))}; only text is supported, so join the fields of a document into its text.`,
  },
]

export const rerank = defineFamily({
  id: 'rerank',
  title: 'Rerank',
  source: 'ours',
  description:
    "Cohere's and Jina's interface that sorts documents by their relevance for a query and scores them. The built-in model compares the embeddings of query and document, which is weaker than a cross-encoder.",
  models: [],
  takesModelsOf: ['text.rerank'],
  defaultAliases: usualNames,
  fieldNames: { topN: 'top_n', maxDocumentTokens: 'max_tokens_per_doc' },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: rerankFailure,
  operations: {
    create: operation({
      operationId: 'rerankDocuments',
      method: 'POST',
      ...atEndpoint('rerank'),
      vendorPaths: ['/v2/rerank'],
      summary: 'Sort documents by relevance',
      description: 'Bodies up to 32 MiB.',
      source: 'ours',
      choosesModel: true,
      relays: inferRelay({ protocol: 'rerank', capability: 'text.rerank' }),
      body: { schema: rerankBody, rawBytes: 32 * MiB, residualLimitBytes: 8 * MiB },
      rules,
      needs: ['infer'],
      reply: { schema: rerankReply },
      examples: [
        {
          title: 'The best of three',
          body: {
            query: 'When is high water?',
            documents: ['The tide comes in at noon.', 'The harbour has two piers.', 'Boats are painted in spring.'],
            top_n: 1,
          },
          reply: {
            id: 'req_01kb2v0f5w9h3t8m6q4y7z1xcd',
            object: 'list',
            model: 'all-minilm-l6-v2-rerank',
            results: [{ index: 0, relevance_score: 0.4716 }],
            usage: { prompt_tokens: 29, total_tokens: 29 },
            meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
          },
        },
      ],
    }),
  },
})
