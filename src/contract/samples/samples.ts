/** Generates checks of an operation: bodies at every limit of its schema, at any depth, and bodies
 *  one step beyond each limit. */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { type FieldPath, fieldName } from '../file-fields.ts'
import { areApart, isUnion, type Keywords, keywordsOf, looksLike, typesOf, wordsOf } from '../keywords.ts'
import type { Operation } from '../operation.ts'
import { leastOf, listOf } from './least-value.ts'
import { type Trial, trialsOf } from './value-trials.ts'

type Verdict = Trial['verdict']

/** One generated check of an operation: a body that must be accepted, or one that must be refused
 *  with an error that names the field. */
export interface Sample {
  title: string
  body: JsonObject
  verdict: Verdict
  /** The field, as errors name it: `mask.areas[0].width`. */
  field: string
  /** Pointers in the schema to the keywords that this sample tests: `/properties/width/maximum`. A
   *  sample that must be refused breaks at least one of them. */
  keywords: readonly string[]
}

/** Keywords for which no sample can be generated, with the reason. */
export interface UntriedCase {
  field: string
  verdict: Verdict | undefined
  /** Pointers to keywords or to schemas; a pointer to a schema stands for everything in the
   *  schema. */
  at: readonly string[]
  why: string
}

/** The place in a body where a sample puts its value. */
interface Place {
  path: FieldPath
  /** Pointer to the schema of this place. */
  pointer: string
  /** The value at this place in `base`, the body from which all samples are made. */
  given: Json | undefined
  /** Returns a copy of `base` with another value at this path, or without a value for undefined.
   *  Objects that are missing on the path are added. */
  bodyWith(value: Json | undefined): JsonObject
  /** Set when the schema of this place is one option of a union: all types that the union
   *  accepts. */
  taken?: readonly string[] | undefined
  /** The reason why a value that this schema refuses may still be accepted. */
  mayPass?: string | undefined
}

/** Returns samples of an operation's schema; its rules are ignored. `base` is a body that the
 *  schema accepts; objects and lists that it lacks are the smallest that the schema accepts. */
export function samplesOf(operation: Operation, base?: JsonObject): Sample[] {
  return trySchema(operation, base).samples
}

/** Returns the samples, and the schema keywords for which no sample could be generated. Throws a
 *  TypeError when neither `base` nor the schema determines a body. */
export function trySchema(operation: Operation, base?: JsonObject): { samples: Sample[]; untried: UntriedCase[] } {
  if (!operation.body) return { samples: [], untried: [] }
  const schema = keywordsOf(operation.body.schema)
  const given = base ?? leastOf(schema, 'object')
  if (!isObject(given)) throw new TypeError(`${operation.operationId}: an example has to tell what a body is`)
  // The whole body is not tested like a field, because a body that is not an object is refused with
  // an error that names no field.
  const place: Place = { path: [], pointer: '', given, bodyWith: value => (isObject(value) ? value : {}) }
  const start: Sample = {
    title: 'the body it starts from',
    body: given,
    verdict: 'accept',
    field: '',
    keywords: ['/required', '/additionalProperties'],
  }
  const tried = [start, ...members(schema, place)]
  return { samples: tried.filter(one => 'body' in one), untried: tried.filter(one => 'why' in one) }
}

type SampleStream = Generator<Sample | UntriedCase>

function* valuesAt(schema: Keywords, place: Place): SampleStream {
  for (const { what, verdict, value, keywords } of trialsOf(schema, place.taken)) {
    const field = fieldName(place.path)
    const at = keywords.map(keyword => `${place.pointer}/${keyword}`)
    const why = value === undefined ? `the schema tells no value ${what}` : verdict === 'refuse' ? place.mayPass : undefined
    if (why !== undefined) yield { field, verdict, at, why }
    else yield { title: `${field} ${what}`, body: place.bodyWith(value), verdict, field, keywords: at }
  }
  if (wordsOf(schema)) return
  yield* options(schema, place)
  yield* items(schema, place)
  yield* members(schema, place)
}

/** Tests each option of a union. A value that one option refuses may be accepted by another,
 *  unless the two are disjoint. */
