/** Computes the usage of a task that has ended or was interrupted. When the upstream of a
 *  conversation reports no usage, the usage is estimated: for each unit, it is the larger of the
 *  reserved amount (the hold) and the amount produced (docs/decisions/0015). */

import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FileFacts, OutputPreview, UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { type TextUsage, unitsOfUsage } from '@generation-gateway/kit/requests/text.ts'
import type { Claim } from '../ports/store.ts'
import { larger, type PricedUnits, priced } from '../records/ledger.ts'

/** Output of a run of a conversation: the number of text tokens, and the usage of the
 *  further upstream requests that the conversation needed. */
type WrittenText = Pick<DeliveredOutput, 'said' | 'further'>

/** Returns the usage that the driver counted. For a conversation, the driver's counts are not used
 *  when all are 0, or when output tokens are missing although text was produced. Each unit is then
 *  the larger of the held amount and the produced amount, plus the usage of the further
 *  requests. */
export function usageOfTask({ task, hold }: Claim, counted: readonly UsageUnits[], { said, further }: WrittenText): PricedUnits[] {
  const has = (name: string): boolean => counted.some(({ unit, units }) => unit === name && units > 0)
  const isCounted = has('output_tokens') || (said === 0 && has('input_tokens'))
  if (task.capability !== 'text.respond' || isCounted) return priced(hold?.price, counted)
  const first = larger(hold?.price, hold?.lines ?? [], [
    ...counted.filter(({ unit }) => unit !== 'output_tokens'),
    { unit: 'output_tokens', units: said },
  ])
  if (further.length === 0) return first
  return priced(hold?.price, summed([...first, ...further.flatMap(({ usage }) => unitsOfUsage(usage))]))
}

/** The output that a run delivered to its caller before the run was interrupted. */
export interface DeliveredOutput {
  /** Approximate number of text tokens produced. */
  said: number
  further: readonly { usage: TextUsage }[]
  given: readonly FileFacts[]
  looks: ReadonlyMap<number, OutputPreview>
  hasTold: boolean
}

/** Returns the usage to charge for an interrupted run. For conversations, and for capabilities
 *  whose outputs are counted one by one (`unitsOf`), only the output that was delivered is charged.
 *  For all other capabilities, the whole hold is charged as soon as anything was delivered. */
export function usageOfInterruptedRun(claim: Claim, delivered: DeliveredOutput): PricedUnits[] {
  const { task, hold } = claim
  const { said, further, given, looks, hasTold } = delivered
  if (task.capability === 'text.respond') return said === 0 && further.length === 0 ? [] : usageOfTask(claim, [], delivered)
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
