import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import { acceptsMessages } from '../../shared/text/messages/messages-accepts.ts'
import { textProtocols } from '../../shared/text/protocols.ts'
import { inputCount } from '../../shared/text/text-count.ts'
import { relayOffer } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { settings, versionHeaders } from './settings.ts'

const { targetOf } = settings
type Facts = ReturnType<typeof targetOf>

/** The driver for Anthropic's Messages, and for services with the same API at another address. */
export default serviceDriver({
  id: 'anthropic',
  title: 'Anthropic API',
  settings,
  open: ({ upstream }) => ({
    offers: { 'text.respond': respondOffer(upstream, targetOf) },
    countInput: inputCount(upstream, targetOf),
    relays: { messages: messagesRelay(upstream) },
  }),
})

/** Returns the relay. The version and the betas are the caller's, and those of the settings. */
function messagesRelay(upstream: Upstream): RelayOffer {
  const targets = new WeakMap<Facts, Facts>()
  const bareOf = (facts: Facts): Facts => {
    const bare = targets.get(facts) ?? { ...facts, upstream: facts.bare }
    targets.set(facts, bare)
    return bare
  }
  const offer = relayOffer(upstream, textProtocols.messages, {
    targetOf: given => bareOf(targetOf(given)),
    fits: acceptsMessages,
  })
  return {
    ...offer,
    send: (request, sink) => {
      const { version, betas } = targetOf(request.settings)
      offer.send({ ...request, headers: { ...request.headers, ...versionHeaders(version, betas, request.headers) } }, sink)
    },
  }
}
