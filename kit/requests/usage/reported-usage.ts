/** Reads the usage that upstreams report, by protocol. Relays and translated calls use the same
 *  code, so that both count in the same way. */
import { type Json, type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import { furtherCounts, type TextUsage } from '../text.ts'
import { countedSearches } from './searches.ts'
import { type ServiceTier, serviceTierOf } from './service-tier.ts'

/** Counts as an upstream reports them; a value that is no number above 0 counts as 0. */
export type ReportedUsage = { [Name in keyof Omit<TextUsage, 'tier'>]: unknown } & { tier?: ServiceTier | undefined }

/** Returns the counts; `count` returns a number of 0 or more for any value. */
export function usageFrom(reported: ReportedUsage, count: (value: unknown) => number): TextUsage {
  const usage: TextUsage = {
    inputTokens: count(reported.inputTokens),
    cachedInputTokens: count(reported.cachedInputTokens),
    outputTokens: count(reported.outputTokens),
    reasoningTokens: count(reported.reasoningTokens),
  }
  for (const name of furtherCounts) {
    const units = count(reported[name])
    if (units > 0) usage[name] = units
  }
  if (reported.tier !== undefined) usage.tier = reported.tier
  return usage
}

/** Returns what OpenAI's protocols (chat and Responses) report for conversations. The names of both
 *  protocols are accepted, because servers mix them. `answer` is the completion, chunk or response
 *  with the usage. */
export function openaiUsage(usage: JsonObject, answer: JsonObject): ReportedUsage {
  const input = objectOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = objectOf(usage.completion_tokens_details ?? usage.output_tokens_details)
  return {
    inputTokens: usage.prompt_tokens ?? usage.input_tokens,
    // DeepSeek has its own name for this count.
    cachedInputTokens: input.cached_tokens ?? usage.prompt_cache_hit_tokens,
    cacheWriteTokens: input.cache_write_tokens,
    outputTokens: usage.completion_tokens ?? usage.output_tokens,
    reasoningTokens: output.reasoning_tokens,
    searches: countedSearches(usage),
    tier: serviceTierOf(answer.service_tier),
  }
}

/** Returns the usage in Anthropic's protocol. Its count of input tokens does not include the tokens
 *  that were read from or written to the cache, so they are added. */
export function messagesUsage(usage: JsonObject): ReportedUsage {
  const parts = [usage, ...stepsBesideTotals(usage)]
  const sum = (of: (part: JsonObject) => Json | undefined) => sumOfCounts(...parts.map(of))
  const read = sum(part => part.cache_read_input_tokens)
  const written = sum(part => part.cache_creation_input_tokens)
  return {
    inputTokens: sum(part => part.input_tokens) + read + written,
    cachedInputTokens: read,
    cacheWriteTokens: written,
    longCacheWriteTokens: sum(part => objectOf(part.cache_creation).ephemeral_1h_input_tokens),
    outputTokens: sum(part => part.output_tokens),
    reasoningTokens: objectOf(usage.output_tokens_details).thinking_tokens,
    searches: objectOf(usage.server_tool_use).web_search_requests,
    tier: usage.speed === 'fast' ? 'fast' : serviceTierOf(usage.service_tier),
  }
}

/** Returns the steps of an answer whose tokens are charged but not included in the totals of the
 *  answer (docs/vendors/anthropic-messages.md#steps). These are compactions and advisers. When a
 *  fallback model has answered, they also include attempts of other models that have produced
 *  output. */
function stepsBesideTotals({ iterations }: JsonObject): JsonObject[] {
  const steps = objectsOf(iterations)
  const served = steps.find(({ type }) => type === 'fallback_message')
  return steps.filter(({ type, model, output_tokens: output }) => {
    if (type !== 'message') return type !== 'fallback_message'
    return served !== undefined && model !== served.model && sumOfCounts(output) > 0
  })
}

/** Returns the usage in Gemini's protocol. Its count of prompt tokens includes the cached ones. The
 *  tokens of tool results and of thoughts are in none of its other counts, so they are added. */
export function geminiUsage(usage: JsonObject): ReportedUsage {
  return {
    inputTokens: sumOfCounts(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    cachedInputTokens: usage.cachedContentTokenCount,
    outputTokens: sumOfCounts(usage.candidatesTokenCount, usage.thoughtsTokenCount),
    reasoningTokens: usage.thoughtsTokenCount,
    // Vertex AI names the tier as the type of the traffic.
    tier: serviceTierOf(usage.serviceTier) ?? serviceTierOf(usage.trafficType),
  }
}

/** Returns the sum of the counts that are numbers above 0. */
function sumOfCounts(...counts: readonly (Json | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (typeof count === 'number' && count > 0 ? count : 0), 0)
}
