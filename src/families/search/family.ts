/** Search (docs/interface/text.md#search): search by keyword, the list of popular topics in one
 *  field of interest, and the lists of the most popular topics. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type, { type TSchema, type TSchemaOptions } from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, orNull } from '../../contract/schemas.ts'
import { modelField, notBlank } from '../shared/common-fields.ts'

export const topics = ['Food', 'Beauty', 'Automobile'] as const
export const verticalPlatforms = ['Plat_A', 'Plat_C'] as const
/** Codes of the hot lists, the lists of trending topics
 *  (docs/interface/text.md#codes-of-the-hot-lists). */
const listCodes = [2, 3, 4, 6, 7, 8, 9, 10, 14] as const

/** Page size and sort orders of each platform. */
export const platforms: Readonly<Record<string, { pageSize: number; orders: readonly string[] }>> = {
  plat_a: { pageSize: 11, orders: ['_0', '_1', '_2'] },
  plat_c: { pageSize: 20, orders: ['general', 'popularity_descending', 'time_descending'] },
  plat_b: { pageSize: 30, orders: ['totalrank', 'click', 'pubdate', 'dm', 'stow'] },
}
const platformNames = Object.keys(platforms)

/** Returns the schema of an integer that may also be sent as a string of its digits: callers of
 *  such services send numbers as well as strings. */
const lenient = (keywords: TSchemaOptions) => Type.Unsafe<number | string>({ type: ['integer', 'string'], ...keywords })
const oneOf = (values: readonly number[], keywords: TSchemaOptions) => lenient({ ...keywords, enum: [...values, ...values.map(String)] })

/** Returns the word in its declared spelling, whatever the case of `given`; undefined for another
 *  word. */
export function wordIn<T extends string>(words: readonly T[], given: string): T | undefined {
  return words.find(word => word.toLowerCase() === given.toLowerCase())
}

const inWords = (field: string, words: readonly string[], given: string): string =>
  `${field} is ${JSON.stringify(given)}; it has to be one of ${words.join(', ')}.`

const keyword = Type.Object({
  keyword: Type.String({
    minLength: 1,
    maxLength: 100,
    ...notBlank,
    examples: ['noodles'],
    description: 'What is searched.',
  }),
  pageSize: lenient({
    ...{ pattern: '^(?:[1-9]|[12][0-9]|30)$', minimum: 1, maximum: 30, examples: [10], mustBe: 'an integer from 1 to 30' },
    description: 'Records of a page. With mediaType it does not count: then it is 11 for `plat_a`, 20 for `plat_c` and 30 for `plat_b`.',
  }),
  pageNumber: lenient({
    ...{ pattern: '^[1-9][0-9]{0,5}$', minimum: 1, maximum: 999_999, examples: [1], mustBe: 'an integer from 1 to 999999' },
    description: 'From 1. Pages behind the 50th are empty.',
  }),
  searchId: optional.string({ maxLength: 2_000, description: 'The id from the page before; empty for the first page.' }),
  mediaType: optional.string({
    maxLength: 40,
    examples: ['plat_a'],
    description: 'One platform: `plat_a`, `plat_b` or `plat_c`; else all of them in turns.',
  }),
  publishTime: Type.Optional(
    oneOf([0, 1, 7, 180], { examples: [0], description: 'Days back, only with `plat_a`: 0 any time, 1, 7 or 180.' }),
  ),
  sortType: optional.string({
    maxLength: 40,
    description:
      'Only with mediaType. `plat_a`: `_0` as it fits best, `_1` most liked, `_2` newest. `plat_c`: `general`, `popularity_descending`, `time_descending`. `plat_b`: `totalrank`, `click`, `pubdate`, `dm`, `stow`.',
  }),
  model: modelField(),
})

const vertical = Type.Object({
  type: Type.String({ maxLength: 40, examples: ['Food'], description: 'What it is about: `Food`, `Beauty` or `Automobile`.' }),
  mediaType: Type.String({ maxLength: 40, examples: ['Plat_A'], description: '`Plat_A` or `Plat_C`.' }),
  timeRange: oneOf([1, 3, 7], { examples: [7], description: 'Days back: 1, 3 or 7.' }),
  model: modelField(),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })
const wallTime = 'YYYY-MM-DD HH:MM:SS in Shanghai'

const envelope = <Data extends TSchema>(name: string, data: Data) =>
  Type.Object(
    { code: Type.Integer({ description: '200.' }), msg: Type.String({ description: '`success`.' }), data, requestId: Type.String() },
    { name },
  )

