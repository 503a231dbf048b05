/** A fake driver for search, which returns records that it makes up. */
import { type DriverSpec, defineDriver, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import type {
  SearchKeywordRequest,
  SearchRecord,
  SearchTopRequest,
  SearchVerticalRequest,
} from '@generation-gateway/kit/requests/search.ts'
import Type from 'typebox'

export interface SearchLog {
  keyword: SearchKeywordRequest[]
  vertical: SearchVerticalRequest[]
  top: SearchTopRequest[]
  /** True when no source can be reached. */
  isDown?: boolean
}

export const searchedAt = Date.UTC(2027, 0, 2, 3, 4, 5)
const record: SearchRecord = {
  ...{
    id: '7301',
    platform: 'plat_a',
    title: 'Noodles',
    text: 'How they are made',
    url: 'https://example.org/7301',
    publishedAt: searchedAt,
  },
  author: { name: 'Ann', followers: 12 },
  counts: { plays: 1, comments: 2, likes: 3, shares: 4, favourites: 5, reads: 6 },
}

/** Returns a driver with this id. A search finds one record of each platform on each of three
 *  pages, and two records for a topic. Each list has one entry, except list 3, whose source
 *  cannot be reached. The driver stores its requests in `searched`; while `searched.isDown` is
 *  true, every request fails. */
export function fakeSearchDriver(id: string, searched: SearchLog = { keyword: [], vertical: [], top: [] }): DriverSpec {
  const title = `Fake ${id}`
  const keyword = once<SearchKeywordRequest>(async ({ request }) => {
    searched.keyword.push(request)
    if (searched.isDown) throw unreachable()
    const records = ['plat_a', 'plat_b', 'plat_c'].map(platform => ({ ...record, platform }))
    const more = request.page < 3 ? { cursor: `token-${request.page}` } : {}
    return done({ records, total: 99, age: { readAt: searchedAt, isStale: false }, ...more })
  })
  const vertical = once<SearchVerticalRequest>(async ({ request }) => {
    searched.vertical.push(request)
    if (searched.isDown) throw unreachable()
    return done({ records: [{ ...record, counts: { likes: 1 } }, record], total: 2, age: { readAt: searchedAt, isStale: true } })
  })
  const top = once<SearchTopRequest>(async ({ request }) => {
    searched.top.push(request)
    if (searched.isDown) throw unreachable()
    if (request.list === 3) throw new GatewayError('upstream_error', 'The source is down.')
    const entries = [{ title: 'One', heat: 5, url: 'https://example.org/1' }]
    return done({ entries, age: { readAt: searchedAt, isStale: false } })
  })
  const offers = { 'search.keyword': keyword, 'search.vertical': vertical, 'search.top': top }
  const settings = Type.Object({})
  return defineDriver({
    id,
    title,
    kind: 'upstream',
    settings,
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots: 4 }, offers }),
  })
}

function unreachable(): GatewayError {
  return new GatewayError('upstream_unreachable', 'The source cannot be reached.')
}

function done(report: Done['report']): Done {
  return { state: 'done', files: [], report, usage: [{ unit: 'searches', units: 1 }] }
}
