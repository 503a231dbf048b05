/** Decides who may see the detail of `/readyz` (targets, models, engines) and `/metrics`.
 *  Reasons: docs/decisions/0032. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createKeyCheck } from '../../core/access.ts'
import { withoutMapping } from '../connection/caller-address.ts'
import type { HttpDeps } from '../deps.ts'
import { presentedKey } from '../request/2-authenticate.ts'
import type { Exchange } from '../request/exchange.ts'

export interface InsightSettings {
  adminKeys: readonly string[]
  /** Key with which `/metrics` and the detail of `/readyz` can be read. It gives access to
   *  nothing else. */
  metricsKey: string | undefined
  /** True when everyone may read `/metrics` and the detail of `/readyz`. */
  isOpen: boolean
}

/** Resolves for a caller who is allowed to read `/metrics` and the detail of `/readyz`: one with
 *  the admin key or the metrics key, one on this machine, or every caller when a setting says so.
 *  Throws `missing_api_key`, `rate_limited`, and `invalid_api_key`. The last one is delayed for an
 *  address that tries many wrong keys, longer each time. */
export type AssertInsight = (exchange: Exchange) => Promise<void>

export function createInsightCheck(
  { connections, wrongKeys, settings }: Pick<HttpDeps, 'connections' | 'wrongKeys' | 'settings'>,
  { adminKeys, metricsKey, isOpen }: InsightSettings,
): AssertInsight {
  const isKnown = createKeyCheck(metricsKey === undefined ? adminKeys : [...adminKeys, metricsKey])
  return async exchange => {
    const { socket } = exchange.request
    if (isOpen) return
    const presented = presentedKey(exchange.requestHeaders)
    if (presented && isKnown(presented)) {
      connections.claim(socket, 'admin')
      return
    }
    if (!settings.trustProxy && isLocal(socket.remoteAddress, exchange.requestHeaders)) return
    if (!presented)
      throw new GatewayError(
        'missing_api_key',
        'The metrics key or the admin key is required: Authorization: Bearer <GATEWAY_METRICS_KEY>.',
      )
    await wrongKeys.slow(exchange.ip)
    throw new GatewayError('invalid_api_key', 'The key is neither the metrics key nor the admin key.')
  }
}

/** Returns true when a request comes from a program on this machine: the other end of the
 *  connection is local, no header shows that a proxy forwarded the request, and the Host header
 *  is an address or a name without a dot. A name with a dot may be that of a stranger's web
 *  site, whose page in a browser on this machine reaches the gateway by DNS rebinding. */
export function isLocal(remoteAddress: string | undefined, headers: IncomingHttpHeaders): boolean {
  const address = withoutMapping(remoteAddress ?? '')
  const isLoopback = address === '::1' || (isIPv4(address) && address.startsWith('127.'))
  return isLoopback && isLocalHost(headers.host ?? '') && !Object.keys(headers).some(name => ofProxies.test(name))
}

function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '')
  return !name.includes('.') || isIPv4(name) || name.startsWith('[')
}

/** Names of the headers in which proxies report the address of their client: the common ones, and
 *  those of Cloudflare, Akamai, Fastly, Fly.io, Azure, Google App Engine, DigitalOcean, WebLogic
 *  and Envoy. */
const ofProxies =
  /^(x-)?(original-)?forwarded(-|$)|(^|-)(client|connecting|real|user|proxyuser)-?ip$|^(via|cdn-loop|x-envoy-.*|x-original-(host|ur[il]))$/
