import { fileText } from '../file-rule.ts'
import { type Keywords, keywordsOf, typesOf, wordsOf } from '../keywords.ts'
import type { Operation } from '../operation.ts'

/** One line of an operation's limits table. */
export interface LimitRow {
  /** Path of the field: `mask.areas[].width`; `weights.*` stands for any name. */
  field: string
  type: string
  /** Limits in words: `64 to 16384 px`, `1 to 8192 characters`, `one of jpeg, png`; empty without
   *  limits. */
  limits: string
  default: string | undefined
  /** Groups of models that take the field, or `all`. */
  usedBy: string
  source: string
  says: string
}

/** Returns the limits of an operation's body, derived from its schema: a line for every top-level
 *  field, followed by one for each nested field that has limits or other facts beyond its type. */
export function limitsOf(operation: Operation): LimitRow[] {
  return operation.body ? rowsIn(keywordsOf(operation.body.schema), '', { usedBy: 'all', source: 'interface' }) : []
}

type Inherited = Pick<LimitRow, 'usedBy' | 'source'>

function rowsOf(field: string, schema: Keywords, from: Inherited): LimitRow[] {
  const own = { usedBy: schema.groups?.join(', ') ?? from.usedBy, source: schema.source ?? from.source }
  const row: LimitRow = {
    field,
    type: typesOf(schema).join(' or '),
    limits: limitText(schema),
    default: schema.default === undefined ? undefined : JSON.stringify(schema.default),
    says: schema.description ?? '',
    ...own,
  }
  const isTop = !/[.[]/.test(field)
  const isReported =
    isTop || row.limits !== '' || row.default !== undefined || row.says !== '' || schema.source !== undefined || schema.groups !== undefined
  return [...(isReported ? [row] : []), ...rowsIn(schema, field, own)]
}

/** Returns the lines for everything inside a schema: the fields of an object, the items of a list,
 *  the values of a map, and the same for each option of a union. */
function rowsIn(schema: Keywords, field: string, from: Inherited): LimitRow[] {
  const { properties = {}, items, patternProperties = {}, additionalProperties, anyOf = [] } = schema
  const any = [...Object.values(patternProperties), ...(typeof additionalProperties === 'object' ? [additionalProperties] : [])]
  return [
    ...Object.entries(properties).flatMap(([name, member]) => rowsOf(field === '' ? name : `${field}.${name}`, member, from)),
    ...(items ? rowsOf(`${field}[]`, items, from) : []),
    ...any.flatMap(member => rowsOf(`${field}.*`, member, from)),
    ...anyOf.flatMap(option => rowsIn(option, field, from)),
  ]
}

function limitText(schema: Keywords): string {
  const parts: string[] = []
  const between = (low: number | undefined, high: number | undefined, word: string) => {
    if (low !== undefined && high !== undefined) parts.push(`${low === high ? low : `${low} to ${high}`}${word}`)
    else if (low !== undefined) parts.push(`at least ${low}${word}`)
    else if (high !== undefined) parts.push(`at most ${high}${word}`)
  }
  // Integers that are too large for a double to hold exactly are described in words (`mustBe`)
  // instead of a range.
  if (Number.isSafeInteger(schema.maximum ?? 0)) between(schema.minimum, schema.maximum, schema.unit ? ` ${schema.unit}` : '')
  between(schema.minLength === 1 && schema.maxLength === undefined ? undefined : schema.minLength, schema.maxLength, ' characters')
  between(schema.minItems, schema.maxItems, ' items')
  between(undefined, schema.maxProperties, ' names')
  between(undefined, schema.propertyNames?.maxLength, ' characters in a name')
  // Null is left out, because the type already shows that it is allowed.
  const words = [
    ...new Set(
      wordsOf(schema)
        ?.filter(value => value !== null)
        .map(String),
    ),
  ]
  if (words.length > 0) parts.push(words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`)
  else parts.push(...(schema.anyOf ?? []).map(limitText).filter(text => text !== ''))
  if (schema.file) parts.push(fileText(schema.file))
  if (schema.mustBe) parts.push(schema.mustBe)
  return parts.join('; ')
}