const record = namedObject('FoundRecord', {
  id: Type.String(),
  infoId: Type.String({ description: 'The same with the platform before it.' }),
  mediaType: Type.String({ description: 'The platform.' }),
  title: Type.String(),
  content: Type.String({ description: 'Empty without any.' }),
  contentUrl: Type.String(),
  publishTime: Type.String({ description: `${wallTime}; empty when it is not known.` }),
  playCount: count('0 for `plat_a` and `plat_c`, which do not tell.'),
  commentsCount: count('0 for `plat_b`, which does not tell.'),
  likeCount: count('Likes.'),
  shareCount: count('0 for `plat_b`, which does not tell.'),
  favoriteCount: count('0 for `plat_b`, which does not tell.'),
  followCount: count('Always 0: no platform tells.'),
  authorName: Type.String(),
  authorAvatar: orNull<string>('string'),
  followersCount: Type.String({ description: 'Of the author.' }),
  searchId: Type.String({ description: 'For the next page, the same in each record; empty on the last one.' }),
})

const found = envelope(
  'KeywordSearch',
  Type.Object({
    records: Type.Array(record),
    total: Type.Integer({ minimum: 0, description: 'Number of results on all pages, as far as it is known.' }),
    pageNumber: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 30 }),
  }),
)

const verticalEntry = namedObject('VerticalHotEntry', {
  sum: count('Likes, favourites, comments and shares together; the list is in its order.'),
  mediaType: Type.String(),
  title: Type.String(),
  description: Type.String(),
  thumbnail: Type.String({ description: 'A link; empty without any.' }),
  url: Type.String(),
  extra: Type.String(),
  hotNum: Type.String(),
  businessTime: Type.String({ description: `${wallTime}.` }),
  likeCount: count('Likes.'),
  collectedCount: count('How often it was kept.'),
  commentsCount: count('0 for `Plat_A`, which does not tell.'),
  sharedCount: count('0 for `Plat_A`, which does not tell.'),
  readCount: count('How often it was read.'),
})

const topEntry = namedObject('HotEntry', {
  title: Type.String(),
  hot: Type.Integer({ minimum: 0, description: 'As the platform counts; 0 where it does not.' }),
  url: Type.String(),
})

const errorBody = namedObject('SearchError', {
  code: Type.Integer({ description: 'The HTTP status.' }),
  msg: Type.String(),
  data: orNull<object>('object', { description: 'null.' }),
  requestId: Type.String(),
  error: gatewayError,
})

function failure(error: GatewayError, requestId: string): Failure {
  const { status, message } = error
  return { status, schema: errorBody, body: { code: status, msg: message, data: null, requestId, error: errorObject(error, requestId) } }
}

const pagesFailWith: readonly ErrorCode[] = [...runFailures, 'invalid_cursor']
const headers = {
  age: Type.Integer({ minimum: 0, unit: 's', description: 'Since the source was read.' }),
  'x-cache': optional.string({ description: '`stale` while the source cannot be read anew; its last copy is served for a day.' }),
}
const paths = (name: string) => ({
  path: `/{endpoint}/search/${name}`,
  aliases: [`/v1/ai/{endpoint}/search/${name}`, `/v1/{endpoint}/search/${name}`],
})

const fieldNames: FieldNames = {
  topic: 'type',
  list: 'type',
  platform: 'mediaType',
  order: 'sortType',
  page: 'pageNumber',
  cursor: 'searchId',
}

const keywordRules: Rule<{ mediaType?: string; sortType?: string }>[] = [
  {
    id: 'platform',
    says: `mediaType is one of ${platformNames.join(', ')}, in either case, or empty.`,
    field: 'mediaType',
    holds: ({ mediaType = '' }) => mediaType === '' || wordIn(platformNames, mediaType) !== undefined,
    explain: ({ mediaType = '' }) => inWords('mediaType', platformNames, mediaType),
  },
  {
    id: 'order-of-platform',
    says: 'sortType is an order that the platform of mediaType has.',
    field: 'sortType',
    // This rule accepts an unknown platform, because another rule refuses it.
    holds: ({ sortType = '', mediaType = '' }) => sortType === '' || (ordersOf(mediaType)?.includes(sortType) ?? true),
    explain: ({ sortType = '', mediaType = '' }) => inWords('sortType', ordersOf(mediaType) ?? [], sortType),
  },
]

