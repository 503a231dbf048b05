import { defined } from '@generation-gateway/kit/defined.ts'
import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import { acceptsMessages } from '../../shared/text/messages/messages-accepts.ts'
import { inputCount } from '../../shared/text/text-count.ts'
import { conversationRelay } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { settings, versionHeaders } from './settings.ts'

const { targetOf } = settings
type Facts = ReturnType<typeof targetOf>

/** The driver for Anthropic's API, and for services that offer the same API at another address. */
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

/** Returns the relay. It sends the API version that the caller states, or by default the version in
 *  the settings. It sends all beta features that the caller or the settings request. */
function messagesRelay(upstream: Upstream): RelayOffer {
  const targets = new WeakMap<Facts, Facts>()
  const bareOf = (facts: Facts): Facts => {
    const bare = targets.get(facts) ?? { ...facts, upstream: facts.bare }
    targets.set(facts, bare)
    return bare
  }
  const offer = conversationRelay(upstream, 'messages', { targetOf: given => bareOf(targetOf(given)), fits: acceptsMessages })
  const { count } = offer.minor ?? {}
  return { ...withVersion(offer), minor: defined({ count: count && withVersion(count) }) }
}

function withVersion(offer: RelayOffer): RelayOffer {
  return {
    ...offer,
    send: (request, sink) => {
      const { version, betas } = targetOf(request.settings)
      offer.send({ ...request, headers: { ...request.headers, ...versionHeaders(version, betas, request.headers) } }, sink)
    },
  }
}
