/** Checks that the bytes of an upstream are an answer of the protocol. The content of the answer
 *  is not checked (docs/decisions/0015). */
import type { OutgoingHttpHeaders } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import { warningHeader, warningOf } from '../call/warning-header.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

const otherJson = /^application\/([\w.+-]+\+)?json\b/i
const answerStatuses = new Set([200, 201, 202])
const streamHead = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** Returns the headers of a streamed answer. Only the upstream's warnings are taken over; all
 *  others are the gateway's. */
export function streamHeaders(headers: Headers): OutgoingHttpHeaders {
  return { ...warningOf(headers), ...streamHead }
}

/** Returns the headers of an answer that is sent as a JSON array while it is made. */
export function arrayHeaders(headers: Headers): OutgoingHttpHeaders {
  return { ...warningOf(headers), 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
}

/** Merges the upstream's headers into the gateway's. When both have warnings, both are kept. */
export function withWarnings(own: OutgoingHttpHeaders, answer: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const [ours, theirs] = [own[warningHeader], answer[warningHeader]]
  const head = { ...own, ...answer }
  if (ours !== undefined && theirs !== undefined) head[warningHeader] = `${ours} ${theirs}`
  return head
}

/** Returns the error for an HTTP status that no valid answer has; undefined for a status that a
 *  valid answer may have. */
export function faultOfHead(status: number): GatewayError | undefined {
  return answerStatuses.has(status) ? undefined : fault(`answered with status ${status}, which is no answer to this`)
}

/** Parses a whole answer. Throws `upstream_error` when it is not a JSON object. */
export function parsedAnswer(text: string): JsonObject {
  const value = parsedJson(text)
  if (value === undefined) throw fault(text.length === 0 ? 'sent an empty answer' : 'sent an answer that is no JSON')
  if (isObject(value)) return value
  throw fault('sent an answer that is no JSON object')
}

/** Returns the error `upstream_error` for a faulty answer. The caller gets the error, and it
 *  counts as a failure of the target. */
export function fault(what: string): GatewayError {
  return new GatewayError('upstream_error', `The upstream service ${what}.`)
}

/** Returns the headers of an answer that is not a stream. The content type is always JSON, even
 *  if the upstream has declared another one. */
export function jsonHeaders(headers: Headers, length?: number): OutgoingHttpHeaders {
  const given = String(headers['content-type'] ?? '')
  const type = given === 'application/json' || otherJson.test(given) ? given : 'application/json; charset=utf-8'
  const bytes = length ?? headers['content-length']
  const head = { ...warningOf(headers), 'content-type': type, 'x-content-type-options': 'nosniff' }
  return bytes === undefined ? head : { ...head, 'content-length': String(bytes) }
}

/** Returns the event that ends a broken stream of a protocol without a `streamError` of its own.
 *  It is the same for chat completions and responses: the nested `error` stops the client's
 *  iterator over the events, and `[DONE]` ends the stream (docs/interface.md#streams,
 *  docs/vendors/openai-responses.md#stream). */
export function streamError({ code, message, type }: GatewayError, requestId: string): string {
  const event = { type: 'error', code, message, param: null, error: { type, code, message, param: null, request_id: requestId } }
  return `\n\nevent: error\ndata: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`
}

/** Returns the number of line feeds at the end of all bytes so far: `bytes` is the latest piece,
 *  and `before` is the number at the end of the pieces before it. Carriage returns are skipped. */
export function feedsAtEnd(bytes: Buffer, before: number): number {
  let feeds = 0
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === 0x0a) feeds += 1
    else if (bytes[at] !== 0x0d) return feeds
    if (feeds === 2) return feeds
  }
  return feeds + before
}
