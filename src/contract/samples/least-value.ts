/** Returns the smallest values that a schema accepts. Generated tests fill bodies with them. */
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { isOfType, isUnion, type Keywords, typesOf, wordsOf } from '../keywords.ts'

/** Returns a value that the schema accepts, of the type `type` if that is given: its default, an
 *  enum value, its example, or the smallest that its limits allow. Undefined when the schema
 *  does not determine one. */
export function leastOf(schema: Keywords, type?: string): Json | undefined {
  const declared = [schema.default, ...(wordsOf(schema) ?? []), ...(schema.examples ?? [])]
  const value = declared.find(one => one !== undefined && (type === undefined || isOfType(one, type)))
  if (value !== undefined || wordsOf(schema)) return value
  if (schema.anyOf) return isUnion(schema) ? firstOf(schema.anyOf, option => leastOf(option, type)) : undefined
  return leastByType(schema, type ?? typesOf(schema)[0] ?? 'string')
}

function leastByType(schema: Keywords, type: string): Json | undefined {
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(0, schema.maximum ?? 0)
    case 'string':
      return textOf(schema, schema.minLength || 1)
    case 'array':
      return listOf(schema.items ?? {}, schema.minItems ?? 0)
    case 'object':
      return leastObject(schema)
    default:
      return undefined
  }
}

function leastObject({ properties = {}, required = [] }: Keywords): JsonObject | undefined {
  const object: JsonObject = {}
  for (const name of required) {
    const field = properties[name] ?? {}
    if (field.default !== undefined) continue
    object[name] = leastOf(field)
    if (object[name] === undefined) return undefined
  }
  return object
}

/** Returns a list of `count` equal items. */
export function listOf(items: Keywords, count: number): Json[] | undefined {
  if (count === 0) return []
  const item = leastOf(items)
  return item === undefined ? undefined : new Array<Json>(count).fill(item)
}

/** Returns a text of `length` characters that fits the pattern of the schema: only letters `a`,
 *  or only zeros; undefined when neither fits. A link begins with `https://a.example/` and has
 *  at least these 18 characters. */
export function textOf({ pattern, format }: Keywords, length: number): string | undefined {
  const form = new RegExp(pattern ?? '', 'u')
  const start = format === 'http-url' ? 'https://a.example/' : ''
  return ['a', '0'].map(letter => start.padEnd(length, letter)).find(text => form.test(text))
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
