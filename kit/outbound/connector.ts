/** Makes undici's agents connect by the route of a target: directly or through a proxy. */

import type { LookupSettings } from '../checked-lookup.ts'
import { type ConnectCallback, openChecked, openTunnel } from './connect.ts'
import { destinationOf } from './destination.ts'
import type { OutboundRoute } from './outbound.ts'

/** The options that undici passes to a connector; those that this file does not use are left
 *  out. */
interface ConnectorOptions {
  protocol: string
  hostname: string
  port: string
}

type Connector<Options> = (options: Options, callback: ConnectCallback) => void

/** Returns a connector for undici that uses `direct` for destinations that the route reaches
 *  without a proxy. With a `rule`, host names are resolved and checked on this machine, and the
 *  proxy gets an address; without a `rule` the proxy gets the name. */
export function routedConnector<Options extends ConnectorOptions>(
  route: OutboundRoute,
  direct: Connector<Options>,
  rule?: LookupSettings,
): Connector<Options> {
  return (options, callback) => {
    const to = destinationOf(options)
    const proxy = route.proxyFor(to)
    if (proxy === undefined) direct(options, callback)
    else if (rule === undefined) openTunnel(proxy, { route, to }, callback)
    else openChecked({ route, to, rule }, callback)
  }
}
