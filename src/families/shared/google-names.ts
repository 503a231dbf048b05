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

/** Number of characters of the longest name that is converted. The services' own names are shorter;
 *  a longer one is a name that no service knows, and stays as it is. */
const longestName = 64

/** A linked list that leads from a value to the body: the member name or index of the value, and
 *  the place of the object or list around it. The path of a value is built from it only when an
 *  error message needs the path. */
interface Place {
  step: string | number
  outer: Place | undefined
}

/** Returns the body with its names in the first spelling; the same object when no name changes.
 *  Throws `invalid_request` for an object that has a member in both spellings. The running time is
 *  linear in the size of the body, even when all of its names have to be changed. */
export function inCamelCase(body: unknown): unknown {
  return isObject(body) ? renamed(body, undefined) : body
}

function renamed(object: JsonObject, outer: Place | undefined): JsonObject {
  let copy: Map<string, JsonObject[string]> | undefined
  // The loop creates no list of the members, which would take long when a hostile body has very
  // many.
  for (const name in object) {
    const value = object[name]
    if (name === '__proto__' || (!name.includes('_') && (typeof value !== 'object' || value === null))) {
      copy?.set(name, value)
      continue
    }
    const known = camelCase(name)
    const at = { step: name, outer }
    const inner = value === undefined || free.has(name) ? value : valueIn(value, at)
    if (known !== name && (Object.hasOwn(object, known) || copy?.has(known)))
      throw refusal(pathOf(at), `is the same field as ${known}; send one of them.`)
    if (known !== name || inner !== value) copy ??= membersBefore(object, name)
    copy?.set(known, inner)
  }
  // `fromEntries` keeps a name such as `__proto__` as an ordinary member; an assignment would set
  // the prototype instead.
  return copy === undefined ? object : Object.fromEntries(copy)
}

function membersBefore(object: JsonObject, end: string): Map<string, JsonObject[string]> {
  const members = new Map<string, JsonObject[string]>()
  for (const name in object) {
    if (name === end) break
    members.set(name, object[name])
  }
  return members
}

function valueIn(value: Json, at: Place): Json {
  if (Array.isArray(value)) {
    const list = value.map((each, index) => (typeof each === 'object' ? valueIn(each, { step: index, outer: at }) : each))
    return list.every((each, index) => each === value[index]) ? value : list
  }
  return isObject(value) ? renamed(value, at) : value
}

function pathOf(place: Place): Path {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at !== undefined; at = at.outer) path.push(at.step)
  return path.reverse()
}

const [underscore, caseDistance] = [0x5f, 0x20]

/** Removes each `_` between two small letters or digits, and makes the letter after it a capital.
 *  Reads the name by its character codes, which takes a tenth of the time of a replacement by a
 *  regular expression. */
function camelCase(name: string): string {
  if (name.length > longestName || !name.includes('_')) return name
  const codes: number[] = []
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at)
    const next = code === underscore && isSmallOrDigit(name.charCodeAt(at - 1)) ? name.charCodeAt(at + 1) : Number.NaN
    if (isSmallOrDigit(next)) at += 1
    codes.push(isDigit(next) ? next : isSmallOrDigit(next) ? next - caseDistance : code)
  }
  return codes.length === name.length ? name : String.fromCharCode(...codes)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isSmallOrDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x7a)
}
