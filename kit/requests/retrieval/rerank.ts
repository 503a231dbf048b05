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
/** Largest number of tokens of a piece, those of the query included. A longer document is
 *  divided into pieces, and each piece counts as one document (cohere.com/pricing). */
const tokensOfPiece = 500
/** Number of tokens that Cohere reads of a document when the caller sets no limit. */
const usualDocumentTokens = 4_096

export type RerankRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  query: string
  documents: string[]
  /** Number of documents to return, the most relevant ones; all when absent. */
  topN?: number
  /** Number of tokens after which a document is cut off; the target's own limit when absent. */
  maxDocumentTokens?: number
  /** Fields of the caller's body that the gateway itself does not read, such as those special to
   *  Cohere or Jina. They are sent unchanged to an upstream of the same protocol. */
  extras?: JsonObject
}

/** The scores of some documents. `index` is the document's position in the request, from 0; a more
 *  relevant document has a higher `score`. The scores fall from each event to the next and within
 *  each event. */
export type RerankEvent = { type: 'scores'; scores: { index: number; score: number }[] }

/** `searchUnits` is the number of search units that the target charges; absent when it reports
 *  none. `cutDocuments` is the number of documents of which the model read only the beginning. */
export type RerankResult = { usage: { inputTokens: number; searchUnits?: number }; cutDocuments?: number }

export const textRerank = capability<RerankRequest, RerankResult, RerankEvent>({
  failover: 'text',
  expectedUnits: request => [
    { unit: 'input_tokens', units: expectedRerankTokens(request) },
    { unit: 'search_units', units: expectedSearchUnits(request) },
  ],
})

/** Returns an estimate of the tokens of the query and all documents. */
export function expectedRerankTokens({ query, documents }: Pick<RerankRequest, 'query' | 'documents'>): number {
  return documents.reduce((sum, document) => sum + tokensIn(document), tokensIn(query))
}

/** Returns the search units that a target will probably charge, from the texts of the request. */
export function expectedSearchUnits({ query, documents, maxDocumentTokens }: Omit<RerankRequest, 'extras'>): number {
  return searchUnitsOf({ query: tokensIn(query), documents: documents.map(tokensIn), most: maxDocumentTokens })
}

/** Returns the search units for the token counts of a query and its documents. `most` is the
 *  largest number of tokens that are read of a document. Every piece of a document is counted
 *  together with the query, so the query counts for at most half a piece: otherwise a long query
 *  would split documents into pieces of a few tokens. */
export function searchUnitsOf(tokens: { query: number; documents: readonly number[]; most?: number | undefined }): number {
  const { query, documents, most = usualDocumentTokens } = tokens
  const room = tokensOfPiece - Math.min(query, tokensOfPiece / 2)
  return searchUnits(documents.reduce((pieces, document) => pieces + Math.max(1, Math.ceil(Math.min(document, most) / room)), 0))
}

/** Returns the number of search units that a request with this number of short documents costs. */
export function searchUnits(documents: number): number {
  return Math.ceil(documents / documentsOfUnit)
}
