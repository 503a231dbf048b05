import { isIPv6 } from 'node:net'

/** Returns the key under which an address is counted: an IPv4 address itself, also when mapped into
 *  IPv6; for IPv6 the /64 network, which belongs to one caller. */
export function callerAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [mapped] = /\d+\.\d+\.\d+\.\d+$/.exec(ip) ?? []
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = ip.replace(/%.*/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
