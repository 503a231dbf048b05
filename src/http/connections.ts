/** The connections of callers: how many there may be, whose they are, one answer at a time on each, and an end for those that stand still. Reasons and figures: docs/decisions/0014. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { GatewayError } from '../core/errors.ts'
import { callerAddress } from './caller-address.ts'
import { type LookedAt, lookAt, lookMs } from './connection-look.ts'
import { rawAnswer } from './raw-answer.ts'

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

export interface Connections {
  /** Has every connection and every request of the server go through here; requests then come to `serve`, those of one connection one after the other. */
  watch(server: Server, serve: Serve): void
  /** Counts the connection for the key from here on, and no longer for its address or for another key. Throws `rate_limited` when the key has as many as it may. */
  claim(socket: Socket, keyId: string): void
  /** The same without the error: false when the key has too many. */
  mayClaim(socket: Socket, keyId: string): boolean
  /** Whether an answer to what has just arrived would be understood: none is owed or under way, unless it is to the very request that broke off. */
  isQuiet(socket: Socket): boolean
  open(): number
  /** Ends what only waits for peers to leave. The looks go on until the server is closed. */
  drain(): void
}

interface Connection extends LookedAt {
  readonly address: string
  keyId: string | undefined
  /** Requests whose turn has not come. */
  readonly waiting: [request: IncomingMessage, response: ServerResponse][]
}

/** Requests that wait behind an answer, at 4.4 KB of memory each; nobody who pipelines in earnest sends as many before the first answer. */
const mostWaiting = 32
/** Refused connections that are given time to read why. */
const mostRefused = 1_000
const retryAfterSeconds = 5
/** What llhttp takes for an upgrade to another protocol. */
const stopsParsing = 2

/** `onRefused` is told of each connection that was not taken. */
export function createConnections(limits: ConnectionLimits, onRefused: () => void = () => {}): Connections {
  const open = new Map<Socket, Connection>()
  const refused = new Map<Socket, LookedAt>()
  const perAddress = new Map<string, number>()
  const perKey = new Map<string, number>()

  const admit = (socket: Socket): boolean => {
    const address = callerAddress(socket.remoteAddress ?? '')
    const error = refusal(limits, open.size, perAddress.get(address) ?? 0)
    if (error) {
      onRefused()
      refuse(socket, error, refused)
      return false
    }
    const connection: Connection = { ...newcomer(socket), address, keyId: undefined, waiting: [] }
    open.set(socket, connection)
    count(perAddress, address, 1)
    socket.on('close', () => {
      open.delete(socket)
      connection.waiting.length = 0
      leaveOwner(connection)
    })
    return true
  }
  const leaveOwner = ({ keyId, address }: Connection): void => {
    if (keyId === undefined) count(perAddress, address, -1)
    else count(perKey, keyId, -1)
  }
  const mayClaim = (socket: Socket, keyId: string): boolean => {
    const connection = open.get(socket)
    // One that is gone already counts for nobody.
    if (connection === undefined || connection.keyId === keyId) return true
    if ((perKey.get(keyId) ?? 0) >= limits.mostPerKey) return false
    leaveOwner(connection)
    connection.keyId = keyId
    count(perKey, keyId, 1)
    return true
  }
  const lookAtAll = (): void => {
    for (const connection of open.values()) lookAt(connection)
    for (const connection of refused.values()) lookAt(connection)
  }

  return {
    watch: (server, serve) => {
      passOn(server, admit)
      server.removeAllListeners('request')
      server.on('request', (request, response) => takeTurn(open.get(request.socket), request, response, serve))
      const timer = setInterval(lookAtAll, limits.lookMs ?? lookMs).unref()
      server.on('close', () => clearInterval(timer))
    },
    mayClaim,
    claim: (socket, keyId) => {
      if (mayClaim(socket, keyId)) return
      throw new GatewayError('rate_limited', `The access key has ${limits.mostPerKey} connections open; it may have no more.`, {
        retryAfterSeconds,
      })
    },
    open: () => open.size,
    isQuiet: socket => isQuiet(open.get(socket)),
    drain: () => {
      for (const socket of refused.keys()) socket.destroy()
    },
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

/** Puts `admit` before what the server does with a new connection: a parser, and the limits of its headers. */
function passOn(server: Server, admit: (socket: Socket) => boolean): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!admit(socket)) return
    for (const listener of listeners) listener.call(server, socket)
  })
}

function refusal({ most, mostPerAddress }: ConnectionLimits, open: number, ofAddress: number): GatewayError | undefined {
  if (open >= most)
    return new GatewayError('too_many_connections', `The gateway has ${most} connections open; it takes no more.`, { retryAfterSeconds })
  if (ofAddress < (mostPerAddress ?? Number.POSITIVE_INFINITY)) return undefined
  return new GatewayError(
    'too_many_connections',
    `This address has ${mostPerAddress} connections open that have not shown a valid access key; it may have no more.`,
    { retryAfterSeconds },
  )
}

/** Says why and hangs up. What the peer sends is dropped for a few seconds: closing at once would reset the connection before it has read the answer. */
function refuse(socket: Socket, error: GatewayError, refused: Map<Socket, LookedAt>): void {
  if (refused.size >= mostRefused) {
    socket.destroy()
    return
  }
  refused.set(socket, newcomer(socket))
  socket.on('error', () => {})
  socket.on('close', () => refused.delete(socket))
  socket.resume()
  socket.end(rawAnswer(error))
}

/** Serves the request, or keeps it until the answer before it is out: unread answers would pile up otherwise, each with its upstream. */
function takeTurn(connection: Connection | undefined, request: IncomingMessage, response: ServerResponse, serve: Serve): void {
  // Whatever follows our last answer gets none.
  if (connection === undefined || !connection.socket.writable) return
  const { answer, waiting, socket } = connection
  if (answer === undefined || answer.closed) {
    begin(connection, response)
    serve(request, response)
    return
  }
  if (waiting.length >= mostWaiting) {
    hangUp(socket)
    return
  }
  waiting.push([request, response])
  if (waiting.length === 1) answer.once('close', () => nextTurn(connection, serve))
}

/** Node goes on to make a request of everything it has read, thousands for 64 KB, and keeps them until all connections of the moment were read: 1,000 of them took 2.3 GB.
 *  Its parser (which is no public part of it) stops at what is said to be no HTTP any more; should it not hear, all that is lost is the memory. */
function hangUp(socket: Socket): void {
  const { parser } = Object(socket)
  if (parser) parser.onIncoming = () => stopsParsing
  socket.destroy()
}

function nextTurn(connection: Connection, serve: Serve): void {
  const next = connection.waiting.shift()
  // The answer before was the last that could go out.
  if (next === undefined || !connection.socket.writable) return
  const [request, response] = next
  begin(connection, response)
  if (connection.waiting.length > 0) response.once('close', () => nextTurn(connection, serve))
  serve(request, response)
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
