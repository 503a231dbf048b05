import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

type Texts = Readonly<Record<string, string>>

const none: Texts = {}

/** One request and its answer. Every step of a request's way (`path.ts`) gets it, and so do the
 *  pages and the admin API. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of this request; every answer has it as `x-request-id`. */
  readonly id: string = randomUUID()
  /** Of `performance.now()`. */
  readonly startedAt = performance.now()
  /** Parts of the path by their names. */
  params: Texts = none
  query: Texts = none
  /** `<family>.<operation>`, or the path's pattern: the label of metrics and log lines. */
  operation = 'unknown'
  /** Of the answer so far, names in lower case. Whoever writes the answer sends them in this
   *  order, before its own. */
  readonly headers: OutgoingHttpHeaders = {}
  /** A proxy in front tells who asks and by which name. */
  readonly #trustsProxy: boolean

  constructor(request: IncomingMessage, response: ServerResponse, trustsProxy: boolean) {
    this.request = request
    this.response = response
    this.#trustsProxy = trustsProxy
  }

  get method(): string {
    return this.request.method ?? ''
  }

  /** With its query. */
  get url(): string {
    return this.request.url ?? ''
  }

  /** Without its query. */
  get path(): string {
    return this.url.split('?', 1)[0] ?? ''
  }

  get asked(): IncomingHttpHeaders {
    return this.request.headers
  }

  /** Address of the caller: behind a proxy the first one that it names. */
  get ip(): string {
    const forwarded = this.#forwarded('x-forwarded-for')
    return forwarded === undefined ? (this.request.socket.remoteAddress ?? '') : (forwarded.split(',', 1)[0] ?? '').trim()
  }

  /** Host as the caller named it; '' where he named none. */
  get host(): string {
    return lastOf(this.#forwarded('x-forwarded-host')) ?? this.asked.host ?? ''
  }

  get protocol(): string {
    return lastOf(this.#forwarded('x-forwarded-proto')) ?? 'http'
  }

  /** Adds to the headers of the answer, or puts others in their place. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.headers[name] = headers[name]
  }

  /** Writes the whole answer, head and body at once. Without a body it is empty. */
  send(status: number, body?: string | Buffer): void {
    const { headers, response } = this
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    if (status !== 204) headers['content-length'] = bytes
    response.writeHead(status, headers)
    // As Latin-1 a text without other characters is written as it is, with its head.
    response.end(body, bytes === body?.length ? 'latin1' : 'utf8')
  }

  /** The same with a body of this type. */
  sendAs(contentType: string, body: string | Buffer, status = 200): void {
    this.headers['content-type'] = contentType
    this.send(status, body)
  }

  sendJson(value: object, status = 200): void {
    this.sendAs('application/json; charset=utf-8', JSON.stringify(value), status)
  }

  #forwarded(name: string): string | undefined {
    const value = this.#trustsProxy ? this.asked[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

/** Of a list in a header. */
function lastOf(list: string | undefined): string | undefined {
  return list?.slice(list.lastIndexOf(',') + 1).trim()
}

/** Answers a request: at once, or when what it returns resolves. */
export type Handler = (exchange: Exchange) => void | Promise<void>
