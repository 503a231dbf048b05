/** Input of a relay and the report of its end. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import type { Route } from '../../core/routing/router.ts'
import type { TargetHealth } from '../../core/routing/target-health.ts'
import type { TargetPlaces } from '../../core/routing/target-places.ts'
import type { CallsUnderway } from '../connection/calls-underway.ts'
import type { RelayBody } from './relay-body.ts'
import type { Part } from './relay-parts.ts'

export interface RelayTry {
  route: Route
  offer: RelayOffer
  body: RelayBody | undefined
}

export interface RelayCall {
  response: ServerResponse
  relays: RelaySpec
  method: 'GET' | 'POST' | 'DELETE'
  /** Path at the upstream after the path of the protocol. */
  suffix: string
  query: string
  /** True when the call creates an answer, which is then checked; false when the call is about a
   *  stored answer. */
  isCreate: boolean
  /** True when the caller requested a stream, which opens with a comment when the upstream is
   *  silent (docs/decisions/0038). */
  isStreamed: boolean
  /** Headers for the upstream in addition to its credential. */
  headers: Record<string, string>
  /** Headers of the answer in addition to its content type. */
  answerHeaders: OutgoingHttpHeaders
  /** The gateway's model name, when the answer has to carry it. */
  modelName?: string | undefined
  health: TargetHealth
  places: TargetPlaces
  /** Id of the caller's account. */
  account: string
  underway: CallsUnderway
  /** Called with each part of an answer before it is sent; the part waits for the returned promise.
   *  Undefined lets it pass at once. */
  beforePart?: (part: Part, route: Route) => Promise<void> | undefined
  /** Called when `saidLimit` output tokens have arrived; returns the next limit. */
  onSaid?: (said: number) => number
  saidLimit?: number
  /** Called when the relay starts to send the head, of an answer or of a stream that was silent too
   *  long: nothing else may write to the response afterwards. */
  onTakeOver(isStream: boolean): void
  /** Called when the relay has ended; `status` as the caller got it, 499 when he disconnected. */
  onEnd(end: RelayEnd): void
  firstByteMs: number
  idleMs: number
  /** True when the body comes from a file that is deleted once the promise resolves: the promise
   *  then resolves at the end of the answer instead of its beginning. */
  isSpooled?: boolean
}

export interface RelayEnd {
  status: number
  route: Route
  usage: TextUsage | undefined
  /** Approximate number of output tokens that arrived, for answers without `usage`. */
  said: number
  /** Approximate number of output tokens that arrived from targets that broke off earlier; absent
   *  when none did. */
  lost?: number
  error?: GatewayError
}

/** `said`: about how many output tokens upstreams produced that the caller did not get; absent when
 *  no upstream can have worked, or all refused. */
export type RelayOutcome = { state: 'answered' } | { state: 'failed'; error: GatewayError; said?: number; usage?: TextUsage }
