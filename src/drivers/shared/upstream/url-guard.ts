/** Downloads inputs and outputs, and delivers webhooks: requests to URLs that come from callers
 *  or from the answers of upstreams. */
import { isIP } from 'node:net'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import type { ResolvedAddress } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { systemAddresses } from '@generation-gateway/kit/outbound/connect.ts'
import { isPlainLink, isPrivateName } from '@generation-gateway/kit/outbound/links.ts'
import type { Outbound, OutboundRoute, RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { strangersLookups } from '@generation-gateway/kit/outbound/strangers-lookup.ts'
import { type Agent, request } from 'undici'
import { saveBody, TooManyBytesError } from '../output/save-body.ts'
import { createAgent } from './guarded-agent.ts'
import { type AnswerHeaders, headerOf } from './upstream-failures.ts'
import { explainFailure, privateAddress } from './url-failures.ts'

export interface UrlGuardSettings {
  /** True when private addresses are allowed (`GATEWAY_ALLOW_PRIVATE_URLS`). */
  allowPrivate: boolean
  outbound: Outbound
  /** Returns all addresses of a host name. Default: `strangersLookups.links`. The names of
   *  origins that the operator configured are always resolved by the system's resolver. */
  lookup?: (hostname: string) => Promise<ResolvedAddress[]>
}

export interface UrlOptions {
  /** Field that held the URL, for messages; default `url`. */
  field?: string
  /** Time limit from the call to the last byte, redirects included. Milliseconds; default
   *  60,000. */
  timeoutMs?: number
  /** Overrides the guard's own `allowPrivate` for this call. */
  allowPrivate?: boolean
  signal?: AbortSignal
}

export interface DownloadOptions extends UrlOptions {
  /** Path of a file that does not exist yet; the file is removed when the download fails. */
  toFile: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Largest number of redirects to follow; default 5, and 0 refuses every redirect. */
  maxRedirects?: number
  /** The `accept` header; default `*\/*`. */
  accept?: string
}

export interface DownloadResult {
  bytes: number
  /** Media type that the server states, in lower case, without parameters. The bytes may be of
   *  another type. */
  mediaType?: string
}

export interface OpenOptions {
  /** Field that held the URL, for messages. */
  field: string
  /** Headers that are sent to every host, also after redirects. */
  headers: Readonly<Record<string, string>>
  /** The origin that the operator configured (`https://host:port`). It may have a private address,
   *  and only it receives `trustedHeaders`. */
  trustedOrigin?: string
  /** Headers for `trustedOrigin` only, for example a credential. */
  trustedHeaders?: Readonly<Record<string, string>>
  /** Largest number of redirects to follow; default 5, and 0 refuses every redirect. */
  maxRedirects?: number
  /** `firstByteMs` is the longest wait for the first byte of the answer; `idleMs` is the longest
   *  pause between two parts of the answer. Both in milliseconds. */
  firstByteMs: number
  idleMs: number
  signal: AbortSignal
  /** Proxy, certificates and time limit for connections to the service whose answer contained the
   *  URL. */
  route: RouteSettings
}

/** An answer whose body has not been read yet. */
export interface OpenedUrl {
  status: number
  headers: AnswerHeaders
  /** Returns the bytes; can be read once. Leaving the loop cuts the connection. Throws
   *  `upstream_error`, `upstream_timeout`, `cancelled`. */
  chunks(): AsyncIterable<Buffer>
  /** Cuts the connection unless the answer has ended. */
  cut(): void
}

export interface PostOptions extends UrlOptions {
  headers: Record<string, string>
  body: string | Buffer
}

export interface PostResult {
  status: number
  /** Seconds that the header `retry-after` states as a number or as a date. */
  retryAfterSeconds?: number
}

const defaultTimeoutMs = 60_000
const defaultRedirects = 5
const maxUrlLength = 8192
const drainBytes = 64 * 1024
const drainMs = 2_000
const redirects = new Set([301, 302, 303, 307, 308])
const userAgent = 'generation-gateway'

type Answer = Awaited<ReturnType<typeof request>>

interface Deadline {
  signal: AbortSignal
  timeoutMs: number
  isLate(): boolean
  end(): void
}

type RedirectOptions = Omit<OpenOptions, 'route'> & Pick<UrlOptions, 'allowPrivate'> & { route: OutboundRoute }
/** The addresses to which connections may lead. `public`: public addresses; `any`: all addresses;
 *  `trusted`: all addresses of a host that the operator configured. A connection made under one
 *  rule is never reused under another. */
type AddressRule = 'public' | 'any' | 'trusted'

/** The HTTP client for URLs that come from callers or upstreams. */
export class UrlGuard {
  readonly #allowPrivate: boolean
  readonly #outbound: Outbound
  readonly #lookup: (hostname: string) => Promise<ResolvedAddress[]>
  readonly #agents = new Map<OutboundRoute, Map<AddressRule, Agent>>()

  constructor({ allowPrivate, outbound, lookup = strangersLookups.links }: UrlGuardSettings) {
    this.#allowPrivate = allowPrivate
    this.#outbound = outbound
    this.#lookup = lookup
  }

  /** Returns the parsed URL when its form is allowed: http or https, at most 8,192 characters, no
   *  credentials. Unless private addresses are allowed, the host must not be `localhost` or a
   *  private IP address. Host names are not resolved here. Throws `invalid_request` for any other
   *  URL. */
  checkUrl(text: string, field: string): URL {
    const url = parseUrl(text, field)
    if (!this.#allowPrivate) refusePrivateHost(url, field)
    return url
  }

  /** Checks a URL that an upstream opens itself: the form of `checkUrl`, which all readers of URLs
   *  understand alike. Unless private addresses are allowed, names of private networks are refused
   *  as well, because no address is checked at connect time. Throws `invalid_request`. */
  checkLink(text: string, field: string): void {
    const url = this.checkUrl(text, field)
    if (!isPlainLink(text)) throw new GatewayError('invalid_request', `${field} is not a plain http or https URL.`, { field })
    if (!this.#allowPrivate && isPrivateName(url.hostname)) throw privateAddress({ field, url: nameOf(url) })
  }

  /** Downloads the URL into a file. Every address that is connected to is checked, also after
   *  redirects, unless private addresses are allowed. Throws `invalid_request` when the form of the
   *  URL or its address is not allowed, or when the server answers with an error or cannot be
   *  reached. Throws `upstream_unreachable` when the gateway's proxy fails, `payload_too_large`,
   *  `disk_full`, `cancelled` when the signal fires, and `internal_error` for other errors of the
   *  disk. */
  async download(text: string, options: DownloadOptions): Promise<DownloadResult> {
    const field = options.field ?? 'url'
    const way = { url: parseUrl(text, field) }
    const deadline = startDeadline(options)
    const { signal, timeoutMs } = deadline
    const headers = { accept: options.accept ?? '*/*' }
    try {
      const waits = { firstByteMs: timeoutMs, idleMs: timeoutMs, route: this.#outbound.forCallers }
      const answer = await this.#follow(way, { ...options, field, headers, signal, ...waits })
      return await take(answer, way.url, { ...options, field })
    } catch (error) {
      if (options.signal?.aborted === true) throw new GatewayError('cancelled', `${field}: the download was stopped.`, { cause: error })
      throw explainFailure(error, { field, url: nameOf(way.url), isLate: deadline.isLate(), codes: 'caller' })
    } finally {
      deadline.end()
    }
  }

  /** Resolves with the answer to a GET of the URL, with any status. Addresses are checked as in
   *  `download`. Throws `invalid_request` when the form of the URL or its address is not allowed
   *  and after too many redirects, `upstream_error` or `upstream_timeout` when the network fails,
   *  and `cancelled` when the signal fires. */
  async open(text: string, options: OpenOptions): Promise<OpenedUrl> {
    const { field, signal } = options
    const way = { url: parseUrl(text, field) }
    const explain = (error: unknown): GatewayError => {
      if (signal.aborted) return new GatewayError('cancelled', `${field}: the download was stopped.`, { cause: error })
      return explainFailure(error, { field, url: nameOf(way.url), isLate: false, codes: 'upstream' })
    }
    try {
      const answer = await this.#follow(way, { ...options, route: this.#outbound.routeOf(options.route) })
      const { statusCode: status, headers } = answer
      return { status, headers, chunks: () => explained(answer.body, explain), cut: () => cut(answer) }
    } catch (error) {
      throw explain(error)
    }
  }

  /** Sends a POST and resolves with the status of the answer, even when it reports an error.
   *  Follows no redirect and reads at most 64 KiB of the answer. Throws `invalid_request` when the
   *  form of the URL or its address is not allowed, `upstream_timeout` or `upstream_error` when no
   *  answer arrives, and `cancelled` when the signal fires. Messages name the origin alone: they
   *  are logged, and the path of a webhook is often its secret
   *  (https://hooks.slack.com/services/...). */
  async post(text: string, options: PostOptions): Promise<PostResult> {
    const field = options.field ?? 'url'
    const url = parseUrl(text, field)
    const agent = this.#agentFor(new URL(url.origin), field, { ...options, route: this.#outbound.forCallers })
    const deadline = startDeadline(options)
    try {
      const answer = await send(agent, url, { options, deadline })
      await drain(answer)
      return postedOf(answer)
    } catch (error) {
      if (options.signal?.aborted === true) throw new GatewayError('cancelled', `${field}: the delivery was stopped.`, { cause: error })
      throw explainFailure(error, { field, url: url.origin, isLate: deadline.isLate(), codes: 'upstream' })
    } finally {
      deadline.end()
    }
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()].flatMap(byRule => [...byRule.values()])
    await Promise.all(agents.map(agent => agent.destroy()))
  }

  /** Returns the agent for a URL whose form is allowed. Throws `invalid_request` for a private host
   *  when private addresses are not allowed. */
  #agentFor(url: URL, field: string, options: Pick<RedirectOptions, 'allowPrivate' | 'trustedOrigin' | 'route'>): Agent {
    const { route, trustedOrigin, allowPrivate = this.#allowPrivate } = options
    if (url.origin === trustedOrigin) return this.#agent(route, 'trusted')
    if (allowPrivate) return this.#agent(route, 'any')
    refusePrivateHost(url, field)
    return this.#agent(route, 'public')
  }

  #agent(route: OutboundRoute, rule: AddressRule): Agent {
    const byRule = this.#agents.get(route) ?? new Map<AddressRule, Agent>()
    this.#agents.set(route, byRule)
    const isTrusted = rule === 'trusted'
    const settings = { route, lookup: isTrusted ? systemAddresses : this.#lookup, allowPrivate: rule !== 'public', isTrusted }
    const agent = byRule.get(rule) ?? createAgent(settings)
    byRule.set(rule, agent)
    return agent
  }

  /** Follows all redirects and returns the last answer. `way.url` is always the URL requested
   *  last. */
  async #follow(way: { url: URL }, options: RedirectOptions): Promise<Answer> {
    const { field } = options
    for (let hop = 0; hop <= (options.maxRedirects ?? defaultRedirects); hop++) {
      const answer = await get(this.#agentFor(way.url, field, options), way.url, options)
      const next = redirectOf(answer, way.url, field)
      if (next === undefined) return answer
      cut(answer)
      way.url = next
    }
    throw new GatewayError('invalid_request', `${field} redirects too often.`, { field })
  }
}

function parseUrl(text: string, field: string): URL {
  const url = text.length > maxUrlLength ? null : URL.parse(text)
  if (url === null)
    throw new GatewayError('invalid_request', `${field} is not a valid URL of at most ${maxUrlLength} characters.`, { field })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new GatewayError('invalid_request', `${field} has to be an http or https URL.`, { field })
  }
  if (url.username !== '' || url.password !== '') {
    throw new GatewayError('invalid_request', `${field} must not contain a user name or password.`, { field })
  }
  return url
}

/** Throws `invalid_request` for a private host. IPv4 addresses written in decimal, octal or
 *  hexadecimal are recognized, because the `URL` class has already normalized them. */
function refusePrivateHost(url: URL, field: string): void {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isPrivate = isIP(host) === 0 ? host === 'localhost' || host.endsWith('.localhost') : !isPublicAddress(host)
  if (isPrivate) throw privateAddress({ field, url: nameOf(url) })
}

/** Returns the URL without its query, for messages: queries may contain signatures and tokens. Long
 *  URLs are truncated. */
function nameOf(url: URL): string {
  const name = url.origin + url.pathname
  return name.length > 200 ? `${name.slice(0, 200)}...` : name
}

function startDeadline({ timeoutMs = defaultTimeoutMs, signal }: UrlOptions): Deadline {
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
    timeoutMs,
    isLate: () => isLate,
    end: () => clearTimeout(timer),
  }
}

function get(agent: Agent, url: URL, options: RedirectOptions): Promise<Answer> {
  return request(url, {
    dispatcher: agent,
    // Compression is not accepted: for compressed answers, the limit of bytes received would not
    // limit the bytes after decompression.
    headers: {
      ...options.headers,
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(url.origin === options.trustedOrigin ? options.trustedHeaders : {}),
    },
    signal: options.signal,
    headersTimeout: options.firstByteMs,
    bodyTimeout: options.idleMs,
  })
}

async function* explained(body: AsyncIterable<Buffer>, explain: (error: unknown) => GatewayError): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  }
}

