/** The HTTP server of the gateway: the limits for connections and requests, and the work that
 *  precedes and follows the handler of every request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import { serveArtifact } from './artifact-route.ts'
import { discardBody } from './body/discard-body.ts'
import { refuseBrokenHttp } from './connection/client-errors.ts'
import type { HttpDeps } from './deps.ts'
import { noteRequest } from './metrics/request-log.ts'
import { Routes } from './request/1-match.ts'
import { corsStep } from './request/cors.ts'
import { Exchange } from './request/exchange.ts'
import { addOperations } from './request/operation-routes.ts'
import { takeWake } from './wake.ts'

/** Time limits for clients that send their headers slowly, for silent sockets, and for
 *  connections that a load balancer keeps idle (docs/measured.md#time-limits-of-connections). */
const timeouts = { headersMs: 15_000, keepAliveMs: 75_000, checkMs: 5_000 }
const largestHeaders = 16 * 1024
const backlog = 4096
/** Methods whose requests may have a body. */
const bodied = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

export interface App {
  server: Server
  /** Resolves when the server listens. Throws the error of the operating system when the port
   *  cannot be opened. */
  listen(port: number, host: string): Promise<void>
  /** Accepts no new connections, closes idle ones at once, and resolves when the last connection
   *  has ended. */
  close(): Promise<void>
}

/** Creates the HTTP application. It has the routes that `addRoutes` adds (health, metrics,
 *  pages, admin). On a node with the role api it also has the operations of every family, with
 *  the routes that the gateway adds to them, the signed files, and the wake URLs for upstreams. */
export function createApp(deps: HttpDeps, addRoutes: (routes: Routes) => void): App {
  const routes = new Routes(deps)
  if (deps.settings.isApi) {
    addOperations(routes, deps)
    routes.add({ method: 'GET', path: '/files/{id}', handler: serveArtifact(deps) })
    routes.add({ method: 'POST', path: '/webhooks/wake/{task}/{mac}', handler: takeWake(deps) })
  }
  addRoutes(routes)
  const server = newServer(deps)
  const state = { isClosing: false }
  deps.connections.watch(server, serve(deps, routes, state))
  return {
    server,
    listen: (port, host) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      server.once('error', reject)
      // The host :: is left out. Without a host, Node listens on all IPv6 and IPv4 addresses, or
      // only on the IPv4 addresses of a machine that has no IPv6. With the host ::, listening would
      // fail on such a machine.
      server.listen({ port, ...(host === '::' ? {} : { host }), backlog }, () => {
        server.off('error', reject)
        resolve()
      })
      return promise
    },
    close: async () => {
      state.isClosing = true
      deps.connections.drain()
      const { promise, resolve } = Promise.withResolvers<void>()
      // The error is ignored: `close` reports one only when the server has never listened.
      server.close(() => resolve())
      server.closeIdleConnections()
      await promise
    },
  }
}

function newServer(deps: HttpDeps): Server {
  const server = createServer({
    connectionsCheckingInterval: timeouts.checkMs,
    headersTimeout: timeouts.headersMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: 0,
    maxHeaderSize: largestHeaders,
    // Without this setting, node would answer a request without a Host header with an empty body.
    // The gateway checks the header itself, so that it can answer with a JSON error.
    requireHostHeader: false,
  })
  server.on('clientError', refuseBrokenHttp(deps.connections))
  // Node would refuse a request whose `Expect` header it does not know. Here such a request is
  // served as usual.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Serves a request: does the work that precedes every handler, calls the handler, and does the
 *  work that follows it. */
function serve(
  deps: HttpDeps,
  routes: Routes,
  state: { isClosing: boolean },
): (request: IncomingMessage, response: ServerResponse) => void {
  const { trustProxy, corsOrigins } = deps.settings
  const cors = corsStep(corsOrigins)
  /** Refuses a request that failed. It must not throw, because no code would catch the error. When
   *  the error answer cannot be sent (for example when one of its headers has an invalid
   *  character), it closes the connection. */
  const refuse = (exchange: Exchange, error: unknown): void => {
    try {
      routes.refuse(exchange, toGatewayError(error))
    } catch (unsent) {
      deps.log.error({ err: unsent, requestId: exchange.id }, 'an error could not be sent')
      exchange.response.destroy()
    }
  }
  return (request, response) => {
    const exchange = new Exchange(request, response, trustProxy)
    response.on('close', () => ended(deps, exchange))
    try {
      const handler = routes.match(exchange)
      beginHeaders(exchange, state.isClosing)
      assertSound(exchange)
      if (cors?.(exchange)) return
      assertContentType(exchange)
      handler(exchange)?.catch((error: unknown) => refuse(exchange, error))
    } catch (error) {
      refuse(exchange, error)
    }
  }
}

/** Sets the headers that every answer has. */
function beginHeaders({ id, requestHeaders, headers }: Exchange, isClosing: boolean): void {
  if (isClosing) headers.connection = 'close'
  headers['x-request-id'] = id
  headers['x-content-type-options'] = 'nosniff'
  const clientId = requestHeaders['x-client-request-id']
  if (typeof clientId === 'string' && /^[\x21-\x7e]{1,128}$/.test(clientId)) headers['x-client-request-id'] = clientId
}

/** Throws `invalid_request` for an HTTP 1.1 request without a Host header, a request with several
 *  of them (RFC 9112, section 3.2), and a malformed number in the hop header (the number of
 *  gateways that the request has passed); `loop_detected` when that number is too high. */
function assertSound({ request, requestHeaders }: Exchange): void {
  if (requestHeaders.host === undefined && request.httpVersion === '1.1')
    throw new GatewayError('invalid_request', 'HTTP 1.1 needs a Host header.', { field: 'Host' })
  if (hasSeveralHosts(request.rawHeaders))
    throw new GatewayError('invalid_request', 'The request has more than one Host header.', { field: 'Host' })
  hopsOf(requestHeaders[hopsHeader])
}

/** `rawHeaders`: names and values in turn, as `IncomingMessage` has them. `headers` has only the
 *  first Host header of a request. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** Throws `unsupported_media_type` for a malformed content type, and `invalid_request` for a
 *  QUERY request without a content type (RFC 10008, section 2). The operation checks later which
 *  types it accepts. */
function assertContentType({ method, requestHeaders }: Exchange): void {
  const type = requestHeaders['content-type']
  if (method === 'QUERY' && type === undefined)
    throw new GatewayError('invalid_request', "Method 'QUERY' must provide a 'Content-Type' header.")
  if (type === undefined || !bodied.has(method) || mediaType.test(type)) return
  throw new GatewayError('unsupported_media_type', 'The content type is not valid.')
}

/** Writes one log line and counts one request in the metrics. */
function ended(deps: HttpDeps, { id, method, operation, startedAt, request, response }: Exchange): void {
  // The client may still be sending a body that nothing has read; the rest of it is accepted and
  // dropped for a limited time.
  discardBody(request)
  const status = response.writableFinished ? response.statusCode : 499
  noteRequest(deps, { id, method, operation, status, ms: performance.now() - startedAt })
}
