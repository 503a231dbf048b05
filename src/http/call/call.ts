import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../../core/ports/accounts.ts'
import type { UsageLine } from '../../core/ports/usage.ts'
import type { Hold } from '../../core/records/ledger.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { Route } from '../../core/routing/router.ts'
import type { JsonBody } from '../body/body.ts'
import type { Run } from './call-counts.ts'

/** One authenticated call: who asks, where, and what was sent. */
export interface Call {
  requestId: string
  /** `<family>.<operation>`. */
  operation: string
  /** Of `performance.now()`. */
  startedAt: number
  key: AccessKey
  endpoint: Endpoint
  route: EndpointRoute
  publicUrl: string
  /** Somebody with a signed link, whose key nobody knows. */
  isLinked?: true
  body: JsonBody
  /** A folder for files of this call, made at the first use and removed after it. */
  scratch(): Promise<string>
  dispose(): Promise<void>
  /** Names of the body's fields as sent, before defaults. */
  presentFields: ReadonlySet<string>
  /** The model, for operations that choose one. */
  model?: CatalogueModel
  /** Targets a conversation may run on, when some have been tried already. */
  routes?: readonly Route[]
  /** Aborted when the caller leaves before the answer is complete. */
  signal(): AbortSignal
  /** What a conversation may use, before anybody has counted. */
  expected?: ExpectedTokens
  /** Conversations run within it so far: each has an id of its own at the upstream. */
  runs: Run[]
  /** Target that answered. */
  target?: string
  /** What is held for it in quotas, until its record is written. */
  hold?: Hold
  /** Once holding has begun. */
  holding?: Promise<void>
  /** Its tokens, which stand under the id of a background response. */
  owed?: UsageLine[]
  /** The store has a note of it, so that a kill does not lose what was said. */
  isOnRecord?: boolean
  /** Of what is left out of the answer, for the caller. */
  warnings: string[]
  /** Its headers are settled: what comes behind is the rest of a stream, or of the record. */
  isAnswered?: true
  /** Of the answer, as the handler has set them. */
  headers: Record<string, string>
  idempotencyKey?: string
  /** What was asked beside the body, in the path and the query; '' where nothing was. A repeat by the key has the same. */
  beside?: string
  traceparent?: string
  /** Gateways the request has passed before this one. */
  hops: number
}
