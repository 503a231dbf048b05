import { readAs } from '@generation-gateway/kit/check-json.ts'
import { type DriverTools, defineEngine, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import type {
  SearchKeywordRequest,
  SearchKeywordResult,
  SearchTopRequest,
  SearchTopResult,
  SearchVerticalRequest,
  SearchVerticalResult,
} from '@generation-gateway/kit/requests/search.ts'
import { importCommand } from './import.ts'
import type { Place } from './index-store.ts'
import type { Asked } from './process.ts'
import { FeedReader } from './reader.ts'
import { type Feed, feedsOf, settings } from './sources.ts'

const parked = 'The search engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).'
/** How long a search waits for a source of which nothing is held, or only what is old. */
const waitMs = 10_000
/** How old a copy may be that answers while its source is down. */
const staleMs = 24 * 3_600_000
const lookEveryMs = 15_000

/** The built-in search: an index of its own that files and feeds fill. */
export default defineEngine({
  id: 'search',
  title: 'Built-in search index',
  kind: 'engine',
  settings,
  section: 'search',
  capabilities: ['search.keyword', 'search.vertical', 'search.top'],
  commands: { import: importCommand },
  open: tools => {
    const engine = new SearchEngine(tools)
    return {
      id: 'search',
      title: 'Built-in search index',
      queue: { name: 'engine:search', slots: tools.cores > 0 ? 8 : 0 },
      offers: {
        'search.keyword': once(async ({ request, settings, signal }) => done(await engine.keyword(request, settings, signal))),
        'search.vertical': once(async ({ request, settings, signal }) => done(await engine.vertical(request, settings, signal))),
        'search.top': once(async ({ request, settings, signal }) => done(await engine.top(request, settings, signal))),
      },
      unusable: whyUnusable,
      hold: targets => engine.follow(targets.map(target => target.settings)),
      close: () => engine.close(),
    }
  },
})

/** A source that lacks something; `feedsOf` says what. */
function whyUnusable(given: JsonObject): string | undefined {
  try {
    feedsOf(given)
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error.message
    throw error
  }
}

function done(report: JsonObject): Done {
  return { state: 'done', files: [], report, usage: [{ unit: 'searches', units: 1 }] }
}

class SearchEngine {
  readonly #tools: DriverTools
  readonly #pool: ReturnType<typeof createEnginePool>
  readonly #reader: FeedReader
  /** Read on the schedule. */
  #followed: Feed[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(tools: DriverTools) {
    this.#tools = tools
    this.#pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: 1,
      queueLimit: 256,
      jobTimeoutMs: 60_000,
      maxRssBytes: 512 * 2 ** 20,
      writable: [tools.dataDirectory],
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'search' }, message),
    })
    this.#reader = new FeedReader({
      take: async (text, feed) => void (await this.#ask('take', { text, feed }, { isSampleWanted: false })),
      allowPrivate: tools.allowPrivateUrls,
      onFailure: ({ platform }, message) => tools.log.warn({ engine: 'search', platform }, message),
    })
  }

  /** Reads the feeds of these settings from now on when they are due, in the place of those before. */
  follow(settings: readonly JsonObject[]): void {
    const feeds = settings.flatMap(feedsOf)
    this.#followed = [...new Map(feeds.map(feed => [feed.url, feed])).values()]
    clearInterval(this.#timer)
    if (this.#followed.length === 0 || this.#tools.cores === 0) return
    const look = (): void => void this.#reader.freshen(this.#followed, 0)
    look()
    this.#timer = setInterval(look, lookEveryMs)
    this.#timer.unref()
  }

  async keyword(request: SearchKeywordRequest, settings: JsonObject, signal: AbortSignal): Promise<SearchKeywordResult> {
    const feeds = feedsOf(settings).filter(({ platform }) => request.platform === undefined || platform === request.platform)
    await this.#hold({ platform: request.platform }, feeds, { settings, signal })
    const found = (await this.#ask('keyword', request, { settings, signal })) as SearchKeywordResult
    return { ...found, age: { ...found.age, isStale: this.#failureOf(feeds) !== undefined } }
  }

  async vertical(request: SearchVerticalRequest, settings: JsonObject, signal: AbortSignal): Promise<SearchVerticalResult> {
    const { topic, platform } = request
    const feeds = feedsOf(settings).filter(feed => feed.topic === topic && feed.platform === platform)
    await this.#hold({ topic, platform }, feeds, { settings, signal })
    const found = (await this.#ask('vertical', request, { settings, signal })) as SearchVerticalResult
    return { ...found, age: { ...found.age, isStale: this.#failureOf(feeds) !== undefined } }
  }

  async top({ list }: SearchTopRequest, settings: JsonObject, signal: AbortSignal): Promise<SearchTopResult> {
    const feeds = feedsOf(settings).filter(({ code }) => code === list)
    const held = async () =>
      (await this.#ask('list', list, { settings, signal })) as (Omit<SearchTopResult, 'age'> & { readAt: number }) | undefined
    const before = await held()
    const isFresh = before !== undefined && feeds.every(({ everyMs }) => Date.now() - before.readAt < 2 * everyMs)
    await this.#reader.freshen(feeds, isFresh ? 0 : waitMs)
    const now = isFresh ? before : await held()
    const failure = this.#failureOf(feeds)
    if (now === undefined) throw failure ?? missing(`hot list ${list}`, `with code ${list}`, `FILE --platform WORD --code ${list}`)
    if (failure !== undefined && Date.now() - now.readAt > staleMs) throw failure
    return { entries: now.entries, age: { readAt: now.readAt, isStale: failure !== undefined } }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#reader.close()
    await this.#pool.close()
  }

  /** Sees to it that there is something at this place, or throws why not. */
  async #hold(place: Place, feeds: readonly Feed[], { settings, signal }: { settings: JsonObject; signal: AbortSignal }): Promise<void> {
    const isHeld = async () => (await this.#ask('holds', place, { settings, signal })) as boolean
    const isThere = await isHeld()
    await this.#reader.freshen(feeds, isThere ? 0 : waitMs)
    if (isThere || (await isHeld())) return
    const failure = this.#failureOf(feeds)
    if (failure) throw failure
    // A source that was read and had nothing is an answer without records.
    if (feeds.length > 0) return
    const words = Object.entries(place).filter(([, value]) => value !== undefined)
    const what = words.map(([name, value]) => `${name} ${value}`).join(' and ')
    const flags = words.map(([name, value]) => ` --${name} ${value}`).join('')
    throw missing(what || 'any search', what ? `with ${what}` : 'at all', `FILE${flags || ' --platform WORD'}`)
  }

  /** Why one of them could not be read the last time; undefined when all could. */
  #failureOf(feeds: readonly Feed[]): GatewayError | undefined {
    return feeds.map(feed => this.#reader.failureOf(feed)).find(each => each !== undefined)
  }

  #ask(
    method: string,
    request: unknown,
    {
      settings: given = {},
      signal = new AbortController().signal,
      isSampleWanted,
    }: { settings?: JsonObject; signal?: AbortSignal; isSampleWanted?: boolean },
  ): Promise<unknown> {
    if (this.#tools.cores === 0) throw new GatewayError('capability_unavailable', parked)
    const { sources = [], sample = true } = readAs(settings, given, 'settings')
    const payload: Asked<unknown> = {
      ...{ folder: this.#tools.dataDirectory, now: Date.now(), request },
      isSampleWanted: isSampleWanted ?? (sample && sources.length === 0),
    }
    return this.#pool.run({ method, payload, signal })
  }
}

function missing(what: string, which: string, args: string): GatewayError {
  return new GatewayError(
    'capability_unavailable',
    `There is no source for ${what}: search.sources in the file that GATEWAY_CONFIG names has none ${which}. An entry there, or gateway search import ${args}, adds one.`,
  )
}
