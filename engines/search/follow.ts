/** Fetches a URL and follows its redirects safely. */
import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { BlockedAddressError, checkedLookup, type LookupSettings } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

const mostHops = 5
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
/** HTTP statuses of responses without a body. */
const bare = new Set([204, 205, 304])

interface FollowOptions {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** True when redirects may lead to addresses of a private network. */
  allowPrivate: boolean
  /** Returns all IP addresses of a host name; by default, the system's resolver. */
  lookup?: LookupSettings['lookup']
}

/** Returns the response of a URL after at most five redirects. The URL itself comes from the
 *  operator's settings; redirects may not lead to this machine or a private network, and
 *  credentials in headers are not sent to another origin. Each connection resolves the host name
 *  once and connects to the address that was checked. Throws `upstream_error`, network errors, or
 *  the signal's reason. */
export async function fetchFollowing(url: string, { headers, signal, allowPrivate, lookup = system }: FollowOptions): Promise<Response> {
  const origin = new URL(url).origin
  const plain = { accept: headers.accept ?? '*/*', 'user-agent': headers['user-agent'] ?? 'generation-gateway' }
  let at = new URL(url)
  for (let hop = 0; hop <= mostHops; hop++) {
    const isOwn = at.origin === origin
    const answer = await get(at, { headers: isOwn ? headers : plain, signal, lookup, allowPrivate: isOwn || allowPrivate })
    const next = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('location') : null
    if (next === null) return answer
    await answer.body?.cancel()
    at = target(next, at)
  }
  throw new GatewayError('upstream_error', `The source at ${new URL(url).host} redirects more than ${mostHops} times.`)
}

function target(location: string, from: URL): URL {
  const to = URL.parse(location, from)
  if (to && /^https?:$/.test(to.protocol) && to.username === '') return to
  throw new GatewayError(
    'upstream_error',
    `The source at ${from.host} redirects to something that is not an http or https URL without a user name.`,
  )
}

function system(hostname: string): ReturnType<LookupSettings['lookup']> {
  return systemLookup(hostname, { all: true })
}

/** Sends one request on its own connection. */
async function get(url: URL, { headers, signal, allowPrivate, lookup }: Required<FollowOptions>): Promise<Response> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address in the URL is never resolved, so it is checked here.
  if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) throw refused(url)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const options = {
    headers: { 'accept-encoding': 'identity', ...headers },
    signal,
    agent: false,
    lookup: checkedLookup({ lookup, allowPrivate }),
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end()
  }).catch(error => {
    signal.throwIfAborted()
    throw error instanceof BlockedAddressError ? refused(url) : error
  })
  return responseOf(answer)
}

function refused({ hostname }: URL): GatewayError {
  return new GatewayError('upstream_error', `The source redirects to ${hostname}, an address of this machine or a private network.`)
}

function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  if (!bare.has(status)) return new Response(Readable.toWeb(decoded(answer)) as ReadableStream<Uint8Array>, { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}

/** Decompresses the body, because some servers compress it without being asked to. The caller
 *  limits the number of decompressed bytes. */
function decoded(answer: IncomingMessage): Readable {
  const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
  if (decoder === undefined) return answer
  return answer
    .on('error', error => decoder.destroy(error))
    .pipe(decoder)
    .on('close', () => answer.destroy())
}
