/** The upstream of a relay measurement. It works on raw sockets, so that it costs little itself.
 *  `PORT` is its port. The path of a request says in which protocol it answers (protocols.ts),
 *  and its text says how (answers.ts). GET /stats returns its counters, and GET /healthz answers
 *  200. */
import { createServer, type Socket } from 'node:net'
import { type Order, preciseNow, readOrder } from './answers.ts'
import { takeMessage } from './http1.ts'
import { type BenchProtocol, protocolAt } from './protocols.ts'

export interface UpstreamStats {
  /** Number of connections since the start. `open` is the number of connections now, and
   *  `requests` the number of requests for answers. */
  opened: number
  open: number
  requests: number
  /** Number of streams that are running. */
  streams: number
  /** Number of answers during which the connection was closed. `lastAbortAt` is the time of the
   *  latest such abort, in ms since 1970. */
  aborts: number
  lastAbortAt: number
  /** Number of bytes of streams that were written to sockets. `events` is the number of events
   *  in them. */
  bytes: number
  events: number
}

interface Stream {
  socket: Socket
  protocol: BenchProtocol
  order: Order
  sent: number
  nextAt: number
  onClose(): void
}

const stats: UpstreamStats = { opened: 0, open: 0, requests: 0, streams: 0, aborts: 0, lastAbortAt: 0, bytes: 0, events: 0 }
const streams = new Set<Stream>()
/** A stream without a rate limit ends at this many bytes, so that a measurement cannot fill the
 *  memory of the machine. */
const floodBytes = 2 ** 30
const tickMs = 5
/** Cache of the complete (not streamed) answer of each protocol. */
const wholes = new Map<BenchProtocol, string>()
const streamHead = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream; charset=utf-8',
  'cache-control: no-cache',
  'transfer-encoding: chunked',
  '\r\n',
].join('\r\n')
const lastChunk = '0\r\n\r\n'

const server = createServer({ noDelay: true }, accept)
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 8192 })
setInterval(sendDue, tickMs)

function accept(socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0)
  let isCounted = false
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (let message = takeMessage(pending); message; message = takeMessage(pending)) {
      pending = message.rest
      const isOurs = message.head.startsWith('GET ')
      if (!isCounted && !isOurs) count(socket)
      isCounted ||= !isOurs
      if (isOurs) show(socket, message.head)
      else answer(socket, message.head, message.body.toString())
    }
  })
}

/** Counts a connection. Connections over which the benchmark reads the counters are not counted. */
function count(socket: Socket): void {
  stats.opened += 1
  stats.open += 1
  socket.on('close', () => {
    stats.open -= 1
  })
}

function show(socket: Socket, head: string): void {
  socket.write(answerOf(head.startsWith('GET /stats') ? JSON.stringify({ ...stats, streams: streams.size }) : '{}'))
}

function answer(socket: Socket, head: string, body: string): void {
  stats.requests += 1
  const order = readOrder(body)
  const protocol = protocolAt(head.split(' ', 2)[1] ?? '')
  if (order.mode === 'json') socket.write(wholeOf(protocol))
  if (order.mode === 'reset') socket.resetAndDestroy()
  if (order.mode === 'slow') answerLater(socket, protocol, order.ms)
  if (order.mode === 'sse') startStream(socket, protocol, order)
  if (order.mode === 'flood') flood(socket, protocol, order.size)
}

function wholeOf(protocol: BenchProtocol): string {
  const whole = wholes.get(protocol) ?? answerOf(protocol.answer())
  wholes.set(protocol, whole)
  return whole
}

function answerLater(socket: Socket, protocol: BenchProtocol, ms: number): void {
  const onClose = noteAbort(socket)
  setTimeout(() => {
    socket.off('close', onClose)
    if (!socket.destroyed) socket.write(wholeOf(protocol))
  }, ms)
}

function startStream(socket: Socket, protocol: BenchProtocol, order: Order): void {
  // The first event of a stream is sent after a random part of the interval. Streams that were
  // opened together would otherwise send all their events at the same moments.
  const nextAt = performance.now() + (Math.random() * 1000) / order.rate
  const stream: Stream = { socket, protocol, order, sent: 0, nextAt, onClose: noteAbort(socket, () => streams.delete(stream)) }
  streams.add(stream)
  socket.write(protocol.opening === '' ? streamHead : streamHead + chunkOf(protocol.opening))
}

/** Sends all events that are due. One timer serves all streams. */
function sendDue(): void {
  const now = performance.now()
  for (const stream of streams) {
    if (stream.nextAt > now) continue
    stream.nextAt += 1000 / stream.order.rate
    sendEvent(stream)
  }
}

function sendEvent(stream: Stream): void {
  const { socket, protocol, order } = stream
  const text = protocol.event(order.size, preciseNow())
  stats.bytes += text.length
  stats.events += 1
  stream.sent += 1
  const isLast = stream.sent === order.count
  socket.write(isLast ? chunkOf(text) + chunkOf(protocol.lastEvents()) + lastChunk : chunkOf(text))
  if (!isLast) return
  streams.delete(stream)
  socket.off('close', stream.onClose)
}

/** Sends data until the other side accepts no more; continues when it does. */
function flood(socket: Socket, protocol: BenchProtocol, size: number): void {
  const piece = chunkOf(protocol.event(size, preciseNow()).repeat(Math.max(1, Math.floor(65_536 / size))))
  let sent = 0
  const fill = () => {
    while (!socket.destroyed && sent < floodBytes) {
      sent += piece.length
      stats.bytes += piece.length
      if (!socket.write(piece)) return
    }
    if (!socket.destroyed) socket.write(lastChunk)
  }
  noteAbort(socket)
  socket.write(streamHead)
  socket.on('drain', fill)
  fill()
}

function noteAbort(socket: Socket, then?: () => void): () => void {
  const onClose = () => {
    stats.aborts += 1
    stats.lastAbortAt = preciseNow()
    then?.()
  }
  socket.on('close', onClose)
  return onClose
}

function chunkOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

function answerOf(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
