/** Reads `NO_PROXY`: the hosts that are reached without a proxy. */
import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { GatewayError } from '../errors.ts'
import type { Destination } from './destination.ts'

type Host = Pick<Destination, 'host' | 'port'>
type Matcher = (to: Host) => boolean

/** Returns a function that is true for the hosts of the list. Commas or blanks separate the
 *  entries.
 *  - A name matches itself and all names below it, with or without a leading `.` or `*.`.
 *  - An IP address, or a range such as 10.0.0.0/8, matches URLs that contain an IP address; host
 *    names are not resolved.
 *  - `*` matches every host.
 *  A name or an address may end with a port. Throws `invalid_request` for any other entry. */
export function noProxyOf(list: string): Matcher {
  const matchers = list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(matcherOf)
  return to => matchers.some(matches => matches(to))
}

function matcherOf(entry: string): Matcher {
  if (entry === '*') return () => true
  const range = rangeOf(entry)
  if (range) return range
  const { host, port } = splitPort(entry)
  const isPort = (to: Host) => port === undefined || to.port === port
  const version = isIP(host)
  if (version !== 0) {
    const list = new BlockList()
    list.addAddress(host, version === 4 ? 'ipv4' : 'ipv6')
    return to => isPort(to) && isIn(list, to.host)
  }
  const name = domainToASCII(host.replace(/^\*?\./, '')).replace(/\.$/, '')
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw wrong(entry)
  return to => isPort(to) && isBelow(to.host, name)
}

function rangeOf(entry: string): Matcher | undefined {
  if (!entry.includes('/')) return undefined
  const [, base = '', digits = ''] = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry) ?? []
  const version = isIP(base)
  const bits = Number(digits)
  if (version === 0 || bits > (version === 4 ? 32 : 128)) throw wrong(entry)
  const list = new BlockList()
  list.addSubnet(base, bits, version === 4 ? 'ipv4' : 'ipv6')
  return to => isIn(list, to.host)
}

/** Splits `name:port`, `[address]:port`, `name` or `address`. */
function splitPort(entry: string): { host: string; port: number | undefined } {
  if (isIP(entry) === 6) return { host: entry, port: undefined }
  const [, host = '', digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  if (host === '' || port === 0 || (port ?? 1) > 65_535) throw wrong(entry)
  return { host: host.replace(/^\[|\]$/g, ''), port }
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host)
  return version !== 0 && list.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

function isBelow(host: string, name: string): boolean {
  const asked = host.toLowerCase().replace(/\.$/, '')
  return asked === name || asked.endsWith(`.${name}`)
}

function wrong(entry: string): GatewayError {
  const allowed = 'a host name, an IP address, each with or without :port, a range of addresses like 10.0.0.0/8, or *'
  return new GatewayError('invalid_request', `NO_PROXY has the entry ${JSON.stringify(entry)}; an entry must be ${allowed}.`, {
    field: 'NO_PROXY',
  })
}
