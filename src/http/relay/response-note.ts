/** The note that is stored about a response at an upstream when its answer has ended: its items,
 *  and the number of tokens of the conversation so far. */

import { type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import { isKeptId } from '@generation-gateway/kit/kept-id.ts'
import type { RelayScan } from '../../contract/relay.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { countsOfAnswer, endedAnswer, estimatedTokens } from './answer-counts.ts'
import type { Part } from './relay-parts.ts'
import { type OwedResponse, owedContent } from './response-usage.ts'
import { parsedEvent } from './stream-scan.ts'
import { eventsIn } from './whole-events.ts'

const mostItems = 1_000

/** Returns the finished response if this part of the answer contains it; otherwise undefined. */
export function endedIn(scan: RelayScan, { answer, sent }: Part): unknown {
  if (answer !== undefined) return answer
  for (const event of eventsIn(sent)) {
    const ended = endedAnswer(scan, parsedEvent(event))
    if (ended !== undefined) return ended
  }
  return undefined
}

/** Returns the note of a finished response. `inputTokens` is an estimate, used when the upstream
 *  reports no counts. */
export function noteOf(
  scan: RelayScan,
  ended: unknown,
  { owed, inputTokens }: { owed: Omit<OwedResponse, 'id'> | undefined; inputTokens: number },
): { items: string[]; content: JsonObject } {
  const usage = countsOfAnswer(scan, ended)
  const tokens = usage ? usage.inputTokens + usage.outputTokens : inputTokens + estimatedTokens(scan, ended)
  // When the upstream reported counts, the usage is final, and no later read has to count tokens.
  return { items: itemsOf(scan, ended), content: { tokens, ...(owed && !usage ? owedContent(owed) : {}) } }
}

/** Returns the note for a response that turns out to be finished when it is read later.
 *  Undefined when it has not finished, reports no counts, or was noted by an earlier read. */
export function noteOfReading(
  scan: RelayScan,
  part: Part,
  { content = {} }: ResponseRecord,
): { items: string[]; content: JsonObject } | undefined {
  const ended = part.isMarked && content.isRead !== true ? endedIn(scan, part) : undefined
  const usage = countsOfAnswer(scan, ended)
  return usage && { items: itemsOf(scan, ended), content: { ...content, isRead: true, tokens: usage.inputTokens + usage.outputTokens } }
}

/** Returns the ids to which a later request may refer, each once: those of the items, and those of
 *  objects that the upstream keeps with them. */
function itemsOf({ said, besideItem }: RelayScan, response: unknown): string[] {
  const items = objectsOf(Object(response)[said])
  const ids = items.flatMap(item => [item.id, ...(besideItem?.(item) ?? [])])
  return [...new Set(ids.filter((id): id is string => typeof id === 'string' && isKeptId(id)))].slice(0, mostItems)
}

/** Returns the number of tokens of the conversation up to and including this response. */
export function tokensBefore({ content }: ResponseRecord): number {
  const tokens = content?.tokens
  return typeof tokens === 'number' && tokens > 0 ? tokens : 0
}
