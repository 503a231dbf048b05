import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { rawAnswer } from '../relay/raw-answer.ts'
import type { Connections } from './connections.ts'

/** Answers malformed or oversized HTTP with a JSON error. Node has no request object for such
 *  input, so the answer is written to the socket. When another answer on the connection is being
 *  sent or still due, the client would read the error as part of that answer: the connection is
 *  then cut instead, and the work for the caller is cancelled. */
export function refuseBrokenHttp(connections: Pick<Connections, 'isQuiet'>): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The answer was sent already; the client gets a moment to read it before the connection
    // closes.
    if (!socket.writable) return
    if (!connections.isQuiet(socket)) {
      socket.destroy()
      return
    }
    const [status, refusal] = describe(error.code)
    socket.end(rawAnswer(refusal, status))
  }
}

function describe(code: string | undefined): [status: number, error: GatewayError] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, new GatewayError('invalid_request', 'The headers are larger than 16 KB.')]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, new GatewayError('request_timeout', 'The request arrived too slowly.')]
  return [400, new GatewayError('invalid_request', 'This is not valid HTTP.')]
}
