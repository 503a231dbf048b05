import { routedConnector } from '@generation-gateway/kit/outbound/connector.ts'
import type { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { Agent, buildConnector, fetch, type Response } from 'undici'

/** Returns the HTTP client with which setup downloads. It uses the same proxies as the gateway. */
export function openDownloads(outbound: Outbound): Agent {
  const route = outbound.routeOf()
  const connect = routedConnector(route, buildConnector({ timeout: route.connectMs }))
  return new Agent({ connect, headersTimeout: 30_000, bodyTimeout: 60_000 })
}

export interface DownloadRange {
  /** Position of the first byte to return. */
  offset: number
  /** Size of the whole file in bytes. When the server states another size, its answer is refused
   *  before anything is read. */
  bytes: number
  client: Agent
  signal?: AbortSignal | undefined
}

/** Yields the bytes of a file from `offset` to its end. When a connection breaks, the download
 *  continues at the next byte with a new connection, as long as each connection has delivered
 *  some bytes. Otherwise throws an error with a short reason. */
export async function* download(url: string, range: DownloadRange): AsyncGenerator<Uint8Array> {
  let at = range.offset
  while (at < range.bytes) {
    const startedAt = at
    try {
      for await (const chunk of openAt(url, { ...range, offset: at })) {
        at += chunk.length
        yield chunk
      }
    } catch (error) {
      if (range.signal?.aborted || at === startedAt) throw new Error(reasonOf(error), { cause: error })
      continue
    }
    if (at === startedAt) throw new Error('the answer is empty')
  }
}

async function* openAt(url: string, { offset, bytes, client, signal }: DownloadRange): AsyncGenerator<Uint8Array> {
  const headers = { 'accept-encoding': 'identity', ...(offset > 0 ? { range: `bytes=${offset}-` } : {}) }
  const response = await fetch(url, { dispatcher: client, headers, signal: signal ?? null })
  try {
    let skip = offset - startOf(response, { offset, bytes })
    if (response.body === null) return
    for await (const chunk of response.body) {
      const rest = chunk.subarray(Math.min(skip, chunk.length))
      skip -= chunk.length - rest.length
      if (rest.length > 0) yield rest
    }
  } finally {
    // An answer that was refused, or not read to its end, is cancelled, so that its connection
    // closes.
    if (response.body !== null && !response.bodyUsed) await response.body.cancel()
  }
}

/** Returns the offset in the file at which the answer begins. */
function startOf(response: Response, { offset, bytes }: { offset: number; bytes: number }): number {
  if (response.status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? []
    if (Number(start) !== offset) throw new Error('the answer is not the range that was asked for')
    if (total !== '*' && Number(total) !== bytes) throw new Error(`the file has ${total} bytes instead of ${bytes}`)
    return offset
  }
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  const length = response.headers.get('content-length')
  if (length !== null && Number(length) !== bytes) throw new Error(`the file has ${length} bytes instead of ${bytes}`)
  return 0
}

/** Returns the message of the innermost cause, because `fetch` itself reports only that it
 *  failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
