/** Converts schemas to the subset of JSON Schema that all client generators interpret in the same
 *  way (docs/decisions/0040). */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'

/** Keywords that apply only to values of one JSON type. The keys are the types. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
}
const typed = new Set([...Object.values(keywordsOfType).flat(), 'type', 'enum', 'const'])

/** Returns the schema in a form that all client generators read; its inner schemas must have been
 *  converted already. A union of types becomes an `anyOf` with one schema for each type. A constant
 *  or an enumeration states its type; if its values have several types, it becomes an `anyOf`, too.
 *  A number states its width as its format (`int64` or `double`), unless 32 bits suffice. The
 *  constants null, true and false, and defaults, are moved to the description. When the names of
 *  several fields become the same name in most languages, only the first field is kept. Throws when
 *  such fields take different values. */
export function plainSchema(schema: JsonObject): JsonObject {
  return plainProperties(eachTypeAlone(withoutConstantFlag(withDefaultInWords(withTypeOfValues(schema)))))
}

/** Returns the name without punctuation and in lower case. Names such as `taskId` and `task_id`
 *  become the same, as they do in languages whose generators rename fields by the language's
 *  convention. */
export function foldedName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Returns the members without those that have the same folded name as an earlier member; the
 *  description of the earlier one then mentions their names. Throws `TypeError` when they take
 *  different values. */
function withoutTwins(members: readonly [string, JsonObject][]): [string, JsonObject][] {
  const twins = Map.groupBy(members, ([name]) => foldedName(name))
  return [...twins.values()].flatMap(([first, ...others]): [string, JsonObject][] => {
    if (first === undefined || others.length === 0) return first ? [first] : []
    const [name, schema] = first
    const different = others.find(([, other]) => takes(other) !== takes(schema))
    if (different) throw new TypeError(`${name} and ${different[0]} are one name in generated clients, and take different values`)
    const names = others.map(([other]) => `\`${other}\``).join(', ')
    return [[name, { ...schema, description: sentence(schema.description, `Also as ${names}.`) }]]
  })
}

function takes(schema: JsonObject): string {
  const { description: _, ...rest } = schema
  return JSON.stringify(Object.entries(rest).filter(([key]) => !key.startsWith('x-')))
}

function withTypeOfValues(schema: JsonObject): JsonObject {
  const { const: constant, enum: listed } = schema
  const values: Json[] = Array.isArray(listed) ? listed : constant === undefined ? [] : [constant]
  const [first, ...others] = new Set(values.map(typeOf))
  if (first === undefined) return schema
  // `5` and `"5"` would get the same name in a generated enum, so only the values of the first type
  // are listed.
  if (new Set(values.map(String)).size < values.length) {
    const description = sentence(schema.description, `Also as ${others.join(', ')}.`)
    return { ...schema, type: first, enum: values.filter(value => isOfType(value, first)), description }
  }
  return { type: others.length === 0 ? first : [first, ...others], ...schema }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

/** Moves a default into the description. Otherwise generated code would send the default in every
 *  request. This would be wrong for a field that other models do not have, for a field that selects
 *  the model, and for a field that an upstream does not know. */
function withDefaultInWords(schema: JsonObject): JsonObject {
  const { default: value, ...rest } = schema
  return value === undefined ? schema : { ...rest, description: sentence(rest.description, `Default: \`${JSON.stringify(value)}\`.`) }
}

/** Moves a constant `true` or `false` into the description, because generated code compares such a
 *  constant with a string. */
function withoutConstantFlag(schema: JsonObject): JsonObject {
  const { const: value, ...rest } = schema
  return typeof value === 'boolean' ? { ...rest, description: sentence(rest.description, `Always ${value}.`) } : schema
}

function sentence(description: unknown, further: string): string {
  return typeof description === 'string' ? (description.includes(further) ? description : `${description} ${further}`) : further
}

/** Splits a union of types into an `anyOf` with one type each; a single type, possibly with null,
 *  stays as it is. */
function eachTypeAlone(schema: JsonObject): JsonObject {
  const types = Array.isArray(schema.type) ? schema.type.filter(type => typeof type === 'string') : []
  if (types.filter(type => type !== 'null').length < 2) return withItems(withWidth(schema))
  const around = Object.entries(schema).filter(([key]) => !typed.has(key))
  return { ...Object.fromEntries(around), anyOf: types.map(type => alone(type, schema)) }
}

function alone(type: string, schema: JsonObject): JsonObject {
  const values = Array.isArray(schema.enum) ? { enum: schema.enum.filter(value => isOfType(value, type)) } : {}
  const own = Object.entries(schema).filter(([key]) => keywordsOfType[type]?.includes(key))
  return withItems(withWidth({ type, ...values, ...Object.fromEntries(own) }))
}

/** Adds a format that states the width of a number. Otherwise OpenAPI Generator reads an integer as
 *  32 bits in Go and Java, and a number as a 32-bit float in Go. An integer that may need more than
 *  32 bits gets the format `int64`, and loses limits above 2^53 - 1, because JSON parsers would
 *  round them. A number gets the format `double`. Constants and enumerations stay as they are. */
function withWidth(schema: JsonObject): JsonObject {
  if (schema.enum !== undefined || schema.const !== undefined) return schema
  const types = [schema.type].flat()
  if (types.includes('number')) return { ...schema, format: 'double' }
  const { minimum, maximum } = schema
  if (!types.includes('integer') || (isWithin(minimum, 2 ** 31) && isWithin(maximum, 2 ** 31 - 1))) return schema
  const limits = Object.entries({ minimum, maximum }).filter(([, limit]) => isWithin(limit, Number.MAX_SAFE_INTEGER))
  const { minimum: _minimum, maximum: _maximum, ...rest } = schema
  return { ...rest, format: 'int64', ...Object.fromEntries(limits) }
}

function isWithin(limit: Json | undefined, most: number): boolean {
  return typeof limit === 'number' && Math.abs(limit) <= most
}

/** Adds an empty `items` schema, which allows any item, to a list without one. */
function withItems(schema: JsonObject): JsonObject {
  return [schema.type].flat().includes('array') && schema.items === undefined ? { ...schema, items: {} } : schema
}

function isOfType(value: unknown, type: string): boolean {
  return typeOf(value) === type || (type === 'number' && typeof value === 'number')
}

function plainProperties(schema: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return schema
  const members = Object.entries(schema.properties).map(([name, member]): [string, JsonObject] => [name, isObject(member) ? member : {}])
  const properties = Object.fromEntries(withoutTwins(members).map(([name, member]) => [name, sometimesNull(member)]))
  const required = Array.isArray(schema.required) ? { required: schema.required.filter(name => String(name) in properties) } : {}
  return { ...schema, properties, ...required }
}

/** Moves a type whose only value is null into the description, because most languages have no such
 *  type. */
function sometimesNull(member: JsonObject): JsonObject {
  const { type, ...rest } = member
  return type === 'null' ? { ...rest, description: sentence(rest.description, 'Always null.') } : member
}
