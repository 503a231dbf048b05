import type { RateDecision } from '../../core/ledger/limits.ts'

/** What a key with a rate limit is told in every answer. Families whose clients read OpenAI's names (the ones that are relayed) get those: resets as `1s` or `6m0s` (vendors-text-audio 2.4). */
export function rateHeaders({ limit, remaining, resetSeconds }: RateDecision, isRelayed: boolean): Record<string, string> {
  if (!isRelayed)
    return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(resetSeconds) }
  const reset = resetSeconds < 60 ? `${resetSeconds}s` : `${Math.floor(resetSeconds / 60)}m${resetSeconds % 60}s`
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': reset,
  }
}
