/** The records of the search index. */
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import Type from 'typebox'

export interface IndexRecord extends SearchRecord {
  /** Topic of the hot list that contains the record, such as `food`. */
  topic?: string
}

export interface ListEntry {
  title: string
  heat: number
  url: string
}

/** The last millisecond of the year 9999. Later times are refused, because dates are written
 *  with four digits for the year. */
export const lastMs = 253_402_300_799_999
const count = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const token = (what: string) => Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: `${what}: 1 to 40 of a-z, 0-9 and _.` })
const httpUrl = Type.String({ pattern: '^https?://', maxLength: 4000 })

/** Schema of one line of a file of records. */
const line = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    platform: Type.Optional(token('platform')),
    topic: Type.Optional(token('topic')),
    title: Type.String({ minLength: 1, maxLength: 1000 }),
    text: Type.Optional(Type.String({ maxLength: 100_000 })),
    url: httpUrl,
    published: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Integer({ minimum: 0, maximum: lastMs })])),
    author: Type.Optional(
      Type.Object(
        { name: Type.String({ maxLength: 200 }), avatar: Type.Optional(httpUrl), followers: count },
        { additionalProperties: false },
      ),
    ),
    thumbnail: Type.Optional(httpUrl),
    counts: Type.Optional(
      Type.Object(
        { plays: count, comments: count, likes: count, shares: count, favourites: count, reads: count, heat: count },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/** Parses one JSON line of a file of records. Throws `invalid_request` with the number of the line
 *  and the name of the member. */
export function readRecord(
  text: string,
  number: number,
  usual: { platform?: string | undefined; topic?: string | undefined },
): IndexRecord {
  const refuse = (says: string): never => {
    throw new GatewayError('invalid_request', `Line ${number}: ${says}`)
  }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return refuse('it is no JSON.')
  }
  const {
    id,
    platform = usual.platform,
    topic = usual.topic,
    title,
    text: body = '',
    url,
    published,
    author,
    thumbnail,
    counts = {},
  } = readAs(line, given, `Line ${number}`)
  if (platform === undefined) return refuse('platform is missing, and --platform names none.')
  const publishedAt = typeof published === 'string' ? Date.parse(published) : published
  if (publishedAt !== undefined && !(publishedAt >= 0 && publishedAt <= lastMs))
    return refuse(`published is ${JSON.stringify(published)}, which is no date from 1970 to 9999.`)
  const record: IndexRecord = { id: id ?? url, platform, title, text: body, url, counts }
  if (topic !== undefined) record.topic = topic
  if (publishedAt !== undefined) record.publishedAt = publishedAt
  if (thumbnail !== undefined) record.thumbnailUrl = thumbnail
  if (author !== undefined)
    record.author = {
      name: author.name,
      ...(author.avatar === undefined ? {} : { avatarUrl: author.avatar }),
      ...(author.followers === undefined ? {} : { followers: author.followers }),
    }
  return record
}
