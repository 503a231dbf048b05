/** Carried members: members that an upstream sent with an item in addition to those of the
 *  interface. Carried members are stored with the item, shown on it, and read from items that
 *  callers send back (docs/decisions/0037). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, mostCarriedCharacters, sizeOfCarried } from '@generation-gateway/kit/requests/carried.ts'
import { refuse } from './input/refuse.ts'

/** Item members that the interface defines, or that its official clients add to items they send. */
const own = new Set(
  'type id role status content summary encrypted_content call_id name namespace arguments input output annotations logprobs parsed parsed_arguments created_by caller agent'.split(
    ' ',
  ),
)

/** Returns the item in the form that callers get: its carried members become members of the item,
 *  and the information about their origin is left out. */
export function shownCarried<T extends { carried?: CarriedMembers }>(item: T): T {
  if (item.carried === undefined) return item
  const { carried, ...shown } = item
  // A member whose name the interface itself defines is left out, because its meaning at the
  // upstream differs.
  const members = Object.fromEntries(Object.entries(carried.members).filter(([name]) => !own.has(name)))
  return { ...members, ...shown } as T
}

/** Returns the carried members of a request's item, as an object to spread; usually empty. Throws
 *  `invalid_request` when they are too large to have come from an answer. */
export function readCarried(item: JsonObject, field: string): { carried?: CarriedMembers } {
  const members: JsonObject = {}
  for (const [name, value] of Object.entries(item)) if (!own.has(name) && value !== null && name !== '__proto__') members[name] = value
  if (Object.keys(members).length === 0) return {}
  const size = sizeOfCarried(members)
  if (size <= mostCarriedCharacters) return { carried: { members } }
  const what = Number.isFinite(size) ? `${size} characters` : 'too many levels'
  throw refuse(field, `${field} has ${what} beside its own members; at most ${mostCarriedCharacters} characters and 64 levels.`)
}
