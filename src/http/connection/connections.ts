/** The connections of callers: limits on their number, the key that each connection belongs to,
 *  one answer at a time on each, and the end of stalled ones. Reasons and measurements:
 *  docs/decisions/0014. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { RunningCounts } from '@generation-gateway/kit/running-counts.ts'
import { discardBody } from '../body/discard-body.ts'
import { rawAnswer } from '../relay/raw-answer.ts'
import { callerAddress } from './caller-address.ts'
import { createConnectionQueue } from './connection-queue.ts'
import { checkConnection, type WatchedConnection } from './stalled-connections.ts'

export interface ConnectionLimits {
  /** Largest number of open connections in all. */
  most: number
  mostPerKey: number
  /** Largest number of connections from one address that have not shown a valid key; undefined
   *  where an address does not identify a caller (behind a proxy). */
  mostPerAddress: number | undefined
  /** Milliseconds between two checks of all connections; default 5 s. A stalled connection is
   *  cut after twelve checks, so after a minute. */
  checkEveryMs?: number
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

interface Connection extends WatchedConnection {
  readonly address: string
  keyId: string | undefined
  /** Requests on this connection that wait until the answers before them were sent. */
  readonly waiting: [request: IncomingMessage, response: ServerResponse][]
}

/** Number of pipelined requests that may wait for earlier answers, at 4.4 KB of memory each.
 *  Each connection may have `always`; it may have up to `ofOne` while fewer than `inAll` (36 MB)
 *  wait on all connections together. */
const mostWaiting = { always: 32, ofOne: 1_024, inAll: 8_192 } as const
/** Largest number of refused connections at a time that stay open for a few seconds, so that
 *  their clients can read the reason. */
const mostRefused = 1_000
const retryAfterSeconds = 5
/** The queue of waiting connections is checked this many times between two checks of all
 *  connections. */
const queueChecks = 20
/** Return value of a callback that stops node's HTTP parser (llhttp): to the parser it means
 *  that the connection changes to another protocol. */
const stopsParsing = 2

/** Owns every connection to the server, from the moment at which it is accepted until it is
 *  closed. */
export class Connections {
  readonly #limits: Required<ConnectionLimits>
  readonly #onRefused: () => void
  readonly #open = new Map<Socket, Connection>()
  readonly #refused = new Map<Socket, WatchedConnection>()
  readonly #queue = createConnectionQueue()
  readonly #perAddress = new RunningCounts()
  readonly #perKey = new RunningCounts()
  /** Number of requests that wait on all connections together. */
  #waiting = 0
  #start: (socket: Socket) => void = () => {}

  /** `onRefused` is called for each refused connection. */
  constructor(limits: ConnectionLimits, onRefused: () => void = () => {}) {
    this.#limits = { checkEveryMs: 5_000, ...limits }
    this.#onRefused = onRefused
  }

  /** Number of accepted connections. */
  get size(): number {
    return this.#open.size
  }

