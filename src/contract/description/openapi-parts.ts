/** Parts of the OpenAPI document beyond plain JSON answers: other media types, several
 *  operations at one path. */
import { isObject, type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { Operation } from '../operation.ts'

/** Returns the answers of an operation other than JSON and events, by media type. */
export function otherAnswersOf({ reply }: Operation): JsonObject {
  const others = (reply.others ?? []).filter(({ kind }) => kind !== 'redirect')
  return Object.fromEntries(
    others.flatMap(({ kind, mediaTypes }) =>
      mediaTypes.map(type => [type, { schema: kind === 'text' ? { type: 'string' } : { type: 'string', format: 'binary' } }]),
    ),
  )
}

/** Merges two operations that have the same method and path into one operation, which may return
 *  the answers of both. For a media type that both have, it accepts both bodies. A media type that
 *  only `other` has is mentioned in the description; when `one` has no body, it is accepted as
 *  well. `bodies` are the request bodies in the components of the document. */
export function mergedOperation(one: JsonObject, other: JsonObject, bodies: Readonly<Record<string, JsonObject>>): JsonObject {
  const [first, second] = [bodyOf(one.requestBody, bodies), bodyOf(other.requestBody, bodies)]
  const isAlways = one.requestBody !== undefined && other.requestBody !== undefined
  const [own, others] = [objectOf(first.content), objectOf(second.content)]
  const hidden = Object.keys(own).length === 0 ? [] : Object.keys(others).filter(type => !(type in own))
  // OpenAPI allows only one body, so the form in which the second operation differs is described in
  // words (docs/decisions/0040).
  const content = mergedContent(own, Object.fromEntries(Object.entries(others).filter(([type]) => !hidden.includes(type))))
  const says = hidden.length > 0 ? [`“${other.summary}” takes ${hidden.map(type => `\`${type}\``).join(', ')}.`] : []
  return {
    ...one,
    summary: `${one.summary}; or: ${other.summary}`,
    description: [one.description, ...says, other.description].filter(text => text !== undefined).join('\n\n'),
    parameters: mergedParameters(objectsOf(one.parameters), objectsOf(other.parameters)),
    ...(Object.keys(content).length > 0 ? { requestBody: { required: isAlways, content } } : {}),
    responses: mergedAnswers(objectOf(one.responses), objectOf(other.responses)),
  }
}

function bodyOf(body: JsonObject[string], bodies: Readonly<Record<string, JsonObject>>): JsonObject {
  const { $ref, ...own } = objectOf(body)
  return typeof $ref === 'string' ? (bodies[$ref.replace('#/components/requestBodies/', '')] ?? {}) : own
}

/** Merges the content of two bodies or answers. For a media type that both have, either schema is
 *  allowed, and the examples of both are kept. */
function mergedContent(one: JsonObject, other: JsonObject): JsonObject {
  const merged = { ...one }
  for (const [type, content] of Object.entries(other)) {
    const [first, second] = [objectOf(merged[type]), objectOf(content)]
    const schemas = [objectOf(first.schema), objectOf(second.schema)]
    const isSame = JSON.stringify(schemas[0]) === JSON.stringify(schemas[1])
    const examples = { ...objectOf(second.examples), ...objectOf(first.examples) }
    const either = isSame ? second : { schema: { anyOf: schemas.flatMap(schema => objectsOf(schema.anyOf ?? [schema])) } }
    merged[type] = merged[type] === undefined ? content : { ...either, ...(Object.keys(examples).length > 0 ? { examples } : {}) }
  }
  return merged
}

/** Merges the parameters of two operations. A parameter that only one of them has becomes
 *  optional. When both have it with an `enum`, the values of either are allowed. */
function mergedParameters(one: JsonObject[], other: JsonObject[]): JsonObject[] {
  const named = (list: JsonObject[], { name, in: place }: JsonObject) => list.find(each => each.name === name && each.in === place)
  const optional = (parameter: JsonObject) => (parameter.in === 'path' ? parameter : { ...parameter, required: false })
  const ofBoth = (parameter: JsonObject, second: JsonObject) => {
    const words = [parameter, second].map(each => objectOf(each.schema).enum)
    if (!words.every(Array.isArray)) return parameter
    return { ...parameter, schema: { ...objectOf(parameter.schema), enum: [...new Set(words.flat())] } }
  }
  const all = one.map(each => {
    const second = named(other, each)
    return second ? ofBoth(each, second) : optional(each)
  })
  return [...all, ...other.filter(each => !named(one, each)).map(optional)]
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
