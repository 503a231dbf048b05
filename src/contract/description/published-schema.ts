/** Converts schemas to the form that the OpenAPI document shows. A schema with a name is in the
 *  components once, and everywhere else there is a reference to it. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TSchema } from 'typebox'
import { fieldNotes } from '../fields.ts'
import { plainSchema } from './plain-schema.ts'

/** Publishes the schemas of one document and collects its components. */
export interface Components {
  readonly schemas: Record<string, JsonObject>
  /** Returns the schema as published: a reference when it has a name. The gateway's own keywords
   *  (`FieldNotes`) become `x-` keywords. Throws for a second schema under one name. */
  publish(schema: TSchema): JsonObject
}

/** Keywords whose value is one schema, a list of schemas, or an object with a schema under each
 *  name. */
const single = new Set(['items', 'additionalProperties', 'propertyNames'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties'])

export function newComponents(): Components {
  const schemas: Record<string, JsonObject> = {}
  const owners = new Map<string, JsonObject>()
  const publish = (schema: JsonObject): JsonObject => {
    if (typeof schema.name !== 'string') return published(schema, publish)
    const { name, ...rest } = schema
    const reference = { $ref: `#/components/schemas/${name}` }
    if (owners.get(name) === schema) return reference
    const shown = published(rest, publish)
    // Schemas are compared by content, because an optional field holds a copy of its schema.
    if (JSON.stringify(schemas[name] ?? shown) !== JSON.stringify(shown)) throw new TypeError(`two schemas have the name ${name}`)
    owners.set(name, schema)
    schemas[name] = shown
    return reference
  }
  // The cast is safe: a TypeBox schema is an object of JSON Schema, but its TypeScript type shows
  // only the value that it describes.
  return { schemas, publish: schema => publish(schema as JsonObject) }
}

type Publish = (schema: JsonObject) => JsonObject

function published(schema: JsonObject, publish: Publish): JsonObject {
  const shown: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'file') shown.contentEncoding = 'base64'
    else if (key === 'format' && value === 'http-url') shown.format = 'uri'
    else if ((fieldNotes as readonly string[]).includes(key)) shown[`x-${key}`] = value
    else if (single.has(key)) shown[key] = typeof value === 'object' ? publish(value as JsonObject) : value
    else if (lists.has(key)) shown[key] = (value as JsonObject[]).map(publish)
    else if (maps.has(key))
      shown[key] = Object.fromEntries(Object.entries(value as Record<string, JsonObject>).map(([name, inner]) => [name, publish(inner)]))
    else shown[key] = value
  }
  if (Array.isArray(shown.required)) shown.required = requiredWithoutDefaults(schema)
  return plainSchema(literalUnion(openObject(shown)))
}

/** Removes fields with a default from `required`, because a request may leave them out. */
function requiredWithoutDefaults(schema: JsonObject): string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>
  return ((schema.required ?? []) as string[]).filter(name => properties[name]?.default === undefined)
}

/** States that an object without declared fields may contain anything; generators would otherwise
 *  treat it as empty. */
function openObject(schema: JsonObject): JsonObject {
  const isObject = [schema.type].flat().includes('object')
  return isObject && !schema.properties && schema.additionalProperties === undefined ? { ...schema, additionalProperties: true } : schema
}

/** Writes a union of constants as an enum, which generators handle better. */
function literalUnion(schema: JsonObject): JsonObject {
  const options = schema.anyOf
  if (!Array.isArray(options) || !options.every(option => typeof option === 'object' && option !== null && 'const' in option)) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { ...rest, enum: options.map(option => (option as JsonObject).const ?? null) }
}
