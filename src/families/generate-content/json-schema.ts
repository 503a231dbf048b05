/** Translates the schemas of Google's protocol, a subset of OpenAPI's with types in capitals, into
 *  JSON schemas. A schema that already is a JSON schema keeps its meaning. */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'

/** Members that hold a schema (`ofSchema`), a list of schemas (`ofSchemas`), or schemas by name
 *  (`ofNamed`). */
const ofSchema = new Set(['items', 'additionalProperties', 'not'])
const ofSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const ofNamed = new Set(['properties', '$defs', 'defs', 'definitions', 'patternProperties'])
/** Members that hold a number, which the protocol also writes as text. */
const ofNumber = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties', 'minimum', 'maximum'])
const spelt: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['one_of', 'oneOf'],
  ['all_of', 'allOf'],
  ['prefix_items', 'prefixItems'],
  ['additional_properties', 'additionalProperties'],
  ['min_items', 'minItems'],
  ['max_items', 'maxItems'],
  ['min_length', 'minLength'],
  ['max_length', 'maxLength'],
  ['min_properties', 'minProperties'],
  ['max_properties', 'maxProperties'],
  ['property_ordering', 'propertyOrdering'],
  ['ref', '$ref'],
  ['defs', '$defs'],
])

/** Returns the schema as a JSON schema. */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const out: JsonObject = {}
  // The loop creates no list of the members, which would take long when a hostile body has very
  // many.
  for (const given in schema) {
    const value = schema[given]
    const name = spelt.get(given) ?? given
    if (value === undefined || given === '__proto__' || name === 'nullable' || name === 'propertyOrdering' || name === 'example') continue
    out[name] = memberOf(name, value)
  }
  if (out.type === undefined) delete out.type
  const { example } = schema
  if (example !== undefined && out.examples === undefined) out.examples = [example]
  inOrder(out, schema.propertyOrdering ?? schema.property_ordering)
  return schema.nullable === true ? orNull(out) : out
}

function memberOf(name: string, value: Json): Json | undefined {
  if (name === 'type') return typeOf(value)
  if (ofSchema.has(name)) return isObject(value) ? jsonSchemaOf(value) : value
  if (ofSchemas.has(name)) return Array.isArray(value) ? value.map(each => (isObject(each) ? jsonSchemaOf(each) : each)) : value
  if (ofNamed.has(name) && isObject(value)) return byName(value)
  return ofNumber.has(name) && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

function typeOf(type: Json): Json | undefined {
  if (Array.isArray(type)) return type.map(each => typeOf(each) ?? each)
  if (type === 'TYPE_UNSPECIFIED') return undefined
  return typeof type === 'string' ? type.toLowerCase() : type
}

function byName(schemas: JsonObject): JsonObject {
  const entries = Object.entries(schemas).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(entries.map(([name, each]) => [name, isObject(each) ? jsonSchemaOf(each) : each]))
}

/** Sorts the properties by `propertyOrdering`, the order in which the model is to write them. */
function inOrder(schema: JsonObject, ordering: Json | undefined): void {
  const { properties } = schema
  if (!Array.isArray(ordering) || !isObject(properties)) return
  const first = ordering.filter(name => typeof name === 'string' && Object.hasOwn(properties, name)).map(String)
  schema.properties = { ...Object.fromEntries(first.map(name => [name, properties[name]])), ...properties }
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf } = schema
  if (Array.isArray(anyOf) && type === undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (type === undefined) return schema
  const types = Array.isArray(type) ? type : [type]
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  }
}
