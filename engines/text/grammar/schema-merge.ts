/** Merges two JSON schemas into one for the values that satisfy both, and decides whether no value
 *  can satisfy both. */
import { isDeepStrictEqual } from 'node:util'

export type Schema = { [keyword: string]: unknown }

type KeywordKind = 'annotation' | 'rule'
const annotations = '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly'.split(' ')
const ruleWords = (
  '$ref allOf anyOf oneOf const enum type properties required additionalProperties unevaluatedProperties patternProperties propertyNames ' +
  'dependentRequired dependentSchemas minProperties maxProperties items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems ' +
  'contains pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'
).split(' ')

/** The keywords that the conversion knows. The value of a known keyword may still be refused. */
export const knownKeywords: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...annotations.map(word => [word, 'annotation'] as const),
  ...ruleWords.map(word => [word, 'rule'] as const),
])

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the types that a value may have. Without the keyword `type`, they follow from the other
 *  keywords: `items`, for example, applies to arrays. Without such keywords, all types are
 *  returned. */
export function typesOf(schema: Schema): string[] {
  if (Array.isArray(schema.type)) return schema.type.map(String)
  if (schema.type !== undefined) return [String(schema.type)]
  const has = (...keywords: string[]): boolean => keywords.some(keyword => schema[keyword] !== undefined)
  if (has('properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'patternProperties', 'propertyNames'))
    return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains')) return ['array']
  if (has('pattern', 'format', 'minLength', 'maxLength')) return ['string']
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number']
  return [...allTypes]
}

/** Returns one schema for the values that both schemas allow. `onConflict` is called for each pair
 *  of keywords that cannot be merged, and usually throws. If it returns, the keyword of the first
 *  schema is kept. */
export function mergeSchemas(one: Schema, other: Schema, onConflict: (what: string) => void): Schema {
  needSameProperties(one, other, onConflict)
  const merged: Schema = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    if (knownKeywords.get(keyword) === 'annotation') continue
    const before = one[keyword]
    merged[keyword] = before === undefined || isDeepStrictEqual(before, value) ? value : joined(keyword, before, value, onConflict)
  }
  return merged
}

/** True when it is certain that no value satisfies both schemas: their types differ, their lists of
 *  values have nothing in common, or a property that both require must have different values.
 *  Neither schema may have a `$ref` at its top level. `onCompare` is called before each comparison
 *  and throws after too many. */
export function areDisjoint(one: Schema, other: Schema, onCompare: () => void): boolean {
  onCompare()
  const [values, otherValues] = [listed(one), listed(other)]
  const isSame = (value: unknown, candidate: unknown): boolean => {
    onCompare()
    return isDeepStrictEqual(value, candidate)
  }
  if (values && otherValues) return !values.some(value => otherValues.some(candidate => isSame(value, candidate)))
  if (one.type !== undefined && other.type !== undefined && !overlap(typesOf(one), typesOf(other))) return true
  if (one.type !== 'object' || other.type !== 'object' || !isSchemaObject(one.properties) || !isSchemaObject(other.properties)) return false
  const [properties, otherProperties] = [one.properties, other.properties]
  const others = new Set(names(other.required))
  return names(one.required).some(name => {
    onCompare()
    const [property, otherProperty] = [properties[name], otherProperties[name]]
    if (!others.has(name) || !isSchemaObject(property) || !isSchemaObject(otherProperty)) return false
    return areDisjoint(property, otherProperty, onCompare)
  })
}

function joined(keyword: string, one: unknown, other: unknown, onConflict: (what: string) => void): unknown {
  switch (keyword) {
    case 'required':
      return [...new Set([...names(one), ...names(other)])]
    case 'properties':
      return joinedProperties(one, other)
    case 'allOf':
      return [one, other].flat()
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return Math.max(Number(one), Number(other))
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return Math.min(Number(one), Number(other))
    case 'type': {
      const others = typesOf({ type: other })
      const types = typesOf({ type: one }).flatMap(type => commonType(type, others))
      if (types.length > 0) return types
      onConflict('types that exclude one another')
      return one
    }
    default:
      onConflict(`two different ${keyword} that must both hold`)
      return one
  }
}

function commonType(type: string, others: string[]): string[] {
  if (others.includes(type)) return [type]
  if ((type === 'number' && others.includes('integer')) || (type === 'integer' && others.includes('number'))) return ['integer']
  return []
}

function joinedProperties(one: unknown, other: unknown): Schema {
  const joinedOnes: Schema = isSchemaObject(one) ? { ...one } : {}
  for (const [name, schema] of Object.entries(isSchemaObject(other) ? other : {})) {
    const before = joinedOnes[name]
    joinedOnes[name] = before === undefined || isDeepStrictEqual(before, schema) ? schema : { allOf: [before, schema] }
  }
  return joinedOnes
}

/** Reports a conflict when one schema restricts `additionalProperties` and the other names a
 *  property that the first does not have. The keyword refers only to the properties in the same
 *  schema, so it would mean something else in the merged schema. */
function needSameProperties(one: Schema, other: Schema, onConflict: (what: string) => void): void {
  for (const [closed, joining] of [
    [one, other],
    [other, one],
  ] as const) {
    if (closed.additionalProperties === undefined || closed.additionalProperties === true) continue
    const known = new Set(propertyNames(closed))
    const further = [...propertyNames(joining), ...names(joining.required)].find(name => !known.has(name))
    if (further !== undefined) onConflict(`additionalProperties apart from the property ${JSON.stringify(further)}`)
  }
}

function propertyNames(schema: Schema): string[] {
  return isSchemaObject(schema.properties) ? Object.keys(schema.properties) : []
}

function listed(schema: Schema): unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function overlap(types: string[], others: string[]): boolean {
  const widened = (list: string[]): string[] => list.flatMap(type => (type === 'number' ? ['number', 'integer'] : [type]))
  return types.some(type => widened(others).includes(type)) || others.some(type => widened(types).includes(type))
}
