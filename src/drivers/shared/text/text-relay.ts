/** Relays the caller's bytes to an upstream that speaks the caller's protocol. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelayOffer, RelayRequest, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { targetFor } from '../upstream/hops.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { judgeAnswer } from './false-answer.ts'
import { type RelayedProtocol, textProtocols } from './protocols.ts'
import type { TextFacts, TextTarget } from './text-target.ts'

/** The facts of a target that a relay needs. */
type RelayTarget = ServiceTarget & Pick<Partial<TextFacts>, 'normalizes'>

interface RelayFacts<Target> {
  /** Returns the facts of a target, read from its checked settings. */
  targetOf(settings: JsonObject): Target
  /** Returns true when the target speaks the protocol and takes the body unchanged. */
  fits(body: JsonObject, target: Target): boolean
  keeps?: RelayOffer['keeps']
}

/** Returns the relay for one protocol. Time limits in the settings of a target override those of
 *  the request. */
export function relayOffer<Target extends RelayTarget>(
  upstream: Upstream,
  protocol: RelayedProtocol,
  { targetOf, fits, keeps }: RelayFacts<Target>,
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
      upstream.relay(targetFor(target.upstream, request), path, limited(request, target), sink)
    },
  }
}

/** Returns the relay for a protocol for conversations. It serves only targets that speak the
 *  protocol; `fits` decides whether they take a body unchanged. */
export function conversationRelay(
  upstream: Upstream,
  protocol: TextProtocol,
  { targetOf, fits, keeps }: RelayFacts<TextTarget>,
): RelayOffer {
  const speaks = (body: JsonObject, target: TextTarget) => target.protocols.includes(protocol) && fits(body, target)
  return relayOffer(upstream, textProtocols[protocol], { targetOf, fits: speaks, ...defined({ keeps }) })
}

function limited(request: RelayRequest, { firstByteMs, idleMs }: ServiceTarget): RelayRequest {
  if (firstByteMs === undefined && idleMs === undefined) return request
  return { ...request, firstByteMs: firstByteMs ?? request.firstByteMs, idleMs: idleMs ?? request.idleMs }
}

function refuse(sink: RelaySink, problem: string): void {
  sink.onStart({ isSent: false, abort: () => {}, pause: () => {}, resume: () => {} })
  sink.onError(new GatewayError('capability_unavailable', problem))
}
