/** Relays the caller's bytes to an upstream that speaks the caller's protocol. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelayOffer, RelayRequest, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { targetFor } from '../upstream/hops.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { judgeAnswer } from './false-answer.ts'
import type { TargetOf, TextTarget } from './text-target.ts'

/** Paths of the protocols that are relayed to servers with OpenAI's interface. */
const paths = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  rerank: '/rerank',
} as const satisfies Partial<Record<RelayProtocol, string>>

/** Returns the relay of one protocol to targets that speak it. `fits` decides whether a body can be
 *  sent unchanged. Time limits in a target's settings override those of the request. */
export function relayOffer(
  upstream: Upstream,
  protocol: keyof typeof paths,
  { targetOf, fits, keeps }: { targetOf: TargetOf; fits(body: JsonObject, target: TextTarget): boolean; keeps?: RelayOffer['keeps'] },
): RelayOffer {
  const path = paths[protocol]
  return {
    ...(keeps ? { keeps } : {}),
    accepts: (body, settings) => {
      const target = targetOf(settings)
      return target.problem === undefined && speaks(target, protocol) && fits(body, target)
    },
    normalizes: settings => targetOf(settings).normalizes === true,
    judge: (value, settings) => judgeAnswer(protocol, value, targetOf(settings).upstream.secrets),
    send: (request, sink) => {
      const target = targetOf(request.settings)
      if (target.problem !== undefined) refuse(sink, target.problem)
      else upstream.relay(targetFor(target.upstream, request), path, limited(request, target.firstByteMs, target.idleMs), sink)
    },
  }
}

/** The setting `protocols` lists only protocols for conversations. A target of another capability
 *  has no use for it. */
function speaks({ protocols }: TextTarget, protocol: keyof typeof paths): boolean {
  return protocol === 'embeddings' || protocol === 'rerank' || protocols.includes(protocol)
}

function limited(request: RelayRequest, firstByteMs: number | undefined, idleMs: number | undefined): RelayRequest {
  if (firstByteMs === undefined && idleMs === undefined) return request
  return { ...request, firstByteMs: firstByteMs ?? request.firstByteMs, idleMs: idleMs ?? request.idleMs }
}

function refuse(sink: RelaySink, problem: string): void {
  sink.onStart({ isSent: false, abort: () => {}, pause: () => {}, resume: () => {} })
  sink.onError(new GatewayError('capability_unavailable', problem))
}
