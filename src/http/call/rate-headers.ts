import type { RateDecision } from '../../core/ledger/limits.ts'

/** Headers of every answer to a key with a rate limit. Relayed families get OpenAI's names, which
 *  their clients read, with resets like `1s` or `6m0s` (docs/interface.md#headers). */
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
