/** Name look-ups whose answers are checked where the connection is made, so that no second look-up can give another answer. */
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address-rules.ts'

export interface ResolvedAddress {
  address: string
  /** 4 or 6. */
  family: number
}

/** A host that is, or resolves to, addresses outside the public internet. */
export class BlockedAddressError extends Error {}

export interface LookupSettings {
  /** All addresses of a host name. */
  lookup: (hostname: string) => Promise<ResolvedAddress[]>
  allowPrivate: boolean
}

/** What `net.connect` asks: it connects to nothing but the addresses given here. */
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
