/** Describes the destination of a connection, and recognizes hosts of this machine, which are
 *  always reached directly. */
import { BlockList, isIP } from 'node:net'

export interface Destination {
  /** Host name, or IP address without brackets. */
  host: string
  port: number
  isTls: boolean
}

const ownAddresses = new BlockList()
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
ownAddresses.addAddress('0.0.0.0', 'ipv4')
ownAddresses.addAddress('::1', 'ipv6')
ownAddresses.addAddress('::', 'ipv6')

/** Returns the destination of an http or https URL. */
export function destinationOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): Destination {
  const isTls = protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80), isTls }
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function authorityOf({ host, port }: Pick<Destination, 'host' | 'port'>): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Returns true for an address with which a server listens on all addresses of its machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Returns true for a name or an address of this machine: `localhost` and names below it,
 *  127.0.0.0/8, ::1, and the unspecified addresses (0.0.0.0, ::), which also lead to this
 *  machine. */
export function isLoopback(host: string): boolean {
  const version = isIP(host)
  if (version !== 0) return ownAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6')
  const name = host.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}
