/** What a call costs: what was counted, and for what nobody counted the larger of what was held and what passed (docs/decisions/0015). */

import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { sumOfUsage, type TextUsage, unitsOfUsage } from '@generation-gateway/kit/requests/text.ts'
import { type Hold, larger, type Price, type PricedUnits, priced } from '../../core/records/ledger.ts'

/** One conversation at an upstream or engine, as far as it has come. */
export interface Run {
  /** About how many tokens it was sent; made when it is first needed, where nearly nobody needs it. */
  readonly inputTokens: number
  /** About how many tokens it has said. */
  said: number
  /** By its own count, once it has ended. */
  usage?: TextUsage
  /** It may be at work, or has been, and has not refused. */
  isSent: boolean
}

/** What a call is counted by. */
export interface Counts {
  expected: ExpectedTokens | undefined
  runs: Run[]
  /** What is held for it in quotas. */
  hold: Hold | undefined
}

export interface CallUsage {
  units: PricedUnits[]
  isEstimated: boolean
}

const nothing: TextUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
/** A stream that nobody may ever count is put on record in steps of so many tokens. */
const recordedStep = 1_024

/** Undefined when nothing was used. */
export function usageOfCall({ runs, hold }: Counts, price: Price | undefined): CallUsage | undefined {
  const spent = runs.filter(run => run.isSent)
  if (spent.length === 0) return undefined
  const units = unitsOfUsage(spent.map(usageOfRun).reduce(sumOfUsage, nothing)).filter(isUsed)
  if (spent.every(isCounted)) return { units: priced(price, units), isEstimated: false }
  return { units: larger(price, hold?.lines ?? [], units).filter(isUsed), isEstimated: true }
}

/** What has to be on record while the call goes on, and the number of tokens said from which it has to be more. */
export function recordedSoFar({ runs, hold }: Counts, price: Price | undefined): { lines: PricedUnits[]; next: number } {
  const usage = runs.map(usageOfRun).reduce(sumOfUsage, nothing)
  const ahead = { ...usage, outputTokens: usage.outputTokens + recordedStep }
  const lines = larger(price, hold?.lines ?? [], expectedLines(ahead))
  const recorded = lines.find(line => line.unit === 'output_tokens')?.units ?? 0
  return { lines, next: recorded - recordedStep / 2 }
}

/** Tokens said from which a call has to be put on record. */
export function firstRecordAt({ hold }: Pick<Counts, 'hold'>): number {
  const held = hold?.lines.find(line => line.unit === 'output_tokens')?.units ?? recordedStep / 2
  return Math.max(held - recordedStep / 2, Math.min(held, recordedStep / 2))
}

/** The input and output of an expectation, for a hold. */
export function expectedLines({ inputTokens, outputTokens }: ExpectedTokens): UsageUnits[] {
  return [
    { unit: 'input_tokens', units: inputTokens },
    { unit: 'output_tokens', units: outputTokens },
  ]
}

/** Counts that are all 0 are none: an answer has input, and one that says something has output. */
function isCounted({ usage, said }: Run): boolean {
  return usage !== undefined && usage.inputTokens + usage.outputTokens > 0 && (usage.outputTokens > 0 || said === 0)
}

function usageOfRun(run: Run): TextUsage {
  return isCounted(run) && run.usage ? run.usage : { ...nothing, inputTokens: run.inputTokens, outputTokens: run.said }
}

function isUsed({ units }: UsageUnits): boolean {
  return units > 0
}
