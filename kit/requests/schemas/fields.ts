/** Parts that the schemas of neutral requests share. A request from another gateway is checked
 *  like any input from outside: every text, number and list has an upper limit, and unknown
 *  fields are refused. */
import Type, { type Static, type TObject, type TSchema } from 'typebox'

/** Longest text of any family, in characters: a narration of 1 MiB. */
const mostCharacters = 2 ** 20

export const text = (maxLength = mostCharacters) => Type.String({ maxLength })
export const word = (maxLength = 200) => Type.String({ minLength: 1, maxLength })
export const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
export const real = (minimum: number, maximum: number) => Type.Number({ minimum, maximum })
export const list = <Item extends TSchema>(item: Item, maxItems: number) => Type.Array(item, { maxItems })
/** A list that replaces another field. It must not be empty, because the request would then have
 *  neither the list nor the field. */
export const filledList = <Item extends TSchema>(item: Item, maxItems: number) => Type.Array(item, { minItems: 1, maxItems })
export const oneOf = <const Word extends string>(...words: Word[]) => Type.Unsafe<Word>({ type: 'string', enum: words })
/** A field that is `true`, or absent. */
export const flag = Type.Unsafe<true>({ type: 'boolean', enum: [true] })
export const maybe = Type.Optional

/** Schema of one side of a picture in pixels. */
export const side = whole(1, 16_384)
/** Schema of a signed 64-bit integer in decimal digits. */
export const seed = Type.String({ pattern: '^-?\\d{1,19}$', mustBe: 'the decimal digits of a signed 64-bit integer' })
/** Schema of a safety tolerance: 0 is strictest, 6 most lenient. */
export const tolerance = whole(0, 6)
export const language = word(40)

/** Returns the schema of an object without any other members. */
export const closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** Fields of neutral requests that the receiving gateway sets itself. They are not in the
 *  schema, so a caller cannot send them. */
type OwnField = 'hops'

/** Declares the schema of a request. The compiler checks that the schema has exactly the fields of
 *  the request type, and that every value which the schema accepts has that type. */
export function schemaOf<Request extends object>() {
  return <const Properties extends Record<Exclude<keyof Request, OwnField>, TSchema>>(
    properties: Properties & Record<Exclude<keyof Properties, keyof Request>, never> & Fits<Properties, Request>,
  ): TObject => closed(properties as Record<string, TSchema>)
}

type Fits<Properties extends Record<string, TSchema>, Request> =
  Static<TObject<Properties>> extends Omit<Request, OwnField> ? unknown : never
