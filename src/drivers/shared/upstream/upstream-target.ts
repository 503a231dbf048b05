/** The address of an upstream and the headers of every request to it. Created once per target,
 *  never per request. */
import { type RouteSettings, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { headerName } from '../http1/request-head.ts'

export interface UpstreamTarget {
  /** Origin in the form `https://host:port`. */
  origin: string
  /** Path of the base URL without a trailing slash; '' for none. */
  path: string
  /** Query of the base URL without `?`; '' for none. */
  query: string
  /** Names and values of headers alternate. They are sent with every request, and only to this
   *  origin. */
  headers: string[]
  /** `headers` and the content type JSON, for requests with a JSON body. */
  withBody: string[]
  /** Proxy, certificates and time limit for connections to this target. */
  route: RouteSettings
  /** Longest time of one request, from its start to the last byte of its answer, milliseconds;
   *  undefined: no such limit. */
  totalMs: number | undefined
  /** Strings that are never shown, even when the upstream repeats them. */
  secrets: readonly string[]
}

interface TargetOptions {
  /** Key that is sent as `authorization: Bearer`. */
  apiKey?: string
  /** Further headers, whose values count as secret. */
  headers?: Readonly<Record<string, string>>
  /** Headers whose values are not secret. */
  open?: Readonly<Record<string, string | undefined>>
  /** Default: the gateway's proxies, certificates and time limit. */
  route?: RouteSettings
  totalMs?: number | undefined
}

const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that the client derives from each request; a target's settings must not contain them. */
const ownHeaders = new Set(['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect'])

/** Returns the target for a base URL that `baseUrlProblem` accepts, with headers that
 *  `headerProblem` accepts. */
export function upstreamTarget(baseUrl: string, options: TargetOptions = {}): UpstreamTarget {
  const { apiKey, headers = {}, open = {}, route = usualRoute, totalMs } = options
  const url = new URL(baseUrl)
  const pairs: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'generation-gateway' }
  for (const [name, value] of Object.entries(open)) if (value !== undefined) pairs[name] = value
  if (apiKey !== undefined && apiKey !== '') pairs.authorization = `Bearer ${apiKey}`
  for (const [name, value] of Object.entries(headers)) pairs[name.toLowerCase()] = value
  const all = Object.entries(pairs).flat()
  return {
    origin: url.origin,
    path: url.pathname.replace(/\/+$/, ''),
    query: url.search.slice(1),
    headers: all,
    withBody: [...all, 'content-type', 'application/json'],
    route,
    totalMs,
    // Short values are left out: they are ordinary words ("true"), and replacing these in every
    // message would make messages unreadable.
    secrets: [apiKey ?? '', ...Object.values(headers)].filter(secret => secret.length >= 6),
  }
}

/** Returns the same target with further headers for every request. */
export function withHeaders(target: UpstreamTarget, headers: Readonly<Record<string, string>>): UpstreamTarget {
  const further = Object.entries(headers).flat()
  return { ...target, headers: [...target.headers, ...further], withBody: [...target.withBody, ...further] }
}

/** Returns the target's headers for requests without a body, as an object. */
export function headersOf({ headers: pairs }: UpstreamTarget): Record<string, string> {
  return Object.fromEntries(pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])))
}

/** Returns the fault of a base URL, in a sentence that does not repeat the URL; undefined when
 *  there is none. */
export function baseUrlProblem(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl)
  if (url === null) return 'base_url is not a valid URL.'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'base_url has to be an http or https URL.'
  if (url.username !== '' || url.password !== '') return 'base_url must not contain a user name or password; use api_key or headers.'
  if (url.hash !== '') return 'base_url must not have a fragment.'
  return undefined
}

/** Returns the reason why a header cannot be sent, without repeating its value; undefined when it
 *  can be sent. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return `${JSON.stringify(name)} is no valid header name.`
  if (ownHeaders.has(name.toLowerCase())) return `the header ${name} is set by the gateway itself.`
  if (!headerValue.test(value)) return `the value of the header ${name} has characters that no header can have.`
  return undefined
}

/** Returns the fault of a target's settings, in a sentence without their values; undefined when
 *  there is none. */
export function targetProblem(baseUrl: string, apiKey: string | undefined, headers: Readonly<Record<string, string>>): string | undefined {
  return (
    baseUrlProblem(baseUrl) ??
    headerProblem('api_key', apiKey ?? '') ??
    Object.entries(headers)
      .map(([name, value]) => headerProblem(name, value))
      .find(found => found !== undefined)
  )
}
