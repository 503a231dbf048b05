/** The ids of responses (OpenAI's Responses interface) in the answers of upstreams. */
import { isKeptId, mostIdCharacters } from '@generation-gateway/kit/kept-id.ts'
import { type MemberName, memberName, type RelayScan } from '../../contract/relay.ts'
import { fault } from './relay-answer.ts'
import type { Part } from './relay-parts.ts'
import { eventAround, nameAt } from './stream-scan.ts'

const idName = memberName('id')

/** Returns the ids of the response that a part of an upstream's answer contains. Usually all
 *  parts have the same id, but some services encrypt the id anew each time. Empty when the part
 *  contains no id. */
export function responseIdsIn({ inside }: RelayScan, { answer, id, sent, isEvents }: Part): string[] {
  const ids = isEvents ? idsInEvents(sent, inside?.in) : [id ?? Object(answer).id]
  return ids.filter(each => typeof each === 'string' && each !== '')
}

/** Throws `upstream_error` for an id that the gateway would refuse in a later request. Such an
 *  id must not reach the client. */
export function assertKeptIds(ids: readonly string[]): void {
  const wrong = ids.find(id => !isKeptId(id))
  if (wrong === undefined) return
  throw fault(
    `named a response so (${wrong.length} characters) that nobody could ask for it; ids have 1 to ${mostIdCharacters} visible ones`,
  )
}

function idsInEvents(events: Buffer, inside: MemberName | undefined): unknown[] {
  const wanted = (inside ?? idName).closed
  const ids = new Set<unknown>()
  for (let name = nameAt(events, wanted, 0); name > 0; ) {
    const { event, end } = eventAround(events, name)
    const answer = inside === undefined ? event : Object(event)[inside.text]
    ids.add(Object(answer).id)
    name = nameAt(events, wanted, end)
  }
  return [...ids]
}
