/** Bodies of requests in the OpenAPI document. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { TObject, TSchema } from 'typebox'
import { type BodySpec, kindsOf } from './body.ts'
import { notesOf } from './fields.ts'

/** A body by media type. `json`: its published schema, and its examples. `name`: what generated code calls the body.
 *  A body of fields has one type: parts where a file can be one, else JSON. Few generators can send more than one, and they choose by rules of their own. */
export function bodyContent(body: BodySpec, json: JsonObject & { schema: JsonObject }, name: string): JsonObject {
  const { text } = body
  // A text in URL encoding has no names, and a form of OpenAPI is names and values.
  const texts = (text?.mediaTypes ?? []).filter(type => type !== 'application/x-www-form-urlencoded')
  const schema = { title: name, ...json.schema }
  const fields = hasFileParts(body)
    ? { 'multipart/form-data': { ...json, schema: asParts(schema, filePartsOf(body.schema)) } }
    : kindsOf(body).includes('json')
      ? { 'application/json': { ...json, schema } }
      : {}
  return { ...Object.fromEntries(texts.map(type => [type, { schema: { type: 'string' } }])), ...fields }
}

/** How a body can be sent beside the way that the document shows, as a sentence. */
export function otherWays(body: BodySpec): string[] {
  const kinds = kindsOf(body)
  if (hasFileParts(body) && kinds.includes('json'))
    return ['The same fields are taken as `application/json`, where a file is base64, a data URL or an http(s) URL.']
  const others = [
    ...(kinds.includes('multipart') ? ['`multipart/form-data`'] : []),
    ...(kinds.includes('form') ? ['`application/x-www-form-urlencoded`'] : []),
  ]
  if (kinds.includes('json') && !hasFileParts(body) && others.length > 0) return [`The same fields are taken as ${others.join(' and ')}.`]
  return body.text?.mediaTypes.includes('application/x-www-form-urlencoded')
    ? ['A text is taken in URL encoding, too, as `application/x-www-form-urlencoded`.']
    : []
}

function hasFileParts(body: BodySpec): boolean {
  return kindsOf(body).includes('multipart') && filePartsOf(body.schema).length > 0
}

/** The parts of a body that are files, as they are published. */
function filePartsOf(schema: TObject): [string, JsonObject][] {
  const part = { type: 'string', format: 'binary' }
  return Object.entries(schema.properties).flatMap(([name, field]): [string, JsonObject][] => {
    const { items, anyOf = [] } = field as { items?: TSchema; anyOf?: TSchema[] }
    if ([field, ...anyOf].some(each => notesOf(each).file)) return [[name, part]]
    return items && notesOf(items).file ? [[name, { type: 'array', items: part }]] : []
  })
}

/** The published schema of a body as its parts: the files among them are binary, and none is null. */
function asParts(published: JsonObject, files: readonly [string, JsonObject][]): JsonObject {
  if (!isObject(published.properties)) return published
  const parts = Object.entries(published.properties).map(([name, field]) => {
    const file = files.find(([each]) => each === name)?.[1]
    if (!isObject(field)) return [name, field]
    return [name, file ? { ...described(field), ...file } : withoutNull(field)]
  })
  return { ...published, properties: Object.fromEntries(parts) }
}

function described({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description }
}

function withoutNull(field: JsonObject): JsonObject {
  const plain = { ...field }
  // A schema has one type beside null, else an `anyOf`.
  if (Array.isArray(plain.type)) plain.type = plain.type.find(type => type !== 'null') ?? 'string'
  if (Array.isArray(plain.enum)) plain.enum = plain.enum.filter(value => value !== null)
  if (Array.isArray(plain.anyOf)) plain.anyOf = plain.anyOf.filter(option => !isObject(option) || option.type !== 'null')
  return plain
}
