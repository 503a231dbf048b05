/** What a conversation that ran as a task has used, when its upstream does not tell: the larger of what was held and what was said (docs/decisions/0015). */

import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Claim } from '../ports/store.ts'
import { larger, type PricedUnits, priced } from './ledger.ts'

/** By the driver's own count, where it has one: counts that are all 0 are none, nor are those without output where something was said. */
export function usedByTask({ task, hold }: Claim, counted: readonly UsageUnits[], said: number): PricedUnits[] {
  const has = (name: string): boolean => counted.some(({ unit, units }) => unit === name && units > 0)
  const isCounted = has('output_tokens') || (said === 0 && has('input_tokens'))
  if (task.capability !== 'text.respond' || isCounted) return priced(hold?.price, counted)
  return larger(hold?.price, hold?.lines ?? [], [
    ...counted.filter(({ unit }) => unit !== 'output_tokens'),
    { unit: 'output_tokens', units: said },
  ])
}

/** Of a run that did not come to its end. */
export function usedByBrokenRun(claim: Claim, said: number): PricedUnits[] {
  return said === 0 ? [] : usedByTask(claim, [], said)
}
