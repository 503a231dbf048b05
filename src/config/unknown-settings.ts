import { nameList } from '@generation-gateway/kit/near-names.ts'
import { settings } from './settings.ts'

/** Variables that documentation and tests use for other programs than the gateway. */
const others = /^GATEWAY_(KEY|URL|(TEST|REQUIRE|SERVICE)_.*)$/
const leastLikeness = 0.75

/** Returns a sentence for each variable of the environment that looks like a mistyped setting, such
 *  as `GATEWAY_CONFG` or `GATEWAY_PORT`; it repeats no values. A name that resembles no setting is
 *  left out, because configuration files choose names of variables freely. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const names = Object.values(settings).map(spec => spec.env)
  const known = new Set(Object.values(settings).flatMap(spec => ('secret' in spec ? [spec.env, `${spec.env}_FILE`] : [spec.env])))
  const list = nameList(names)
  return Object.entries(env).flatMap(([name, value]) => {
    // Kubernetes describes a service named `gateway` by variables such as
    // `GATEWAY_PORT=tcp://10.0.0.1:8080`.
    const isOther = others.test(name) || value === undefined || /^(tcp|udp|sctp):/.test(value)
    if (!name.startsWith('GATEWAY_') || known.has(name) || isOther) return []
    const short = name.slice('GATEWAY_'.length)
    const [near] = known.has(short) ? [short] : list.near(name, { most: 1, least: leastLikeness })
    return near === undefined ? [] : [`${name} is no setting of the gateway and has no effect; near is ${near}.`]
  })
}