const verticalRules: Rule<{ type: string; mediaType: string }>[] = [
  {
    id: 'topic',
    says: `type is one of ${topics.join(', ')}, in either case.`,
    field: 'type',
    holds: ({ type }) => wordIn(topics, type) !== undefined,
    explain: ({ type }) => inWords('type', topics, type),
  },
  {
    id: 'vertical-platform',
    says: `mediaType is one of ${verticalPlatforms.join(', ')}, in either case.`,
    field: 'mediaType',
    holds: ({ mediaType }) => wordIn(verticalPlatforms, mediaType) !== undefined,
    explain: ({ mediaType }) => inWords('mediaType', verticalPlatforms, mediaType),
  },
]

export const search = defineFamily({
  id: 'Search',
  title: 'Search',
  source: 'docs/interface/text.md#search',
  description:
    'What people write and read: by keyword, in hot lists about one thing, and in the hot lists of whole platforms. The built-in index is filled by `gateway search import` and by the feeds of `search.sources` in the configuration file; until then a sample answers that says so in every title.',
  models: [
    { id: 'search-keyword', title: 'Search by keyword', capability: 'search.keyword', group: 'keyword' },
    { id: 'search-vertical', title: 'Vertical hot lists', capability: 'search.vertical', group: 'vertical' },
    { id: 'search-top', title: 'Hot lists of platforms', capability: 'search.top', group: 'top' },
  ],
  groupOf: ({ operation: name }) => name,
  fieldNames,
  deadlineMs: minuteMs,
  linkLifetimeMs: hourMs,
  keepMs: dayMs,
  failure,
  operations: {
    keyword: operation({
      operationId: 'searchKeyword',
      method: 'POST',
      ...paths('keyword'),
      summary: 'Search by keyword',
      description: 'With several platforms their records come in turns. `searchId` of a page leads to the next one.',
      choosesModel: true,
      body: { kinds: ['json'], schema: keyword },
      rules: keywordRules,
      neutralForm: neutralForm({
        capabilities: ['search.keyword'],
        rules: keywordRules,
        bodyOf: ({ request: { platform, order } }) => defined({ mediaType: platform, sortType: order }),
      }),
      failsWith: pagesFailWith,
      reply: { schema: found, headers },
      examples: [
        { title: 'Everywhere', body: { keyword: 'noodles', pageSize: 10, pageNumber: 1 } },
        {
          title: 'The newest of one platform',
          body: { keyword: '绿茶', pageSize: 11, pageNumber: 1, mediaType: 'plat_a', sortType: '_2', publishTime: 180 },
        },
      ],
    }),
    vertical: operation({
      operationId: 'searchVerticalHotList',
      method: 'POST',
      ...paths('vertical-hot-list'),
      summary: 'What is liked most about food, beauty or cars',
      choosesModel: true,
      body: { kinds: ['json'], schema: vertical },
      rules: verticalRules,
      neutralForm: neutralForm({
        capabilities: ['search.vertical'],
        rules: verticalRules,
        bodyOf: ({ request: { topic, platform } }) => ({ type: topic, mediaType: platform }),
      }),
      failsWith: runFailures,
      reply: { schema: envelope('VerticalHotList', Type.Array(verticalEntry)), headers },
      examples: [{ title: 'Food in the last week', body: { type: 'Food', mediaType: 'Plat_A', timeRange: 7 } }],
    }),
    top: operation({
      operationId: 'searchHotList',
      method: 'GET',
      ...paths('top'),
      summary: 'The hot list of a platform',
      description:
        'type: 2 microblog, 3 news, 4 search engine, 6 short videos A, 7 questions, 8 videos, 9 forum, 10 short videos B, 14 notes.',
      choosesModel: { in: 'query', name: 'model' },
      getWrites: true,
      query: Type.Object({
        type: Type.Unsafe<number>({ type: 'integer', enum: [...listCodes], examples: [2], description: 'Which list.' }),
        model: modelField(),
      }),
      failsWith: runFailures,
      reply: { schema: envelope('HotList', Type.Array(topEntry)), headers },
      examples: [{ title: 'The microblog’s', query: { type: '2' } }],
    }),
  },
})

function ordersOf(mediaType: string): readonly string[] | undefined {
  const platform = wordIn(platformNames, mediaType)
  return platform === undefined ? undefined : platforms[platform]?.orders
}
