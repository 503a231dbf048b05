/** Creates refusals that name the place in the body (`input[0].content[1]`). `objectAt`,
 *  `textAt`, `optionalTextAt` and `wordAt` read a value and throw such a refusal when it is
 *  invalid. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type ErrorCode, GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'

/** `required` and `unsupported` have codes of their own; every other rule becomes `invalid_value`
 *  (`openai-failure.ts`). */
type RefusalRule = 'required' | 'unsupported' | 'type' | 'value'

export function refuse(field: string, message: string, rule: RefusalRule = 'value'): GatewayError {
  return invalidField(field, message, rule)
}

/** Returns a refusal with an error code of its own: `previous_response_not_completed`,
 *  `invalid_image_url`, ... */
export function refuseWith(
  wireCode: string | null,
  message: string,
  { field, code }: { field?: string; code?: ErrorCode } = {},
): GatewayError {
  return new GatewayError(code ?? 'invalid_request', message, {
    ...defined({ field }),
    wire: { code: wireCode, type: 'invalid_request_error', param: field ?? null },
  })
}

/** Returns the value as an object. Throws a refusal that shows the value when it is something
 *  else. */
export function objectAt(value: Json | undefined, field: string): JsonObject {
  if (isObject(value)) return value
  throw refuse(field, `${field} is ${shown(value)}; it must be an object.`, 'type')
}

/** Returns a required text member; null counts as absent. */
export function textAt(object: JsonObject, key: string, field: string): string {
  const value = object[key]
  if (typeof value === 'string') return value
  const place = `${field}.${key}`
  if (value === undefined || value === null) throw refuse(place, `${place} is required.`, 'required')
  throw refuse(place, `${place} is ${shown(value)}; it must be a string.`, 'type')
}

/** Returns an optional text member; undefined when absent or null. */
export function optionalTextAt(object: JsonObject, key: string, field: string): string | undefined {
  return object[key] === undefined || object[key] === null ? undefined : textAt(object, key, field)
}

/** Returns a member whose value must be one of the words. */
export function wordAt<Word extends string>(object: JsonObject, key: string, field: string, words: readonly Word[]): Word {
  const value = textAt(object, key, field)
  const word = words.find(known => known === value)
  if (word !== undefined) return word
  const place = `${field}.${key}`
  throw refuse(place, `${place} is ${shown(value)}; it must be one of ${words.join(', ')}.`, 'unsupported')
}

/** Returns a value shortened for an error message; never a whole file. */
export function shown(value: unknown): string {
  if (typeof value === 'string' && value.length > 60) return `${JSON.stringify(value.slice(0, 57))}...`
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
