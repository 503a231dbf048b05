import { readAs } from '@generation-gateway/kit/check-json.ts'
import { type DriverTools, defineEngine, engineQueue, engineSlots, once, parkedBecause } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { Done, Job } from '@generation-gateway/kit/requests/job.ts'
import type {
  SearchKeywordRequest,
  SearchKeywordResult,
  SearchTopRequest,
  SearchTopResult,
  SearchVerticalRequest,
  SearchVerticalResult,
} from '@generation-gateway/kit/requests/search.ts'
import { importCommand } from './import.ts'
import type { RecordPlace } from './index-store.ts'
import type { IndexRequest } from './process.ts'
import { FeedReader } from './reader.ts'
import { type Feed, feedsOf, settings } from './sources.ts'

const parked = parkedBecause('search')
/** Longest time in ms that a search waits for a source when nothing of the source is stored yet,
 *  or when the stored hot list is too old. */
const waitMs = 10_000
/** Greatest age in ms at which a stored hot list (the current top entries of a source) is still
 *  returned while its source cannot be reached. */
const staleMs = 24 * 3_600_000
const lookEveryMs = 15_000

/** The built-in search: an index that is filled from files and feeds. */
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
      queue: engineQueue('search', { cores: tools.cores, accountSlots: 8 }),
      offers: {
        'search.keyword': once(async ({ request, ...asking }) => done(await engine.keyword(request, asking))),
        'search.vertical': once(async ({ request, ...asking }) => done(await engine.vertical(request, asking))),
        'search.top': once(async ({ request, ...asking }) => done(await engine.top(request, asking))),
      },
      unusable: whyUnusable,
      hold: targets => engine.follow(targets.map(target => target.settings)),
      close: () => engine.close(),
    }
  },
})

/** Returns the reason why the settings of the sources are not complete; undefined when they are. */
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

type SearchCaller = Pick<Job<unknown>, 'account' | 'settings' | 'signal'>

interface FeedSearch {
  method: 'keyword' | 'vertical'
  request: SearchKeywordRequest | SearchVerticalRequest
  place: RecordPlace
  feeds: readonly Feed[]
}

/** Expected run times in ms. The queue uses them to run a search before a feed. */
const queryMs = 5
const feedMs = 500

class SearchEngine {
  readonly #tools: DriverTools
  readonly #pool: ReturnType<typeof createEnginePool>
  readonly #reader: FeedReader
  /** The feeds that are read regularly. */
  #followed: Feed[] = []
  /** Number of feeds read so far. */
  #feeds = 0
  #timer: NodeJS.Timeout | undefined

