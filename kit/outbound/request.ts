/** Sends one HTTP request over a new connection. Used by engines. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isPublicAddress } from '../address-rules.ts'
import { BlockedAddressError, checkedLookup, type LookupSettings } from '../checked-lookup.ts'
import { GatewayError } from '../errors.ts'
import { openChecked, openTunnel } from './connect.ts'
import { destinationOf } from './destination.ts'
import type { OutboundRoute } from './outbound.ts'

export interface OutboundRequest {
  route: OutboundRoute
  method?: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
  /** The rule for the addresses to which the host name may resolve. Without one every address is
   *  allowed, and the proxy, if there is one, resolves the name. */
  rule?: LookupSettings
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
/** HTTP statuses for which a response must not have a body. */
const bare = new Set([204, 205, 304])

/** Returns the response; follows no redirect. Throws `BlockedAddressError`, network errors, a
 *  `ProxyError`, the signal's reason, or `upstream_error` for a status outside 200 to 599. */
export async function requestOnce(url: URL, { route, method = 'GET', headers, body, signal, rule }: OutboundRequest): Promise<Response> {
  const to = destinationOf(url)
  // The look-up checks only addresses that it resolves. An IP address in the URL is never resolved,
  // so it is checked here.
  if (rule?.allowPrivate === false && isIP(to.host) !== 0 && !isPublicAddress(to.host)) throw new BlockedAddressError()
  const proxy = route.proxyFor(to)
  const { secureContext } = route
  const options = {
    ...{ method, signal, headers: { 'accept-encoding': 'identity', ...headers } },
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(proxy === undefined && { agent: false, ...(rule && { lookup: checkedLookup(rule) }) }),
    ...(proxy !== undefined && {
      createConnection: (_: unknown, done: (error: Error | null, socket: Duplex) => void): undefined => {
        // The cast is safe: Node ignores the socket when an error is passed.
        const callback = (error: Error | null, socket: Duplex | null) => done(error, socket as Duplex)
        if (rule === undefined) openTunnel(proxy, { route, to }, callback)
        else openChecked({ route, to, rule }, callback)
      },
    }),
  }
  const send = to.isTls ? httpsRequest : httpRequest
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, options, resolve).on('error', reject)
    // When a server answers with status 101 and there is no listener for it, Node closes the
    // connection and reports nothing.
    request.on('upgrade', (upgraded, socket) => {
      socket.destroy()
      resolve(upgraded)
    })
    request.end(body)
  }).catch(error => {
    signal.throwIfAborted()
    throw error
  })
  const { statusCode: status = 0 } = answer
  if (status >= 200 && status <= 599) return responseOf(answer, status)
  answer.destroy()
  throw new GatewayError('upstream_error', `${url.host} answered with the status ${status}; a final status is 200 to 599.`)
}

function responseOf(answer: IncomingMessage, status: number): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  // The cast is needed because Node and the web platform declare the same type of stream under two
  // names.
  if (!bare.has(status)) return new Response(Readable.toWeb(decoded(answer)) as ReadableStream<Uint8Array>, { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}

/** Decompresses the body. Some servers compress it although the request did not offer to accept
 *  that. The caller limits the number of decompressed bytes. */
function decoded(answer: IncomingMessage): Readable {
  const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
  if (decoder === undefined) return answer
  return answer
    .on('error', error => decoder.destroy(error))
    .pipe(decoder)
    .on('close', () => answer.destroy())
}
