/** Members beside calls and answers: which of them are an upstream's own, and which a target gets back (docs/decisions/0037). */
import { isObject, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Carried, CarriedFrom } from '@generation-gateway/kit/requests/carried.ts'

/** A target, as far as it decides what it gets back. */
export interface CarriedTarget {
  kind: CarriedFrom
  refusesUnknown: boolean
  /** The member of a chat message for the text of its reasoning; undefined: it gets none. */
  reasoningIn: string | undefined
}

/** The members that a target gets back: what a target of the same kind said, and what the caller sent to a target that takes members it does not know.
 *  The same kind: the same protocol and dialect, and the same host or the same upstream model. */
export function carriedTo({ kind, refusesUnknown }: CarriedTarget, carried: Carried | undefined): Carried | undefined {
  if (carried === undefined) return undefined
  const { from } = carried
  if (from === undefined) return refusesUnknown ? undefined : carried
  const isSameKind =
    from.protocol === kind.protocol && from.dialect === kind.dialect && (from.host === kind.host || from.model === kind.model)
  return isSameKind ? carried : undefined
}

const ofMessage = new Set(
  'role content refusal name tool_calls function_call audio annotations parsed reasoning_content reasoning'.split(' '),
)
const ofCall = new Set('id type index function custom'.split(' '))
const ofFunction = new Set('name arguments input parsed_arguments'.split(' '))
const ofItem = new Set(
  'id type status role content summary encrypted_content call_id name namespace arguments input output parsed_arguments'.split(' '),
)

/** What stands beside a chat message's own members. Null and empty members say nothing. */
export function besideMessage(message: JsonObject): JsonObject | undefined {
  return besides(message, ofMessage)
}

/** What stands beside a chat call's own members, also within its function. */
export function besideCall(call: JsonObject): JsonObject | undefined {
  const inner: JsonObject = {}
  for (const key of ['function', 'custom']) {
    const members = besides(objectOf(call[key]), ofFunction)
    if (members) inner[key] = members
  }
  const outer = besides(call, ofCall)
  return outer === undefined && Object.keys(inner).length === 0 ? undefined : { ...outer, ...inner }
}

/** What stands beside the own members of an item of a response. */
export function besideItem(item: JsonObject): JsonObject | undefined {
  return besides(item, ofItem)
}

/** `members` below those that are `own`: what is carried never replaces what the gateway says itself. */
export function beneath(members: JsonObject, own: JsonObject): JsonObject {
  const joined: JsonObject = { ...members, ...own }
  for (const [name, value] of Object.entries(own))
    if (isObject(value) && isObject(members[name])) joined[name] = { ...members[name], ...value }
  return joined
}

function besides(object: JsonObject, own: ReadonlySet<string>): JsonObject | undefined {
  let found: JsonObject | undefined
  for (const name in object) {
    const value = object[name]
    if (own.has(name) || name === '__proto__' || isNothing(value)) continue
    found ??= {}
    found[name] = value
  }
  return found
}

function isNothing(value: JsonObject[string]): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
