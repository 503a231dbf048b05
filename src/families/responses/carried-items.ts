/** What an upstream put beside an item: kept with it, shown as members of the item, and read from items that callers send back (docs/decisions/0037). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Carried, mostCarriedCharacters, sizeOfCarried } from '@generation-gateway/kit/requests/carried.ts'
import { refuse } from './input/refuse.ts'

/** Members of items that are the interface's own, or that its official clients add to what they were sent. */
const own = new Set(
  'type id role status content summary encrypted_content call_id name namespace arguments input output annotations logprobs parsed parsed_arguments created_by caller agent'.split(
    ' ',
  ),
)

/** The item as a caller may see it: with the members themselves, and without the note of who said them. */
export function shownCarried<T extends { carried?: Carried }>(item: T): T {
  if (item.carried === undefined) return item
  const { carried, ...shown } = item
  // A member of this name is the interface's own: what an upstream means by it cannot be shown.
  const members = Object.fromEntries(Object.entries(carried.members).filter(([name]) => !own.has(name)))
  return { ...members, ...shown } as T
}

/** What an item of a request carries, as a member to be set; nothing for most. Throws `invalid_request` for more than any answer carries. */
export function readCarried(item: JsonObject, field: string): { carried?: Carried } {
  const members: JsonObject = {}
  for (const [name, value] of Object.entries(item)) if (!own.has(name) && value !== null && name !== '__proto__') members[name] = value
  if (Object.keys(members).length === 0) return {}
  const size = sizeOfCarried(members)
  if (size <= mostCarriedCharacters) return { carried: { members } }
  const what = Number.isFinite(size) ? `${size} characters` : 'too many levels'
  throw refuse(field, `${field} has ${what} beside its own members; at most ${mostCarriedCharacters} characters and 64 levels.`)
}
