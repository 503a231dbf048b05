/** Decides which network addresses belong to the public internet. */
import { BlockList, isIP } from 'node:net'

type Subnet = [base: string, bits: number]

// IPv4 blocks that must not be reached: the blocks that IANA's special-purpose registry lists as
// not globally reachable, and multicast, AS112, AMT and the retired 6to4 relays.
const special4: Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // The address 168.63.129.16 is in no special-purpose block, but it is the metadata and DNS
  // service inside one cloud (Azure).
  ['168.63.129.16', 32],
]
// IPv6 blocks that lie inside the global unicast range (2000::/3) but must not be reached: protocol
// assignments (among them Teredo), documentation, 6to4, AS112 and segment routing (SRv6).
const special6: Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]
const blocked4 = listOf(special4, 'ipv4')
const blocked6 = listOf(special6, 'ipv6')
const global6 = listOf([['2000::', 3]], 'ipv6')
const nat64 = listOf([['64:ff9b::', 96]], 'ipv6')

/** Returns true for an address that can be reached from the whole internet. Returns false for all
 *  other addresses (private, loopback, link-local, shared, multicast, reserved, metadata,
 *  IPv4-mapped and tunnelled ones), and for a string that is not an address. A NAT64 address is
 *  judged by the IPv4 address inside it. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked4.check(address, 'ipv4')
    case 6:
      // Only link-local addresses have a zone (`%eth0`).
      if (address.includes('%')) return false
      if (nat64.check(address, 'ipv6')) return isPublicAddress(embedded4(address))
      return global6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
  }
  return false
}

/** Returns the IPv4 address in the last 32 bits of a NAT64 address. The class `URL` is used because
 *  it writes each address in one form (`[64:ff9b::7f00:1]`), which is easy to split. */
function embedded4(address: string): string {
  const [, tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = tail.split(':').map(group => Number.parseInt(group || '0', 16))
  const low = groups.at(-1) ?? 0
  const high = groups.length > 1 ? (groups.at(-2) ?? 0) : 0
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function listOf(subnets: Subnet[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [base, bits] of subnets) list.addSubnet(base, bits, family)
  return list
}
