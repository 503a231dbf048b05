/** Ids of responses in the answers of upstreams. */
import { isKeptId, mostIdCharacters } from '@generation-gateway/kit/requests/kept-id.ts'
import { fault } from './relay-answer.ts'
import type { Part } from './relay-parts.ts'
import { eventAround, nameAt } from './stream-scan.ts'

const responseName = Buffer.from('response"')

/** What a part of an answer calls the response it is about: mostly one id in all of them, but some services seal theirs anew at each telling. Empty while none has come. */
export function responseIdsIn({ answer, id, sent, isEvents }: Part): string[] {
  const ids = isEvents ? idsInEvents(sent) : [id ?? Object(answer).id]
  return ids.filter(each => typeof each === 'string' && each !== '')
}

/** Throws `upstream_error` for an id that could not be taken back: it must not be handed out. */
export function assertKeptIds(ids: readonly string[]): void {
  const wrong = ids.find(id => !isKeptId(id))
  if (wrong === undefined) return
  throw fault(
    `named a response so (${wrong.length} characters) that nobody could ask for it; ids have 1 to ${mostIdCharacters} visible ones`,
  )
}

function idsInEvents(events: Buffer): unknown[] {
  const ids = new Set<unknown>()
  for (let name = nameAt(events, responseName, 0); name > 0; ) {
    const { event, end } = eventAround(events, name)
    ids.add(Object(Object(event).response).id)
    name = nameAt(events, responseName, end)
  }
  return [...ids]
}
