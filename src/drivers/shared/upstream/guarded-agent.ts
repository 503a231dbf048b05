/** Creates agents of undici that connect only to allowed addresses. The address is checked at the
 *  moment of connecting, so that a second DNS look-up cannot return another one. */
import { isIP } from 'node:net'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { BlockedAddressError, checkedLookup, type LookupSettings } from '@generation-gateway/kit/checked-lookup.ts'
import { routedConnector } from '@generation-gateway/kit/outbound/connector.ts'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { Agent, buildConnector } from 'undici'

const keepAliveMs = 4_000

interface AgentSettings extends LookupSettings {
  route: OutboundRoute
  /** True when the operator configured the host; a proxy may then resolve its name. */
  isTrusted?: boolean
}

/** Returns an agent that connects only to allowed addresses. The caller destroys it. */
export function createAgent({ route, isTrusted = false, ...rule }: AgentSettings): Agent {
  const direct = buildConnector({ lookup: checkedLookup(rule), ...connectorOptions(route) })
  const connect = routedConnector(route, direct, isTrusted ? undefined : rule)
  // The number of connections to a host has no limit here, because accounts would share it: its
  // users limit them for each account (links, webhooks) or target (outputs).
  const limits = { keepAliveTimeout: keepAliveMs, pipelining: 1 }
  if (rule.allowPrivate) return new Agent({ ...limits, connect })
  return new Agent({
    ...limits,
    connect: (options, callback) => {
      // An IP address in the URL is never resolved, so the look-up does not check it; it is checked
      // here.
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) {
        callback(new BlockedAddressError(), null)
        return
      }
      connect(options, callback)
    },
  })
}

/** Returns the options of undici's connector for direct connections of a route. */
function connectorOptions({ connectMs, secureContext }: OutboundRoute) {
  return { timeout: connectMs, allowH2: false, ...(secureContext === undefined ? {} : { secureContext }) }
}
