/** Neutral requests and results of the search capabilities: `search.keyword`, `search.vertical` and
 *  `search.top`. */
import { capability } from './capability.ts'

export type SearchKeywordRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  keyword: string
  /** Platform to which the search is restricted; all platforms when absent. */
  platform?: string
  /** Finds only records that are at most this many days old; records of any age when absent. */
  days?: number
  /** Sort order, as the platform names it; the platform's default when absent. */
  order?: string
  /** Page number, from 1. */
  page: number
  pageSize: number
  /** Cursor that the source returned with the previous page; absent when it returned none. */
  cursor?: string
}

/** A record that was found. Counters that a source lacks are absent. */
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
  /** True for an invented record. A gateway returns such records while no real source is
   *  configured. */
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
  /** Number of the list to return. Each list of trending topics (hot list) has a number. */
  list: number
}

export type SearchTopResult = { entries: { title: string; heat: number; url: string }[]; age: SearchAge }

/** `readAt` is the time at which the source was read, in Unix milliseconds. `isStale` is true when
 *  the source cannot be reached now and an earlier answer is returned instead. */
export type SearchAge = { readAt: number; isStale: boolean }

export const searchKeyword = capability<SearchKeywordRequest, SearchKeywordResult>({ failover: 'text', expectedUnits })
export const searchVertical = capability<SearchVerticalRequest, SearchVerticalResult>({ failover: 'text', expectedUnits })
export const searchTop = capability<SearchTopRequest, SearchTopResult>({ failover: 'text', expectedUnits })

function expectedUnits() {
  return [{ unit: 'searches', units: 1 }]
}
