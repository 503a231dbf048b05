/** Functions for frequent kinds of fields, in the form that client generators handle best. */
import Type, {
  type TArrayOptions,
  type TNumberOptions,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
} from 'typebox'

/** Schema of a string that is one of these words. */
export const words = <Word extends string>(values: readonly Word[], keywords: TSchemaOptions = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...values], ...keywords })

/** Schema of a value that has this JSON type or is null. */
export const orNull = <T>(type: string, keywords: TSchemaOptions = {}) => Type.Unsafe<T | null>({ ...keywords, type: [type, 'null'] })

/** Schema of an object with a name of its own in OpenAPI and in generated clients. */
export const namedObject = <Members extends TProperties>(name: string, properties: Members, keywords: TObjectOptions = {}) =>
  Type.Object(properties, { name, ...keywords })

/** Schemas of fields that may be absent: `optional.string({ maxLength: 40 })`. */
export const optional = {
  string: (keywords?: TStringOptions) => Type.Optional(Type.String(keywords)),
  integer: (keywords?: TNumberOptions) => Type.Optional(Type.Integer(keywords)),
  number: (keywords?: TNumberOptions) => Type.Optional(Type.Number(keywords)),
  boolean: (keywords?: TSchemaOptions) => Type.Optional(Type.Boolean(keywords)),
  array: <Item extends TSchema>(items: Item, keywords?: TArrayOptions) => Type.Optional(Type.Array(items, keywords)),
  object: <Members extends TProperties>(properties: Members, keywords?: TObjectOptions) => Type.Optional(Type.Object(properties, keywords)),
  words: <Word extends string>(values: readonly Word[], keywords?: TSchemaOptions) => Type.Optional(words(values, keywords)),
  orNull: <T>(type: string, keywords?: TSchemaOptions) => Type.Optional(orNull<T>(type, keywords)),
  unsafe: <T>(keywords: TSchemaOptions) => Type.Optional(Type.Unsafe<T>(keywords)),
}
