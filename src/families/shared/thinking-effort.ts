import type { ReasoningEffort } from '@generation-gateway/kit/requests/text.ts'

/** Returns the reasoning effort that corresponds to a number of thinking tokens, for targets that
 *  accept only an effort. */
export function effortOf(budgetTokens: number): ReasoningEffort {
  if (budgetTokens === 0) return 'none'
  if (budgetTokens <= 4_096) return 'low'
  return budgetTokens < 16_384 ? 'medium' : 'high'
}
