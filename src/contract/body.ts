/** The ways a body may be sent. */
import type { TObject, TProperties } from 'typebox'

/** `multipart` and `form` carry the fields of the schema by name: numbers, booleans and JSON as
 *  text. `text`: the whole body is the value of one field. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'text'

export interface BodySpec<Schema extends TObject<TProperties> = TObject> {
  schema: Schema
  /** The accepted kinds, the preferred one first; absent: JSON. */
  kinds?: readonly BodyKind[]
  /** Describes the body of kind `text`; required for that kind. */
  text?: TextBody
  /** Largest body in bytes, not counting its files; absent: 1 MiB. */
  residualLimitBytes?: number
  /** Largest total size of all files of a body, in decoded bytes; absent: no limit beyond that of
   *  each field. */
  filesBytes?: number
  /** Largest body in bytes whose original bytes are kept for a relay; files in such a body stay
   *  base64 text. For JSON only. */
  rawBytes?: number
  /** Names of members that affect decisions, in lists whose items the schema does not describe. */
  innerNames?: readonly string[]
}

export interface TextBody {
  /** Media types of the text. With `application/x-www-form-urlencoded` the text is URL-encoded. */
  mediaTypes: readonly string[]
  /** The field into which the text is read, and the field (`typeField`) for its media type. */
  field: string
  typeField?: string
}

/** Returns the kinds in which a body may be sent. */
export function kindsOf({ kinds }: Pick<BodySpec, 'kinds'>): readonly BodyKind[] {
  return kinds ?? ['json']
}
