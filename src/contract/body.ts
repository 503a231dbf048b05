/** The ways a body may be sent. */
import type { TObject, TProperties } from 'typebox'

/** `multipart` and `form` carry the fields of the schema by name: numbers, booleans and JSON as
 *  text. `text`: the whole body is the value of one field. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'text'

export interface BodySpec<Schema extends TObject<TProperties> = TObject> {
  schema: Schema
  /** The accepted kinds, the preferred one first; absent: JSON. */
  kinds?: readonly BodyKind[]
  /** Required for the kind `text`. */
  text?: TextBody
  /** Largest JSON, form or text without its files, bytes; absent: 1 MiB. */
  residualLimitBytes?: number
  /** All files of a body together, decoded bytes; absent: as many as its fields take. */
  filesBytes?: number
  /** Keeps the body's original bytes, up to this many, for a relay; files in it stay text. Only
   *  JSON. */
  rawBytes?: number
  /** Names that affect decisions in places where the schema leaves the items of a list open. */
  innerNames?: readonly string[]
}

export interface TextBody {
  /** `application/x-www-form-urlencoded` is the text in URL encoding. */
  mediaTypes: readonly string[]
  /** The field that holds the text, and the one that holds its media type. */
  field: string
  typeField?: string
}

/** Returns the kinds in which a body may be sent. */
export function kindsOf({ kinds }: Pick<BodySpec, 'kinds'>): readonly BodyKind[] {
  return kinds ?? ['json']
}
