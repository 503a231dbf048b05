import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TObject } from 'typebox'
import { notesOf } from './fields.ts'
import type { Operation } from './operation.ts'

/** One generated check of an operation: a body that must be taken, or refused naming the field. */
export interface Sample {
  title: string
  body: JsonObject
  verdict: 'accept' | 'refuse'
  field: string
}

interface FieldSchema {
  type?: string | string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  enum?: unknown[]
  anyOf?: { const?: unknown }[]
  pattern?: string
  format?: string
}

/** Samples from a schema: each bound at its edge (taken) and one past it (refused), wrong types, unknown words of an enum, a missing required field.
 *  `base` is a body that is taken as it is; fields of other groups are added to it one at a time, so bounds that a cross-field rule also governs are checked on the schema alone. */
export function samplesOf(operation: Operation, base: JsonObject): Sample[] {
  const schema: TObject | undefined = operation.body?.schema
  if (!schema) return []
  const samples: Sample[] = []
  for (const [field, value] of Object.entries(schema.properties)) {
    // The JSON Schema keywords are on the object; TypeBox's type does not show them.
    const keywords = value as FieldSchema & { default?: unknown }
    const add = (what: string, given: JsonObject[string], verdict: Sample['verdict']) =>
      samples.push({ title: `${field} ${what}`, body: { ...base, [field]: given }, verdict, field })
    addBounds(keywords, add)
    addLengths(keywords, add)
    addWords(keywords, add)
    if (!notesOf(value).file) add('of a wrong type', [keywords.type].flat().includes('object') ? ['wrong'] : { wrong: true }, 'refuse')
    if ((schema.required ?? []).includes(field) && keywords.default === undefined) {
      const { [field]: _left, ...rest } = base
      samples.push({ title: `${field} missing`, body: rest, verdict: 'refuse', field })
    }
  }
  return samples
}

type Add = (what: string, given: JsonObject[string], verdict: Sample['verdict']) => void

function addBounds({ type, minimum, maximum }: FieldSchema, add: Add): void {
  const isInteger = [type].flat().includes('integer')
  const step = (edge: number) => (isInteger ? Math.max(1, Math.abs(edge) * 2 ** -51) : Math.max(0.001, Math.abs(edge) * 0.001))
  if (minimum !== undefined) {
    add(`at its least, ${minimum}`, minimum, 'accept')
    add(`below ${minimum}`, minimum - step(minimum), 'refuse')
  }
  if (maximum !== undefined) {
    add(`at its most, ${maximum}`, maximum, 'accept')
    add(`above ${maximum}`, maximum + step(maximum), 'refuse')
  }
  if (isInteger) add('not whole', Math.max(minimum ?? 0, 0) + 0.5, 'refuse')
}

function addLengths({ type, minLength, maxLength, pattern, format }: FieldSchema, add: Add): void {
  const isFree = [type].flat().includes('string') && (pattern === undefined || new RegExp(pattern, 'u').test('a'))
  const textOf = (length: number) => (format === 'http-url' ? 'https://a.example/' : '').padEnd(length, 'a')
  if (minLength !== undefined && minLength > 0) add(`shorter than ${minLength}`, 'a'.repeat(minLength - 1), 'refuse')
  if (maxLength !== undefined) add(`longer than ${maxLength}`, textOf(maxLength + 1), 'refuse')
  if (maxLength !== undefined && isFree) add(`of ${maxLength} characters`, textOf(maxLength), 'accept')
}

function addWords(schema: FieldSchema, add: Add): void {
  const words = schema.enum ?? schema.anyOf?.filter(option => 'const' in option).map(option => option.const)
  if (!words || words.length === 0) return
  for (const word of words) if (typeof word === 'string') add(`as ${word}`, word, 'accept')
  add('as an unknown word', 'no-such-word', 'refuse')
}
