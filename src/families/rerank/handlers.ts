import { expectedSearchUnits, type RerankEvent, type RerankRequest } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { implement } from '../../contract/family.ts'
import { othersIn } from '../shared/left-out.ts'
import { rerank } from './family.ts'
import type { DocumentBody, RerankBody } from './schema.ts'

const known: ReadonlySet<string> = new Set<keyof RerankBody>([
  ...(['query', 'documents', 'model', 'top_n', 'return_documents', 'max_tokens_per_doc', 'rank_fields'] as const),
])

export const rerankEntry = implement(rerank, {
  create: async (context, { body }) => {
    const scores: RerankEvent['scores'] = []
    let tokens = 0
    let searchUnits: number | undefined
    const request = toRerankRequest(body)
    for await (const event of context.infer('text.rerank', request)) {
      if (event.type === 'scores') scores.push(...event.scores)
      else {
        tokens = event.result.usage.inputTokens
        searchUnits = event.result.usage.searchUnits
        const cut = event.result.cutDocuments ?? 0
        if (cut > 0)
          context.warn(`documents: only the beginning of ${cut} of them was read; the rest is over the limit of tokens for one document.`)
      }
    }
    return {
      id: context.requestId,
      object: 'list' as const,
      model: context.model.id,
      results: scores.map(({ index, score }) => ({ index, relevance_score: score, ...documentOf(body, index) })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      meta: { api_version: { version: '2' }, billed_units: { search_units: searchUnits ?? expectedSearchUnits(request) } },
    }
  },
})

function toRerankRequest(body: RerankBody): RerankRequest {
  const { query, documents, top_n: topN, max_tokens_per_doc: maxDocumentTokens } = body
  const extras = othersIn(body, known)
  return {
    query,
    documents: documents.map(textOf),
    ...(topN == null ? {} : { topN }),
    ...(maxDocumentTokens == null ? {} : { maxDocumentTokens }),
    ...(Object.keys(extras).length > 0 ? { extras } : {}),
  }
}

function textOf(document: DocumentBody): string {
  return typeof document === 'string' ? document : document.text
}

/** Returns an object with the member `document` of a result; an empty object when the caller did
 *  not request documents. */
function documentOf({ return_documents: isWanted, documents }: RerankBody, index: number): { document?: { text: string } } {
  const document = documents[index]
  if (!isWanted || document === undefined) return {}
  return { document: typeof document === 'string' ? { text: document } : document }
}
