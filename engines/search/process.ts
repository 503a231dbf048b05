/** The child process of the search engine. While the gateway runs, only the one of each of its
 *  processes reads and writes the index. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { SearchKeywordRequest, SearchVerticalRequest } from '@generation-gateway/kit/requests/search.ts'
import { entriesOf, type Item, readFeed, recordsOf } from './feeds.ts'
import { IndexStore, type RecordPlace, recordsOfCommit } from './index-store.ts'
import type { IndexRecord } from './records.ts'
import { addSample, sampleLifeMs } from './sample.ts'
import type { Feed } from './sources.ts'

/** Parameters common to all methods: the folder of the index, whether sample data may answer, and
 *  the current time. */
export interface IndexRequest<Request> {
  folder: string
  isSampleWanted: boolean
  now: number
  request: Request
}

let opened: { folder: string; store: IndexStore } | undefined

function storeOf({ folder, isSampleWanted, now }: IndexRequest<unknown>): IndexStore {
  if (opened?.folder !== folder) {
    opened?.store[Symbol.dispose]()
    opened = { folder, store: new IndexStore(folder) }
  }
  const { store } = opened
  if (!isSampleWanted || store.hasOwn()) {
    if (store.sampledAt() !== undefined) store.removeSamples()
  } else if (isSampleDue(store, now)) {
    store.commit(() => {
      // Another process may have added it meanwhile.
      if (!isSampleDue(store, now)) return
      store.removeSamples()
      addSample(store, now)
    })
  }
  return store
}

function isSampleDue(store: IndexStore, now: number): boolean {
  const sampledAt = store.sampledAt()
  return sampledAt === undefined || now - sampledAt > sampleLifeMs
}

/** Feeds that are not yet completely stored. Each commit is a separate job, so that searches run in
 *  between. */
const begun = new Map<number, { records: IndexRecord[]; items: readonly Item[]; feed: Feed }>()

/** Returns the index if it holds records of this platform and topic; else undefined. */
function holder(requested: IndexRequest<unknown>, { platform, topic }: RecordPlace): IndexStore | undefined {
  const store = storeOf(requested)
  return store.holds({ platform, topic }) ? store : undefined
}

serveEngine({
  keyword: async (requested: IndexRequest<SearchKeywordRequest>) =>
    holder(requested, requested.request)?.keyword(requested.request, requested.now),
  vertical: async (requested: IndexRequest<SearchVerticalRequest>) =>
    holder(requested, requested.request)?.vertical(requested.request, requested.now),
  list: async (requested: IndexRequest<number>) => storeOf(requested).list(requested.request),
  read: async (requested: IndexRequest<{ id: number; text: string; feed: Feed }>) => {
    const { id, text, feed } = requested.request
    const { items } = readFeed(text, { mapping: feed.mapping, url: feed.url })
    begun.set(id, { records: recordsOf(items, { platform: feed.platform, topic: feed.topic, now: requested.now }), items, feed })
  },
  take: async (requested: IndexRequest<number>): Promise<{ isDone: boolean }> => {
    const reading = begun.get(requested.request)
    if (!reading) throw new Error('a feed that was not read, or by another process')
    const store = storeOf(requested)
    store.add(reading.records.splice(0, recordsOfCommit), requested.now, 'feed')
    if (reading.records.length > 0) return { isDone: false }
    begun.delete(requested.request)
    const { feed, items } = reading
    if (feed.code !== undefined) store.saveList(feed.code, entriesOf(items), requested.now, 'feed')
    store.forgetOld(requested.now)
    return { isDone: true }
  },
})
