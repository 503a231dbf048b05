import type { TSchema } from 'typebox'
import type { FileRule } from './file-rule.ts'
import type { Source } from './operation.ts'

/** Notes that the schema of a field may have in addition to JSON Schema's keywords. The docs, the
 *  limits table and the body reader use them. */
export interface FieldNotes {
  /** For a whole schema: its name in OpenAPI's components, and so in generated clients. Two
   *  different schemas must not have the same name. */
  name?: string
  /** Unit of a number: `px`, `s`, `bytes`. */
  unit?: string
  /** The groups (parameter sets) that take this field; when absent, all of them do. */
  groups?: readonly string[]
  source?: Source
  /** The field holds a file: base64, a data URL or an http(s) URL in JSON, a part in multipart. */
  file?: FileRule
  /** The requirement on the value, worded as the end of "it must be ...". For requirements that the
   *  limits in the schema do not explain by themselves, such as patterns, formats, and bounds
   *  larger than the integers that a double holds exactly. */
  mustBe?: string
  /** True for an enumeration of lower-case words that also accepts capitals: the value is converted
   *  to lower case. */
  anyCase?: boolean
  /** True for a setting that is a secret, whose value must never be shown. */
  secret?: boolean
}

/** Names of the notes. The validator accepts them as keywords of a schema, and published schemas
 *  contain them with the prefix `x-`. */
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

/** Returns the notes of a field. TypeBox keeps unknown keywords on the schema object, but not in
 *  its type. */
export function notesOf(schema: TSchema): FieldNotes {
  return schema as FieldNotes
}