  /** Takes over the connections and requests of the server. Passes the requests to `serve`,
   *  those of one connection one after the other. Checks the connections until the server is
   *  closed. */
  watch(server: Server, serve: Serve): void {
    this.#start = replaceListener(server, socket => this.#admit(socket))
    server.removeAllListeners('request')
    server.on('request', (request, response) => this.#takeTurn(request, response, serve))
    const { checkEveryMs } = this.#limits
    const timers = [setInterval(() => this.#look(), checkEveryMs), setInterval(() => this.#refuseOverdue(), checkEveryMs / queueChecks)]
    for (const timer of timers) timer.unref()
    server.on('close', () => timers.forEach(clearInterval))
  }

  /** Counts the connection towards this key, no longer towards its address or another key.
   *  Throws `rate_limited` when the key has too many connections. */
  claim(socket: Socket, keyId: string): void {
    if (this.mayClaim(socket, keyId)) return
    const sentence = `The access key has ${this.#limits.mostPerKey} connections open; it may have no more.`
    throw new GatewayError('rate_limited', sentence, { retryAfterSeconds })
  }

  /** Does the same as `claim`, but returns false instead of throwing when the key has too many
   *  connections. */
  mayClaim(socket: Socket, keyId: string): boolean {
    const connection = this.#open.get(socket)
    // A closed connection counts towards no key.
    if (connection === undefined || connection.keyId === keyId) return true
    if (this.#perKey.of(keyId) >= this.#limits.mostPerKey) return false
    this.#leaveOwner(connection)
    connection.keyId = keyId
    this.#perKey.add(keyId)
    return true
  }

  /** Returns true when no other answer is due or being sent on the connection, so that the client
   *  reads an answer sent now as the answer to its latest request. An answer to a request that is
   *  still arriving counts only once its head was sent. */
  isQuiet(socket: Socket): boolean {
    return isQuiet(this.#open.get(socket))
  }

  /** Ends refused and waiting connections, which the server's `close` does not end. */
  drain(): void {
    for (const socket of [...this.#refused.keys(), ...this.#queue.overdue(0)]) socket.destroy()
  }

  #admit(socket: Socket): void {
    const { most, mostPerAddress } = this.#limits
    const address = callerAddress(socket.remoteAddress ?? '')
    if (this.#open.size + this.#queue.size() >= most) this.#refuse(socket, `The gateway has ${most} connections open; it takes no more.`)
    else if (this.#perAddress.of(address) < (mostPerAddress ?? Number.POSITIVE_INFINITY)) this.#enter(socket, address)
    else this.#queue.add(address, socket)
  }

  #enter(socket: Socket, address: string): void {
    const connection: Connection = { ...newConnection(socket), address, keyId: undefined, waiting: [] }
    this.#open.set(socket, connection)
    lingerAtEnd(connection)
    this.#perAddress.add(address)
    socket.on('close', () => {
      this.#open.delete(socket)
      this.#waiting -= connection.waiting.length
      connection.waiting.length = 0
      this.#leaveOwner(connection)
    })
    this.#start(socket)
  }

  #leaveOwner({ keyId, address }: Connection): void {
    if (keyId !== undefined) {
      this.#perKey.remove(keyId)
      return
    }
    this.#perAddress.remove(address)
    const next = this.#queue.take(address)
    if (next) this.#enter(next, address)
  }

  /** Serves the request, or queues it until the previous answer was sent. Without the queue, a
   *  client that reads no answers could make the gateway create many of them, each with a
   *  request to an upstream. */
  #takeTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const connection = this.#open.get(request.socket)
    // The gateway has closed its side of the connection after the last answer, so it answers no
    // further request.
    if (connection === undefined || !connection.socket.writable) return
    const { answer, waiting, socket } = connection
    if (answer === undefined || answer.closed) {
      begin(connection, response)
      serve(request, response)
      return
    }
    const { always, ofOne, inAll } = mostWaiting
    if (waiting.length >= (this.#waiting < inAll ? ofOne : always)) {
      closeConnection(socket)
      return
    }
    waiting.push([request, response])
    this.#waiting += 1
    if (waiting.length === 1) answer.once('close', () => this.#nextTurn(connection, serve))
  }

  #nextTurn(connection: Connection, serve: Serve): void {
    const next = connection.waiting.shift()
    if (next === undefined) return
    this.#waiting -= 1
    // The previous answer was the last one on this connection, so no further request is served.
    if (!connection.socket.writable) return
    const [request, response] = next
    begin(connection, response)
    if (connection.waiting.length > 0) response.once('close', () => this.#nextTurn(connection, serve))
    serve(request, response)
  }

  #look(): void {
    for (const connection of this.#open.values()) checkConnection(connection)
    for (const connection of this.#refused.values()) checkConnection(connection)
  }

  #refuseOverdue(): void {
    const sentence = `This address has ${this.#limits.mostPerAddress} connections open that have not shown a valid access key; it may have no more.`
    for (const socket of this.#queue.overdue()) this.#refuse(socket, sentence)
  }

  /** Sends the reason and closes the gateway's side of the connection. Data from the client is
   *  dropped for a few seconds: closing the client's side at once would reset the connection before
   *  the client has read the answer. */
  #refuse(socket: Socket, sentence: string): void {
    this.#onRefused()
    if (this.#refused.size >= mostRefused) {
      socket.destroy()
      return
    }
    this.#refused.set(socket, newConnection(socket))
    socket.on('error', () => {})
    socket.on('close', () => this.#refused.delete(socket))
    socket.resume()
    socket.end(rawAnswer(new GatewayError('too_many_connections', sentence, { retryAfterSeconds })))
  }
}

/** Node closes a connection immediately after its last answer (`Connection: close`, HTTP/1.0).
 *  While the body of the request is still arriving, that would reset the connection before the peer
 *  has read the answer. Therefore this function closes only the gateway's side, and drops the rest
 *  of the body within the limits of `discardBody`. */
function lingerAtEnd(connection: Connection): void {
  const { socket } = connection
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = connection.answer?.req
    if (request === undefined || request.complete || request.destroyed) {
      destroySoon()
      return
    }
    socket.end()
    request.once('end', destroySoon)
    discardBody(request)
  }
}

function newConnection(socket: Socket): WatchedConnection {
  return { socket, answer: undefined, standing: 'idle', looks: 0, sent: 0 }
}

/** Replaces the server's own listener for new connections by `admit`. Returns the original
 *  listener: it starts the HTTP parser and the time limits for headers, so it is called for each
 *  admitted connection. */
function replaceListener(server: Server, admit: (socket: Socket) => void): (socket: Socket) => void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', admit)
  return socket => {
    for (const listener of listeners) listener.call(server, socket)
  }
}

/** Closes a connection and stops its parser. Otherwise node would create a request for
 *  everything that it has already read (thousands per 64 KB) and keep all of them: 1,000
 *  connections took 2.3 GB. The parser is a private part of node; it stops when a callback
 *  returns that the protocol changed. In a version of node where this fails, the connection
 *  still closes and only the memory is lost. */
function closeConnection(socket: Socket): void {
  const { parser } = Object(socket)
  if (parser) parser.onIncoming = () => stopsParsing
  socket.destroy()
}

function begin(connection: Connection, response: ServerResponse): void {
  connection.answer = response
  connection.standing = 'busy'
}

function isQuiet(connection: Connection | undefined): boolean {
  if (connection === undefined) return false
  const { answer, waiting, socket } = connection
  if (waiting.length > 0 || socket.writableLength > 0) return false
  if (answer === undefined) return true
  return answer.req.complete ? answer.closed : !answer.headersSent
}
