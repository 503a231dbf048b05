/** The child process of the search engine. Each process of the gateway has one. Besides these
 *  child processes, only the command `gateway search import` reads and writes the index. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { SearchKeywordRequest, SearchVerticalRequest } from '@generation-gateway/kit/requests/search.ts'
import { entriesOf, type Item, readFeed, recordsOf } from './feeds.ts'
import { IndexStore, type RecordPlace, recordsOfCommit } from './index-store.ts'
import type { IndexRecord } from './records.ts'
import { addSample, sampleLifeMs } from './sample.ts'
import type { Feed } from './sources.ts'

/** The parameters of every method: the folder of the index, whether the index may be filled with
 *  sample data, the current time, and the request itself. */
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
      // Another process may have added the sample data since the check.
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

/** Feeds that are not completely stored yet. Each commit is a job of its own, so that searches
 *  can run in between. */
const begun = new Map<number, { records: IndexRecord[]; items: readonly Item[]; feed: Feed }>()

/** Returns the index when it contains records of this platform and topic; otherwise undefined. */
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
