/** The child process of the search engine: it alone reads and writes the index while the gateway runs. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { SearchKeywordRequest, SearchVerticalRequest } from '@generation-gateway/kit/requests/search.ts'
import { entriesOf, readFeed, recordsOf } from './feeds.ts'
import { IndexStore, type Place } from './index-store.ts'
import { addSample, sampleLifeMs } from './sample.ts'
import type { Feed } from './sources.ts'

/** What every method is told: where the index is, and whether the sample may answer. */
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

serveEngine({
  keyword: async (asked: Asked<SearchKeywordRequest>) => storeOf(asked).keyword(asked.request, asked.now),
  vertical: async (asked: Asked<SearchVerticalRequest>) => storeOf(asked).vertical(asked.request, asked.now),
  list: async (asked: Asked<number>) => storeOf(asked).list(asked.request),
  holds: async (asked: Asked<Place>) => storeOf(asked).holds(asked.request),
  take: async (asked: Asked<{ text: string; feed: Feed }>) => {
    const { text, feed } = asked.request
    const { items } = readFeed(text, { mapping: feed.mapping, url: feed.url })
    const store = storeOf(asked)
    store.add(recordsOf(items, { platform: feed.platform, topic: feed.topic, now: asked.now }), asked.now, 'feed')
    if (feed.code !== undefined) store.saveList(feed.code, entriesOf(items), asked.now, 'feed')
  },
})
