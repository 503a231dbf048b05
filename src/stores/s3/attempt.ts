/** One attempt of one HTTP request to the bucket. */
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { proxyErrorBehind } from '@generation-gateway/kit/outbound/proxy.ts'
import { routedAgents } from '@generation-gateway/kit/outbound/routed-agents.ts'
import { PassingFault } from './faults.ts'

/** A body whose length and SHA-256 are known before it is sent. */
export interface SignedBody {
  bytes: number
  /** SHA-256, hex. */
  sha256: string
  /** Returns the bytes; each call begins again at the first one. */
  open(): Readable | Buffer
}

export interface Attempt {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body?: SignedBody
  /** Milliseconds without any byte in either direction after which the attempt fails. */
  stallMs: number
}

/** Keeps connections open between requests. Downloads have connections of their own, because a slow
 *  reader may hold one for long. */
export class Connections {
  readonly #agents: Readonly<Record<string, Agent>>

  constructor(most: number, route: OutboundRoute) {
    this.#agents = routedAgents(route, { keepAlive: true, maxSockets: most, maxFreeSockets: 16, timeout: 30_000 })
  }

  /** Sends the request and resolves with the answer once its head is there. Throws `PassingFault`
   *  when the connection fails or makes no progress. */
  send({ method, url, headers, body, stallMs }: Attempt): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const open = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = open(url, { method, headers, agent: this.#agents[url.protocol], timeout: stallMs })
      const source = body?.open()
      // A head that comes byte by byte counts as progress and would never time out, so the time
      // until the whole head is there is limited as well.
      const limit = setTimeout(() => fail(new PassingFault('its answer takes too long')), headLimitMs(stallMs, body?.bytes ?? 0))
      const fail = (error: unknown): void => {
        clearTimeout(limit)
        reject(error instanceof PassingFault ? error : new PassingFault(reasonOf(error), { cause: error }))
        request.destroy()
      }
      request.once('timeout', () => fail(new PassingFault('it makes no progress')))
      request.on('error', fail)
      request.once('response', response => {
        clearTimeout(limit)
        request.removeAllListeners('timeout')
        // The service may answer before it has got the whole body. The connection is then of no
        // use any more.
        if (!request.writableFinished) response.once('close', () => request.destroy())
        resolve(response)
      })
      if (source === undefined || Buffer.isBuffer(source)) return void request.end(source)
      // An answer may come before the whole body was sent; without this line, the file of the body
      // would then stay open.
      request.once('close', () => source.destroy())
      source.on('error', fail).pipe(request)
    })
  }
}

/** Longest time in milliseconds from the beginning of a request to the head of its answer: three
 *  times `stallMs`, and the time that the body takes at 64 kB a second. */
function headLimitMs(stallMs: number, bytes: number): number {
  return 3 * stallMs + bytes / 64
}

/** Yields the bytes of an answer. Throws `PassingFault` when the connection breaks, or when no byte
 *  comes for `stallMs` while the caller waits for one. */
export async function* chunksOf(response: IncomingMessage, stallMs: number): AsyncGenerator<Buffer, void, undefined> {
  const chunks = response[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await nextOf(chunks, { response, stallMs })
      if (next.done) return
      yield next.value
    }
  } finally {
    response.destroy()
  }
}

async function nextOf(
  chunks: AsyncIterator<Buffer>,
  { response, stallMs }: { response: IncomingMessage; stallMs: number },
): Promise<IteratorResult<Buffer>> {
  const timer = setTimeout(() => response.destroy(new PassingFault('it makes no progress')), stallMs)
  try {
    return await chunks.next()
  } catch (error) {
    throw error instanceof PassingFault ? error : new PassingFault(reasonOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Longest text that an answer may have: a page of 1,000 keys takes 0.5 MB. */
const textLimit = 4 * 1024 * 1024

/** Returns the text of an answer. Throws `PassingFault` when it breaks off, and when it has more
 *  than 4 MiB. */
export async function textOfAnswer(response: IncomingMessage, stallMs: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(response, stallMs)) {
    bytes += chunk.length
    if (bytes > textLimit) throw new PassingFault('its answer is too long')
    chunks.push(chunk)
  }
  if (!response.complete) throw new PassingFault('its answer broke off')
  return Buffer.concat(chunks).toString()
}

function reasonOf(error: unknown): string {
  const proxy = proxyErrorBehind(error)
  if (proxy !== undefined) return proxy.message.replace(/\.$/, '')
  const { code } = Object(error)
  return typeof code === 'string' ? `the connection failed: ${code}` : 'the connection failed'
}
