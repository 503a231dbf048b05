/** Computes the usage of a call from the token counts that the upstream reported. If it reported
 *  none, the usage is the larger of two amounts: the amount held for the call in quotas, and an
 *  estimate of the text that was relayed (docs/decisions/0015). */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { noUsage, sumOfUsage, type TextUsage, unitsOfUsage } from '@generation-gateway/kit/requests/text.ts'
import { type Hold, larger, type Price, type PricedUnits, priced } from '../../core/records/ledger.ts'

/** One conversation at an upstream or engine, and its usage so far. */
export interface Run {
  /** Estimated number of input tokens. It is computed on first use, because most upstreams
   *  report the number themselves. */
  readonly inputTokens: number
  /** Estimated output tokens of the run so far. */
  said: number
  /** Searches of the web that the answer has shown. None when absent. */
  searches?: number
  /** The counts that the target reported at the end of the conversation. */
  usage?: TextUsage
  /** True when the request was sent to the target and the target has not refused it, so that it
   *  may have worked on the request. */
  isSent: boolean
  /** The expected usage of this run, as a part of the amount held for the call. Absent in a relay
   *  (a call that is passed through to the upstream), where the held amount covers all answers
   *  together. */
  expected?: ExpectedTokens
  /** Expected amounts of units other than tokens, estimated before the run. Each counts when the
   *  target itself reports no amount of this unit. None when absent. */
  others?: readonly UsageUnits[] | undefined
}

/** The figures from which the usage of a call is computed. */
export interface Counts {
  expected: ExpectedTokens | undefined
  runs: Run[]
  /** The amounts held for the call in quotas. */
  hold: Hold | undefined
}

export interface CallUsage {
  units: PricedUnits[]
  isEstimated: boolean
}

/** The usage recorded for a running stream includes this many output tokens in advance, in addition
 *  to those sent so far. When half of them have been sent, the usage is recorded again. It is
 *  recorded before the upstream's counts arrive, because the upstream may never report any. */
const recordedStep = 1_024

/** Returns the usage of a call, and whether it is an estimate; undefined when nothing was used. */
export function usageOfCall({ runs, hold }: Counts, price: Price | undefined): CallUsage | undefined {
  const spent = runs.filter(run => run.isSent)
  if (spent.length === 0) return undefined
  const units = unitsUsed(spent)
  if (spent.every(isCounted)) return { units: priced(price, units), isEstimated: false }
  const held = heldForSent(runs, hold).filter(({ unit }) => !spent.every(run => reports(run, unit)))
  return { units: larger(price, held, units).filter(isUsed), isEstimated: true }
}

/** Returns the amounts held for the runs that were sent to a target: the hold of the call, less the
 *  expected usage of the runs that were not sent. */
function heldForSent(runs: readonly Run[], hold: Hold | undefined): UsageUnits[] {
  const unsent = runs.flatMap(({ isSent, expected }) => (isSent || !expected ? [] : expectedLines(expected)))
  const lines = hold?.lines ?? []
  return lines.map(({ unit, units }) => {
    const unused = unsent.reduce((sum, line) => (line.unit === unit ? sum + line.units : sum), 0)
    return { unit, units: Math.max(0, units - unused) }
  })
}

/** Returns two things for a running call: the usage to record now, and the number of output
 *  tokens at which it has to be recorded again. */
export function recordedSoFar({ runs, hold }: Counts, price: Price | undefined): { lines: PricedUnits[]; next: number } {
  const usage = runs.map(usageOfRun).reduce(sumOfUsage, noUsage)
  const ahead = { ...usage, outputTokens: usage.outputTokens + recordedStep }
  const lines = larger(price, hold?.lines ?? [], expectedLines(ahead))
  const recorded = lines.find(line => line.unit === 'output_tokens')?.units ?? 0
  return { lines, next: recorded - recordedStep / 2 }
}

/** Returns the number of output tokens at which a running call is first recorded. */
export function firstRecordAt({ hold }: Pick<Counts, 'hold'>): number {
  const held = hold?.lines.find(line => line.unit === 'output_tokens')?.units ?? recordedStep / 2
  return Math.max(held - recordedStep / 2, Math.min(held, recordedStep / 2))
}

/** Returns the expected usage in the form in which quotas hold it. */
export function expectedLines({ inputTokens, outputTokens, others = [], held = [] }: ExpectedTokens): UsageUnits[] {
  return [{ unit: 'input_tokens', units: inputTokens }, { unit: 'output_tokens', units: outputTokens }, ...others, ...held]
}

/** Returns the usage of these runs together: one line for each unit of which something was used. */
function unitsUsed(runs: readonly Run[]): UsageUnits[] {
  const sums: UsageUnits[] = []
  for (const run of runs) {
    for (const line of unitsOfRun(run)) {
      const same = sums.find(({ unit }) => unit === line.unit)
      if (same) same.units += line.units
      else if (isUsed(line)) sums.push({ ...line })
    }
  }
  return sums
}

/** Returns true when the target reported usable counts. Counts that are all 0 are not usable,
 *  because every call has input tokens; nor is an output count of 0 for a call that produced
 *  text. */
export function isCounted({ usage, said }: Run): boolean {
  return usage !== undefined && usage.inputTokens + usage.outputTokens > 0 && (usage.outputTokens > 0 || said === 0)
}

function usageOfRun(run: Run): TextUsage {
  if (isCounted(run) && run.usage) return run.usage
  // A service that charges by search units may report search units and no token counts.
  const others = defined({ searchUnits: run.usage?.searchUnits, searches: run.searches })
  return { ...noUsage, ...others, inputTokens: run.inputTokens, outputTokens: run.said }
}

function unitsOfRun(run: Run): UsageUnits[] {
  const used = unitsOfUsage(usageOfRun(run))
  const { others } = run
  return others === undefined ? used : [...used, ...others.filter(({ unit }) => !reports(run, unit))]
}

/** Returns true when the target itself has counted this unit. A target that reports no token
 *  counts may still report search units. */
function reports({ usage }: Run, unit: string): boolean {
  return unit === 'search_units' && usage?.searchUnits !== undefined
}

/** Returns true when the amount is above 0. */
export function isUsed({ units }: UsageUnits): boolean {
  return units > 0
}
