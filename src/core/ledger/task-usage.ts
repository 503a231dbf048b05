/** What a task has used that came to its end or was broken off. What a conversation has used that ran as a task, when its upstream does not tell: the larger of what was held and what was said (docs/decisions/0015). */

import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FileFacts, Look, UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Claim } from '../ports/store.ts'
import { larger, type PricedUnits, priced } from '../records/ledger.ts'

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

/** What a run has given its caller before it was broken off. */
export interface Given {
  /** Tokens of text. */
  said: number
  given: readonly FileFacts[]
  looks: ReadonlyMap<number, Look>
  hasTold: boolean
}

/** Of a run that did not come to its end: nobody gets for nothing what he was given before it. */
export function usedByBrokenRun(claim: Claim, { said, given, looks, hasTold }: Given): PricedUnits[] {
  const { task, hold } = claim
  if (task.capability === 'text.respond') return said === 0 ? [] : usedByTask(claim, [], said)
  const { unitsOf } = capabilities[task.capability]
  if (unitsOf) {
    const shown = Array.from(looks.values()).filter(({ index }) => index >= given.length)
    return priced(hold?.price, summed([...given, ...shown].flatMap(unitsOf)))
  }
  return given.length > 0 || hasTold ? [...(hold?.lines ?? [])] : []
}

function summed(units: readonly UsageUnits[]): UsageUnits[] {
  const sums = new Map<string, number>()
  for (const { unit, units: amount } of units) sums.set(unit, (sums.get(unit) ?? 0) + amount)
  return Array.from(sums, ([unit, amount]) => ({ unit, units: amount }))
}
