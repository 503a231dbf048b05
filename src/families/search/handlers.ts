import { hash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { SearchAge, SearchKeywordRequest, SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { platforms, search, topics, verticalPlatforms, wordIn } from './family.ts'
import { searchOrLastGood } from './last-good.ts'

type Body = Input<(typeof search)['operations']['keyword']>['body']
type FoundRecord = Static<(typeof search)['operations']['keyword']['reply']['schema']>['data']['records'][number]
type HotEntry = Static<(typeof search)['operations']['vertical']['reply']['schema']>['data'][number]

/** Last page of keyword search; later pages are empty. */
const lastPage = 50
const shanghaiMs = 8 * 3_600_000
/** The end of the year 9999 in Shanghai, in Unix milliseconds. */
const lastMs = 253_402_300_799_999 - shanghaiMs

export const searchEntry = implement(search, {
  keyword: async (context, { body }) => {
    const request = requestOf(body)
    const { page: pageNumber, pageSize } = request
    if (pageNumber > lastPage) return answer(context, { records: [], total: 0, pageNumber, pageSize })
    const { records, total, cursor, age } = await searchOrLastGood(context, 'search.keyword', request)
    const searchId = cursor === undefined || pageNumber === lastPage ? '' : cursorText(request, cursor)
    warnOfSources(context, age)
    return answer(context, { records: records.map(record => foundOf(record, searchId)), total, pageNumber, pageSize })
  },
  vertical: async (context, { body }) => {
    const mediaType = wordIn(verticalPlatforms, body.mediaType) ?? body.mediaType
    const topic = (wordIn(topics, body.type) ?? body.type).toLowerCase()
    const request = { topic, platform: mediaType.toLowerCase(), days: Number(body.timeRange) }
    const { records, age } = await searchOrLastGood(context, 'search.vertical', request)
    warnOfSources(context, age)
    return answer(
      context,
      records.map(record => hotEntryOf(record, mediaType)).toSorted((a, b) => b.sum - a.sum),
    )
  },
  top: async (context, { query }) => {
    const { entries, age } = await searchOrLastGood(context, 'search.top', { list: query.type })
    warnOfSources(context, age)
    return answer(
      context,
      entries.map(({ title, heat, url }) => ({ title, hot: heat, url })),
    )
  },
})

function answer<Data>({ requestId }: CallContext, data: Data) {
  return { code: 200, msg: 'success', data, requestId }
}

function warnOfSources(context: CallContext, { readAt, isStale }: SearchAge): void {
  context.setHeader('age', String(Math.max(0, Math.round((context.now() - readAt) / 1000))))
  if (isStale) context.setHeader('x-cache', 'stale')
}

function requestOf(body: Body): SearchKeywordRequest {
  const { keyword, sortType = '', publishTime = 0 } = body
  const platform = body.mediaType ? body.mediaType.toLowerCase() : undefined
  const days = platform === 'plat_a' ? Number(publishTime) : 0
  const pageSize = platform === undefined ? Number(body.pageSize) : (platforms[platform]?.pageSize ?? Number(body.pageSize))
  const request: SearchKeywordRequest = { keyword, page: Number(body.pageNumber), pageSize }
  if (platform !== undefined) {
    request.platform = platform
    if (sortType !== '') request.order = sortType
  }
  if (days > 0) request.days = days
  const cursor = body.searchId ? cursorIn(body.searchId, request) : undefined
  return cursor === undefined ? request : { ...request, cursor }
}

/** Returns a hash that is the same for all pages of a search, and different for different
 *  searches. */
function mark({ keyword, platform, days, order, pageSize }: SearchKeywordRequest): string {
  return hash('sha256', JSON.stringify([keyword, platform, days, order, pageSize]), 'base64url').slice(0, 16)
}

/** Returns the `searchId` for callers. It contains the source's cursor, the number of the page
 *  to which the cursor leads, and the hash of the search. */
function cursorText(request: SearchKeywordRequest, cursor: string): string {
  return Buffer.from(JSON.stringify([mark(request), request.page + 1, cursor])).toString('base64url')
}

/** Returns the source's cursor from a `searchId`; undefined when the cursor leads to another
 *  page than the requested one. Throws `invalid_cursor` when the `searchId` is unreadable or
 *  belongs to another search. */
function cursorIn(searchId: string, request: SearchKeywordRequest): string | undefined {
  const field = 'searchId'
  const [of, page, cursor] = parsed(searchId)
  if (typeof of !== 'string' || typeof cursor !== 'string')
    throw new GatewayError('invalid_cursor', `${field} is not a cursor of this gateway.`, { field })
  if (of !== mark(request))
    throw new GatewayError(
      'invalid_cursor',
      `${field} belongs to another search: keyword, mediaType, publishTime, sortType and pageSize have to stay the same.`,
      { field },
    )
  return page === request.page ? cursor : undefined
}

function parsed(searchId: string): unknown[] {
  const value = parsedJson(Buffer.from(searchId, 'base64url').toString())
  return Array.isArray(value) ? value : []
}

function foundOf(record: SearchRecord, searchId: string): FoundRecord {
  const { platform, title, text, url, publishedAt, author, counts } = record
  const id = /^[\w.-]{1,64}$/.test(record.id) ? record.id : hash('sha256', record.id, 'hex').slice(0, 20)
  const isB = platform === 'plat_b'
  return {
    ...{ id, infoId: `${platform}_${id}`, mediaType: platform, title, content: text, contentUrl: url, publishTime: wallTime(publishedAt) },
    playCount: platform === 'plat_a' || platform === 'plat_c' ? 0 : (counts.plays ?? 0),
    commentsCount: isB ? 0 : (counts.comments ?? 0),
    likeCount: counts.likes ?? 0,
    shareCount: isB ? 0 : (counts.shares ?? 0),
    favoriteCount: isB ? 0 : (counts.favourites ?? 0),
    followCount: 0,
    authorName: author?.name ?? '',
    authorAvatar: author?.avatarUrl ?? null,
    followersCount: String(author?.followers ?? 0),
    searchId,
  }
}

function hotEntryOf({ title, text, url, thumbnailUrl, publishedAt, counts }: SearchRecord, mediaType: string): HotEntry {
  const { likes = 0, favourites = 0, comments = 0, shares = 0, reads = 0, heat } = counts
  const isA = mediaType === 'Plat_A'
  const known = {
    likeCount: likes,
    collectedCount: favourites,
    commentsCount: isA ? 0 : comments,
    sharedCount: isA ? 0 : shares,
    readCount: reads,
  }
  const sum = known.likeCount + known.collectedCount + known.commentsCount + known.sharedCount
  return {
    ...{ sum, mediaType, title, description: text, thumbnail: thumbnailUrl ?? '', url, extra: '' },
    ...{ hotNum: String(heat ?? sum), businessTime: wallTime(publishedAt), ...known },
  }
}

/** Returns the time in Shanghai as text. The text is empty when the time is missing, before 1970 or
 *  after the year 9999. */
function wallTime(at = Number.NaN): string {
  return !(at >= 0 && at <= lastMs) ? '' : new Date(at + shanghaiMs).toISOString().slice(0, 19).replace('T', ' ')
}
