/** Carried members are members of tool calls and answers that the protocol does not define; callers
 *  send them back in the next request. This file decides which of them a target gets back
 *  (docs/decisions/0037). */
import { isObject, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { CarriedMembers, CarriedSource } from '@generation-gateway/kit/requests/carried.ts'

/** The properties of a target that decide which carried members it gets. */
export interface CarriedTarget {
  kind: CarriedSource
  refusesUnknown: boolean
  /** The member of a chat message in which the target expects the text of the reasoning; undefined
   *  when reasoning is not sent to it. */
  reasoningIn: string | undefined
}

/** Returns the carried members to send to a target; undefined when there are none. Members that an
 *  upstream sent go only to a target with the same protocol and dialect, and with the same host or
 *  upstream model. If the target is reached through a package of the AI SDK, the dialect may
 *  differ. Members that the caller sent without naming a target (`anySourceOf`) go to every target
 *  of their protocol. Members without a source go to every target that accepts unknown members. */
export function carriedFor({ kind, refusesUnknown }: CarriedTarget, carried: CarriedMembers | undefined): CarriedMembers | undefined {
  if (carried === undefined) return undefined
  const { from } = carried
  if (from === undefined) return refusesUnknown ? undefined : carried
  if (from.protocol !== kind.protocol) return undefined
  // A package of the AI SDK can use the signatures of its provider, even when they were received
  // under another dialect.
  const isSameKind = (from.dialect === kind.dialect || packageIn(kind.dialect) !== undefined) && isSameService(from, kind)
  return isSameKind || from.host === '' ? carried : undefined
}

/** Returns true when both targets have the same host or the same upstream model. */
export function isSameService(one: CarriedSource, other: CarriedSource): boolean {
  return one.host === other.host || one.model === other.model
}

const packageDialect = 'ai-sdk '

/** Returns the dialect of targets that are reached through this package of an AI SDK provider. */
export function dialectOfPackage(name: string): string {
  return packageDialect + name
}

/** Returns the package through which targets of this dialect are reached; undefined when they
 *  are reached without one. */
export function packageIn(dialect: string): string | undefined {
  return dialect.startsWith(packageDialect) ? dialect.slice(packageDialect.length) : undefined
}

const ofMessage = new Set(
  'role content refusal name tool_calls function_call audio annotations parsed reasoning_content reasoning'.split(' '),
)
const ofCall = new Set('id type index function custom'.split(' '))
const ofFunction = new Set('name arguments input parsed_arguments'.split(' '))
const ofItem = new Set(
  'id type status role content summary encrypted_content call_id name namespace arguments input output parsed_arguments'.split(' '),
)

/** Returns those members of a chat message that the protocol does not define. Null and empty
 *  members are ignored. */
export function carriedOfMessage(message: JsonObject): JsonObject | undefined {
  return unknownMembers(message, ofMessage)
}

/** Returns those members of a tool call in a chat message that the protocol does not define,
 *  including those inside its `function` or `custom` object. */
export function carriedOfCall(call: JsonObject): JsonObject | undefined {
  const inner: JsonObject = {}
  for (const key of ['function', 'custom']) {
    const members = unknownMembers(objectOf(call[key]), ofFunction)
    if (members) inner[key] = members
  }
  const outer = unknownMembers(call, ofCall)
  return outer === undefined && Object.keys(inner).length === 0 ? undefined : { ...outer, ...inner }
}

/** Returns those members of a response item that the protocol does not define. */
export function carriedOfItem(item: JsonObject): JsonObject | undefined {
  return unknownMembers(item, ofItem)
}

/** Returns `own` extended by those `members` whose names it lacks. An object that both contain is
 *  extended in the same way. Carried members thus never replace a member that the gateway sets. */
export function mergedUnder(members: JsonObject, own: JsonObject): JsonObject {
  const joined: JsonObject = { ...members, ...own }
  for (const [name, value] of Object.entries(own))
    if (isObject(value) && isObject(members[name])) joined[name] = { ...members[name], ...value }
  return joined
}

function unknownMembers(object: JsonObject, own: ReadonlySet<string>): JsonObject | undefined {
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
