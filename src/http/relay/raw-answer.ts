import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { defaultFailure } from '../../contract/failure.ts'

/** Returns a refusal as a complete HTTP response, head and body, to be written to a socket for
 *  which node has no request object. The response announces that the connection closes. */
export function rawAnswer(error: GatewayError, status: number = error.status): string {
  const id = randomUUID()
  const body = JSON.stringify(defaultFailure(error, id).body)
  const retry = error.retryAfterSeconds === undefined ? '' : `retry-after: ${error.retryAfterSeconds}\r\n`
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\nx-request-id: ${id}\r\nx-content-type-options: nosniff\r\n${retry}content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
