/** Shapes of fields that TypeBox has no short word for, in the form that generators of clients understand best. */
import Type, { type TSchemaOptions } from 'typebox'

/** One of these words. */
export const words = <T extends string>(...values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] })

/** A value of this type of JSON, or null. */
export const orNull = <T>(type: string, keywords: TSchemaOptions = {}) => Type.Unsafe<T | null>({ ...keywords, type: [type, 'null'] })