function send(agent: Agent, url: URL, { options, deadline }: { options: PostOptions; deadline: Deadline }): Promise<Answer> {
  return request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'user-agent': userAgent, ...options.headers },
    body: options.body,
    signal: deadline.signal,
    headersTimeout: deadline.timeoutMs,
    bodyTimeout: deadline.timeoutMs,
  })
}

function redirectOf(answer: Answer, from: URL, field: string): URL | undefined {
  if (!redirects.has(answer.statusCode)) return undefined
  const location = headerOf(answer.headers, 'location')
  if (location === undefined) return undefined
  const next = URL.parse(location, from)
  if (next === null)
    throw new GatewayError('invalid_request', `${field}: ${nameOf(from)} redirects to something that is no URL.`, { field })
  return parseUrl(next.href, field)
}

async function take(answer: Answer, url: URL, options: DownloadOptions & { field: string }): Promise<DownloadResult> {
  const { field, maxBytes, toFile } = options
  try {
    const encoding = headerOf(answer.headers, 'content-encoding') ?? 'identity'
    if (answer.statusCode !== 200)
      throw new GatewayError('invalid_request', `${field}: ${nameOf(url)} answered ${answer.statusCode}.`, { field })
    if (encoding !== 'identity')
      throw new GatewayError('invalid_request', `${field}: ${nameOf(url)} answered with compressed bytes.`, { field })
    const announced = Number(headerOf(answer.headers, 'content-length') ?? 0)
    if (announced > maxBytes) throw new TooManyBytesError()
    const bytes = await saveBody(answer.body, toFile, maxBytes, announced)
    const mediaType = headerOf(answer.headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    return mediaType === undefined || mediaType === '' ? { bytes } : { bytes, mediaType }
  } catch (error) {
    cut(answer)
    if (!(error instanceof TooManyBytesError)) throw error
    throw new GatewayError('payload_too_large', `${field}: ${nameOf(url)} has more than ${maxBytes} bytes.`, { field })
  }
}

/** Reads the rest of an answer when it is short, so that the connection can be reused; cuts the
 *  connection when the rest is long or slow. */
async function drain(answer: Answer): Promise<void> {
  const timer = setTimeout(() => cut(answer), drainMs)
  try {
    await answer.body.dump({ limit: drainBytes })
  } catch {
    // Errors are ignored: only the status and the headers matter, and they have already arrived.
  } finally {
    clearTimeout(timer)
  }
}

/** Drops the rest of an answer together with its connection. */
function cut(answer: Answer): void {
  answer.body.on('error', () => {})
  answer.body.destroy()
}

function postedOf(answer: Answer): PostResult {
  const { statusCode: status } = answer
  const header = headerOf(answer.headers, 'retry-after')?.trim() ?? ''
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? { status, retryAfterSeconds: Math.max(0, seconds) } : { status }
}
