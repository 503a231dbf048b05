/** The input of a relay, and what it reports at its end. */
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
  /** The gateway's id of the request. When a stream breaks off, the error at its end contains
   *  this id. */
  requestId: string
  relays: RelaySpec
  method: 'GET' | 'POST' | 'DELETE'
  /** Part of the upstream's path that follows the path of the protocol. */
  suffix: string
  query: string
  /** True when the call creates an answer, which is then checked. False when the call is about a
   *  stored answer. */
  isCreate: boolean
  /** True when the caller requested a stream. Such a response opens with a comment when the
   *  upstream sends nothing for too long (docs/decisions/0038). */
  isStreamed: boolean
  /** Headers that the request to the upstream has besides its credential. */
  headers: Record<string, string>
  /** Headers that the answer has besides its content type. */
  answerHeaders: OutgoingHttpHeaders
  /** The gateway's name for the model, when the answer has to show it instead of the upstream's;
   *  else undefined. */
  modelName?: string | undefined
  health: TargetHealth
  places: TargetPlaces
  /** Id of the caller's account. */
  account: string
  underway: CallsUnderway
  /** Called with each part of an answer before it is sent; the part is sent when the returned
   *  promise resolves. When the function returns undefined, the part is sent at once. */
  beforePart?: (part: Part, route: Route) => Promise<void> | undefined
  /** Called when the number of output tokens reaches `saidLimit`. Returns the number at which it
   *  is called next. */
  onSaid?: (said: number) => number
  saidLimit?: number
  /** Called when the relay is about to send the head of the response, for an answer or for a
   *  stream that had no output for too long. Nothing else may write to the response afterwards. */
  onTakeOver(isStream: boolean): void
  /** Called when the relay has ended, unless it fails before a part of an answer was sent.
   *  `status` is the status that the caller got; 499 when the caller disconnected. */
  onEnd(end: RelayEnd): void
  firstByteMs: number
  idleMs: number
  /** True when the body is in a file that is deleted when the promise of `relay` resolves. The
   *  promise then resolves at the end of the answer instead of its beginning. */
  isSpooled?: boolean
}

export interface RelayEnd {
  status: number
  route: Route
  usage: TextUsage | undefined
  /** Estimated number of output tokens that arrived; used when the answer has no `usage`. */
  said: number
  /** Number of searches of the web that the answer has shown; used when it has no `usage`. */
  searches: number
  /** Estimated number of output tokens from targets that broke off before the last target; absent
   *  when none of them had produced output. */
  lost?: number
  error?: GatewayError
}

/** The result of a relay. `said` is the estimated number of output tokens that upstreams produced
 *  and the caller did not get; absent when no upstream had produced output and none was still
 *  working. `number` is the position, from 1, of the target with this error; 0 when none was
 *  tried. */
export type RelayOutcome = { state: 'answered' } | FailedRelay

export interface FailedRelay {
  state: 'failed'
  error: GatewayError
  number: number
  said?: number
  usage?: TextUsage
}
