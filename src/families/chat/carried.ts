/** Carried members: data that an upstream sends in addition to the text and calls of an answer.
 *  Carried members are shown as members of the message and its calls, and read from messages
 *  that callers send back (docs/decisions/0037). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json, type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, mostCarriedCharacters, sizeOfCarried } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { type Path, refusal } from '../shared/refusal.ts'

const ofMessage = new Set(
  'role content refusal name tool_calls tool_call_id function_call audio annotations parsed reasoning_content'.split(' '),
)
const ofCall = new Set('id type index function custom cache_control'.split(' '))
const ofFunction = new Set('name arguments input parsed_arguments'.split(' '))
const sealedType = 'reasoning.encrypted'
/** OpenRouter's name for reasoning that OpenAI's Responses API encrypts. */
const sealedFormat = 'openai-responses-v1'

/** Returns the carried members to show in a message or its delta. Members whose names the
 *  interface itself defines are left out. */
export function messageMembers({ members }: CarriedMembers): JsonObject {
  return without(members, ofMessage)
}

/** Returns a call or its delta with the carried members added; members that `call` already has are
 *  kept. */
export function callWith<Call extends object>(call: Call, carried: CarriedMembers | undefined): Call {
  if (carried === undefined) return call
  const joined: Record<string, unknown> = { ...without(carried.members, ofCall), ...call }
  for (const key of ['function', 'custom']) {
    const members = carried.members[key]
    if (isObject(members)) joined[key] = { ...without(members, ofFunction), ...Object(joined[key]) }
  }
  return joined as Call
}

/** Returns the encrypted reasoning of an upstream of the Responses API, in the form that chat
 *  clients send back in the next turn. `index` is the position among the encrypted pieces of the
 *  answer, from 0. */
export function sealedDetail(encrypted: string, id: string | undefined, index: number): JsonObject {
  return { type: sealedType, data: encrypted, ...defined({ id }), format: sealedFormat, index }
}

/** Returns the reasoning and the carried members that the caller sends back in a message of an
 *  earlier answer. Throws `invalid_request` when the carried members are larger than those of an
 *  answer can be. */
export function reasoningOfMessage(message: JsonObject, path: Path): Extract<TextItem, { type: 'reasoning' }>[] {
  const { reasoning_content: plain } = message
  const isNamed = !plain && typeof message.reasoning === 'string' && message.reasoning !== ''
  const text = isNamed ? message.reasoning : plain
  const members = without(message, isNamed ? new Set([...ofMessage, 'reasoning']) : ofMessage)
  checkSize(members, path)
  const hasMembers = Object.keys(members).length > 0
  const carried = hasMembers || isNamed ? { carried: { members, ...(isNamed ? { reasoningIn: 'reasoning' } : {}) } } : {}
  const content = typeof text === 'string' && text !== '' ? [text] : []
  const sealed = listOf(message.reasoning_details).flatMap(sealedOf)
  if (content.length === 0 && !hasMembers) return []
  return [{ type: 'reasoning', summary: [], content, ...carried, ...sealed[0] }, ...sealed.slice(1).map(emptyReasoning)]
}

/** Returns the carried members that the caller sends back in a tool call of an earlier answer,
 *  as an object to spread; empty when there are none. Throws as `reasoningOfMessage` does. */
export function carriedOfCall(call: JsonObject, path: Path): { carried?: CarriedMembers } {
  const members = without(call, ofCall)
  for (const key of ['function', 'custom']) {
    const inner = isObject(call[key]) ? without(call[key], ofFunction) : {}
    if (Object.keys(inner).length > 0) members[key] = inner
  }
  checkSize(members, path)
  return Object.keys(members).length === 0 ? {} : { carried: { members } }
}

interface Sealed {
  encrypted: string
  id?: string
}

function emptyReasoning(sealed: Sealed): Extract<TextItem, { type: 'reasoning' }> {
  return { type: 'reasoning', summary: [], content: [], ...sealed }
}

function sealedOf(detail: Json): Sealed[] {
  if (!isObject(detail) || detail.type !== sealedType || detail.format !== sealedFormat) return []
  const { data, id } = detail
  return typeof data === 'string' && data !== '' ? [{ encrypted: data, ...(typeof id === 'string' ? { id } : {}) }] : []
}

function checkSize(members: JsonObject, path: Path): void {
  const size = sizeOfCarried(members)
  if (size <= mostCarriedCharacters) return
  const what = Number.isFinite(size) ? `${size} characters` : 'too many levels'
  throw refusal(path, `has ${what} beside its own members; at most ${mostCarriedCharacters} characters and 64 levels.`)
}

/** Returns the object without the `own` names and without null members, which mean the same as
 *  absent ones. */
function without(object: JsonObject, own: ReadonlySet<string>): JsonObject {
  const kept = Object.entries(object).filter(([name, value]) => !own.has(name) && name !== '__proto__' && value != null)
  return Object.fromEntries(kept)
}
