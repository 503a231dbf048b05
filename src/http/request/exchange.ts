import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { withoutMapping } from '../connection/caller-address.ts'

type Texts = Readonly<Record<string, string>>

const none: Texts = {}

/** One request and its answer. Every step of a request (`path.ts`), the pages and the admin API
 *  work on an exchange. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Id of this request; every answer carries it as `x-request-id`. */
  readonly id: string = randomUUID()
  /** Milliseconds, a value of `performance.now()`. */
  readonly startedAt = performance.now()
  /** Path parameters by name. */
  params: Texts = none
  query: Texts = none
  /** `<family>.<operation>`, or the pattern of the path; used as a label of metrics and log
   *  lines. */
  operation = 'unknown'
  /** Headers of the answer so far, with lower-case names. They are sent in this order, followed by
   *  the headers that are added by the code that sends the answer. */
  readonly headers: OutgoingHttpHeaders = {}
  /** True when the settings trust a proxy to report the client's address and the host. */
  readonly #trustsProxy: boolean

  constructor(request: IncomingMessage, response: ServerResponse, trustsProxy: boolean) {
    this.request = request
    this.response = response
    this.#trustsProxy = trustsProxy
  }

  get method(): string {
    return this.request.method ?? ''
  }

  /** The path with its query. */
  get url(): string {
    return this.request.url ?? ''
  }

  /** The path without its query. */
  get path(): string {
    return this.url.split('?', 1)[0] ?? ''
  }

  get requestHeaders(): IncomingHttpHeaders {
    return this.request.headers
  }

  /** Address of the caller. Behind a proxy it is the last address in the forwarded list: the
   *  proxy has appended that one, whereas the caller may have made up the others. */
  get ip(): string {
    return lastOf(this.#forwarded('x-forwarded-for')) ?? withoutMapping(this.request.socket.remoteAddress ?? '')
  }

  /** The host in the request (behind a trusted proxy, the host that the proxy has forwarded);
   *  empty when there is none. */
  get host(): string {
    return lastOf(this.#forwarded('x-forwarded-host')) ?? this.requestHeaders.host ?? ''
  }

  get protocol(): string {
    return lastOf(this.#forwarded('x-forwarded-proto')) ?? 'http'
  }

  /** Adds headers to the answer, replacing those of the same names. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.headers[name] = headers[name]
  }

  /** Sends the whole answer, head and body, in one write. Without `body`, the answer has an
   *  empty body. */
  send(status: number, body?: string | Buffer): void {
    const { headers, response } = this
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    if (status !== 204) headers['content-length'] = bytes
    response.writeHead(status, headers)
    // Node sends head and text in one write. ASCII text has the same bytes in Latin-1 as in UTF-8,
    // and Latin-1 takes less time to encode.
    response.end(body, bytes === body?.length ? 'latin1' : 'utf8')
  }

  /** Sends the whole answer with this content type. */
  sendAs(contentType: string, body: string | Buffer, status = 200): void {
    this.headers['content-type'] = contentType
    this.send(status, body)
  }

  sendJson(value: object, status = 200): void {
    this.sendAs('application/json; charset=utf-8', JSON.stringify(value), status)
  }

  #forwarded(name: string): string | undefined {
    const value = this.#trustsProxy ? this.requestHeaders[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

/** Returns the last element of a comma-separated header; undefined when the header is absent. */
function lastOf(list: string | undefined): string | undefined {
  return list?.slice(list.lastIndexOf(',') + 1).trim()
}

/** Answers a request. The answer is complete when the function returns, or when its promise
 *  resolves. */
export type Handler = (exchange: Exchange) => void | Promise<void>
