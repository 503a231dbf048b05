/** Finds the file fields of a body in its schema, at any depth. */
import type { TSchema } from 'typebox'
import { notesOf } from './fields.ts'
import type { FileRule } from './file-rule.ts'

export type FieldPath = readonly (string | number)[]

/** A file field of a schema. */
export interface FileField {
  /** Path of the field: `input_image`, `images[]`, `instances[].image.bytesBase64Encoded`. */
  path: string
  rule: FileRule
  /** Maximum number of files at this path in a body: 1, or the product of the limits of the lists
   *  on the path. */
  most: number
}

/** A file found in a body. */
export interface FileValue {
  path: FieldPath
  rule: FileRule
  value: string
}

/** Keywords under which a schema has inner schemas. TypeBox's type does not show them. */
interface Branches {
  properties?: Record<string, TSchema>
  items?: TSchema
  maxItems?: number
  anyOf?: TSchema[]
}

/** Number of items that is assumed for a list without a limit. */
const usualItems = 16

/** Returns every file field of a schema, in the order of the schema. */
export function fileFieldsOf(schema: TSchema, path = '', most = 1): FileField[] {
  const { file } = notesOf(schema)
  if (file) return [{ path, rule: file, most }]
  const { properties = {}, items, maxItems = usualItems, anyOf = [] } = schema as Branches
  return [
    ...Object.entries(properties).flatMap(([name, field]) => fileFieldsOf(field, path === '' ? name : `${path}.${name}`, most)),
    ...(items ? fileFieldsOf(items, `${path}[]`, most * maxItems) : []),
    ...anyOf.flatMap(option => fileFieldsOf(option, path, most)),
  ]
}

/** Returns the files of a body that fits the schema, in the order of the body. */
export function filesIn(schema: TSchema, value: unknown, path: FieldPath = []): FileValue[] {
  const { file } = notesOf(schema)
  if (file) return typeof value === 'string' ? [{ path, rule: file, value }] : []
  const { properties, items, anyOf = [] } = schema as Branches
  const found = anyOf.flatMap(option => filesIn(option, value, path))
  if (Array.isArray(value)) return items ? value.flatMap((item, index) => filesIn(items, item, [...path, index])) : found
  if (typeof value !== 'object' || value === null || !properties) return found
  // A body may have 100,000 members that the schema does not name.
  const names = Object.keys(value).filter(name => Object.hasOwn(properties, name))
  return names.flatMap(name => filesIn(properties[name]!, Object(value)[name], [...path, name]))
}

/** Returns a path as text: `images[2].data` for `['images', 2, 'data']`. */
export function fieldName(path: FieldPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
