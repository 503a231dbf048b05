import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

/** Answers what is no HTTP, or too much of it, as JSON like everything else; there is no request to hang the answer on. */
export function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const [status, code, message] = describe(error.code)
  const id = randomUUID()
  const body = JSON.stringify({ error: { code, message, type: 'invalid_request_error', param: null, request_id: id } })
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\nx-request-id: ${id}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function describe(code: string | undefined): [status: string, code: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'invalid_request', 'The headers are larger than 16 KB.']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['408 Request Timeout', 'request_timeout', 'The request arrived too slowly.']
  return ['400 Bad Request', 'invalid_request', 'This is not valid HTTP.']
}