function* options(schema: Keywords, place: Place): SampleStream {
  const { anyOf = [] } = schema
  if (anyOf.length > 0 && !isUnion(schema))
    return yield untriedCase(place, ['anyOf'], 'that fits both the options and what stands beside them')
  const taken = place.taken ?? typesOf(schema)
  for (const [index, option] of anyOf.entries()) {
    const isAlone = anyOf.every(other => other === option || areApart(option, other))
    const mayPass = place.mayPass ?? (isAlone ? undefined : 'another option of the union may take it')
    const given = looksLike(option, place.given) ? place.given : undefined
    yield* valuesAt(option, { ...place, pointer: `${place.pointer}/anyOf/${index}`, given, taken, mayPass })
  }
}

/** Yields samples that vary the first item of a list. The other items have the values of the base
 *  sample. */
function* items({ items: schema, minItems = 1 }: Keywords, place: Place): SampleStream {
  if (!schema) return
  const given = Array.isArray(place.given) && place.given.length > 0 ? place.given : undefined
  const others = given ? given.slice(1) : listOf(schema, Math.max(minItems, 1) - 1)
  if (!others) return yield untriedCase(place, ['items'], 'for the items beside it')
  const around = (value: Json | undefined) => (value === undefined ? others : [value, ...others])
  yield* valuesAt(schema, stepsInto(place, { step: 0, pointer: 'items', given: given?.[0], around }))
}

const memberKeywords = ['properties', 'required', 'patternProperties', 'additionalProperties', 'propertyNames'] as const
const unknownName = 'no_such_name'

/** Tests an object: the values of its declared fields, the absence of required fields, and
 *  fields under names that are not declared. */
function* members(schema: Keywords, place: Place): SampleStream {
  const said = memberKeywords.filter(keyword => schema[keyword] !== undefined)
  const object = isObject(place.given) ? place.given : leastOf(schema, 'object')
  if (said.length === 0) return
  if (!isObject(object)) return yield untriedCase(place, said, 'for the fields beside it')
  const member = (name: string, pointer: string) =>
    stepsInto(place, { step: name, pointer, given: object[name], around: value => ({ ...object, [name]: value }) })
  const { properties = {}, required = [], patternProperties = {}, additionalProperties = true, propertyNames } = schema
  for (const [name, field] of Object.entries(properties)) yield* valuesAt(field, member(name, `properties/${name}`))
  const needed = required.filter(name => properties[name]?.default === undefined)
  for (const name of needed) yield refused(member(name, 'required'), 'missing', undefined)
  if (needed.length < Math.min(required.length, 1)) yield untriedCase(place, ['required'], 'without one of them: all have defaults')
  for (const [pattern, field] of Object.entries(patternProperties)) {
    if (new RegExp(pattern, 'u').test(unknownName)) yield* valuesAt(field, member(unknownName, `patternProperties/${pattern}`))
    else yield untriedCase(place, [`patternProperties/${pattern}`], 'under a name of that form')
  }
  const unknown = member(unknownName, 'additionalProperties')
  if (additionalProperties === false) yield refused(unknown, 'unknown', true)
  else if (additionalProperties !== true) yield* valuesAt(additionalProperties, unknown)
  // An error about an invalid member name reports the object as the field, not the member.
  const value = typeof additionalProperties === 'boolean' ? true : leastOf(additionalProperties)
  const bodyWith = (name: Json | undefined) => place.bodyWith({ ...object, [String(name)]: value })
  if (propertyNames) yield* valuesAt(propertyNames, { ...place, pointer: `${place.pointer}/propertyNames`, given: undefined, bodyWith })
}

function refused(place: Place, what: string, value: Json | undefined): Sample | UntriedCase {
  const field = fieldName(place.path)
  const at = [place.pointer]
  if (place.mayPass !== undefined) return { field, verdict: 'refuse', at, why: place.mayPass }
  return { title: `${field} ${what}`, body: place.bodyWith(value), verdict: 'refuse', field, keywords: at }
}

function untriedCase({ path, pointer }: Place, keywords: readonly string[], what: string): UntriedCase {
  const at = keywords.map(keyword => `${pointer}/${keyword}`)
  return { field: fieldName(path), verdict: undefined, at, why: `the schema tells no value ${what}` }
}

interface PathStep {
  step: string | number
  /** Pointer from the schema that contains this step to the schema of the step. */
  pointer: string
  given: Json | undefined
  /** Returns the value of the enclosing place with `value` in it. */
  around(value: Json | undefined): Json
}

function stepsInto({ path, pointer, bodyWith, mayPass }: Place, { step, pointer: further, given, around }: PathStep): Place {
  return { path: [...path, step], pointer: `${pointer}/${further}`, given, bodyWith: value => bodyWith(around(value)), mayPass }
}
