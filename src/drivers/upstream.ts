/** The one HTTP client for upstream services. */
import type { Readable } from 'node:stream'
import { buildConnector, type Dispatcher, errors, Pool } from 'undici'
import { GatewayError } from '../core/errors.ts'
import type { RelayRequest, RelaySink } from '../core/requests/relay.ts'
import type { Json, JsonObject } from '../core/task.ts'
import { AnswerSink, type UpstreamAnswer } from './upstream-answer.ts'
import { type Exchange, type OriginConnections, startExchange } from './upstream-exchange.ts'
import type { AnswerHeaders } from './upstream-failures.ts'
import type { UpstreamTarget } from './upstream-target.ts'

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** After the path of the base URL, with its own query if any: `/chat/completions`. */
  path: string
  /** Sent as JSON. */
  body?: JsonObject
  headers?: Readonly<Record<string, string>>
  /** Longest wait for the first byte of the answer, and between two of its parts. Milliseconds. */
  firstByteMs: number
  idleMs: number
  /** Cuts the connection; the call then throws `cancelled`. */
  signal?: AbortSignal
  /** About something stored at the upstream: its 404 means that, not the model. */
  isStored?: boolean
}

export interface JsonCall extends UpstreamCall {
  /** From the call to the last byte, milliseconds. */
  timeoutMs: number
  /** Largest answer. */
  maxBytes: number
}

export interface JsonAnswer {
  status: number
  headers: AnswerHeaders
  body: Json
}

/** Requests go to the target's own origin and nowhere else: redirects are errors. Every refusal is a `GatewayError` by the table in `upstream-failures.ts`. */
export interface Upstream {
  /** Sends the caller's bytes to `path` + suffix and hands the answer to the sink as it comes. The hot path. */
  relay(target: UpstreamTarget, path: string, request: RelayRequest, sink: RelaySink): void
  /** Resolves when a good answer begins. The caller reads it or cancels it. */
  open(target: UpstreamTarget, call: UpstreamCall): Promise<UpstreamAnswer>
  /** The whole answer as JSON. Also throws `upstream_timeout` after `timeoutMs` and `upstream_error` for what is no JSON. */
  json(target: UpstreamTarget, call: JsonCall): Promise<JsonAnswer>
  /** Cuts all connections; what is running fails with `draining`. */
  close(): Promise<void>
}

const connectTimeoutMs = 10_000
/** Where the upstream does not say how long it keeps an idle connection. A connection closed by it meanwhile is replaced once per request. */
const keepAliveMs = 15_000
const maxKeepAliveMs = 600_000

export function createUpstream(): Upstream {
  const origins = new Map<string, Connections>()
  const connectionsTo = (origin: string): Connections => {
    let found = origins.get(origin)
    if (found === undefined) {
      found = new Connections(origin)
      origins.set(origin, found)
    }
    return found
  }
  const begin = (target: UpstreamTarget, call: UpstreamCall): AnswerSink => {
    const sink = new AnswerSink(call.signal)
    startExchange({ connections: connectionsTo(target.origin), ...callExchange(target, call) }, sink)
    return sink
  }
  return {
    relay: (target, path, request, sink) => {
      const { secrets } = target
      const isStored = request.suffix !== ''
      startExchange({ connections: connectionsTo(target.origin), options: relayOptions(target, path, request), secrets, isStored }, sink)
    },
    open: async (target, call) => begin(target, call).answer,
    json: async (target, call) => {
      const sink = begin(target, call)
      const late = () => sink.fail(new GatewayError('upstream_timeout', 'The upstream service did not answer in time.'))
      const timer = setTimeout(late, call.timeoutMs)
      try {
        const answer = await sink.answer
        return { status: answer.status, headers: answer.headers, body: await answer.json(call.maxBytes) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      await Promise.all([...origins.values()].map(connections => connections.close()))
    },
  }
}

function relayOptions(target: UpstreamTarget, path: string, request: RelayRequest): Dispatcher.DispatchOptions {
  const { body } = request
  return {
    path: pathOf(target, path, request),
    method: request.method,
    headers: headersOf(target, request.headers, body),
    body: body === undefined ? null : Buffer.isBuffer(body) ? body : body.stream,
    headersTimeout: request.firstByteMs,
    bodyTimeout: request.idleMs,
  }
}

function callExchange(target: UpstreamTarget, call: UpstreamCall): Omit<Exchange, 'connections'> {
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
  const options: Dispatcher.DispatchOptions = {
    path: withQuery(target.path + call.path, target.query),
    method: call.method,
    headers: headersOf(target, call.headers ?? {}, body),
    body: body ?? null,
    headersTimeout: call.firstByteMs,
    bodyTimeout: call.idleMs,
  }
  return { options, secrets: target.secrets, isStored: call.isStored ?? false }
}

/** Errors of connections that had carried an answer before they broke. */
const usedBefore = new WeakSet<Error>()

class Connections implements OriginConnections {
  readonly kept: Pool
  readonly #origin: string
  #fresh: Pool | undefined

  constructor(origin: string) {
    this.#origin = origin
    this.kept = this.#pool(1)
  }

  fresh(): Dispatcher {
    this.#fresh ??= this.#pool(0)
    return this.#fresh
  }

  wasUsedBefore(error: unknown): boolean {
    if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0
    return error instanceof Error && usedBefore.has(error)
  }

  async close(): Promise<void> {
    await Promise.all([this.kept.destroy(), this.#fresh?.destroy()])
  }

  /** `pipelining` 0 closes a connection after each answer. Any number of connections: each open stream holds one. */
  #pool(pipelining: 0 | 1): Pool {
    return new Pool(this.#origin, {
      connect: marked(),
      allowH2: false,
      pipelining,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
    })
  }
}

/** Connects, and remembers errors of connections that have carried bytes of an answer. */
function marked(): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null || socket === null) {
        callback(error ?? new Error('no connection'), null)
        return
      }
      // Registered before undici's own listener, which passes the very same error on.
      socket.on('error', broken => {
        if (socket.bytesRead > 0) usedBefore.add(broken)
      })
      callback(null, socket)
    })
}

function pathOf(target: UpstreamTarget, path: string, { suffix, query }: RelayRequest): string {
  const whole = target.path + path + suffix
  return query === '' ? withQuery(whole, target.query) : withQuery(`${whole}?${query}`, target.query)
}

function withQuery(path: string, query: string): string {
  if (query === '') return path
  return path + (path.includes('?') ? '&' : '?') + query
}

/** The target's own array when nothing is added: undici only reads it. */
function headersOf(
  target: UpstreamTarget,
  extra: Readonly<Record<string, string>>,
  body: Buffer | { stream: Readable; bytes: number } | undefined,
): string[] {
  let headers = target.withBody
  if (body === undefined) headers = target.headers
  else if (!Buffer.isBuffer(body)) headers = [...headers, 'content-length', String(body.bytes)]
  for (const name in extra) headers = [...headers, name, extra[name] ?? '']
  return headers
}
