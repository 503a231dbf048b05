import { mostDocuments } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional } from '../../contract/schemas.ts'

const document = { type: ['string', 'object'], properties: { text: { type: 'string' } }, required: ['text'] } as const

export const rerankBody = Type.Object({
  query: Type.String({ minLength: 1, examples: ['When is high water?'], description: 'What the documents are compared with.' }),
  documents: Type.Unsafe<DocumentBody[]>({
    type: 'array',
    minItems: 1,
    maxItems: mostDocuments,
    items: document,
    description: 'Texts, or objects with a `text`.',
  }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  top_n: optional.integer({ minimum: 1, maximum: 1_000_000, description: 'Number of results; all documents when absent.' }),
  return_documents: Type.Boolean({ default: false, description: 'True: each result also has its document.' }),
  max_tokens_per_doc: optional.integer({
    minimum: 1,
    maximum: 1_000_000,
    unit: 'tokens',
    description: 'The model reads only this many tokens from the beginning of a document. Default: as many as it takes.',
  }),
  rank_fields: optional.array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 100,
    description: 'Fields of documents that are objects; only `text` is supported.',
  }),
})
export type DocumentBody = string | { text: string }
export type RerankBody = Static<typeof rerankBody>

const result = namedObject('RerankedDocument', {
  index: Type.Integer({ description: 'Position of the document in the request, from 0.' }),
  relevance_score: Type.Number({ description: 'Higher for a more relevant document; its range is that of the model.' }),
  document: Type.Optional(
    Type.Unsafe<{ text: string }>({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      description: 'The document as it was sent, with `return_documents`.',
    }),
  ),
})

/** The answer, which has the members of Cohere's answers and those of Jina's. */
export const rerankReply = namedObject('Reranking', {
  id: Type.String(),
  object: Type.Literal('list'),
  model: Type.String(),
  results: Type.Array(result, { description: 'The most relevant document comes first.' }),
  usage: namedObject('RerankUsage', {
    prompt_tokens: Type.Integer({ description: 'Tokens of the query and the documents.' }),
    total_tokens: Type.Integer({ description: 'The same.' }),
  }),
  meta: namedObject('RerankMeta', {
    api_version: Type.Object({ version: Type.String() }),
    billed_units: Type.Object({
      search_units: Type.Integer({
        description:
          'The number that the target charges, else one for every 100 documents or part of them; a document of more than 500 tokens counts several times.',
      }),
    }),
  }),
})
