/** Decides for every outbound connection whether it goes directly or through a proxy, and which
 *  certificate authorities it trusts (docs/decisions/0053-outbound-connections.md). */
import type { SecureContext } from 'node:tls'
import { defined } from '../defined.ts'
import { errorMessage } from '../errors.ts'
import { contextTrusting, readCaFile, trust } from './ca-file.ts'
import { type Destination, isLoopback } from './destination.ts'
import { noProxyOf } from './no-proxy.ts'
import { type ProxyAddress, proxyOf } from './proxy.ts'

/** The settings of the whole gateway. */
export interface OutboundSettings {
  /** URL of the proxy for https (`HTTPS_PROXY`) and for http (`HTTP_PROXY`). */
  httpsProxy?: string | undefined
  httpProxy?: string | undefined
  /** Hosts that are reached directly (`NO_PROXY`). */
  noProxy?: string | undefined
  /** True when URLs of callers use the proxy, too (`GATEWAY_PROXY_CALLER_URLS`). */
  proxiesCallerUrls?: boolean
  /** Path of a PEM file with further certificate authorities (`GATEWAY_CA_FILE`). */
  caFile?: string | undefined
}

/** The connection settings of one target. `routeSettings` returns the same object for the same
 *  content, so that the object can be the key of a map. */
export interface RouteSettings {
  /** URL of a proxy, or `none` for no proxy. When undefined, the proxies of the whole gateway are
   *  used (`HTTPS_PROXY` and `HTTP_PROXY`). */
  readonly proxy: string | undefined
  /** Path of a PEM file with further certificate authorities. */
  readonly caFile: string | undefined
  /** Time limit for establishing a connection, including the proxy's connection to the destination,
   *  in milliseconds. */
  readonly connectMs: number
}

/** How the connections of one target are made: through which proxy, with which certificates and
 *  time limit. */
export interface OutboundRoute {
  readonly connectMs: number
  /** Certificate authorities that are trusted; undefined means those of the process. */
  readonly secureContext: SecureContext | undefined
  /** Returns the proxy through which this destination is reached; undefined when it is reached
   *  directly. */
  proxyFor(to: Destination): ProxyAddress | undefined
}

export const usualConnectMs = 10_000
const known = new Map<string, RouteSettings>()

/** Returns the settings of a target as an object. Calls with equal settings return the same
 *  object. */
export function routeSettings({ proxy, caFile, connectMs = usualConnectMs }: Partial<RouteSettings> = {}): RouteSettings {
  const key = JSON.stringify([proxy, caFile, connectMs])
  const settings = known.get(key) ?? Object.freeze({ proxy, caFile, connectMs })
  known.set(key, settings)
  return settings
}

/** The settings of a target that configures no proxy, certificates or time limit. */
export const usualRoute: RouteSettings = routeSettings()

/** Returns a sentence that describes the fault in the settings of a target; undefined when they
 *  have none. */
export function routeProblem({ proxy, caFile }: RouteSettings): string | undefined {
  try {
    if (proxy !== undefined && proxy !== 'none') proxyOf(proxy, 'proxy')
    if (caFile !== undefined) contextTrusting(caFile, 'ca_file')
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

export class Outbound {
  /** The route for URLs in callers' requests. It is direct unless `GATEWAY_PROXY_CALLER_URLS` is
   *  set. */
  readonly forCallers: OutboundRoute
  readonly #proxies: Record<'https' | 'http', ProxyAddress | undefined>
  readonly #isExcepted: (to: Destination) => boolean
  readonly #routes = new Map<RouteSettings, OutboundRoute>()

  /** Throws `invalid_request`, with the name of the environment variable, for a proxy URL, a
   *  `NO_PROXY` list or a certificate file that cannot be used. With a `caFile`, the whole process
   *  also trusts the authorities in it from now on. */
  constructor({ httpsProxy, httpProxy, noProxy, proxiesCallerUrls = false, caFile }: OutboundSettings = {}) {
    this.#proxies = {
      https: httpsProxy === undefined ? undefined : proxyOf(httpsProxy, 'HTTPS_PROXY'),
      http: httpProxy === undefined ? undefined : proxyOf(httpProxy, 'HTTP_PROXY'),
    }
    const hasProxy = this.#proxies.https !== undefined || this.#proxies.http !== undefined
    // Without a proxy the `NO_PROXY` list has no effect, so it is not parsed. An operator may have
    // set it for other programs, in a form that this parser would refuse.
    this.#isExcepted = hasProxy ? noProxyOf(noProxy ?? '') : () => true
    if (caFile !== undefined) trust(readCaFile(caFile, 'GATEWAY_CA_FILE'))
    this.forCallers = this.routeOf(proxiesCallerUrls ? usualRoute : routeSettings({ proxy: 'none' }))
  }

  /** The names of the gateway's proxies, without credentials, for the log. */
  get names(): { httpsProxy?: string; httpProxy?: string } {
    const { https, http } = this.#proxies
    return defined({ httpsProxy: https?.name, httpProxy: http?.name })
  }

  /** Returns the route for the settings of a target; the same settings give the same object. Throws
   *  `invalid_request` for settings that `routeProblem` refuses. */
  routeOf(settings: RouteSettings = usualRoute): OutboundRoute {
    const route = this.#routes.get(settings) ?? this.#makeRoute(settings)
    this.#routes.set(settings, route)
    return route
  }

  #makeRoute({ proxy, caFile, connectMs }: RouteSettings): OutboundRoute {
    const secureContext = caFile === undefined ? undefined : contextTrusting(caFile, 'ca_file')
    const own = proxy === undefined || proxy === 'none' ? undefined : proxyOf(proxy, 'proxy')
    const proxyFor = (to: Destination) => (isLoopback(to.host) || proxy === 'none' ? undefined : (own ?? this.#usualProxy(to)))
    return { connectMs, secureContext, proxyFor }
  }

  #usualProxy(to: Destination): ProxyAddress | undefined {
    return this.#isExcepted(to) ? undefined : this.#proxies[to.isTls ? 'https' : 'http']
  }
}

/** An `Outbound` that connects directly to every destination; for tests, and for engines that run
 *  without the gateway. */
export const directOutbound = new Outbound()
