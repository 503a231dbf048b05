/** What is noted of a response that an upstream keeps, once its answer has ended: its items, and how long the conversation has become. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { isKeptId } from '@generation-gateway/kit/requests/kept-id.ts'
import type { RelayScan } from '../../contract/relay.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { countsOfAnswer, endedAnswer, tokensSaid } from './answer-counts.ts'
import type { Part } from './relay-parts.ts'
import { type OwedResponse, owedContent } from './response-usage.ts'
import { parsedEvent } from './stream-scan.ts'
import { eventEnd } from './whole-events.ts'

const mostItems = 1_000

/** The response that a part of an answer brings to its end; undefined for other parts. */
export function endedIn(scan: RelayScan, { answer, sent }: Part): unknown {
  if (answer !== undefined) return answer
  for (let start = 0; start < sent.length; ) {
    const end = eventEnd(sent, start)
    const ended = endedAnswer(scan, parsedEvent(sent.subarray(start, end)))
    if (ended !== undefined) return ended
    start = end
  }
  return undefined
}

/** `inputTokens`: about how many were sent, in case the upstream does not tell. */
export function noteOf(
  scan: RelayScan,
  ended: unknown,
  { owed, inputTokens }: { owed: Omit<OwedResponse, 'id'> | undefined; inputTokens: number },
): { items: string[]; content: JsonObject } {
  const usage = countsOfAnswer(scan, ended)
  const tokens = usage ? usage.inputTokens + usage.outputTokens : inputTokens + tokensSaid(scan, ended)
  // Counted for good: nobody owes anything for it.
  return { items: itemsOf(scan, ended), content: { tokens, ...(owed && !usage ? owedContent(owed) : {}) } }
}

/** What a reading shows of a response whose create did not: undefined when it has not ended, or is noted. */
export function noteOfReading(
  scan: RelayScan,
  part: Part,
  { content = {} }: ResponseRecord,
): { items: string[]; content: JsonObject } | undefined {
  const ended = part.isMarked && content.isRead !== true ? endedIn(scan, part) : undefined
  const usage = countsOfAnswer(scan, ended)
  return usage && { items: itemsOf(scan, ended), content: { ...content, isRead: true, tokens: usage.inputTokens + usage.outputTokens } }
}

function itemsOf({ said }: RelayScan, response: unknown): string[] {
  const output = Object(response)[said]
  const items: unknown[] = Array.isArray(output) ? output : []
  return items
    .map(item => Object(item).id)
    .filter(id => typeof id === 'string' && isKeptId(id))
    .slice(0, mostItems)
}

/** Tokens of the conversation up to and with a response. */
export function tokensBefore({ content }: ResponseRecord): number {
  const tokens = content?.tokens
  return typeof tokens === 'number' && tokens > 0 ? tokens : 0
}
