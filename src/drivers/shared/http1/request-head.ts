/** Builds the head of a request as Latin-1 text. Refuses characters that could end a line early or
 *  change where the message ends. */
import type { Readable } from 'node:stream'
import { Http1Error } from './http1-error.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The methods that the client can send. HEAD is not among them: the parser expects a body. */
export type HttpMethod = (typeof methods)[number]

export interface Http1Request {
  method: HttpMethod
  /** Path of the request; begins with a slash and includes the query, if there is one. */
  path: string
  /** Names and values of headers alternate. Many requests share one array, so the array is checked
   *  only once and must not change afterwards. */
  headers: readonly string[]
  /** Further headers of this one request. With `connection: close`, the request gets a new
   *  connection, which is closed afterwards. */
  extra: Readonly<Record<string, string>>
  /** `bytes` is the number of bytes that the stream will deliver. The stream is destroyed when the
   *  request fails. */
  body: Buffer | { stream: Readable; bytes: number } | undefined
  /** `firstByteMs` is the longest wait for the head of the answer; `idleMs` is the longest pause
   *  between two parts of the answer. Both in milliseconds. */
  firstByteMs: number
  idleMs: number
}

/** Requests with these methods state the length of their body even when they have no body. */
const announcesBody: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])
const invalidPath = /[^\x21-\xff]/
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/
/** Headers that the client derives from the request; a caller cannot set them, apart from
 *  `connection: close`. If a caller could add a second `content-length`, for example, a server
 *  could read the rest of the body as another request. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
])
const checked = new WeakMap<readonly string[], string>()

/** Returns the head of the request. `host` is the value of its `host` header. Throws
 *  `UND_ERR_INVALID_ARG` for a path or a header that cannot be sent. */
export function requestHead(host: string, { method, path, headers, extra, body }: Http1Request): string {
  if (path[0] !== '/' || invalidPath.test(path)) throw new Http1Error('UND_ERR_INVALID_ARG', 'The path has characters that cannot be sent.')
  const isLast = closesAfter(extra)
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${isLast ? 'close' : 'keep-alive'}\r\n${linesOf(headers)}`
  for (const name in extra) if (!(isLast && name === 'connection')) head += line(name, extra[name] ?? '')
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body.length : body.bytes
  if (bytes !== undefined || announcesBody.has(method)) head += `content-length: ${bytes ?? 0}\r\n`
  return `${head}\r\n`
}

export function isHttpMethod(method: string): method is HttpMethod {
  return methods.some(each => each === method)
}

/** Returns true for a header that the client derives from the request. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name.toLowerCase())
}

/** Returns true when the request must have a new connection that is closed afterwards. */
export function closesAfter(extra: Http1Request['extra']): boolean {
  return extra.connection === 'close'
}

function linesOf(headers: readonly string[]): string {
  let lines = checked.get(headers)
  if (lines === undefined) {
    lines = ''
    for (let at = 0; at < headers.length; at += 2) lines += line(headers[at] ?? '', headers[at + 1] ?? '')
    checked.set(headers, lines)
  }
  return lines
}

function line(name: string, value: string): string {
  if (!headerName.test(name)) throw new Http1Error('UND_ERR_INVALID_ARG', `${JSON.stringify(name)} is no valid header name.`)
  if (isOwnHeader(name)) throw new Http1Error('UND_ERR_INVALID_ARG', `The header ${name} is set by the client itself.`)
  if (invalidValue.test(value)) throw new Http1Error('UND_ERR_INVALID_ARG', `The value of the header ${name} cannot be sent.`)
  return `${name}: ${value}\r\n`
}
