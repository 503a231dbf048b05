/** What an upstream says it has counted, taken only from the place where it says so: it repeats tools, schemas and metadata of the caller, which may hold anything. */

import { maxDepth } from '@generation-gateway/kit/json-scanner.ts'
import { mostTokens, type TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { RelayScan } from '../../contract/relay.ts'

/** Members of an answer that no model has written, or not as text. */
const unsaid = new Set('role type id status call_id object encrypted_content logprobs annotations audio result data b64_json'.split(' '))

/** The counts of a whole answer; undefined when it has none or goes on. */
export function countsOfAnswer({ finalStatuses }: RelayScan, answer: unknown): TextUsage | undefined {
  const { usage, status } = Object(answer)
  if (finalStatuses !== undefined && status !== undefined && !finalStatuses.has(status)) return undefined
  return countsOf(usage)
}

/** The counts of an event of a stream. */
export function countsOfEvent(scan: RelayScan, event: unknown): TextUsage | undefined {
  const ended = endedAnswer(scan, event)
  return ended === undefined ? undefined : countsOfAnswer(scan, ended)
}

/** The answer in an event that ends its stream; undefined in others. Where events are pieces of the answer, any may be the last. */
export function endedAnswer({ inside }: RelayScan, event: unknown): unknown {
  if (inside === undefined) return event
  const members = Object(event)
  return inside.lastEvents.has(members.type) ? members[inside.in.text] : undefined
}

/** The counts in the words of any dialect, which servers mix; undefined for an object that has none. All 0 are none, and so are numbers that no answer can have. */
export function countsOf(given: unknown): TextUsage | undefined {
  const usage = Object(given)
  const counts = {
    inputTokens: count(usage.prompt_tokens ?? usage.input_tokens),
    outputTokens: count(usage.completion_tokens ?? usage.output_tokens),
    cachedInputTokens: count(Object(usage.prompt_tokens_details ?? usage.input_tokens_details).cached_tokens),
    reasoningTokens: count(Object(usage.completion_tokens_details ?? usage.output_tokens_details).reasoning_tokens),
  }
  const isPossible = Object.values(counts).every(tokens => tokens <= mostTokens)
  return isPossible && counts.inputTokens + counts.outputTokens > 0 ? counts : undefined
}

/** About how many tokens a whole answer says, for one that comes without counts. */
export function tokensSaid({ said }: RelayScan, answer: unknown): number {
  return saidIn(Object(answer)[said], 0)
}

function saidIn(value: unknown, depth: number): number {
  if (typeof value === 'string') return tokensIn(value)
  // What is deeper was written by nobody who means to be read.
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 0
  let tokens = 0
  if (Array.isArray(value)) for (const member of value) tokens += saidIn(member, depth + 1)
  else for (const [name, member] of Object.entries(value)) if (!unsaid.has(name)) tokens += saidIn(member, depth + 1)
  return tokens
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
