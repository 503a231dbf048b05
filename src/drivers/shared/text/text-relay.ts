/** Relays the caller's bytes to an upstream that speaks the caller's protocol. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import {
  type MinorOperation,
  MissingOperationError,
  type RelayOffer,
  type RelayRequest,
  type RelaySink,
} from '@generation-gateway/kit/requests/relay.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { isNoSuchPath } from '../upstream/gone-model.ts'
import { targetFor } from '../upstream/hops.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { judgeAnswer } from './false-answer.ts'
import { type RelayedProtocol, textProtocols } from './protocols.ts'
import { countWaits, isPathMissing } from './text-count.ts'
import type { TextFacts, TextTarget } from './text-target.ts'

/** The facts of a target that a relay needs. */
type RelayTarget = ServiceTarget & Pick<Partial<TextFacts>, 'normalizes'>

interface RelayFacts<Target> {
  /** Returns the facts of a target, read from its checked settings. */
  targetOf(settings: JsonObject): Target
  /** Returns true when the target speaks the protocol and accepts the body unchanged. */
  fits(body: JsonObject, target: Target): boolean
  keeps?: RelayOffer['keeps']
  /** Time limits that hold whatever the target's settings say. */
  waits?: Pick<RelayRequest, 'firstByteMs' | 'idleMs'>
}

/** Returns the relay for one protocol. Time limits in the settings of a target override those of
 *  the request. */
export function relayOffer<Target extends RelayTarget>(
  upstream: Upstream,
  protocol: RelayedProtocol,
  { targetOf, fits, keeps, waits }: RelayFacts<Target>,
): RelayOffer {
  return {
    ...(keeps ? { keeps } : {}),
    accepts: (body, settings) => {
      const target = targetOf(settings)
      return target.problem === undefined && fits(body, target)
    },
    normalizes: settings => targetOf(settings).normalizes === true,
    judge: (value, settings) => judgeAnswer(protocol, value, targetOf(settings).upstream.secrets),
    send: (request, sink) => {
      const target = targetOf(request.settings)
      if (target.problem !== undefined) {
        refuse(sink, target.problem)
        return
      }
      const path = protocol.path(request.model, request.isStreamed)
      upstream.relay(targetFor(target.upstream, request), path, waits ? { ...request, ...waits } : limited(request, target), sink)
    },
  }
}

interface ConversationFacts extends Omit<RelayFacts<TextTarget>, 'fits'> {
  /** Returns true when the target accepts the body of an operation unchanged. `minor` is undefined
   *  for the operation that creates an answer. */
  fits(body: JsonObject, target: TextTarget, minor?: MinorOperation): boolean
}

/** Returns the relay for a protocol of conversations and for its minor operations. It relays only
 *  to targets that speak the protocol. */
export function conversationRelay(upstream: Upstream, protocol: TextProtocol, { targetOf, fits, keeps }: ConversationFacts): RelayOffer {
  const { minor = {}, ...main } = textProtocols[protocol]
  const factsOf = (operation?: MinorOperation): RelayFacts<TextTarget> => ({
    targetOf,
    fits: (body, target) => target.protocols.includes(protocol) && fits(body, target, operation),
  })
  const { count, compact } = minor
  return {
    ...relayOffer(upstream, main, { ...factsOf(), ...defined({ keeps }) }),
    minor: defined({
      count: count && reportingMissing(relayOffer(upstream, count, { ...factsOf('count'), waits: countWaits })),
      compact: compact && reportingMissing(relayOffer(upstream, compact, factsOf('compact'))),
    }),
  }
}

/** Returns the relay of a minor operation (a count of tokens, or compaction). It fails with
 *  `MissingOperationError` when the upstream does not have the operation. */
function reportingMissing(offer: RelayOffer): RelayOffer {
  return {
    ...offer,
    judge: (value, settings) => {
      const verdict = offer.judge(value, settings)
      return verdict instanceof GatewayError && isPathRefused(value) ? new MissingOperationError(verdict) : verdict
    },
    send: (request, sink) => offer.send(request, minorSink(sink)),
  }
}

/** Returns true for an error that says that the path does not exist. LM Studio reports this
 *  error with a successful status. */
function isPathRefused({ error }: JsonObject): boolean {
  return typeof error === 'string' && isNoSuchPath({ code: null, type: null, param: null, message: error })
}

/** Returns a sink that gets `MissingOperationError` for an upstream that lacks the path. */
function minorSink(sink: RelaySink): RelaySink {
  return {
    onStart: control => sink.onStart(control),
    onHead: (status, headers) => sink.onHead(status, headers),
    onData: chunk => sink.onData(chunk),
    onEnd: () => sink.onEnd(),
    onError: error => sink.onError(isPathMissing(error) ? new MissingOperationError(error) : error),
  }
}

function limited(request: RelayRequest, { firstByteMs, idleMs }: ServiceTarget): RelayRequest {
  if (firstByteMs === undefined && idleMs === undefined) return request
  return { ...request, firstByteMs: firstByteMs ?? request.firstByteMs, idleMs: idleMs ?? request.idleMs }
}

function refuse(sink: RelaySink, problem: string): void {
  sink.onStart({ isSent: false, abort: () => {}, pause: () => {}, resume: () => {} })
  sink.onError(new GatewayError('capability_unavailable', problem))
}
