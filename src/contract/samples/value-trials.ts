/** Generates the values with which a field is tested: values at each of its limits, and values
 *  one step beyond them. */
import type { Json } from '@generation-gateway/kit/json.ts'
import { isOfType, type Keywords, typesOf, wordsOf } from '../keywords.ts'
import { leastOf, listOf, textOf } from './least-value.ts'

/** A value to try. With the verdict `refuse`, the schema refuses the value because of these
 *  keywords; another option of a union may still accept it. */
export interface Trial {
  what: string
  verdict: 'accept' | 'refuse'
  /** Pointers relative to the schema: `maximum`, `anyOf/0/const`. */
  keywords: readonly string[]
  /** The value; undefined when the schema does not determine one. */
  value: Json | undefined
}

/** One value for each type of JSON. */
const ofEachType: readonly Json[] = [{ wrong: true }, ['wrong'], 'wrong', 7.5, true, null]

/** Returns the trials of a schema. `taken`: every type that the field accepts, when the schema is
 *  only one option of a union. */
export function trialsOf(schema: Keywords, taken: readonly string[] = typesOf(schema)): Trial[] {
  const types = typeKeywords(schema)
  const wrong = ofEachType.find(value => !taken.some(type => isOfType(value, type)))
  return [
    ...(wordsOf(schema) ? words(schema, types) : forms(schema)),
    ...(types.length > 0 ? [{ what: 'of a wrong type', verdict: 'refuse', keywords: types, value: wrong } as const] : []),
    ...bounds(schema),
    ...lengths(schema),
    ...patterns(schema),
    ...counts(schema),
  ]
}

/** Returns the keywords that define the type. When an enumeration is written as a union, these
 *  keywords are the types of the union's options. */
function typeKeywords(schema: Keywords): string[] {
  if (schema.type !== undefined) return ['type']
  return wordsOf(schema) ? (schema.anyOf ?? []).flatMap((option, index) => (option.type ? [`anyOf/${index}/type`] : [])) : []
}

function words(schema: Keywords, types: readonly string[]): Trial[] {
  const values = wordsOf(schema) ?? []
  const own =
    schema.const !== undefined ? ['const'] : schema.enum ? ['enum'] : (schema.anyOf ?? []).map((_, index) => `anyOf/${index}/const`)
  const numbers = values.filter(value => typeof value === 'number')
  const unknown = numbers.length > 0 ? Math.max(...numbers) + 1 : 'no-such-word'
  return [
    ...values.map((value): Trial => ({ what: `as ${value}`, verdict: 'accept', keywords: [...own, ...types], value })),
    { what: 'as an unknown word', verdict: 'refuse', keywords: own, value: unknown },
  ]
}

/** Returns one trial with an acceptable value for each type that the schema accepts. The trial also
 *  tests the keywords in `further`, which limit the form of a string or the fields of an object. */
function forms(schema: Keywords): Trial[] {
  const further: Record<string, (keyof Keywords)[]> = {
    string: ['pattern', 'format'],
    object: ['required', 'patternProperties', 'additionalProperties'],
  }
  const types = typesOf(schema)
  const form = (type: string | undefined): Trial => ({
    what: `as ${type ?? 'any value'}`,
    verdict: 'accept',
    keywords: ['type' as const, ...(further[type ?? 'string'] ?? [])].filter(keyword => schema[keyword] !== undefined),
    value: leastOf(schema, type),
  })
  if (schema.anyOf) return []
  return types.length > 0 ? types.map(form) : [form(undefined)]
}

function accepted(what: string, keyword: string, value: Json | undefined): Trial {
  return { what, verdict: 'accept', keywords: [keyword], value }
}

function refused(what: string, keyword: string, value: Json | undefined): Trial {
  return { what, verdict: 'refuse', keywords: [keyword], value }
}

function bounds({ type, minimum, maximum }: Keywords): Trial[] {
  const isInteger = [type].flat().includes('integer')
  const step = (edge: number) => (isInteger ? Math.max(1, Math.abs(edge) * 2 ** -51) : Math.max(0.001, Math.abs(edge) * 0.001))
  const trials: Trial[] = []
  if (minimum !== undefined) {
    trials.push(accepted(`at its least, ${minimum}`, 'minimum', minimum))
    trials.push(refused(`below ${minimum}`, 'minimum', minimum - step(minimum)))
  }
  if (maximum !== undefined) {
    trials.push(accepted(`at its most, ${maximum}`, 'maximum', maximum))
    trials.push(refused(`above ${maximum}`, 'maximum', maximum + step(maximum)))
  }
  if (isInteger) trials.push(refused('not whole', 'type', Math.max(minimum ?? 0, 0) + 0.5))
  return trials
}

function lengths(schema: Keywords): Trial[] {
  const { minLength, maxLength } = schema
  const exactly = (length: number, keyword: string): Trial => {
    const text = textOf(schema, length)
    return accepted(`of ${length} characters`, keyword, text?.length === length ? text : undefined)
  }
  const trials: Trial[] = []
  if (minLength !== undefined && minLength > 0) {
    trials.push(exactly(minLength, 'minLength'))
    trials.push(refused(`shorter than ${minLength}`, 'minLength', 'a'.repeat(minLength - 1)))
  }
  if (maxLength !== undefined) {
    trials.push(exactly(maxLength, 'maxLength'))
    trials.push(refused(`longer than ${maxLength}`, 'maxLength', textOf(schema, maxLength + 1) ?? 'a'.repeat(maxLength + 1)))
  }
  return trials
}

function patterns({ pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Keywords): Trial[] {
  const trials: Trial[] = []
  if (pattern !== undefined) {
    const form = new RegExp(pattern, 'u')
    const strange = ['', ' ', '!', 'no such form', '\u00e9'.repeat(minLength)]
    const value = strange.find(text => !form.test(text) && text.length >= minLength && text.length <= maxLength)
    trials.push(refused('of another form', 'pattern', value))
  }
  if (format === 'http-url') trials.push(refused('no link', 'format', 'no link'))
  return trials
}

function counts(schema: Keywords): Trial[] {
  const { items = {}, minItems, maxItems, maxProperties } = schema
  const ofItems = (trial: typeof accepted, count: number, keyword: string) => trial(`of ${count} items`, keyword, listOf(items, count))
  const ofNames = (trial: typeof accepted, count: number) => trial(`of ${count} names`, 'maxProperties', namesOf(schema, count))
  return [
    ...(minItems ? [ofItems(accepted, minItems, 'minItems'), ofItems(refused, minItems - 1, 'minItems')] : []),
    ...(maxItems === undefined ? [] : [ofItems(accepted, maxItems, 'maxItems'), ofItems(refused, maxItems + 1, 'maxItems')]),
    ...(maxProperties === undefined ? [] : [ofNames(accepted, maxProperties), ofNames(refused, maxProperties + 1)]),
  ]
}

function namesOf(schema: Keywords, count: number): Json | undefined {
  const { additionalProperties = true, propertyNames } = schema
  const least = leastOf(schema, 'object')
  const value = typeof additionalProperties === 'boolean' ? 'a' : leastOf(additionalProperties)
  if (additionalProperties === false || propertyNames?.pattern !== undefined || least === undefined || value === undefined) return undefined
  const names = Object.keys(least as object)
  return {
    ...(least as object),
    ...Object.fromEntries(Array.from({ length: count - names.length }, (_, index) => [`name${index}`, value])),
  }
}
