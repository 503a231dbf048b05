/** The part of `gateway doctor` that shows how connections leave this machine: the proxies, the
 *  exceptions from them, and the certificate authorities. It never shows credentials. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { destinationOf, isLoopback } from '@generation-gateway/kit/outbound/destination.ts'
import { directOutbound, Outbound, type OutboundSettings, type RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { type ProxyAddress, proxyOf } from '@generation-gateway/kit/outbound/proxy.ts'
import type { CatalogueModel, Target } from '../../core/routing/catalogue.ts'
import { table } from '../terminal.ts'
import type { Check } from './database.ts'

interface DoctorParts {
  drivers: readonly DriverSpec[]
  outbound: Outbound
}

/** Checks the settings for all outbound connections. Returns an object that chooses the route of
 *  each connection by these settings. When the settings cannot be used, the returned object
 *  connects directly. */
export async function checkOutbound(settings: OutboundSettings, check: Check): Promise<Outbound> {
  let outbound = directOutbound
  await check('outbound', () => {
    outbound = new Outbound(settings)
    return detailOf(settings)
  })
  return outbound
}

function detailOf({ httpsProxy, httpProxy, noProxy, proxiesCallerUrls, caFile }: OutboundSettings): string {
  const proxies = [
    httpsProxy === undefined ? '' : `https by ${shown(proxyOf(httpsProxy, 'HTTPS_PROXY'))}`,
    httpProxy === undefined ? '' : `http by ${shown(proxyOf(httpProxy, 'HTTP_PROXY'))}`,
  ].filter(Boolean)
  const parts = proxies.length === 0 ? ['no proxy'] : [...proxies, noProxy === undefined ? 'no exceptions' : `except ${noProxy}`]
  if (proxies.length > 0) parts.push(proxiesCallerUrls ? 'URLs of callers by it as well' : 'URLs of callers directly')
  if (caFile !== undefined) parts.push(`authorities of ${caFile}`)
  return parts.join(', ')
}

/** Returns a table of the services that targets call, with the route to each (directly or
 *  through a proxy); undefined when there are none. */
export function addressTable(models: readonly CatalogueModel[], { drivers, outbound }: DoctorParts): string | undefined {
  const rows = models.flatMap(({ targets }) => targets.flatMap(target => rowsOf(target, { drivers, outbound })))
  return rows.length === 0 ? undefined : table(['target', 'service', 'way', 'authorities'], rows)
}

function rowsOf({ id, driver, settings, unusable }: Target, { drivers, outbound }: DoctorParts): string[][] {
  const spec = drivers.find(each => each.id === driver)
  if (unusable !== undefined || spec?.kind !== 'upstream') return []
  const address = spec.addressOf?.(settings)
  if (address === undefined) return []
  const { origin, route } = address
  return [[id, origin, wayOf(origin, route, outbound), route.caFile === undefined ? '' : `and ${route.caFile}`]]
}

function wayOf(origin: string, route: RouteSettings, outbound: Outbound): string {
  const to = destinationOf(new URL(origin))
  const proxy = outbound.routeOf(route).proxyFor(to)
  if (proxy !== undefined) return `by ${shown(proxy)}`
  return isLoopback(to.host) ? 'directly (this machine)' : 'directly'
}

function shown({ isTls, name, authorization }: ProxyAddress): string {
  return `${isTls ? 'https' : 'http'}://${name}${authorization === undefined ? '' : ' with credentials'}`
}
