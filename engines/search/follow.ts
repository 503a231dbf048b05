/** Where a source sends its readers on to. */
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
/** Answers without a body. */
const bare = new Set([204, 205, 304])

interface FollowOptions {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Whether sources may send on to addresses of a private network. */
  allowPrivate: boolean
  /** All addresses of a host name; default: the system's resolver. */
  lookup?: LookupSettings['lookup']
}

/** What the URL answers, over at most five redirects. Its own address is the operator's choice; of those it sends on to, none may be of this machine or a private network, and another origin sees no headers with keys.
 *  A name is looked up once for each connection, which goes to the very address that was checked. Throws `upstream_error`; what the network throws; the signal's reason. */
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
  throw new GatewayError('upstream_error', `The source at ${new URL(url).host} sends on more than ${mostHops} times.`)
}

function target(location: string, from: URL): URL {
  const to = URL.parse(location, from)
  if (to && /^https?:$/.test(to.protocol) && to.username === '') return to
  throw new GatewayError('upstream_error', `The source at ${from.host} sends on to something that is no URL of the web.`)
}

function system(hostname: string): ReturnType<LookupSettings['lookup']> {
  return systemLookup(hostname, { all: true })
}

/** One request on a connection of its own. */
async function get(url: URL, { headers, signal, allowPrivate, lookup }: Required<FollowOptions>): Promise<Response> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  // Literal addresses are never looked up.
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
  return new GatewayError('upstream_error', `The source sends on to ${hostname}, an address of this machine or a private network.`)
}

function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  if (!bare.has(status)) return new Response(Readable.toWeb(decoded(answer)) as ReadableStream<Uint8Array>, { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}

/** Some servers compress whatever was asked. The bytes are counted by the reader. */
function decoded(answer: IncomingMessage): Readable {
  const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
  if (decoder === undefined) return answer
  return answer
    .on('error', error => decoder.destroy(error))
    .pipe(decoder)
    .on('close', () => answer.destroy())
}
