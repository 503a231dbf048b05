/** The HTTP client for all requests to upstream services. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { Outbound, RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ExchangeRequest, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import { ConnectionPool } from '../http1/connection-pool.ts'
import type { Http1Request } from '../http1/request-head.ts'
import { hasLongString, jsonBytes, jsonText } from './json-bytes.ts'
import { AnswerSink, type UpstreamAnswer } from './upstream-answer.ts'
import { startExchange } from './upstream-exchange.ts'
import type { AnswerHeaders } from './upstream-failures.ts'
import type { UpstreamTarget } from './upstream-target.ts'

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path with an optional query, which is appended to the path of the base URL:
   *  `/chat/completions`. */
  path: string
  /** Body that is sent as JSON. */
  body?: JsonObject
  headers?: Readonly<Record<string, string>>
  /** `firstByteMs` is the longest wait for the first byte of the answer; `idleMs` is the longest
   *  pause between two parts of the answer. Both in milliseconds. */
  firstByteMs: number
  idleMs: number
  /** Signal that cuts the connection; the call then throws `cancelled`. */
  signal?: AbortSignal
  /** True when the call refers to an object stored at the upstream: a 404 then means that the
   *  object is missing, not the model. */
  isStored?: boolean
}

export interface JsonCall extends UpstreamCall {
  /** Time limit from the call to the last byte, milliseconds. */
  timeoutMs: number
  /** Largest answer, bytes. */
  maxBytes: number
}

/** The members of a target that are needed to send a request without the target's headers. */
export type ExchangeTarget = Pick<UpstreamTarget, 'origin' | 'route' | 'totalMs' | 'secrets'>

export interface JsonAnswer {
  status: number
  headers: AnswerHeaders
  body: Json
}

/** Sends requests only to the target's own origin; redirects are not followed. Except in
 *  `exchange`, every status of 300 or above is mapped to a `GatewayError` by the table in
 *  `upstream-failures.ts`. */
export interface Upstream {
  /** Sends the caller's bytes to `path` + `suffix` and streams the answer to the sink. It runs for
   *  every relayed request, so it must be fast. */
  relay(target: UpstreamTarget, path: string, request: ExchangeRequest, sink: RelaySink): void
  /** Sends the request to the target's origin as it is, without the target's path and headers. The
   *  sink gets answers of every status, refusals too. */
  exchange(target: ExchangeTarget, request: Http1Request, sink: RelaySink): void
  /** Resolves when a successful answer begins. The caller must read the answer or cancel it. */
  open(target: UpstreamTarget, call: UpstreamCall): Promise<UpstreamAnswer>
  /** Returns the whole answer as JSON. In addition to the errors of `open`, throws
   *  `upstream_timeout` after `timeoutMs`, and `upstream_error` for an answer that is not JSON
   *  or has more than `maxBytes`. */
  json(target: UpstreamTarget, call: JsonCall): Promise<JsonAnswer>
  /** Cuts all connections; running requests fail with `draining`. */
  close(): Promise<void>
}

export function createUpstream(outbound: Outbound): Upstream {
  const pools = new Map<RouteSettings, Map<string, ConnectionPool>>()
  const poolOf = ({ origin, route }: ExchangeTarget): ConnectionPool => {
    let byOrigin = pools.get(route)
    if (byOrigin === undefined) {
      byOrigin = new Map()
      pools.set(route, byOrigin)
    }
    let found = byOrigin.get(origin)
    if (found === undefined) {
      found = new ConnectionPool(origin, outbound.routeOf(route))
      byOrigin.set(origin, found)
    }
    return found
  }
  const begin = (target: UpstreamTarget, call: UpstreamCall, encoded = bytesOf(call)): AnswerSink => {
    const sink = new AnswerSink(call.signal)
    const { secrets, totalMs } = target
    const isStored = call.isStored ?? false
    startExchange({ pool: poolOf(target), request: callRequest(target, call, encoded), secrets, isStored, totalMs }, sink)
    return sink
  }
  return {
    relay: (target, path, request, sink) => {
      const { secrets, totalMs } = target
      const isStored = request.suffix !== ''
      startExchange({ pool: poolOf(target), request: relayRequest(target, path, request), secrets, isStored, totalMs }, sink)
    },
    exchange: (target, request, sink) => {
      const { secrets, totalMs } = target
      startExchange({ pool: poolOf(target), request, secrets, isStored: false, passesRefusals: true, totalMs }, sink)
    },
    open: async (target, call) => {
      if (!isObject(call.body) || !hasLongString(call.body)) return begin(target, call).answer
      // A signal that fires during the encoding ends the exchange before it begins (`AnswerSink`).
      return begin(target, call, await jsonBytes(call.body)).answer
    },
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
      for (const byOrigin of pools.values()) for (const pool of byOrigin.values()) pool.close()
    },
  }
}

function relayRequest(target: UpstreamTarget, path: string, request: ExchangeRequest): Http1Request {
  const { method, headers, body, firstByteMs, idleMs } = request
  return { method, path: pathOf(target, path, request), headers: headersOf(target, body), extra: headers, body, firstByteMs, idleMs }
}

function bytesOf({ body }: UpstreamCall): Buffer | undefined {
  return body === undefined ? undefined : Buffer.from(jsonText(body))
}

function callRequest(target: UpstreamTarget, call: UpstreamCall, body: Buffer | undefined): Http1Request {
  const { method, headers = {}, firstByteMs, idleMs } = call
  const path = withQuery(target.path + call.path, target.query)
  return { method, path, headers: headersOf(target, body), extra: headers, body, firstByteMs, idleMs }
}

function pathOf(target: UpstreamTarget, path: string, { suffix, query }: ExchangeRequest): string {
  const whole = target.path + path + suffix
  return query === '' ? withQuery(whole, target.query) : withQuery(`${whole}?${query}`, target.query)
}

function withQuery(path: string, query: string): string {
  if (query === '') return path
  return path + (path.includes('?') ? '&' : '?') + query
}

/** Returns the target's own array of headers. The array stays the same for all requests, so it is
 *  checked only once. */
function headersOf(target: UpstreamTarget, body: Http1Request['body']): readonly string[] {
  return body === undefined ? target.headers : target.withBody
}
