/** The token counts that an upstream reports. They are read only from the place that the
 *  protocol defines: an answer also repeats tools, schemas and metadata of the caller, which may
 *  contain members with the same names. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { maxDepth } from '@generation-gateway/kit/json-scanner.ts'
import { mostTokens, type TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import { openaiUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { searchesShown, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import type { AnswerCounts, MemberTree, RelayScan } from '../../contract/relay.ts'

/** Names of members that are not counted, because they hold text that the model did not write,
 *  or output that is not text. */
const notText = new Set(
  'role type id status call_id object encrypted_content signature thoughtSignature logprobs annotations audio result data b64_json'.split(
    ' ',
  ),
)

/** Returns the token counts of a whole answer; undefined when it has none or is not finished. */
export function countsOfAnswer(scan: RelayScan, answer: unknown): TextUsage | undefined {
  const { finalStatuses, counts } = scan
  const members = Object(answer)
  const { status } = members
  if (finalStatuses !== undefined && status !== undefined && !finalStatuses.has(status)) return undefined
  const usage = countsOf(members[counts?.in.text ?? 'usage'], members, counts?.read)
  return usage && withSearches(usage, searchesOf(scan, members))
}

/** Returns the number of searches that a whole answer shows. */
export function searchesOf({ searches }: RelayScan, answer: unknown): number {
  return searches === undefined ? 0 : searchesShown(searches.in(Object(answer)))
}

/** Returns the members of a whole answer that its counts and searches are read from. */
export function membersRead({ counts, searches }: RelayScan): MemberTree {
  const names = ['id', 'status', counts?.in.text ?? 'usage', ...(counts?.beside ?? ['service_tier'])]
  return { ...Object.fromEntries(names.map(name => [name, true as const])), ...searches?.members }
}

/** Returns the token counts in an event of a stream; undefined when the event has none. */
export function countsOfEvent(scan: RelayScan, event: unknown): TextUsage | undefined {
  const ended = endedAnswer(scan, event)
  return ended === undefined ? undefined : countsOfAnswer(scan, ended)
}

/** Returns the finished answer that the last event of a stream contains; undefined for other
 *  events. In protocols whose events are pieces of the answer (chat completions), any event may
 *  be the last, so the event itself is returned. */
export function endedAnswer({ inside }: RelayScan, event: unknown): unknown {
  if (inside === undefined) return event
  const members = Object(event)
  return inside.lastEvents.has(members.type) ? members[inside.in.text] : undefined
}

/** Returns the token counts in an object with counts and in the `answer` around it. Undefined for
 *  an object without counts, with only zeros, or with impossibly large numbers. */
export function countsOf(given: unknown, answer: JsonObject, read: AnswerCounts['read'] = openaiUsage): TextUsage | undefined {
  const counts = usageFrom(read(Object(given), answer), count)
  const isPossible = Object.values(counts).every(value => typeof value !== 'number' || value <= mostTokens)
  return isPossible && counts.inputTokens + counts.outputTokens + (counts.searchUnits ?? 0) > 0 ? counts : undefined
}

/** Estimates how many output tokens a whole answer has. Used for answers without token counts. */
export function estimatedTokens({ said }: RelayScan, answer: unknown): number {
  return tokensOf(Object(answer)[said], 0)
}

function tokensOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return tokensIn(value)
  // Deeper text is not counted: models do not nest their output so deep.
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 0
  let tokens = 0
  if (Array.isArray(value)) for (const member of value) tokens += tokensOf(member, depth + 1)
  else for (const [name, member] of Object.entries(value)) if (!notText.has(name)) tokens += tokensOf(member, depth + 1)
  return tokens
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
