import type { ReasoningEffort } from '@generation-gateway/kit/requests/text.ts'

/** Returns the effort that corresponds to a number of tokens for thinking. Targets that know no
 *  such number follow the effort. */
export function effortOf(budgetTokens: number): ReasoningEffort {
  if (budgetTokens === 0) return 'none'
  if (budgetTokens <= 4_096) return 'low'
  return budgetTokens < 16_384 ? 'medium' : 'high'
}
