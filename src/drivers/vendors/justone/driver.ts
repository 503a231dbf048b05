/** Keyword search with JustOneAPI's endpoint for all platforms. The driver was written from public
 *  clients of the service, because its documentation lists the parameters incompletely
 *  (docs/vendors/justone.md#keyword-search). */

import { defined } from '@generation-gateway/kit/defined.ts'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { type Done, type Job, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SearchKeywordRequest, SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import { cachedSearch, freshMs } from '../../shared/search/cached-search.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { type ServiceTools, serviceDriver } from '../../shared/upstream/service-driver.ts'
import { settings } from './settings.ts'

const shanghaiMs = 8 * 3_600_000
const mostBytes = 8 * 2 ** 20
/** Maps the interface's name of each platform to the service's name in requests. `platformNames`
 *  matches the names in answers. */
const sources: Readonly<Record<string, string>> = { plat_a: 'DOUYIN', plat_b: 'BILIBILI', plat_c: 'XIAOHONGSHU' }
const platformNames: readonly (readonly [string, RegExp])[] = [
  ['plat_a', /douyin|抖音/i],
  ['plat_b', /bilibili|哔哩/i],
  ['plat_c', /xiaohongshu|rednote|小红书/i],
]
/** Each platform's name for its default order; the service offers no other order. */
const usualOrders = ['_0', 'general', 'totalrank']
/** The service's error codes (docs/vendors/justone.md#codes). */
const codes: Readonly<Record<number, ErrorCode>> = {
  ...{ 100: 'upstream_auth_error', 600: 'upstream_auth_error', 303: 'upstream_quota_exhausted', 601: 'upstream_quota_exhausted' },
  ...{ 302: 'rate_limited', 400: 'invalid_request' },
}
/** Codes with which the service reports that it could not collect records; it recommends one more
 *  try. */
const triedAgain = [300, 301, 500]

export default serviceDriver({
  id: 'justone',
  title: 'JustOneAPI, search over platforms',
  settings,
  open: tools => ({
    offers: {
      'search.keyword': cachedSearch<SearchKeywordRequest>(freshMs.keyword, job => search(tools, job), {
        isRepeatable: true,
        refuses: ({ request }) => refuses(request),
      }),
    },
  }),
})

function refuses({ platform, order, page, cursor }: SearchKeywordRequest): Refusal | undefined {
  if (platform !== undefined && !Object.hasOwn(sources, platform))
    return refusal('platform', `${platform} is none that is searched here, which are ${Object.keys(sources).join(', ')}.`)
  if (order !== undefined && !usualOrders.includes(order))
    return refusal('order', `${order} cannot be asked for here, only the usual order.`)
  if (page > 1 && cursor === undefined) return refusal('cursor', `page ${page} is found by the one that the page before it gave.`)
  return undefined
}

async function search(tools: ServiceTools, job: Job<SearchKeywordRequest>): Promise<Done> {
  const { page, pageSize, platform } = job.request
  const data = await ask(tools, job)
  const records = objectsOf(data.list).map(entry => recordOf(entry, platform))
  const report = {
    records: records.slice(0, pageSize),
    // The service does not report the total, so this is the number of records known so far.
    total: (page - 1) * pageSize + Math.min(pageSize, records.length),
    ...defined({ cursor: textOf(data.nextCursor) }),
    age: { readAt: Date.now(), isStale: false },
  }
  return { state: 'done', files: [], report, usage: [{ unit: 'searches', units: 1 }] }
}

async function ask({ upstream }: ServiceTools, { request, settings: given, signal }: Job<SearchKeywordRequest>): Promise<JsonObject> {
  const target = settings.targetOf(given)
  const { keyword, platform, cursor } = request
  const now = Date.now()
  const query = new URLSearchParams({
    keyword,
    source: platform === undefined ? 'ALL' : (sources[platform] ?? 'ALL'),
    ...(cursor === undefined
      ? { start: wallTime(now - (request.days ?? target.days) * dayMs), end: wallTime(now) }
      : { nextCursor: cursor }),
  })
  const question = { path: `/api/search/v1?${query}`, signal, maxBytes: mostBytes, isStored: false }
  for (let tries = 1; ; tries++) {
    const { code, message, data } = objectOf(await askJson(upstream, target, question))
    if (code === 0) return objectOf(data)
    if (tries === 1 && typeof code === 'number' && triedAgain.includes(code)) continue
    throw errorOf(code, message)
  }
}

function errorOf(code: Json | undefined, message: Json | undefined): GatewayError {
  const known = typeof code === 'number' ? codes[code] : undefined
  const said = known === 'upstream_auth_error' ? undefined : textOf(message)
  return new GatewayError(
    known ?? 'upstream_error',
    `JustOneAPI answered with its code ${JSON.stringify(code ?? null)}${said === undefined ? '.' : `: ${said.slice(0, 200)}`}`,
  )
}

function recordOf(entry: JsonObject, requested: string | undefined): SearchRecord {
  const url = textOf(entry.url) ?? ''
  const text = plain(textOf(entry.content) ?? '')
  const name = textOf(objectOf(entry.author).nickname) ?? textOf(objectOf(entry.author).username)
  return {
    ...{ id: textOf(entry.id) ?? url, platform: requested ?? platformOf(textOf(entry.sourceName) ?? '', url), url, text, counts: {} },
    title: textOf(entry.title) ?? [...text].slice(0, 60).join(''),
    ...defined({ publishedAt: timeOf(entry.createTime), author: name === undefined ? undefined : { name } }),
  }
}

/** Returns the interface's name of a platform, recognized by the service's name of it or by the
 *  host of the URL. An unknown platform keeps the service's name, in lower case. */
function platformOf(name: string, url: string): string {
  const known = platformNames.find(([, words]) => words.test(`${name} ${url}`))
  return (
    known?.[0] ??
    (name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) ||
      'other')
  )
}

/** Returns the time in Unix milliseconds. The service states Unix milliseconds, or date and time in
 *  Shanghai. */
function timeOf(value: Json | undefined): number | undefined {
  const at = typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}+08:00`) : Number(value)
  return Number.isFinite(at) && at > 0 ? at : undefined
}

function wallTime(at: number): string {
  return new Date(at + shanghaiMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Returns the text without HTML tags; the service's texts contain some. */
function plain(text: string): string {
  return text
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
}
