import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { rawAnswer } from '../relay/raw-answer.ts'
import type { Connections } from './connections.ts'

/** Answers malformed or oversized HTTP with a JSON error; there is no request to attach the answer
 *  to. When another answer is being sent or is due, this one would be read as part of it: the
 *  connection is cut instead, and the work for its caller is cancelled. */
export function refuseBrokenHttp(connections: Pick<Connections, 'isQuiet'>): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The answer was sent already; the peer gets a moment to read it.
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
