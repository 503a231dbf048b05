/** The usage that upstreams report, by protocol. A relay and a translated call read it here, so
 *  that both count the same. */
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { furtherCounts, type TextUsage } from '../text.ts'
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

/** Returns what OpenAI's protocols report for conversations. The names of both are accepted,
 *  because servers mix them. `answer` is the completion, chunk or response with the usage. */
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
    tier: serviceTierOf(answer.service_tier),
  }
}

/** Returns what Anthropic's protocol reports. Its input tokens leave out those of the cache. */
export function messagesUsage(usage: JsonObject): ReportedUsage {
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  return {
    inputTokens: sumOfCounts(input, read, written),
    cachedInputTokens: read,
    cacheWriteTokens: written,
    longCacheWriteTokens: objectOf(usage.cache_creation).ephemeral_1h_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: objectOf(usage.output_tokens_details).thinking_tokens,
    searches: objectOf(usage.server_tool_use).web_search_requests,
    tier: usage.speed === 'fast' ? 'fast' : serviceTierOf(usage.service_tier),
  }
}

/** Returns what Gemini's protocol reports. The cached tokens are part of the prompt's; those of
 *  tools and thoughts are not part of another count. */
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
