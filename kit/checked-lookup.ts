/** Checks the result of a DNS look-up at the moment of connecting. A check before that would be
 *  unsafe, because the look-up made for the connection could return another address. */
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address-rules.ts'

export interface ResolvedAddress {
  address: string
  /** IP version: 4 or 6. */
  family: number
}

/** Thrown when the host is an address outside the public internet, or resolves only to such
 *  addresses. */
export class BlockedAddressError extends Error {}

export interface LookupSettings {
  /** Returns all addresses of a host name. */
  lookup: (hostname: string) => Promise<ResolvedAddress[]>
  allowPrivate: boolean
}

/** Returns a `lookup` function for `net.connect`. A connection that uses it is only made to an
 *  address that was checked. */
export function checkedLookup({ lookup, allowPrivate }: LookupSettings): LookupFunction {
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
