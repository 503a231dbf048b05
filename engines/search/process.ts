/** The child process of the search engine. Only it reads and writes the index while the gateway
 *  runs. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { SearchKeywordRequest, SearchVerticalRequest } from '@generation-gateway/kit/requests/search.ts'
import { entriesOf, type Item, readFeed, recordsOf } from './feeds.ts'
import { IndexStore, type Place, recordsOfCommit } from './index-store.ts'
import type { IndexRecord } from './records.ts'
import { addSample, sampleLifeMs } from './sample.ts'
import type { Feed } from './sources.ts'

/** Common parameters of every method: the path of the index, and whether the sample may answer. */
export interface Asked<Request> {
  folder: string
  isSampleWanted: boolean
  now: number
  request: Request
}

let opened: { folder: string; store: IndexStore } | undefined

function storeOf({ folder, isSampleWanted, now }: Asked<unknown>): IndexStore {
  if (opened?.folder !== folder) {
    opened?.store[Symbol.dispose]()
    opened = { folder, store: new IndexStore(folder) }
  }
  const { store } = opened
  const sampledAt = store.sampledAt()
  if (!isSampleWanted || store.hasOwn()) {
    if (sampledAt !== undefined) store.removeSamples()
  } else if (sampledAt === undefined || now - sampledAt > sampleLifeMs) {
    store.removeSamples()
    addSample(store, now)
  }
  return store
}

/** Feeds that are not completely in the index yet. Each commit is a separate job, so that searches
 *  run in between. */
const begun = new Map<number, { records: IndexRecord[]; items: readonly Item[]; feed: Feed }>()

/** The index, if it holds anything for this place. */
function holder(asked: Asked<unknown>, { platform, topic }: Place): IndexStore | undefined {
  const store = storeOf(asked)
  return store.holds({ platform, topic }) ? store : undefined
}

serveEngine({
  keyword: async (asked: Asked<SearchKeywordRequest>) => holder(asked, asked.request)?.keyword(asked.request, asked.now),
  vertical: async (asked: Asked<SearchVerticalRequest>) => holder(asked, asked.request)?.vertical(asked.request, asked.now),
  list: async (asked: Asked<number>) => storeOf(asked).list(asked.request),
  read: async (asked: Asked<{ id: number; text: string; feed: Feed }>) => {
    const { id, text, feed } = asked.request
    const { items } = readFeed(text, { mapping: feed.mapping, url: feed.url })
    begun.set(id, { records: recordsOf(items, { platform: feed.platform, topic: feed.topic, now: asked.now }), items, feed })
  },
  take: async (asked: Asked<number>): Promise<{ isDone: boolean }> => {
    const reading = begun.get(asked.request)
    if (!reading) throw new Error('a feed that was not read, or by another process')
    const store = storeOf(asked)
    store.add(reading.records.splice(0, recordsOfCommit), asked.now, 'feed')
    if (reading.records.length > 0) return { isDone: false }
    begun.delete(asked.request)
    const { feed, items } = reading
    if (feed.code !== undefined) store.saveList(feed.code, entriesOf(items), asked.now, 'feed')
    store.forgetOld(asked.now)
    return { isDone: true }
  },
})
