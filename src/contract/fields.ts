import type { TSchema } from 'typebox'
import type { FileRule } from './file-rule.ts'
import type { Source } from './operation.ts'

/** Notes a field's schema may carry beside JSON Schema's own keywords; docs, limits table and
 *  the body reader read them. */
export interface FieldNotes {
  /** For a whole schema: its name in OpenAPI's components, and so in generated clients. One
   *  name, one schema. */
  name?: string
  /** Unit of a number: `px`, `s`, `bytes`. */
  unit?: string
  /** Groups (parameter sets) that take the field; absent: all. */
  groups?: readonly string[]
  source?: Source
  /** The field holds a file: base64, a data URL or an http(s) URL in JSON, a part in multipart. */
  file?: FileRule
  /** The requirement on the value, as the end of "it must be": for patterns, formats and bounds
   *  that numbers cannot express. */
  mustBe?: string
  /** An enumeration of lower-case words that accepts capitals: the value is converted to lower
   *  case. */
  anyCase?: boolean
  /** A setting that is never printed. */
  secret?: boolean
}

/** The keywords above, for the validator's vocabulary and for stripping them from published
 *  schemas. */
export const fieldNotes = [
  'name',
  'unit',
  'groups',
  'source',
  'file',
  'mustBe',
  'anyCase',
  'secret',
] as const satisfies (keyof FieldNotes)[]

/** The notes of a field; TypeBox keeps unknown keywords on the schema object but not in its
 *  type. */
export function notesOf(schema: TSchema): FieldNotes {
  return schema as FieldNotes
}
