/** Parts of the OpenAPI document that JSON alone does not need: other answers, multipart bodies, several operations at one path. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { TObject } from 'typebox'
import { notesOf } from './fields.ts'
import type { Operation } from './operation.ts'

/** What an operation may answer with beside JSON and events, by media type. */
export function othersOf({ reply }: Operation): JsonObject {
  const others = (reply.others ?? []).filter(({ kind }) => kind !== 'redirect')
  return Object.fromEntries(
    others.flatMap(({ kind, mediaTypes }) =>
      mediaTypes.map(type => [type, { schema: kind === 'text' ? { type: 'string' } : { type: 'string', format: 'binary' } }]),
    ),
  )
}

/** The schema of a body as its parts: the files among them are binary. */
export function withParts(schema: TObject, published: JsonObject): JsonObject {
  const files = Object.entries(schema.properties).flatMap(([name, field]): [string, JsonObject][] => {
    const { items } = field as { items?: typeof field }
    const part = { type: 'string', format: 'binary' }
    if (notesOf(field).file) return [[name, part]]
    return items && notesOf(items).file ? [[name, { type: 'array', items: part }]] : []
  })
  if (files.length === 0 || !isObject(published.properties)) return published
  return { ...published, properties: { ...published.properties, ...Object.fromEntries(files) } }
}

/** Two operations of one method and path as one: each of their bodies and answers may come. `bodies` are the document's request bodies. */
export function bothOf(one: JsonObject, other: JsonObject, bodies: Readonly<Record<string, JsonObject>>): JsonObject {
  const [first, second] = [bodyOf(one.requestBody, bodies), bodyOf(other.requestBody, bodies)]
  const isAlways = one.requestBody !== undefined && other.requestBody !== undefined
  const content = mergedContent(objectOf(first.content), objectOf(second.content))
  return {
    ...one,
    summary: `${one.summary}; or: ${other.summary}`,
    description: [one.description, other.description].filter(text => text !== undefined).join('\n\n'),
    parameters: mergedParameters(listOf(one.parameters), listOf(other.parameters)),
    ...(Object.keys(content).length > 0 ? { requestBody: { required: isAlways, content } } : {}),
    responses: mergedAnswers(objectOf(one.responses), objectOf(other.responses)),
  }
}

function bodyOf(body: JsonObject[string], bodies: Readonly<Record<string, JsonObject>>): JsonObject {
  const { $ref, ...own } = objectOf(body)
  return typeof $ref === 'string' ? (bodies[$ref.replace('#/components/requestBodies/', '')] ?? {}) : own
}

/** Of a media type that both have, either schema. */
function mergedContent(one: JsonObject, other: JsonObject): JsonObject {
  const merged = { ...one }
  for (const [type, content] of Object.entries(other)) {
    const there = merged[type]
    const schemas = [there, content].map(each => objectOf(objectOf(each).schema))
    const isSame = JSON.stringify(schemas[0]) === JSON.stringify(schemas[1])
    merged[type] =
      there === undefined || isSame ? content : { schema: { anyOf: schemas.flatMap(schema => listOf(schema.anyOf ?? [schema])) } }
  }
  return merged
}

/** What only one of the two asks for is not required of both. */
function mergedParameters(one: JsonObject[], other: JsonObject[]): JsonObject[] {
  const named = (list: JsonObject[], { name, in: place }: JsonObject) => list.find(each => each.name === name && each.in === place)
  const optional = (parameter: JsonObject) => (parameter.in === 'path' ? parameter : { ...parameter, required: false })
  return [...one.map(each => (named(other, each) ? each : optional(each))), ...other.filter(each => !named(one, each)).map(optional)]
}

function mergedAnswers(one: JsonObject, other: JsonObject): JsonObject {
  const merged = { ...one }
  for (const [status, answer] of Object.entries(other)) {
    const there = merged[status]
    merged[status] = isObject(there)
      ? { ...there, content: mergedContent(objectOf(there.content), objectOf(objectOf(answer).content)) }
      : answer
  }
  return merged
}

function objectOf(value: JsonObject[string]): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: JsonObject[string]): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
