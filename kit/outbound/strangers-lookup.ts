/** Resolves host names that strangers choose: callers choose them in their requests, and upstreams
 *  in the links of their answers.
 *
 *  A look-up by the system's resolver occupies one of libuv's threads until the answer arrives, and
 *  at most two of its four threads may do look-ups. With host names whose DNS servers never answer,
 *  strangers could occupy both threads for minutes. In that time the gateway could connect to no
 *  upstream. So most look-ups here send DNS queries themselves, which needs no thread. */
import { Resolver } from 'node:dns/promises'
import type { LookupSettings, ResolvedAddress } from '../checked-lookup.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { systemAddresses } from './connect.ts'
import { isLoopback } from './destination.ts'

type Lookup = LookupSettings['lookup']

interface Resolvers {
  /** Asks DNS servers, which needs no thread. Returns an empty list when it finds no address. */
  dns: Lookup
  /** Asks the system's resolver, which keeps a thread busy. */
  system: Lookup
}

interface DnsOptions {
  /** Addresses of the DNS servers to ask; those configured on this machine when absent. */
  servers?: readonly string[]
  /** Time limit in milliseconds; default 4,000. */
  limitMs?: number
}

/** Time limit in milliseconds for the answer to a DNS query. After it, the query is sent once
 *  more. */
const questionMs = 2_000
const usualLimitMs = 4_000
/** Largest number of host names that wait for the system's resolver, counted separately for names
 *  from callers and for names from links. */
const mostWaiting = 64
const usualResolvers: Resolvers = { dns: hostname => dnsAddresses(hostname), system: systemAddresses }

/** Look-ups for names from two kinds of strangers. */
export interface StrangersLookups {
  /** For names that callers choose. */
  callers: Lookup
  /** For names in the answers of upstreams and other servers that the operator configured. */
  links: Lookup
}

/** Returns look-ups that first ask the DNS servers configured on this machine. When these have no
 *  address for a name, for example because it is only in the hosts file, the system's resolver
 *  resolves it. That resolver gets one name at a time, in turn from callers and from links.
 *  `localhost` goes to it directly. The look-ups throw the errors of the resolver, or `EAI_AGAIN`
 *  when 64 names of the same kind already wait for it. */
export function createStrangersLookups({ dns, system }: Resolvers = usualResolvers): StrangersLookups {
  const turns = new FairQueue({ places: 1 })
  const lookupOf = (kind: keyof StrangersLookups): Lookup => {
    return async hostname => {
      if (isLoopback(hostname)) return system(hostname)
      const found = await dns(hostname)
      if (found.length > 0) return found
      if (turns.waitingOf(kind) >= mostWaiting) throw Object.assign(new Error(`no time to resolve ${hostname}`), { code: 'EAI_AGAIN' })
      using _turn = await turns.take({ account: kind, signal: new AbortController().signal })
      return await system(hostname)
    }
  }
  return { callers: lookupOf('callers'), links: lookupOf('links') }
}

/** The look-ups that all parts of this process share, so that strangers' names keep at most one
 *  thread busy. */
export const strangersLookups = createStrangersLookups()

/** Returns the addresses that the DNS servers have for a name, IPv4 first; empty when they have
 *  none or do not answer within the time limit. */
export async function dnsAddresses(hostname: string, { servers, limitMs = usualLimitMs }: DnsOptions = {}): Promise<ResolvedAddress[]> {
  // Each name gets a new resolver, because a resolver reads the machine's list of servers only when
  // it is created.
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
