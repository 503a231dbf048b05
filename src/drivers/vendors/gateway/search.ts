/** Search over another gateway. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import { type Done, type Job, type Offers, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type {
  SearchAge,
  SearchKeywordRequest,
  SearchRecord,
  SearchTopRequest,
  SearchVerticalRequest,
} from '@generation-gateway/kit/requests/search.ts'
import { freshMs, keepingAnswers } from '../../shared/search/keep-answers.ts'
import { targetFor } from '../../shared/upstream/hops.ts'
import { countOf } from '../../shared/upstream/read-json.ts'
import type { JsonAnswer, JsonCall, Upstream } from '../../shared/upstream/upstream.ts'
import { settings } from './settings.ts'

/** Search services ask their callers to wait a minute (docs/vendors/README.md#time-limits). */
const waitMs = 60_000
const mostBytes = 8 * 2 ** 20
const shanghai = '+08:00'
const platforms = ['plat_a', 'plat_b', 'plat_c']

type SearchOffers = Pick<Offers, 'search.keyword' | 'search.vertical' | 'search.top'>

/** Its three offers: each is one call, that may be sent again. */
export function searchOffers(upstream: Upstream): SearchOffers {
  const facts = { isRepeatable: true } as const
  return {
    'search.keyword': keepingAnswers<SearchKeywordRequest>(
      freshMs.keyword,
      async job => {
        const { platform, days, order, cursor, keyword, page, pageSize } = job.request
        const answer = await ask(upstream, job, {
          method: 'POST',
          path: '/search/keyword',
          body: {
            ...{ keyword, pageSize: Math.min(30, pageSize), pageNumber: page },
            ...(platform === undefined ? {} : { mediaType: platform }),
            ...(days === undefined ? {} : { publishTime: days }),
            ...(order === undefined ? {} : { sortType: order }),
            ...(cursor === undefined ? {} : { searchId: cursor }),
          },
        })
        const data = objectOf(answer.data)
        const entries = objectsOf(data.records)
        const next = textOf(entries[0]?.searchId)
        return done({
          records: entries.map(recordOf),
          total: countOf(data.total),
          ...(next === undefined ? {} : { cursor: next }),
          age: answer.age,
        })
      },
      { ...facts, refuses: ({ request }) => refusesPlatform(request.platform) ?? refusesDays(request) },
    ),
    'search.vertical': keepingAnswers<SearchVerticalRequest>(
      freshMs.vertical,
      async job => {
        const { topic, platform, days } = job.request
        const body = { type: topic, mediaType: platform, timeRange: days }
        const { data, age } = await ask(upstream, job, { method: 'POST', path: '/search/vertical-hot-list', body })
        const records = objectsOf(data).map(entry => hotRecordOf(entry, platform))
        return done({ records, total: records.length, age })
      },
      { ...facts, refuses: ({ request }) => refusesPlatform(request.platform) },
    ),
    'search.top': keepingAnswers<SearchTopRequest>(
      freshMs.top,
      async job => {
        const { data, age } = await ask(upstream, job, { method: 'GET', path: `/search/top?type=${job.request.list}` })
        return done({
          entries: objectsOf(data).map(({ title, hot, url }) => ({ title: wordOf(title), heat: digitsOf(hot), url: wordOf(url) })),
          age,
        })
      },
      facts,
    ),
  }
}

function refusesPlatform(platform: string | undefined): Refusal | undefined {
  return platform === undefined || platforms.includes(platform)
    ? undefined
    : refusal('platform', `${platform} is none of another gateway's, which are ${platforms.join(', ')}.`)
}

function refusesDays({ days, platform }: SearchKeywordRequest): Refusal | undefined {
  return days === undefined || (platform === 'plat_a' && [1, 7, 180].includes(days))
    ? undefined
    : refusal('days', `${days} cannot be asked of another gateway, only 1, 7 and 180 of plat_a.`)
}

async function ask(
  upstream: Upstream,
  { settings: given, signal, request }: Job<{ hops?: number }>,
  call: Pick<JsonCall, 'method' | 'path' | 'body'>,
): Promise<{ data: Json | undefined; age: SearchAge }> {
  const headers = nextHop(request.hops)
  const target = targetFor(settings.targetOf(given).upstream, { headers })
  const waits = { firstByteMs: waitMs, idleMs: waitMs, timeoutMs: waitMs, maxBytes: mostBytes }
  const answer = await upstream.json(target, { ...call, ...waits, signal, headers })
  if (!isObject(answer.body) || answer.body.data === undefined)
    throw new GatewayError('upstream_error', 'The other gateway answered without data.')
  return { data: answer.body.data, age: ageOf(answer) }
}

function ageOf({ headers }: JsonAnswer): SearchAge {
  return { readAt: Date.now() - digitsOf(headers.age) * 1000, isStale: headers['x-cache'] === 'stale' }
}

function done(report: JsonObject): Done {
  return { state: 'done', files: [], report, usage: [{ unit: 'searches', units: 1 }] }
}

/** What it shows of a record; 0 is no counter, since it cannot be told from none. */
function recordOf(entry: JsonObject): SearchRecord {
  const avatar = textOf(entry.authorAvatar)
  const publishedAt = timeOf(entry.publishTime)
  return {
    ...{
      id: wordOf(entry.id),
      platform: wordOf(entry.mediaType),
      title: wordOf(entry.title),
      text: wordOf(entry.content),
      url: wordOf(entry.contentUrl),
    },
    ...(publishedAt === undefined ? {} : { publishedAt }),
    author: {
      name: wordOf(entry.authorName),
      followers: digitsOf(entry.followersCount),
      ...(avatar === undefined ? {} : { avatarUrl: avatar }),
    },
    counts: counted({
      ...{ plays: entry.playCount, comments: entry.commentsCount, likes: entry.likeCount },
      ...{ shares: entry.shareCount, favourites: entry.favoriteCount },
    }),
  }
}

function hotRecordOf(entry: JsonObject, platform: string): SearchRecord {
  const url = wordOf(entry.url)
  const thumbnailUrl = textOf(entry.thumbnail)
  const publishedAt = timeOf(entry.businessTime)
  return {
    ...{ id: url, platform, title: wordOf(entry.title), text: wordOf(entry.description), url },
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
    counts: counted({
      ...{ likes: entry.likeCount, favourites: entry.collectedCount, comments: entry.commentsCount },
      ...{ shares: entry.sharedCount, reads: entry.readCount, heat: entry.hotNum },
    }),
  }
}

function counted(given: Record<string, Json | undefined>): SearchRecord['counts'] {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (digitsOf(value) > 0 ? [[name, digitsOf(value)]] : [])))
}

function timeOf(given: Json | undefined): number | undefined {
  const at = Date.parse(`${wordOf(given).replace(' ', 'T')}${shanghai}`)
  return Number.isNaN(at) ? undefined : at
}

/** A counter: some are digits in a text. */
function digitsOf(given: Json | string | undefined): number {
  return countOf(typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given)
}

/** Empty where there is none. */
function wordOf(given: Json | undefined): string {
  return textOf(given) ?? ''
}
