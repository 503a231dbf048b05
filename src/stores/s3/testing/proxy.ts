/** An HTTP proxy in front of an S3 server, for tests of its failures. It forwards each request with
 *  the host name that the client has signed. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Bucket } from '../bucket.ts'

/** A fault that the proxy causes for one request. */
export type Fault =
  /** The proxy answers with this error in place of the service, which never gets the request. */
  | { status: number; code: string; retryAfter?: string }
  /** The proxy answers with status 200 and this text in place of the service, which never gets
   *  the request. */
  | { text: string }
  /** `reset`: the connection breaks before the request reaches the service. `lost-answer`: the
   *  connection breaks after the service has answered. */
  | 'reset'
  | 'lost-answer'
  /** There is no answer at all. */
  | 'silence'
  /** One byte of the request's body is changed on its way to the service. */
  | 'damage'
  /** Only the first `bytes` bytes of the answer's body arrive. Then, by `ending`, the connection
   *  breaks, makes no progress, or ends as if the answer were whole. */
  | { bytes: number; ending: 'reset' | 'silence' | 'end' }

/** Returns the fault of a request; undefined lets it pass. */
export type Rule = (request: { method: string; url: string; range: string | undefined }) => Fault | undefined

export interface FaultyProxy {
  /** The bucket as it is reached through the proxy. */
  bucketOf(bucket: S3Bucket): S3Bucket
  rule: Rule
  /** Number of requests for which the rule returned a fault. */
  faults: number
  stop(): Promise<void>
}

export async function startFaultyProxy(target: URL): Promise<FaultyProxy> {
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const fault = proxy.rule({ method, url, range: request.headers.range })
    if (fault !== undefined) proxy.faults += 1
    answer(request, response, { target, fault }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: FaultyProxy = {
    bucketOf: bucket => ({ ...bucket, endpoint: new URL(`http://127.0.0.1:${port}`) }),
    rule: () => undefined,
    faults: 0,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

interface Forwarding {
  target: URL
  fault: Fault | undefined
}

async function answer(request: IncomingMessage, response: ServerResponse, { target, fault }: Forwarding): Promise<void> {
  if (fault === 'reset') return void request.socket.destroy()
  if (fault === 'silence') return
  if (typeof fault === 'object' && 'text' in fault) {
    request.resume()
    return void response.writeHead(200, { 'content-type': 'application/xml' }).end(fault.text)
  }
  if (typeof fault === 'object' && 'status' in fault) {
    request.resume()
    const { status, code, retryAfter } = fault
    const headers = { 'content-type': 'application/xml', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) }
    return void response.writeHead(status, headers).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
  }
  const upstream = await forward(request, { target, fault })
  if (fault === 'lost-answer') {
    await buffer(upstream)
    return void request.socket.destroy()
  }
  if (typeof fault === 'object' && 'bytes' in fault) return sendPart(upstream, response, fault)
  response.writeHead(upstream.statusCode ?? 502, upstream.headers)
  upstream.pipe(response)
}

async function forward(request: IncomingMessage, { target, fault }: Forwarding): Promise<IncomingMessage> {
  const { method, url: path, headers } = request
  const forwarded = requestHttp({ host: target.hostname, port: target.port, method, path, headers, agent: false })
  let isAnswered = false
  // Swift answers some HEAD requests with a body. Node.js reports this body as an error after the
  // answer; the error is ignored.
  forwarded.once('response', () => {
    isAnswered = true
  })
  forwarded.on('error', () => isAnswered || request.socket.destroy())
  const answered = once(forwarded, 'response')
  if (fault === 'damage') {
    const body = await buffer(request)
    if (body.length > 0) body[body.length >> 1] = ((body[body.length >> 1] ?? 0) + 1) % 256
    forwarded.end(body)
  } else request.pipe(forwarded)
  const [upstream] = await answered
  return upstream
}

async function sendPart(
  upstream: IncomingMessage,
  response: ServerResponse,
  { bytes, ending }: { bytes: number; ending: 'reset' | 'silence' | 'end' },
): Promise<void> {
  const body = await buffer(upstream)
  const headers = { ...upstream.headers }
  if (ending === 'end' && upstream.headers['content-range'] === undefined) delete headers['content-length']
  response.writeHead(upstream.statusCode ?? 502, headers)
  response.write(body.subarray(0, bytes), () => {
    if (ending === 'reset') response.socket?.destroy()
    if (ending === 'end') response.end()
  })
}
