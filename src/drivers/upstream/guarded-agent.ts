/** Connections that are only made to addresses the rule allows: checked where they are made, so that no second look-up can give another answer. */
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { Agent, buildConnector } from 'undici'

export interface ResolvedAddress {
  address: string
  /** 4 or 6. */
  family: number
}

/** A host that is, or resolves to, addresses outside the public internet. */
export class BlockedAddressError extends Error {}

export interface AgentSettings {
  lookup: (hostname: string) => Promise<ResolvedAddress[]>
  allowPrivate: boolean
}

const connectTimeoutMs = 10_000
const keepAliveMs = 4_000
const connectionsPerHost = 16

/** The caller destroys it. */
export function createAgent(settings: AgentSettings): Agent {
  const connect = buildConnector({ lookup: checkedLookup(settings), timeout: connectTimeoutMs, allowH2: false })
  const limits = { connections: connectionsPerHost, keepAliveTimeout: keepAliveMs, pipelining: 1 }
  if (settings.allowPrivate) return new Agent({ ...limits, connect })
  return new Agent({
    ...limits,
    connect: (options, callback) => {
      // Literal addresses are never looked up, so they are checked here.
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) {
        callback(new BlockedAddressError(), null)
        return
      }
      connect(options, callback)
    },
  })
}

/** What `net.connect` asks: it connects to nothing but the addresses given here. */
export function checkedLookup({ lookup, allowPrivate }: AgentSettings): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      found => {
        const allowed = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address))
        const [first] = allowed
        if (first === undefined) callback(found.length === 0 ? notFound(hostname) : new BlockedAddressError(), '', 0)
        else if (options.all === true) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' })
}
