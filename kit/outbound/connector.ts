/** Sends the connections of undici's agents by their route. */

import type { LookupSettings } from '../checked-lookup.ts'
import { type ConnectCallback, openChecked, openTunnel } from './connect.ts'
import { destinationOf } from './destination.ts'
import type { OutboundRoute } from './outbound.ts'

/** The part of undici's options that a route needs. */
interface ConnectorOptions {
  protocol: string
  hostname: string
  port: string
}

type Connector<Options> = (options: Options, callback: ConnectCallback) => void

/** Returns a connector that uses `direct` for the destinations that the route reaches directly.
 *  With a `rule`, a proxy gets only addresses that were looked up and checked here; without one,
 *  it gets the name. */
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
