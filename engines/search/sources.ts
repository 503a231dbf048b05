/** The feeds that the operator lists in `search.sources`, and presets for services that offer
 *  many feeds. */
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type, { type Static } from 'typebox'
import type { Mapping } from './feeds.ts'

/** Codes of the hot lists (docs/interface/text.md#codes-of-the-hot-lists), each with its path at
 *  DailyHot, a service of hot lists. Code 14 has none. */
export const lists: ReadonlyMap<number, { kind: string; route?: string }> = new Map([
  [2, { kind: 'microblog', route: 'weibo' }],
  [3, { kind: 'news', route: 'toutiao' }],
  [4, { kind: 'search engine', route: 'baidu' }],
  [6, { kind: 'short videos A', route: 'douyin' }],
  [7, { kind: 'questions', route: 'zhihu' }],
  [8, { kind: 'videos', route: 'bilibili' }],
  [9, { kind: 'forum', route: 'tieba' }],
  [10, { kind: 'short videos B', route: 'kuaishou' }],
  [14, { kind: 'notes' }],
])

const path = (says: string) => Type.Optional(Type.String({ maxLength: 200, description: says }))

const source = Type.Object(
  {
    driver: Type.Union([Type.Literal('rss'), Type.Literal('json'), Type.Literal('daily-hot'), Type.Literal('qianfan')], {
      description:
        '`rss`: a feed in RSS, Atom or JSON Feed. `json`: any JSON with a `mapping`. `daily-hot`: all lists of a DailyHotApi of your own. `qianfan`: all lists of Baidu’s service.',
    }),
    url: Type.String({ format: 'http-url', maxLength: 4000, description: 'Of the feed; of `daily-hot` and `qianfan` the base URL.' }),
    code: Type.Optional(
      Type.Union(
        [...lists.keys()].map(code => Type.Literal(code)),
        { description: 'The hot list that it fills.' },
      ),
    ),
    platform: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]{1,40}$',
        description: 'What its records count as: `plat_a`, `plat_b`, `plat_c` or a word of yours; else the host of the URL.',
      }),
    ),
    topic: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]{1,40}$',
        description: 'The vertical hot list that its records go into: `food`, `beauty`, `automobile`.',
      }),
    ),
    every_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'Between two reads; else 5 for lists, 15 for others.' }),
    ),
    mapping: Type.Optional(
      Type.Object(
        {
          items: Type.String({ maxLength: 200, description: 'Where the list is, as a path with dots: `data.list`.' }),
          title: Type.String({ maxLength: 200 }),
          url: Type.String({ maxLength: 200 }),
          ...{
            id: path('Else the URL.'),
            text: path('Searched, too.'),
            heat: path('A number, or `12.3w`.'),
            published: path('A date, or Unix time.'),
          },
          ...{ author: path('A name.'), thumbnail: path('A URL.') },
        },
        { additionalProperties: false },
      ),
    ),
    token: Type.Optional(
      Type.String({ minLength: 1, secret: true, description: 'Sent as `Authorization: Bearer`; `token_env` names a variable.' }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }), Type.String({ maxLength: 4000, pattern: '^[\\x20-\\x7e]*$' }), {
        secret: true,
      }),
    ),
  },
  { additionalProperties: false },
)

export const settings = Type.Object(
  {
    sources: Type.Optional(Type.Array(source, { maxItems: 200, description: 'Feeds that are read on a schedule.' })),
    sample: Type.Optional(
      Type.Boolean({ description: 'Whether a sample answers while there are no sources and nothing was imported; else it does.' }),
    ),
  },
  { additionalProperties: false },
)

type Source = Static<typeof source>

/** A feed: a URL that is read again and again. */
export interface Feed {
  url: string
  headers: Record<string, string>
  everyMs: number
  platform: string
  code?: number
  topic?: string
  mapping?: Mapping
}

const minuteMs = 60_000

const dailyHot: Mapping = {
  ...{
    items: 'data',
    title: 'title',
    url: 'url',
    id: 'id',
    text: 'desc',
    heat: 'hot',
    published: 'timestamp',
    author: 'author',
    thumbnail: 'cover',
  },
}
const qianfan: Mapping = { items: 'data', title: 'title', url: 'url', heat: 'hot', published: 'date' }

/** Returns the feeds that the settings describe. Throws `invalid_request` for a source that is
 *  not complete. */
export function feedsOf(given: object): Feed[] {
  const { sources = [] } = readAs(settings, given, 'settings')
  return sources.flatMap((entry, i) => feedsOfSource(entry, `search.sources.${i}`))
}

function feedsOfSource(entry: Source, at: string): Feed[] {
  const { driver, url, code, topic, token, headers = {}, mapping } = entry
  const usual = {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(topic === undefined ? {} : { topic }),
  }
  const platform = entry.platform ?? hostWord(url)
  const everyMs = (entry.every_minutes ?? (code !== undefined || driver === 'daily-hot' || driver === 'qianfan' ? 5 : 15)) * minuteMs
  const base = url.replace(/\/+$/, '')
  const wanted = [...lists].filter(([each]) => code === undefined || each === code)
  switch (driver) {
    case 'rss':
      return [{ ...usual, url, platform, everyMs, ...(code === undefined ? {} : { code }) }]
    case 'json':
      if (!mapping) throw new GatewayError('invalid_request', `${at}.mapping is missing: it says where the items of the JSON are.`)
      return [{ ...usual, url, platform, everyMs, mapping, ...(code === undefined ? {} : { code }) }]
    case 'daily-hot':
      return wanted.flatMap(([each, { route }]) =>
        route === undefined
          ? []
          : [{ ...usual, url: `${base}/${route}`, platform: entry.platform ?? route, everyMs, mapping: dailyHot, code: each }],
      )
    case 'qianfan':
      if (token === undefined)
        throw new GatewayError('invalid_request', `${at}.token is missing: Baidu's service wants a key (token_env names a variable).`)
      return wanted.map(([each, { route = 'notes' }]) => ({
        ...{ ...usual, url: `${base}/v2/tools/trending_lists/medium?type=${each}`, platform: entry.platform ?? route },
        ...{ everyMs, mapping: qianfan, code: each },
      }))
  }
}

function hostWord(url: string): string {
  return new URL(url).hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)
}
