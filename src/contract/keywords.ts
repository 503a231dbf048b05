/** Reads JSON Schema's own keywords as data. The docs and the tests of values at the limits of
 *  fields are derived from this data. */
import { isObject, type Json } from '@generation-gateway/kit/json.ts'
import type { TSchema } from 'typebox'
import type { FieldNotes } from './fields.ts'

export interface Keywords extends FieldNotes {
  description?: string
  default?: Json
  examples?: Json[]
  type?: string | string[]
  const?: Json
  enum?: Json[]
  anyOf?: Keywords[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  items?: Keywords
  minItems?: number
  maxItems?: number
  properties?: Record<string, Keywords>
  required?: string[]
  patternProperties?: Record<string, Keywords>
  additionalProperties?: boolean | Keywords
  propertyNames?: Keywords
  maxProperties?: number
}

/** Returns the keywords of a schema; TypeBox's type does not show them. */
export function keywordsOf(schema: TSchema): Keywords {
  return schema as Keywords
}

/** Returns the JSON types that the schema accepts; empty when it accepts every type. */
export function typesOf(schema: Keywords): string[] {
  if (schema.type !== undefined) return [schema.type].flat()
  const words = wordsOf(schema)
  return [...new Set(words ? words.map(typeOf) : (schema.anyOf ?? []).flatMap(typesOf))]
}

/** Returns the values of an enumeration, which a schema can write as `enum`, as a constant or as a
 *  union of constants; undefined for other schemas. */
export function wordsOf(schema: Keywords): Json[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  const constants = schema.anyOf?.flatMap(option => (option.const === undefined ? [] : [option.const]))
  return constants && constants.length === schema.anyOf?.length ? constants : undefined
}

/** Returns true for a schema that consists only of a choice among several schemas. */
export function isUnion({ anyOf, type, properties, required }: Keywords): boolean {
  return anyOf !== undefined && type === undefined && properties === undefined && required === undefined
}

/** Returns the type of a value, as JSON Schema names it. */
export function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Returns true when the value has the form of this schema, even if it breaks a limit of it: the
 *  value is one of the values of an enumeration, or its type is accepted. An object must also have
 *  an allowed value in each required field that accepts only certain values. */
export function looksLike(schema: Keywords, value: Json | undefined): boolean {
  if (value === undefined) return false
  const words = wordsOf(schema)
  if (words) return words.includes(value)
  const types = typesOf(schema)
  if (types.length > 0 && !types.some(type => isOfType(value, type))) return false
  return !isObject(value) || Object.entries(tagsOf(schema)).every(([name, tags]) => tags.includes(value[name] ?? null))
}

/** Returns true when no value can fit both schemas, because they differ in type, in their
 *  constants, or in the constants of a field that both require. */
export function areApart(one: Keywords, other: Keywords): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  if (words && others) return !words.some(word => others.includes(word))
  const [types, otherTypes] = [wideTypes(one), wideTypes(other)]
  if (types.length > 0 && otherTypes.length > 0 && !types.some(type => otherTypes.includes(type))) return true
  if (types.join() !== 'object' || otherTypes.join() !== 'object') return false
  const tags = tagsOf(other)
  return Object.entries(tagsOf(one)).some(([name, mine]) => tags[name] && !mine.some(word => tags[name]?.includes(word)))
}

export function isOfType(value: Json, type: string): boolean {
  return typeOf(value) === type || (type === 'number' && typeof value === 'number')
}

/** Returns the types of a schema, with `integer` widened to `number`. */
function wideTypes(schema: Keywords): string[] {
  return typesOf(schema).map(type => (type === 'integer' ? 'number' : type))
}

/** Returns the accepted values of each required field that accepts only certain values, by the name
 *  of the field. The value of such a field shows to which option of a union an object belongs. */
function tagsOf({ properties = {}, required = [] }: Keywords): Record<string, Json[]> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      const words = required.includes(name) ? wordsOf(field) : undefined
      return words ? [[name, words]] : []
    }),
  )
}
