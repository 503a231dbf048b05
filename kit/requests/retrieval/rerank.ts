/** Neutral request, events and result of `text.rerank`, which scores documents by their relevance
 *  for a query. */
import type { JsonObject } from '../../json.ts'
import { capability } from '../capability.ts'
import { tokensIn } from '../token-estimate.ts'

/** Largest number of documents of one request. */
export const mostDocuments = 2_048
/** Number of documents that one search unit covers. Cohere charges for rerank in search units
 *  (docs.cohere.com). */
const documentsOfUnit = 100

export type RerankRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  query: string
  documents: string[]
  /** Number of documents to return, the most relevant ones; all when absent. */
  topN?: number
  /** Number of tokens after which a document is cut off; the target's own limit when absent. */
  maxDocumentTokens?: number
  /** Fields of Cohere's or Jina's protocol without a neutral meaning, which are forwarded to an
   *  upstream that speaks it. */
  extras?: JsonObject
}

/** The scores of documents, highest first over all events. `index` is the document's position in
 *  the request, from 0; a more relevant document has a higher `score`. */
export type RerankEvent = { type: 'scores'; scores: { index: number; score: number }[] }

/** `cutDocuments` is the number of documents of which the model read only the beginning. */
export type RerankResult = { usage: { inputTokens: number }; cutDocuments?: number }

export const textRerank = capability<RerankRequest, RerankResult, RerankEvent>({
  failover: 'text',
  expectedUnits: request => [
    { unit: 'input_tokens', units: expectedRerankTokens(request) },
    { unit: 'search_units', units: searchUnits(request.documents.length) },
  ],
})

/** Returns an estimate of the tokens of the query and all documents. */
export function expectedRerankTokens({ query, documents }: Pick<RerankRequest, 'query' | 'documents'>): number {
  return documents.reduce((sum, document) => sum + tokensIn(document), tokensIn(query))
}

/** Returns the number of search units that a request with this number of documents costs. */
export function searchUnits(documents: number): number {
  return Math.ceil(documents / documentsOfUnit)
}
