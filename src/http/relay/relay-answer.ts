/** Whether what an upstream sends is an answer at all: it is taken at its word for what it says, and not for whether it has said it (docs/decisions/0015). */
import type { OutgoingHttpHeaders } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
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

/** Of a stream, by the upstream's own headers. */
export function streamHeaders(headers: Headers): OutgoingHttpHeaders {
  return { ...warningOf(headers), ...streamHead }
}

/** Our headers of the answer with the upstream's: warnings of both are told. */
export function withWarnings(own: OutgoingHttpHeaders, answer: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const [ours, theirs] = [own[warningHeader], answer[warningHeader]]
  const head = { ...own, ...answer }
  if (ours !== undefined && theirs !== undefined) head[warningHeader] = `${ours} ${theirs}`
  return head
}

/** Why an answer with this status is none; undefined when it may be one. */
export function faultOfHead(status: number): GatewayError | undefined {
  return answerStatuses.has(status) ? undefined : fault(`answered with status ${status}, which is no answer to this`)
}

/** A whole answer. Throws `upstream_error` for one that is no JSON object. */
export function parsedAnswer(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fault(text.length === 0 ? 'sent an empty answer' : 'sent an answer that is no JSON')
  }
  if (isObject(value)) return value
  throw fault('sent an answer that is no JSON object')
}

/** The fault of an answer, as an error for the caller and for the target's health. */
export function fault(what: string): GatewayError {
  return new GatewayError('upstream_error', `The upstream service ${what}.`)
}

/** Of an answer that is no stream. It is JSON, whatever its sender calls it. */
export function jsonHeaders(headers: Headers, length?: number): OutgoingHttpHeaders {
  const given = String(headers['content-type'] ?? '')
  const type = given === 'application/json' || otherJson.test(given) ? given : 'application/json; charset=utf-8'
  const bytes = length ?? headers['content-length']
  const head = { ...warningOf(headers), 'content-type': type, 'x-content-type-options': 'nosniff' }
  return bytes === undefined ? head : { ...head, 'content-length': String(bytes) }
}

/** Both protocols read this: the nested error stops an iterator, `[DONE]` ends it
 *  (docs/interface.md#streams, docs/vendors/openai-responses.md#stream). */
export function streamError(error: GatewayError): string {
  const { code, message, type } = error
  const event = { type: 'error', code, message, param: null, error: { type, code, message, param: null } }
  return `\n\nevent: error\ndata: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`
}

/** Line feeds at the end of `bytes`, which follow `before` others; carriage returns do not count. */
export function feedsAtEnd(bytes: Buffer, before: number): number {
  let feeds = 0
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === 0x0a) feeds += 1
    else if (bytes[at] !== 0x0d) return feeds
    if (feeds === 2) return feeds
  }
  return feeds + before
}
