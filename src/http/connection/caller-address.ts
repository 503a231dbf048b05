import { isIPv6 } from 'node:net'

/** What callers at an address are counted under: an IPv4 address as it is, also one mapped into IPv6; of an IPv6 address its /64, which one caller has whole. */
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
