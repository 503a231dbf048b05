/** Relays: the caller's bytes to an upstream that speaks the caller's protocol. */
import { GatewayError } from '../../core/errors.ts'
import type { RelayOffer, RelayRequest, RelaySink } from '../../core/requests/relay.ts'
import type { TextProtocol } from '../../core/requests/text.ts'
import type { Upstream } from '../upstream.ts'
import { acceptsChat, acceptsResponses } from './accepts.ts'
import { factsOf } from './settings.ts'

/** The relay of one protocol. Limits of the target, where they are set, come before those of the request. */
export function relayOffer(upstream: Upstream, protocol: TextProtocol): RelayOffer {
  const path = protocol === 'chat' ? '/chat/completions' : '/responses'
  const fits = protocol === 'chat' ? acceptsChat : acceptsResponses
  return {
    accepts: (body, settings) => {
      const { protocols, dialect, problem } = factsOf(settings)
      return problem === undefined && protocols.includes(protocol) && fits(body, dialect)
    },
    send: (request, sink) => {
      const facts = factsOf(request.settings)
      if (facts.problem !== undefined) refuse(sink, facts.problem)
      else upstream.relay(facts.upstream, path, limited(request, facts.firstByteMs, facts.idleMs), sink)
    },
  }
}

function limited(request: RelayRequest, firstByteMs: number | undefined, idleMs: number | undefined): RelayRequest {
  if (firstByteMs === undefined && idleMs === undefined) return request
  return { ...request, firstByteMs: firstByteMs ?? request.firstByteMs, idleMs: idleMs ?? request.idleMs }
}

function refuse(sink: RelaySink, problem: string): void {
  sink.onStart({ abort: () => {}, pause: () => {}, resume: () => {} })
  sink.onError(new GatewayError('capability_unavailable', problem))
}
