/** Error codes with the names that undici gives them. Other clients in the gateway use undici, so
 *  code that reacts to errors (`upstream-failures.ts`, `src/core/routing/router.ts`) handles the
 *  errors of both. */
export type Http1ErrorCode =
  | 'UND_ERR_CONNECT_TIMEOUT'
  | 'UND_ERR_HEADERS_TIMEOUT'
  | 'UND_ERR_BODY_TIMEOUT'
  /** The connection pool was closed. */
  | 'UND_ERR_DESTROYED'
  /** The other side closed the connection. */
  | 'UND_ERR_SOCKET'
  /** The request cannot be sent, and no part of it was sent. */
  | 'UND_ERR_INVALID_ARG'
  /** The stream of the request's body gave fewer or more bytes than announced. */
  | 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'
  | 'UND_ERR_HEADERS_OVERFLOW'
  /** The answer is not valid HTTP/1.1. */
  | 'HPE_STRICT'

/** An error that this client raises itself. Errors of Node's sockets and of TLS pass through
 *  unchanged, except that an `ETIMEDOUT` while connecting becomes `UND_ERR_CONNECT_TIMEOUT`. */
export class Http1Error extends Error {
  readonly code: Http1ErrorCode

  constructor(code: Http1ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Http1Error'
    this.code = code
  }
}
