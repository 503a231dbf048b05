/** The ways a body may be sent. */
import type { TObject, TProperties } from 'typebox'

/** In bodies of the kinds `multipart` and `form`, each field of the schema is a part with its
 *  name, and numbers, booleans and JSON are sent as text. In a body of the kind `text`, the
 *  whole body is the value of one field. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'text'

export interface BodySpec<Schema extends TObject<TProperties> = TObject> {
  schema: Schema
  /** The accepted kinds, the preferred one first; only JSON when absent. */
  kinds?: readonly BodyKind[]
  /** Describes the body of kind `text`; required for that kind. */
  text?: TextBody
  /** Largest body in bytes, not counting its files; 1 MiB when absent. */
  residualLimitBytes?: number
  /** Largest total size of all files of a body, in decoded bytes. When absent, only the limit of
   *  each field applies. */
  filesBytes?: number
  /** Largest JSON body in bytes that is kept as it was sent, so that a relay can forward its
   *  bytes; files in such a body are not decoded from base64. */
  rawBytes?: number
  /** Largest number of values in a body above 1 MiB that is kept as sent; 100,000 when absent, as
   *  for all other bodies. A number above 100,000 is meant for lists of numbers, which are parsed
   *  and checked quickly. The objects of such a body may have at most 10,000 members in total. */
  residualValues?: number
  /** Names of members that influence decisions of the gateway, and that occur in list items for
   *  which the schema has no fields. The gateway refuses a body that spells one of these names with
   *  a different capitalization (`memberNamesOf`). */
  innerNames?: readonly string[]
  /** For protocols that allow two spellings of a member's name: returns the parsed body with the
   *  spellings that the schema has. A relay still forwards the body as the caller sent it. Throws
   *  `invalid_request` when an object has a member in both spellings. */
  plainNames?(body: unknown): unknown
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
