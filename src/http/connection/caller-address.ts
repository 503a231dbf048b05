import { isIPv6 } from 'node:net'

/** Returns the address under which a caller is counted: for IPv4 the address itself, also when
 *  it is mapped into IPv6; for IPv6 the first 64 bits, because a /64 prefix belongs to one
 *  caller. */
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

/** Returns the IPv4 address that an IPv6 address contains (`::ffff:10.0.0.5`); any other address
 *  unchanged. Sockets that listen on addresses of both versions report IPv4 callers in this
 *  form. */
export function withoutMapping(ip: string): string {
  return ip.replace(/^::ffff:(?=[\d.]+$)/i, '')
}
