/** A fake upstream service: an HTTP server on a free port, which records what it receives and
 *  sends the answers that the test sets. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { textReply } from './fake-upstream-text.ts'

export interface ReceivedRequest {
  method: string
  /** The path with its query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The parsed body; undefined for an empty body or one that is not JSON. */
  json: unknown
  /** Port of the client. Requests with the same port came over the same connection. */
  port: number
  /** True once the client has closed the connection before the answer was complete. */
  isCut: boolean
  /** True once the answer has been sent. */
  isEnded: boolean
}

export type FakeReply = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>

/** A server-sent event: an object is sent as JSON, a string unchanged. `event` names the event. */
export type FakeFrame = string | object | { event: string; data: object }

export interface FakeUpstream {
  /** `http://127.0.0.1:<port>/v1` */
  baseUrl: string
  received: ReceivedRequest[]
  /** Sets the answers of the next requests, one each; the last one repeats. When the test has
   *  set no answers, the upstream answers requests for chat, Responses and models with
   *  `textReply` of `fake-upstream-text.ts`. */
  answer(...replies: FakeReply[]): void
  openConnections(): number
  /** Returns the number of connections made since the start. */
  connectionsMade(): number
  /** Returns the number of requests whose answer was cut off by the client. */
  aborted(): number
  close(): Promise<void>
}

/** Starts the service; the caller closes it. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const received: ReceivedRequest[] = []
  let replies: FakeReply[] = []
  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await receive(message)
    watchEnd(response, request)
    received.push(request)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    await (reply ?? textReply)(response, request)
  }
  const server = createServer((message, response) => {
    // An error is expected here: in some tests the client disconnects in the middle of its body or
    // of an answer.
    serve(message, response).catch(() => message.socket.destroy())
  })
  const connections = countConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    answer: (...next) => {
      replies = next
    },
    openConnections: () => connections.open,
    connectionsMade: () => connections.made,
    aborted: () => received.filter(request => request.isCut).length,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function countConnections(server: Server): { made: number; open: number } {
  const counts = { made: 0, open: 0 }
  server.on('connection', socket => {
    counts.made++
    counts.open++
    socket.on('close', () => counts.open--)
    socket.on('error', () => {})
  })
  return counts
}

function watchEnd(response: ServerResponse, request: ReceivedRequest): void {
  response.on('close', () => {
    request.isEnded = response.writableFinished
    request.isCut = !request.isEnded && !resets.has(response)
  })
}

/** The responses whose connection the upstream itself has closed. */
const resets = new WeakSet<ServerResponse>()

/** Returns a reply with a whole JSON answer. */
export function jsonReply(body: unknown, status = 200, headers: Record<string, string> = {}): FakeReply {
  return response => {
    const text = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    response.end(text)
  }
}

/** Returns a reply with an error in OpenAI's format. */
export function errorReply(status: number, error: Record<string, unknown>, headers: Record<string, string> = {}): FakeReply {
  return jsonReply({ error: { message: 'refused', type: 'invalid_request_error', param: null, code: null, ...error } }, status, headers)
}

/** Returns a reply that sends the bytes unchanged, with the given status and headers. */
export function rawReply(body: string | Buffer, status = 200, headers: Record<string, string> = {}): FakeReply {
  return response => {
    response.writeHead(status, headers)
    response.end(body)
  }
}

/** Returns a reply that streams events. When `frames` is an async iterable, each event is sent
 *  as soon as it is yielded. */
export function sseReply(frames: Iterable<FakeFrame> | AsyncIterable<FakeFrame>): FakeReply {
  return async response => {
    await writeFrames(response, frames)
    response.end()
  }
}

/** Returns a reply that streams these events and then sends nothing more. It ends only when the
 *  client disconnects. */
export function hangingReply(frames: Iterable<FakeFrame> = []): FakeReply {
  return response => writeFrames(response, frames)
}

/** A reply that never comes. */
export const silentReply: FakeReply = () => {}

/** Returns a reply that resets the connection, either at once or after these events. */
export function resetReply(frames?: Iterable<FakeFrame>): FakeReply {
  return async response => {
    resets.add(response)
    if (frames) {
      await writeFrames(response, frames)
      // The reset may overtake bytes that node has not passed to the kernel, so this waits until
      // they have been written.
      await new Promise<void>(resolve => response.write(': the last words\n\n', () => resolve()))
    }
    response.socket?.resetAndDestroy()
  }
}

/** A reply that closes the connection in an orderly way without an answer. Servers do this with
 *  a connection that was idle for too long. */
export const closeReply: FakeReply = response => {
  resets.add(response)
  response.socket?.destroy()
}

export function redirectReply(to: string, status = 307): FakeReply {
  return rawReply('', status, { location: to })
}

/** Returns the bytes of one frame. */
export function frameText(frame: FakeFrame): string {
  if (typeof frame === 'string') return `data: ${frame}\n\n`
  if ('event' in frame && typeof frame.event === 'string' && 'data' in frame)
    return `event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`
  return `data: ${JSON.stringify(frame)}\n\n`
}

async function writeFrames(response: ServerResponse, frames: Iterable<FakeFrame> | AsyncIterable<FakeFrame>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for await (const frame of frames) {
    if (response.destroyed) return
    response.write(frameText(frame))
  }
}

async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body,
    json: parsed(body),
    port: message.socket.remotePort ?? 0,
    isCut: false,
    isEnded: false,
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    // Not every body is JSON; tests then read the bytes of the body.
    return undefined
  }
}
