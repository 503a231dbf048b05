/** The connections of callers: how many there may be, whose they are, one answer at a time on each, and an end for those that stand still. Reasons and figures: docs/decisions/0014. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { discardBody } from '../body/discard-body.ts'
import { rawAnswer } from '../relay/raw-answer.ts'
import { callerAddress } from './caller-address.ts'
import { type LookedAt, lookAt } from './connection-look.ts'
import { createConnectionQueue } from './connection-queue.ts'

export interface ConnectionLimits {
  /** Open at a time, in all. */
  most: number
  mostPerKey: number
  /** Of one address, before they have shown a valid key; undefined where an address is no caller's (behind a proxy). */
  mostPerAddress: number | undefined
  /** Between two looks at all of them; default 5 s, which makes a minute of twelve. */
  lookMs?: number
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

interface Connection extends LookedAt {
  readonly address: string
  keyId: string | undefined
  /** Requests whose turn has not come. */
  readonly waiting: [request: IncomingMessage, response: ServerResponse][]
}

/** Requests that may wait behind an answer, at 4.4 KB of memory each: so many of any connection, up to the second number of one connection while all connections together have fewer waiting than the third (36 MB). */
const mostWaiting = { always: 32, ofOne: 1_024, inAll: 8_192 } as const
/** Refused connections that are given time to read why. */
const mostRefused = 1_000
const retryAfterSeconds = 5
/** Looks at the queue between two at the connections. */
const queueLooks = 20
/** What llhttp takes for an upgrade to another protocol. */
const stopsParsing = 2

/** Owns every connection from its acceptance to its close. */
export class Connections {
  readonly #limits: Required<ConnectionLimits>
  readonly #onRefused: () => void
  readonly #open = new Map<Socket, Connection>()
  readonly #refused = new Map<Socket, LookedAt>()
  readonly #queue = createConnectionQueue()
  readonly #perAddress = new Map<string, number>()
  readonly #perKey = new Map<string, number>()
  /** Requests of all connections whose turn has not come. */
  #waiting = 0
  #start: (socket: Socket) => void = () => {}

  /** `onRefused` is told of each connection that was not taken. */
  constructor(limits: ConnectionLimits, onRefused: () => void = () => {}) {
    this.#limits = { lookMs: 5_000, ...limits }
    this.#onRefused = onRefused
  }

  /** Connections that have a place. */
  get size(): number {
    return this.#open.size
  }

