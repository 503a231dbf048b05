/** Shapes of fields for which TypeBox has no short form, written the way client generators
 *  understand best. */
import Type, { type TSchemaOptions } from 'typebox'

/** An enumeration of these words. */
export const words = <T extends string>(...values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] })

/** A value of this JSON type, or null. */
export const orNull = <T>(type: string, keywords: TSchemaOptions = {}) => Type.Unsafe<T | null>({ ...keywords, type: [type, 'null'] })
