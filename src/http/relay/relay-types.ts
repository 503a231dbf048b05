/** What a relay is given, and what it tells of its end. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import type { Route } from '../../core/routing/router.ts'
import type { TargetHealth } from '../../core/routing/target-health.ts'
import type { TargetPlaces } from '../../core/routing/target-places.ts'
import type { Underway } from '../connection/underway.ts'
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
  /** Behind the protocol's path at the upstream. */
  suffix: string
  query: string
  /** It makes an answer: what comes is held against what one has to be. Otherwise it is about a stored one. */
  isCreate: boolean
  /** The caller asked for a stream: while nothing comes, it opens with a comment (docs/decisions/0038). */
  isStreamed: boolean
  /** To the upstream beside its own credential. */
  headers: Record<string, string>
  /** Of the answer beside its content type. */
  answerHeaders: OutgoingHttpHeaders
  /** The gateway's name for the model, where the answer is to carry that. */
  modelName?: string | undefined
  health: TargetHealth
  places: TargetPlaces
  /** The account that asks. */
  account: string
  underway: Underway
  /** Called with each part of an answer before it goes out; the part waits for what it returns. Undefined lets it pass at once. */
  beforePart?: (part: Part, route: Route) => Promise<void> | undefined
  /** Called when so many tokens have been said as `saidLimit` names; gives the next such number. */
  onSaid?: (said: number) => number
  saidLimit?: number
  /** The head goes out from here on, of an answer or for a stream that has been silent too long: nobody else may write to the response. */
  onTakeOver(isStream: boolean): void
  /** The relay has ended: `status` as the caller got it, 499 when he left. */
  onEnd(end: RelayEnd): void
  firstByteMs: number
  idleMs: number
  /** The body comes from a file that goes away once this has resolved: it resolves at the end of the answer, not at its beginning. */
  isSpooled?: boolean
}

export interface RelayEnd {
  status: number
  route: Route
  usage: TextUsage | undefined
  /** About how many tokens it said, in case `usage` does not tell. */
  said: number
  /** About how many tokens were said by targets that broke off before; absent when none has. */
  lost?: number
  error?: GatewayError
}

/** `said`: about how many tokens an upstream has said of what nobody got, when one may have been at work; absent when none was, or all have refused. */
export type RelayOutcome = { state: 'answered' } | { state: 'failed'; error: GatewayError; said?: number; usage?: TextUsage }
