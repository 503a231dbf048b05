/** Codes are undici's, which other drivers speak through: what is done about a failure (`upstream-failures.ts`, `src/core/routing/router.ts`) has one table. */
export type Http1ErrorCode =
  | 'UND_ERR_CONNECT_TIMEOUT'
  | 'UND_ERR_HEADERS_TIMEOUT'
  | 'UND_ERR_BODY_TIMEOUT'
  /** The client was closed. */
  | 'UND_ERR_DESTROYED'
  /** The other side closed the connection. */
  | 'UND_ERR_SOCKET'
  /** The request cannot be sent as it is: nothing of it was. */
  | 'UND_ERR_INVALID_ARG'
  /** The stream of a request's body gave fewer or more bytes than were announced. */
  | 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'
  | 'UND_ERR_HEADERS_OVERFLOW'
  /** The answer is no valid HTTP/1.1. */
  | 'HPE_STRICT'

/** An exchange that failed for a reason of HTTP. What fails below it comes as Node's own error. */
export class Http1Error extends Error {
  readonly code: Http1ErrorCode

  constructor(code: Http1ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Http1Error'
    this.code = code
  }
}
