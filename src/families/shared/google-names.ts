/** Google's services accept the names of members in two spellings, `generationConfig` and
 *  `generation_config`. The gateway accepts both, and converts them to the first one here. */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { type Path, refusal } from './refusal.ts'

/** Members, in both spellings, that contain names chosen by the caller. The names in them stay as
 *  they are. */
const free = new Set(
  'args response parameters parametersJsonSchema parameters_json_schema responseSchema response_schema responseJsonSchema response_json_schema labels partMetadata part_metadata'.split(
    ' ',
  ),
)

/** Returns the body with its names in the first spelling; the same object when no name changes.
 *  Throws `invalid_request` for an object that has a member in both spellings. */
export function inCamelCase(body: unknown): unknown {
  return isObject(body) ? renamed(body, []) : body
}

function renamed(object: JsonObject, path: Path): JsonObject {
  let copy: Map<string, JsonObject[string]> | undefined
  // The loop creates no list of the members, which would take long when a hostile body has very
  // many.
  for (const name in object) {
    if (name === '__proto__') continue
    const value = object[name]
    if (!name.includes('_') && (typeof value !== 'object' || value === null)) continue
    const known = camelCase(name)
    const at = [...path, name]
    const inner = value === undefined || free.has(name) ? value : valueIn(value, at)
    if (known === name && inner === value) continue
    if (known !== name && Object.hasOwn(object, known)) throw refusal(at, `is the same field as ${known}; send one of them.`)
    copy ??= new Map(Object.entries(object))
    copy.delete(name)
    copy.set(known, inner)
  }
  // `fromEntries` keeps a name such as `__proto__` as an ordinary member; an assignment would set
  // the prototype instead.
  return copy === undefined ? object : Object.fromEntries(copy)
}

function valueIn(value: Json, path: Path): Json {
  if (Array.isArray(value)) {
    const list = value.map((each, index) => valueIn(each, [...path, index]))
    return list.every((each, index) => each === value[index]) ? value : list
  }
  return isObject(value) ? renamed(value, path) : value
}

function camelCase(name: string): string {
  if (!name.includes('_')) return name
  return name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
