/** The neutral requests and results of the search capabilities: `search.keyword`, `search.vertical` and `search.top`. */
import { capability } from './capability.ts'

export type SearchKeywordRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  keyword: string
  /** One platform; absent: all. */
  platform?: string
  /** Of the last so many days; absent: of any time. */
  days?: number
  /** The platform's own word for an order; absent: its usual one. */
  order?: string
  /** From 1. */
  page: number
  pageSize: number
  /** Of the page before, where the source gave one. */
  cursor?: string
}

/** Counters that a source does not have are absent. */
export type SearchRecord = {
  id: string
  platform: string
  title: string
  text: string
  url: string
  /** Unix milliseconds. */
  publishedAt?: number
  author?: { name: string; avatarUrl?: string; followers?: number }
  thumbnailUrl?: string
  /** Made up, for a gateway that has no source of its own yet. */
  isSample?: true
  counts: { plays?: number; comments?: number; likes?: number; shares?: number; favourites?: number; reads?: number; heat?: number }
}

export type SearchKeywordResult = { records: SearchRecord[]; total: number; cursor?: string; age: SearchAge }

export type SearchVerticalRequest = {
  hops?: number
  topic: string
  platform: string
  days: number
}

export type SearchVerticalResult = { records: SearchRecord[]; total: number; age: SearchAge }

export type SearchTopRequest = {
  hops?: number
  /** Number of the list. */
  list: number
}

export type SearchTopResult = { entries: { title: string; heat: number; url: string }[]; age: SearchAge }

/** When the source was read, Unix milliseconds; `isStale` while it cannot be read anew. */
export type SearchAge = { readAt: number; isStale: boolean }

export const searchKeyword = capability<SearchKeywordRequest, SearchKeywordResult>({ failover: 'text', expectedUnits })
export const searchVertical = capability<SearchVerticalRequest, SearchVerticalResult>({ failover: 'text', expectedUnits })
export const searchTop = capability<SearchTopRequest, SearchTopResult>({ failover: 'text', expectedUnits })

function expectedUnits() {
  return [{ unit: 'searches', units: 1 }]
}
