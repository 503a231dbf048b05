/** The ways a body may be sent. */
import type { TObject, TProperties } from 'typebox'

/** `multipart` and `form` carry the fields of the schema by name: numbers, booleans and JSON as text. `text`: the whole body is one field. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'text'

export interface BodySpec<Schema extends TObject<TProperties> = TObject> {
  schema: Schema
  /** How it may be sent, the usual way first; absent: JSON. */
  kinds?: readonly BodyKind[]
  /** Of the kind `text`. */
  text?: TextBody
  /** Largest JSON, form or text without its files, bytes; absent: 1 MiB. */
  residualLimitBytes?: number
  /** All files of a body together, decoded bytes; absent: as many as its fields take. */
  filesBytes?: number
  /** The body is kept as it was sent, up to so many bytes, for a relay; files in it stay text. Only JSON. */
  rawBytes?: number
  /** Names that decide something where the schema leaves the inside of a list open. */
  innerNames?: readonly string[]
}

export interface TextBody {
  /** `application/x-www-form-urlencoded` is the text in URL encoding. */
  mediaTypes: readonly string[]
  /** Field that the text becomes, and the one that its media type becomes. */
  field: string
  typeField?: string
}

/** How a body may be sent. */
export function kindsOf({ kinds }: Pick<BodySpec, 'kinds'>): readonly BodyKind[] {
  return kinds ?? ['json']
}
