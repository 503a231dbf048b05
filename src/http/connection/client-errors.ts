import type { Socket } from 'node:net'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { rawAnswer } from '../relay/raw-answer.ts'
import type { Connections } from './connections.ts'

/** Answers what is no HTTP, or too much of it, as JSON like everything else; there is no request to hang the answer on.
 *  Where another answer is under way or owed, this one would be read as part of it: then the connection is cut, and whoever works for its caller hears of that. */
export function refuseBrokenHttp(connections: Pick<Connections, 'isQuiet'>): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // Said already; the peer is given a moment to read it.
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
