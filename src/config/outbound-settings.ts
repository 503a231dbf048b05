import type { OutboundSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import type { SettingSpec } from './setting-spec.ts'

/** The settings for connections that the gateway opens to other machines. */
export const outboundSettings = {
  httpsProxy: {
    env: 'HTTPS_PROXY',
    default: '',
    says: 'URL of the http or https proxy for connections to https hosts, like http://user:password@proxy.example:3128; each target may have its own. Loopback addresses never use one. https_proxy counts before it.',
    secret: true,
  },
  httpProxy: {
    env: 'HTTP_PROXY',
    default: '',
    says: 'URL of the proxy for connections to http hosts; http_proxy counts before it.',
    secret: true,
  },
  noProxy: {
    env: 'NO_PROXY',
    default: '',
    says: 'Hosts that are reached without a proxy, separated by commas: names (with all names below them), IP addresses, ranges like 10.0.0.0/8, each but ranges also with :port; * for all. no_proxy counts before it.',
  },
  proxyCallerUrls: {
    env: 'GATEWAY_PROXY_CALLER_URLS',
    default: '0',
    says: '1 sends webhooks and downloads of input URLs through the proxies, too: to the address that was looked up and checked here; else they are direct.',
  },
  caFile: {
    env: 'GATEWAY_CA_FILE',
    default: '',
    says: 'PEM file with certificate authorities that are trusted in addition to those of Node, for every connection of the gateway; each target may name more.',
  },
} as const satisfies Record<string, SettingSpec>

type Name = keyof typeof outboundSettings

interface Readers {
  optional(name: Name): string | undefined
  isOn(name: Name): boolean
}

/** Returns the settings of outbound connections. The proxy variables may be written in lower
 *  case (`https_proxy`), as curl and most other programs read them. */
export function outboundOf(env: Record<string, string | undefined>, { optional, isOn }: Readers): OutboundSettings {
  return {
    httpsProxy: env.https_proxy || optional('httpsProxy'),
    httpProxy: env.http_proxy || optional('httpProxy'),
    noProxy: env.no_proxy || optional('noProxy'),
    proxiesCallerUrls: isOn('proxyCallerUrls'),
    caFile: optional('caFile'),
  }
}
