/** Bodies of requests in the OpenAPI document. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { TObject } from 'typebox'
import { type BodySpec, kindsOf } from '../body.ts'
import { keywordsOf } from '../keywords.ts'

/** Returns the body by media type. A body with fields has one type: multipart when one of them
 *  can be a file, else JSON. Few client generators support more than one media type, and those
 *  that do choose between them by different rules. A body that consists of one text has the
 *  media types of that text. In URL-encoded form, the body is a form with one field. This media
 *  type comes first, because openapi-generator uses the first one and openapi-python-client
 *  supports no other. */
export function bodyContent(body: BodySpec, schema: JsonObject, examples: JsonObject): JsonObject {
  const { text } = body
  if (text) {
    const types = text.mediaTypes.toSorted((a, b) => Number(b === urlEncoded) - Number(a === urlEncoded))
    return Object.fromEntries(types.map(type => [type, { schema: type === urlEncoded ? schema : { type: 'string' } }]))
  }
  const fields = { schema, ...(Object.keys(examples).length > 0 ? { examples } : {}) }
  return { [hasFileParts(body) ? 'multipart/form-data' : 'application/json']: fields }
}

/** Returns the published schema of a body. For a body that is sent as multipart it describes the
 *  parts, and for a body that is one text, the only field. */
export function bodySchema(body: BodySpec, published: JsonObject): JsonObject {
  if (body.text) return onlyField(published, body.text.field)
  return hasFileParts(body) ? asParts(published, filePartsOf(body.schema)) : published
}

const urlEncoded = 'application/x-www-form-urlencoded'

function onlyField(published: JsonObject, name: string): JsonObject {
  const { [name]: field = {} } = isObject(published.properties) ? published.properties : {}
  return { ...published, properties: { [name]: field }, required: [name] }
}

/** Returns sentences that describe the further content types in which a body can be sent; the
 *  document shows only one. */
export function otherContentTypes(body: BodySpec): string[] {
  const kinds = kindsOf(body)
  if (hasFileParts(body) && kinds.includes('json'))
    return ['The same fields are taken as `application/json`, where a file is base64, a data URL or an http(s) URL.']
  const others = [
    ...(kinds.includes('multipart') ? ['`multipart/form-data`'] : []),
    ...(kinds.includes('form') ? ['`application/x-www-form-urlencoded`'] : []),
  ]
  return kinds.includes('json') && others.length > 0 ? [`The same fields are taken as ${others.join(' and ')}.`] : []
}

function hasFileParts(body: BodySpec): boolean {
  return kindsOf(body).includes('multipart') && filePartsOf(body.schema).length > 0
}

/** Returns the fields of a body that are files, with the schemas that the document shows for them
 *  as multipart parts. */
function filePartsOf(schema: TObject): [string, JsonObject][] {
  const part = { type: 'string', format: 'binary' }
  return Object.entries(schema.properties).flatMap(([name, field]): [string, JsonObject][] => {
    const { items, anyOf = [], minItems, maxItems } = keywordsOf(field)
    if ([keywordsOf(field), ...anyOf].some(each => each.file)) return [[name, part]]
    return items?.file ? [[name, { type: 'array', items: part, ...defined({ minItems, maxItems }) }]] : []
  })
}

/** Returns the published schema of a body as multipart parts: files become binary parts, and no
 *  part may be null. */
function asParts(published: JsonObject, files: readonly [string, JsonObject][]): JsonObject {
  if (!isObject(published.properties)) return published
  const parts = Object.entries(published.properties).map(([name, field]) => {
    const file = files.find(([each]) => each === name)?.[1]
    if (!isObject(field)) return [name, field]
    return [name, file ? { ...defined({ description: field.description }), ...file } : oneText(withoutNull(field))]
  })
  return { ...published, properties: Object.fromEntries(parts) }
}

/** Returns the schema of a multipart part that is not a file. Such a part is text, so objects and
 *  lists are sent as JSON. */
function oneText(field: JsonObject): JsonObject {
  const options = Array.isArray(field.anyOf) ? field.anyOf.filter(isObject) : []
  if (options.every(({ type }) => type !== undefined && type !== 'object' && type !== 'array')) return field
  const description = typeof field.description === 'string' ? `${field.description} ` : ''
  return { type: 'string', description: `${description}What is no text is sent as JSON.` }
}

function withoutNull(field: JsonObject): JsonObject {
  const plain = { ...field }
  // At this point, a schema has at most one type besides null, because several types have been
  // converted to an `anyOf`.
  if (Array.isArray(plain.type)) plain.type = plain.type.find(type => type !== 'null') ?? 'string'
  if (Array.isArray(plain.enum)) plain.enum = plain.enum.filter(value => value !== null)
  if (Array.isArray(plain.anyOf)) plain.anyOf = plain.anyOf.filter(option => !isObject(option) || option.type !== 'null')
  return plain
}