  constructor(tools: DriverTools) {
    this.#tools = tools
    this.#pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: 1,
      paused: 0,
      queueLimit: engineSlots,
      jobTimeoutMs: 60_000,
      maxRssBytes: 512 * 2 ** 20,
      writable: [tools.dataDirectory],
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'search' }, message),
    })
    this.#reader = new FeedReader({
      route: tools.outbound.routeOf(),
      take: (text, feed) => this.#take(text, feed),
      allowPrivate: tools.allowPrivateUrls,
      onFailure: ({ platform }, message) => tools.log.warn({ engine: 'search', platform }, message),
    })
  }

  /** Reads the feeds of these settings whenever they are due; replaces the feeds of the previous
   *  call. */
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

  async keyword(request: SearchKeywordRequest, asking: SearchCaller): Promise<SearchKeywordResult> {
    const { platform } = request
    const feeds = feedsOf(asking.settings).filter(feed => platform === undefined || feed.platform === platform)
    return await this.#find({ method: 'keyword', request, place: { platform }, feeds }, asking)
  }

  async vertical(request: SearchVerticalRequest, asking: SearchCaller): Promise<SearchVerticalResult> {
    const { topic, platform } = request
    const feeds = feedsOf(asking.settings).filter(feed => feed.topic === topic && feed.platform === platform)
    return await this.#find({ method: 'vertical', request, place: { topic, platform }, feeds }, asking)
  }

  async top({ list }: SearchTopRequest, asking: SearchCaller): Promise<SearchTopResult> {
    const feeds = feedsOf(asking.settings).filter(({ code }) => code === list)
    const held = async () => (await this.#ask('list', list, asking)) as (Omit<SearchTopResult, 'age'> & { readAt: number }) | undefined
    const before = await held()
    const isFresh = before !== undefined && feeds.every(({ everyMs }) => Date.now() - before.readAt < 2 * everyMs)
    const failure = await this.#reader.freshen(feeds, isFresh ? 0 : waitMs)
    const now = isFresh ? before : await held()
    if (now === undefined) throw failure ?? missing(`hot list ${list}`, `with code ${list}`, `FILE --platform WORD --code ${list}`)
    if (failure !== undefined && Date.now() - now.readAt > staleMs) throw failure
    return { entries: now.entries, age: { readAt: now.readAt, isStale: failure !== undefined } }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#reader.close()
    await this.#pool.close()
  }

  /** Stores the records of a feed in the index. Only some records are stored at a time, so that
   *  searches can run in between. */
  async #take(text: string, feed: Feed): Promise<void> {
    const id = ++this.#feeds
    const asking = { isSampleWanted: false, workMs: feedMs }
    await this.#ask('read', { id, text, feed }, asking)
    for (let isDone = false; !isDone; ) {
      // The child process returns this type from its method `take` (process.ts).
      isDone = ((await this.#ask('take', id, asking)) as { isDone: boolean }).isDone
    }
  }

  /** Returns the records of a platform or topic. When none are stored yet, waits until its feeds
   *  were read, at most `waitMs`. When there are still none, throws the reason why a feed could
   *  not be read in that time, or why there is no feed. */
  async #find({ method, request, place, feeds }: FeedSearch, asking: SearchCaller): Promise<SearchKeywordResult> {
    // The child process returns undefined when nothing is stored for this platform or topic.
    const find = async () => (await this.#ask(method, request, asking)) as SearchKeywordResult | undefined
    const held = await find()
    const failure = await this.#reader.freshen(feeds, held ? 0 : waitMs)
    const found = held ?? (await find())
    if (found) return { ...found, age: { ...found.age, isStale: failure !== undefined } }
    if (failure) throw failure
    // The feeds contain no records, so the result is empty.
    if (feeds.length > 0) return { records: [], total: 0, age: { readAt: Date.now(), isStale: false } }
    const words = Object.entries(place).filter(([, value]) => value !== undefined)
    const what = words.map(([name, value]) => `${name} ${value}`).join(' and ')
    const flags = words.map(([name, value]) => ` --${name} ${value}`).join('')
    throw missing(what || 'any search', what ? `with ${what}` : 'at all', `FILE${flags || ' --platform WORD'}`)
  }

  #ask(
    method: string,
    request: unknown,
    {
      settings: given = {},
      account,
      workMs = queryMs,
      signal = new AbortController().signal,
      isSampleWanted,
    }: Partial<SearchCaller> & { workMs?: number; isSampleWanted?: boolean },
  ): Promise<unknown> {
    if (this.#tools.cores === 0) throw new GatewayError('capability_unavailable', parked)
    const { sources = [], sample = true } = readAs(settings, given, 'settings')
    const payload: IndexRequest<unknown> = {
      ...{ folder: this.#tools.dataDirectory, now: Date.now(), request },
      isSampleWanted: isSampleWanted ?? (sample && sources.length === 0),
    }
    return this.#pool.run({ method, payload, account, workMs, signal })
  }
}

function missing(what: string, which: string, args: string): GatewayError {
  return new GatewayError(
    'capability_unavailable',
    `There is no source for ${what}: search.sources in the file that GATEWAY_CONFIG names has none ${which}. An entry there, or gateway search import ${args}, adds one.`,
  )
}
