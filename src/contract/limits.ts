import type { TSchema } from 'typebox'
import { notesOf } from './fields.ts'
import type { FileRule } from './file-rule.ts'
import { fileText } from './file-rule.ts'
import type { Operation } from './operation.ts'

/** One line of an operation's limits table. */
export interface LimitRow {
  field: string
  type: string
  /** `64 to 16384 px`, `1 to 8192 characters`, `one of jpeg, png`; empty without limits. */
  limits: string
  default: string | undefined
  /** Groups that take the field, or `all`. */
  usedBy: string
  source: string
  says: string
}

interface FieldSchema {
  description?: string
  type?: string | string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  enum?: unknown[]
  anyOf?: { const?: unknown; type?: string }[]
  default?: unknown
  mustBe?: string
}

/** The limits of an operation's body, read from its schema. */
export function limitsOf(operation: Operation): LimitRow[] {
  const schema = operation.body?.schema
  if (!schema) return []
  return Object.entries(schema.properties).map(([field, value]) => rowOf(field, value))
}

function rowOf(field: string, value: TSchema): LimitRow {
  // The JSON Schema keywords are on the object; TypeBox's type does not show them.
  const schema = value as FieldSchema
  const notes = notesOf(value)
  return {
    field,
    type: typeOf(schema),
    limits: limitText(schema, notes.unit, notes.file),
    default: schema.default === undefined ? undefined : JSON.stringify(schema.default),
    usedBy: notes.groups?.join(', ') ?? 'all',
    source: notes.source ?? 'interface',
    says: schema.description ?? '',
  }
}

function typeOf(schema: FieldSchema): string {
  if (schema.type !== undefined) return [schema.type].flat().join(' or ')
  return [...new Set((schema.anyOf ?? []).map(option => option.type ?? typeof option.const))].join(' or ')
}

function limitText(schema: FieldSchema, unit = '', file?: FileRule): string {
  const parts: string[] = []
  const between = (low: number | undefined, high: number | undefined, word: string) => {
    if (low !== undefined && high !== undefined) parts.push(`${low} to ${high}${word}`)
    else if (low !== undefined) parts.push(`at least ${low}${word}`)
    else if (high !== undefined) parts.push(`at most ${high}${word}`)
  }
  // Bounds beyond what a double counts exactly are told in words (`mustBe`).
  if (Number.isSafeInteger(schema.maximum ?? 0)) between(schema.minimum, schema.maximum, unit ? ` ${unit}` : '')
  between(schema.minLength === 1 && schema.maxLength === undefined ? undefined : schema.minLength, schema.maxLength, ' characters')
  between(schema.minItems, schema.maxItems, ' items')
  const values = schema.enum ?? schema.anyOf?.filter(option => 'const' in option).map(option => option.const)
  // That it may be null is told by the type.
  const words = values?.filter(value => value !== null) ?? []
  if (words.length > 0) parts.push(`one of ${words.join(', ')}`)
  if (file) parts.push(fileText(file))
  if (schema.mustBe) parts.push(schema.mustBe)
  return parts.join('; ')
}
