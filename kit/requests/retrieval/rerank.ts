/** Neutral request, events and result of `text.rerank`: scores of documents for a query. */
import type { JsonObject } from '../../json.ts'
import { capability } from '../capability.ts'
import { tokensIn } from '../token-estimate.ts'

/** Largest number of documents of one request. */
export const mostDocuments = 2_048
/** Number of documents of one search unit, the unit in which rerankers are charged
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

/** Relevance of documents: position in the request, from 0, and score, higher for a more relevant
 *  document. The documents with the highest scores come first. */
export type RerankEvent = { type: 'scores'; scores: { index: number; score: number }[] }

/** `cutDocuments` is the number of documents of which only the beginning was read. */
export type RerankResult = { usage: { inputTokens: number }; cutDocuments?: number }

export const textRerank = capability<RerankRequest, RerankResult, RerankEvent>({
  failover: 'text',
  expectedUnits: request => [
    { unit: 'input_tokens', units: expectedRerankTokens(request) },
    { unit: 'search_units', units: searchUnits(request.documents.length) },
  ],
})

/** Returns the tokens that query and documents will probably have. */
export function expectedRerankTokens({ query, documents }: Pick<RerankRequest, 'query' | 'documents'>): number {
  return documents.reduce((sum, document) => sum + tokensIn(document), tokensIn(query))
}

/** Returns the number of search units of a request with so many documents. */
export function searchUnits(documents: number): number {
  return Math.ceil(documents / documentsOfUnit)
}
