/** Creates connections only to allowed addresses. The address is checked when the connection is
 *  made, so that a second DNS look-up cannot return another one. */
import { isIP } from 'node:net'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { BlockedAddressError, checkedLookup, type LookupSettings } from '@generation-gateway/kit/checked-lookup.ts'
import { Agent, buildConnector } from 'undici'

const connectTimeoutMs = 10_000
const keepAliveMs = 4_000
const connectionsPerHost = 16

/** Returns an agent for such connections. The caller destroys it. */
export function createAgent(settings: LookupSettings): Agent {
  const connect = buildConnector({ lookup: checkedLookup(settings), timeout: connectTimeoutMs, allowH2: false })
  const limits = { connections: connectionsPerHost, keepAliveTimeout: keepAliveMs, pipelining: 1 }
  if (settings.allowPrivate) return new Agent({ ...limits, connect })
  return new Agent({
    ...limits,
    connect: (options, callback) => {
      // An address in the URL itself is never looked up, so it is checked here.
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) {
        callback(new BlockedAddressError(), null)
        return
      }
      connect(options, callback)
    },
  })
}
