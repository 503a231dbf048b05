/** Resolves the host names that callers choose.
 *
 *  The system's resolver keeps a thread of this process busy until it answers, and libuv lends at
 *  most two of its four threads to look-ups. Callers who name hosts whose name server is silent
 *  would keep both busy for minutes, and the gateway could connect to no upstream meanwhile. */
import { Resolver } from 'node:dns/promises'
import type { LookupSettings, ResolvedAddress } from '@generation-gateway/kit/checked-lookup.ts'
import { systemAddresses } from '@generation-gateway/kit/outbound/connect.ts'
import { isLoopback } from '@generation-gateway/kit/outbound/destination.ts'

type Lookup = LookupSettings['lookup']

interface Resolvers {
  /** Uses no thread; empty when it finds no address. */
  dns: Lookup
  /** Uses a thread. */
  system: Lookup
}

interface DnsOptions {
  /** Addresses of DNS servers in place of those of this machine. */
  servers?: readonly string[]
  /** Time limit in milliseconds; default 4,000. */
  limitMs?: number
}

/** Milliseconds after which a question that got no answer is sent once more. */
const questionMs = 2_000
const usualLimitMs = 4_000
/** Largest number of names that wait for the system's resolver, the one being resolved included. */
const mostWaiting = 64

/** Returns a look-up that asks the DNS servers of this machine. The system's resolver resolves only
 *  the names for which these have no address, for example those of its hosts file, one at a time.
 *  Throws the errors of that resolver, or `EAI_AGAIN` when 64 names wait for it. */
export function createCallerLookup(
  { dns, system }: Resolvers = { dns: hostname => dnsAddresses(hostname), system: systemAddresses },
): Lookup {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: Lookup = async hostname => {
    if (waiting >= mostWaiting) throw Object.assign(new Error(`no time to resolve ${hostname}`), { code: 'EAI_AGAIN' })
    waiting += 1
    const found = last.then(() => system(hostname)).finally(() => (waiting -= 1))
    last = found.catch(() => {})
    return found
  }
  return async hostname => {
    if (isLoopback(hostname)) return system(hostname)
    const found = await dns(hostname)
    return found.length > 0 ? found : inTurn(hostname)
  }
}

/** Returns the addresses that the DNS servers of this machine have for a name, IPv4 first; empty
 *  when they have none or do not answer within the time limit. */
export async function dnsAddresses(hostname: string, { servers, limitMs = usualLimitMs }: DnsOptions = {}): Promise<ResolvedAddress[]> {
  // A resolver for each name, because it reads the machine's servers only when it is made.
  const resolver = new Resolver({ timeout: questionMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const late = setTimeout(() => resolver.cancel(), limitMs)
  const ask = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname)).catch(() => [])
    return found.map(address => ({ address, family }))
  }
  const found = await Promise.all([ask(4), ask(6)])
  clearTimeout(late)
  return found.flat()
}