  /** Has every connection and every request of the server go through here; requests then come to `serve`, those of one connection one after the other. The looks go on until the server is closed. */
  watch(server: Server, serve: Serve): void {
    this.#start = replaceListener(server, socket => this.#admit(socket))
    server.removeAllListeners('request')
    server.on('request', (request, response) => this.#takeTurn(request, response, serve))
    const { lookMs } = this.#limits
    const timers = [setInterval(() => this.#look(), lookMs), setInterval(() => this.#refuseOverdue(), lookMs / queueLooks)]
    for (const timer of timers) timer.unref()
    server.on('close', () => timers.forEach(clearInterval))
  }

  /** Counts the connection for the key from here on, and no longer for its address or for another key. Throws `rate_limited` when the key has as many as it may. */
  claim(socket: Socket, keyId: string): void {
    if (this.mayClaim(socket, keyId)) return
    const sentence = `The access key has ${this.#limits.mostPerKey} connections open; it may have no more.`
    throw new GatewayError('rate_limited', sentence, { retryAfterSeconds })
  }

  /** The same without the error: false when the key has too many. */
  mayClaim(socket: Socket, keyId: string): boolean {
    const connection = this.#open.get(socket)
    // One that is gone already counts for nobody.
    if (connection === undefined || connection.keyId === keyId) return true
    if ((this.#perKey.get(keyId) ?? 0) >= this.#limits.mostPerKey) return false
    this.#leaveOwner(connection)
    connection.keyId = keyId
    count(this.#perKey, keyId, 1)
    return true
  }

  /** Whether an answer to what has just arrived would be understood: none is owed or under way, unless it is to the very request that broke off. */
  isQuiet(socket: Socket): boolean {
    return isQuiet(this.#open.get(socket))
  }

  /** Ends the connections that have no place, which nobody else would end when the server stops. */
  drain(): void {
    for (const socket of [...this.#refused.keys(), ...this.#queue.overdue(0)]) socket.destroy()
  }

  #admit(socket: Socket): void {
    const { most, mostPerAddress } = this.#limits
    const address = callerAddress(socket.remoteAddress ?? '')
    if (this.#open.size + this.#queue.size() >= most) this.#refuse(socket, `The gateway has ${most} connections open; it takes no more.`)
    else if ((this.#perAddress.get(address) ?? 0) < (mostPerAddress ?? Number.POSITIVE_INFINITY)) this.#enter(socket, address)
    else this.#queue.add(address, socket)
  }

  #enter(socket: Socket, address: string): void {
    const connection: Connection = { ...newcomer(socket), address, keyId: undefined, waiting: [] }
    this.#open.set(socket, connection)
    lingerAtEnd(connection)
    count(this.#perAddress, address, 1)
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
      count(this.#perKey, keyId, -1)
      return
    }
    count(this.#perAddress, address, -1)
    const next = this.#queue.take(address)
    if (next) this.#enter(next, address)
  }

  /** Serves the request, or keeps it until the answer before it is out: unread answers would pile up otherwise, each with its upstream. */
  #takeTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const connection = this.#open.get(request.socket)
    // Whatever follows our last answer gets none.
    if (connection === undefined || !connection.socket.writable) return
    const { answer, waiting, socket } = connection
    if (answer === undefined || answer.closed) {
      begin(connection, response)
      serve(request, response)
      return
    }
    const { always, ofOne, inAll } = mostWaiting
    if (waiting.length >= (this.#waiting < inAll ? ofOne : always)) {
      hangUp(socket)
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
    // The answer before was the last that could go out.
    if (!connection.socket.writable) return
    const [request, response] = next
    begin(connection, response)
    if (connection.waiting.length > 0) response.once('close', () => this.#nextTurn(connection, serve))
    serve(request, response)
  }

  #look(): void {
    for (const connection of this.#open.values()) lookAt(connection)
    for (const connection of this.#refused.values()) lookAt(connection)
  }

  #refuseOverdue(): void {
    const sentence = `This address has ${this.#limits.mostPerAddress} connections open that have not shown a valid access key; it may have no more.`
    for (const socket of this.#queue.overdue()) this.#refuse(socket, sentence)
  }

  /** Says why and hangs up. What the peer sends is dropped for a few seconds: closing at once would reset the connection before it has read the answer. */
  #refuse(socket: Socket, sentence: string): void {
    this.#onRefused()
    if (this.#refused.size >= mostRefused) {
      socket.destroy()
      return
    }
    this.#refused.set(socket, newcomer(socket))
    socket.on('error', () => {})
    socket.on('close', () => this.#refused.delete(socket))
    socket.resume()
    socket.end(rawAnswer(new GatewayError('too_many_connections', sentence, { retryAfterSeconds })))
  }
}

/** Node closes a connection behind its last answer (`Connection: close`, HTTP/1.0) at once. Where the body of the request is still on its way, that would reset the connection before the peer has read the answer:
 *  then only our side is ended, and the rest of the body is dropped within the limits of `discardBody`. */
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

function newcomer(socket: Socket): LookedAt {
  return { socket, answer: undefined, standing: 'idle', looks: 0, sent: 0 }
}

function count(counts: Map<string, number>, name: string, step: 1 | -1): void {
  const next = (counts.get(name) ?? 0) + step
  if (next > 0) counts.set(name, next)
  else counts.delete(name)
}

/** Puts `admit` in the place of what the server does with a new connection (a parser, and the limits of its headers), which is returned. */
function replaceListener(server: Server, admit: (socket: Socket) => void): (socket: Socket) => void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', admit)
  return socket => {
    for (const listener of listeners) listener.call(server, socket)
  }
}

/** Node goes on to make a request of everything it has read, thousands for 64 KB, and keeps them until all connections of the moment were read: 1,000 of them took 2.3 GB.
 *  Its parser (which is no public part of it) stops at what is said to be no HTTP any more; should it not hear, all that is lost is the memory. */
function hangUp(socket: Socket): void {
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
