/** Tools that run at the upstream. Chat has no common form for them: each service has a field of
 *  its own, or a type of tools. Requests for such tools reach only targets that speak chat. */
import { type Json, type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'

/** Fields with which clients of xAI, OpenRouter, Qwen, Groq and other services ask for a hosted
 *  tool. */
const hostedFields = ['search_parameters', 'plugins', 'enable_search', 'web_search', 'search_settings']
const ownTypes = new Set<unknown>(['function', 'custom'])

/** Returns the first of the fields that asks for a hosted tool; undefined when none does. */
export function hostedField(fields: JsonObject): string | undefined {
  return hostedFields.find(name => isOn(fields[name]))
}

/** Returns true for a body that asks for a hosted tool. No translation accepts such a body. */
export function needsChat({ tools, web_search_options: search }: JsonObject): boolean {
  return (search ?? null) !== null || objectsOf(tools).some(({ type }) => !ownTypes.has(type))
}

/** Returns false for a value that turns the tool off, or that is absent. */
function isOn(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  return Boolean(value) && objectOf(value).mode !== 'off'
}
