/** Reads feeds when they are due, or when a search needs them. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { proxyErrorBehind } from '@generation-gateway/kit/outbound/proxy.ts'
import { feedText } from './encoding.ts'
import { fetchFollowing } from './follow.ts'
import type { Feed } from './sources.ts'

const mostBytes = 8 * 2 ** 20
const fetchMs = 20_000
/** Time in ms after which a feed that could not be read is tried again. */
const restMs = 60_000
const atOnce = 4

interface ReaderOptions {
  /** How connections to the feeds are made: directly or through a proxy. */
  route: OutboundRoute
  /** Stores the text of a feed in the index. Throws `upstream_error` when the text is not a
   *  feed. */
  take(text: string, feed: Feed): Promise<void>
  onFailure(feed: Feed, message: string): void
  now?(): number
  /** True when redirects of a feed may lead to addresses of a private network. */
  allowPrivate?: boolean
}

interface State {
  readAt?: number
  triedAt?: number
  /** The reason why the last read failed. */
  failure?: GatewayError
  reading?: Promise<void>
}

/** Reads feeds, and keeps the state of each feed by its URL. Times are Unix milliseconds. */
export class FeedReader {
  readonly #options: ReaderOptions
  readonly #now: () => number
  readonly #states = new Map<string, State>()
  readonly #stop = new AbortController()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** Reads those of the feeds that are due. Resolves when each has been read or has failed, but
   *  after `waitMs` at the latest. Returns the reason why one of the feeds could not be read the
   *  last time, or is still being read after the wait; otherwise undefined. With a `waitMs` of
   *  0, it returns at once, while the feeds that are due are still being read. */
  async freshen(feeds: readonly Feed[], waitMs: number): Promise<GatewayError | undefined> {
    const due = feeds.filter(feed => this.#isDue(feed)).map(feed => this.#read(feed))
    if (due.length > 0 && waitMs > 0) await Promise.race([Promise.all(due), new Promise(resolve => setTimeout(resolve, waitMs).unref())])
    const states = feeds.map(({ url }) => ({ url, ...this.#states.get(url) }))
    const late = states.find(({ reading }) => waitMs > 0 && reading)
    return states.find(({ failure }) => failure)?.failure ?? (late && lateError(late, waitMs))
  }

  close(): void {
    this.#stop.abort()
  }

  #isDue({ url, everyMs }: Feed): boolean {
    const { readAt, triedAt, failure, reading } = this.#states.get(url) ?? {}
    if (reading) return true
    const now = this.#now()
    if (failure !== undefined && triedAt !== undefined && now - triedAt < restMs) return false
    return readAt === undefined || now - readAt >= everyMs
  }

  /** Reads a feed. When it is being read already, waits for that read. Never throws. */
  #read(feed: Feed): Promise<void> {
    const state = this.#states.get(feed.url) ?? {}
    this.#states.set(feed.url, state)
    state.reading ??= this.#attempt(feed, state).finally(() => {
      delete state.reading
    })
    return state.reading
  }

  async #attempt(feed: Feed, state: State): Promise<void> {
    await this.#turn()
    try {
      if (this.#stop.signal.aborted) return
      await this.#options.take(await this.#fetch(feed), feed)
      state.readAt = this.#now()
      delete state.failure
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const known = error instanceof GatewayError ? error : failureOf(feed, error)
      state.failure = known
      this.#options.onFailure(feed, known.message)
    } finally {
      state.triedAt = this.#now()
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }

  async #turn(): Promise<void> {
    while (this.#running >= atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running += 1
  }

  async #fetch({ url, headers }: Feed): Promise<string> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(fetchMs)])
    const accept = 'application/feed+json, application/json, application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5'
    const { route, allowPrivate = false } = this.#options
    const all = { accept, 'user-agent': 'generation-gateway', ...headers }
    const answer = await fetchFollowing(url, { route, headers: all, signal, allowPrivate })
    if (!answer.ok) {
      await answer.body?.cancel()
      throw new GatewayError('upstream_error', `The source at ${hostOf(url)} answered ${answer.status}.`)
    }
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of answer.body ?? []) {
      bytes += part.length
      if (bytes > mostBytes)
        throw new GatewayError('upstream_error', `The source at ${hostOf(url)} is larger than ${mostBytes / 2 ** 20} MiB.`)
      parts.push(part)
    }
    return feedText(Buffer.concat(parts), answer.headers.get('content-type') ?? '')
  }
}

function failureOf({ url }: Feed, error: unknown): GatewayError {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  if (isLate) return lateError({ url }, fetchMs)
  const why = proxyErrorBehind(error)?.message
  const sentence = `The source at ${hostOf(url)} cannot be reached${why === undefined ? '.' : `: ${why}`}`
  return new GatewayError('upstream_unreachable', sentence, { cause: error })
}

function lateError({ url }: Pick<Feed, 'url'>, limitMs: number): GatewayError {
  return new GatewayError('upstream_timeout', `The source at ${hostOf(url)} did not answer within ${limitMs / 1000} seconds.`)
}

/** Returns the host of a URL for log messages. The rest of the URL is left out, because it may
 *  contain credentials. */
function hostOf(url: string): string {
  return new URL(url).host
}
