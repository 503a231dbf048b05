/** Builds the bytes of a request of recorded.test.ts. */
import { testKey } from '../../testing/gateway.ts'

export interface RecordedRequest {
  name: string
  /** The gateway that gets the request. The gateway `browser` answers browsers (CORS) and trusts
   *  a proxy. */
  to: 'plain' | 'browser'
  /** The bytes of the request, Latin-1. */
  bytes: string
  /** Number of answers to wait for; default 1. */
  answers?: number
  /** True when the answer has no body, whatever its head declares. */
  isHead?: true
  /** True when only the head of the answer is compared. The body is then long and changes
   *  whenever the documentation does. */
  headOnly?: true
}

export interface Parts {
  method?: string
  body?: string
  key?: string | false
  /** Headers that replace the generated ones; '' omits a header. */
  headers?: Record<string, string>
  version?: string
}

export const f1 = '/v1/ai/default/imgf/image/generate'
export const poll = '/v1/ai/default/imgf/get_result?id='
export const chat = '/v1/ai/default/chat/completions'
export const upload = '/v1/ai/default/mus/files/upload'
export const ask = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
export const askStreamed = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], stream: true })
export const picture = JSON.stringify({ prompt: 'a red fox', model: 'fake' })
export const json = { 'content-type': 'application/json' }

export function one(
  name: string,
  path: string,
  { method = 'GET', body, key = testKey, headers = {}, version = '1.1' }: Parts,
): RecordedRequest {
  const given: Record<string, string> = {
    host: '{host}',
    ...(key === false ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body, 'latin1')) }),
    ...headers,
  }
  const lines = Object.entries(given).flatMap(([header, value]) => (value === '' ? [] : [`${header}: ${value}\r\n`]))
  return { name, to: 'plain', bytes: `${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n${body ?? ''}` }
}

export function raw(name: string, bytes: string, more: Partial<RecordedRequest> = {}): RecordedRequest {
  return { name, to: 'plain', bytes, ...more }
}
