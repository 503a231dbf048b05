/** Compares the ledger with the counts of the upstream and with what callers have received
 *  (docs/decisions/0015). */
import assert from 'node:assert/strict'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { Attempt } from './counting-answers.ts'
import type { CallRow, LedgerRows, UsageRow } from './ledger-rows.ts'
import type { CallOutcome } from './mixed-callers.ts'
import type { MixedCall } from './mixed-calls.ts'

/** Number of tokens by which the record of a running stream may be ahead of the stream. */
const recordedAhead = 1_024
/** Largest number of tokens that may be lost when the program is killed. The first record of a
 *  stream is written 512 tokens after the reserved amount is used up. Another 512 are allowed for
 *  the last 20 ms before the kill on a slow machine. */
const lostAtMost = 512 + 512

export interface ObservedCall extends CallOutcome {
  attempts: readonly Attempt[]
  rows: readonly CallRow[]
  /** True when the call was running when the gateway was killed, or had ended shortly before. */
  isTouched: boolean
}

interface Bounds {
  least: number
  most: number
}

/** Throws when the ledger counts less for a call than was delivered, more than the rule allows, or
 *  something else than the upstream counted. Returns how the call was counted, for statistics. */
export function judgeCall(judged: ObservedCall): 'counted' | 'estimated' | 'nothing' {
  const { rows, isTouched } = judged
  assert.ok(rows.length <= 1, 'one record for one call')
  const [row] = rows
  const begun = judged.attempts.filter(hasBegun)
  if (row === undefined) {
    assertNothing(judged, begun)
    return 'nothing'
  }
  if (judged.requestId !== '') assert.equal(row.requestId, judged.requestId)
  if (!isTouched && !isManyRefused(judged)) assert.ok(begun.length > 0, 'nothing was begun, and it has a record')
  if (!row.isEstimated) {
    assertCounted(row, begun)
    return 'counted'
  }
  if (!isTouched && judged.isComplete && begun.every(attempt => attempt.hasTold))
    assert.fail('the upstream counted it, and it was estimated')
  assertEstimated(row, judged, begun)
  return 'estimated'
}

/** Returns true when a part of the answer may have reached the caller. From a refused, missing or
 *  unreadable answer, the gateway forwards nothing. */
function hasBegun({ state }: Attempt): boolean {
  return state !== 'refused' && state !== 'closed' && state !== 'garbage'
}

/** Returns true when the gateway has requested several answers separately and one of them was
 *  refused. It is then unknown what became of the others. */
function isManyRefused({ call, status }: ObservedCall): boolean {
  return call.isTranslated && call.answer.answers > 1 && status !== 200
}

function assertNothing({ call, isTouched, words, status, code, isComplete }: ObservedCall, begun: readonly Attempt[]): void {
  if (code === 'quota_exceeded') {
    assert.deepEqual([status, begun], [429, []], 'what finds no room reaches no upstream')
    return
  }
  if (isTouched && !call.key.isHeld) {
    assert.ok(words <= lostAtMost || isComplete, `${words} tokens were delivered before the kill`)
    return
  }
  assert.equal(words, 0, 'something was delivered')
  // When a call fails before any output, nothing is counted.
  assert.deepEqual(
    begun.filter(({ written }) => written > 0),
    [],
    'something was begun',
  )
}

function assertCounted(row: CallRow, begun: readonly Attempt[]): void {
  assert.ok(
    begun.every(attempt => attempt.hasTold),
    'nobody counted it, and it stands there as counted',
  )
  const sum = (of: (attempt: Attempt) => number) => begun.reduce((total, attempt) => total + of(attempt), 0)
  assert.deepEqual(
    [row.input, row.cached, row.output, row.reasoning],
    [
      sum(({ count }) => count.input),
      sum(({ count }) => count.cached),
      sum(({ count }) => count.output),
      sum(({ count }) => count.reasoning),
    ],
  )
}

function assertEstimated(row: CallRow, judged: ObservedCall, begun: readonly Attempt[]): void {
  const { call, isTouched, words } = judged
  const held = call.key.isHeld ? call.mostTokens : 0
  const output = outputBounds(judged, begun)
  const least = Math.max(held, isTouched ? words - lostAtMost : words, output.least)
  const most = Math.max(held, output.most) + (isTouched ? recordedAhead : 0)
  assert.ok(row.output >= least && row.output <= most, `output is ${row.output}, from ${least} to ${most} were said or held`)
  const input = inputBounds(call, begun, isTouched)
  assert.ok(row.input >= input.least && row.input <= input.most, `input is ${row.input}, from ${input.least} to ${input.most} were sent`)
}

/** Returns a lower and an upper bound for the output tokens of a call that the gateway has to
 *  estimate. The lower bound counts the tokens that certainly reached the gateway, the upper
 *  bound those that may have reached it. When the upstream has reported its own count, both
 *  bounds use that count. */
function outputBounds({ call, isTouched, isComplete }: ObservedCall, begun: readonly Attempt[]): Bounds {
  const bounds = { least: 0, most: 0 }
  for (const attempt of begun) {
    const { state, written, bytes, count, hasTold, isStream } = attempt
    const passed = hasTold ? count.output : written
    // When an answer that is not a stream breaks off, the gateway may count all bytes of its JSON
    // and not only the text.
    bounds.most += isStream || call.isTranslated ? Math.max(passed, written) : Math.max(passed, bytes)
    // When several answers were requested separately, the first failure ends all of them. The
    // gateway may then not have read the others to their end.
    const isOneOfSeveral = call.isTranslated && call.answer.answers > 1
    const isSure = !isTouched && !isOneOfSeveral && (state === 'broken' || (state === 'ended' && isComplete))
    if (isSure) bounds.least += passed
  }
  return bounds
}

function inputBounds({ body, isTranslated, key }: MixedCall, begun: readonly Attempt[], isTouched: boolean): Bounds {
  const least = begun.reduce((sum, attempt) => sum + attempt.promptTokens, 0)
  const once = tokensIn(JSON.stringify(body)) * (isTranslated ? 2 : 1) + 50
  const continued = Math.max(0, ...begun.map(attempt => attempt.promptTokens))
  // When the gateway was killed during the call, only the record of one attempt remains. The lower
  // bound is then at most 1 for a call with a reserved amount, and 0 for any other call.
  return { least: isTouched ? (key.isHeld ? Math.min(least, 1) : 0) : least, most: Math.max(1, begun.length) * (once + continued) }
}

/** Compares the recorded usage of a background response with the upstream's counts, and throws when
 *  it is wrong. If the gateway got the counts, they must be recorded unchanged; otherwise at least
 *  the reserved amount must be. After a kill of the gateway, wider bounds apply. */
export function judgeBackground(
  { call, attempts, rows, isTouched, isComplete, words, code }: ObservedCall,
  lines: readonly UsageRow[],
): void {
  const [attempt] = attempts
  if (attempt === undefined) {
    // If the gateway was killed after it had reserved usage for the call and before it sent the
    // request, the reserved amount is recorded although nothing was sent.
    assert.ok(rows.length === 0 || isTouched, `nothing was sent (${code})`)
    return
  }
  const of = (unit: string) => lines.find(line => line.id === `${attempt.responseId}:${unit}`)?.units ?? 0
  // Nothing is reserved for a call without a quota. It is counted as if the same amount had been
  // reserved.
  const held = call.mostTokens
  const shown = [of('input_tokens'), of('cached_input_tokens'), of('output_tokens'), of('reasoning_tokens')] as const
  const { input, cached, output, reasoning } = attempt.count
  if (!isTouched) {
    assert.deepEqual(
      rows.map(row => row.input + row.output),
      [0],
      'the record of a create has no tokens of its own',
    )
    const isCounted = attempt.wasReadEnded || (attempt.hasTold && (isComplete || shown[0] === input))
    if (isCounted) assert.deepEqual(shown, [input, cached, output, reasoning])
    else assert.ok(shown[2] >= Math.max(held, words) && shown[2] <= Math.max(held, attempt.written), `${shown} of ${words} and ${held}`)
    return
  }
  assert.ok(rows.length <= 1, 'one record for one call')
  const counted = of('output_tokens') + (rows[0]?.output ?? 0)
  const least = call.key.isHeld ? Math.min(held, output) : 0
  assert.ok(counted >= least && counted <= held + output, `${counted} counted of ${held} held and ${output} made`)
}

/** Throws when an amount is negative, when an amount is still reserved, or when the daily totals
 *  are not the sums of the records and usage lines. */
export function judgeSums({ calls, usage, days, quotas, holds }: LedgerRows): void {
  assert.deepEqual(holds, [], 'a call still holds something')
  for (const row of calls)
    for (const [name, value] of Object.entries(row)) if (typeof value === 'number') assert.ok(value >= 0, `${name} is ${value}`)
  for (const { id, used, held } of quotas) assert.ok(used >= 0 && held === 0, `${id}: ${used} used, ${held} held`)
  for (const row of [...usage, ...days]) assert.ok(row.units >= 0 && row.cost >= 0, `${row.id} of ${row.key}: ${row.units} ${row.unit}`)
  const all = [...calls.flatMap(linesOfCall), ...usage]
  assert.deepEqual(sumsOf(days), sumsOf(all))
}

/** Returns the tokens and the cost of a key or an account: the sum over its calls and its usage
 *  lines. */
export function usedBy(rows: LedgerRows, is: (row: Pick<CallRow, 'account' | 'key'>) => boolean): { tokens: number; cost: number } {
  const lines = [...rows.calls.flatMap(linesOfCall), ...rows.usage].filter(is)
  const counted = lines.filter(({ unit }) => unit === 'input_tokens' || unit === 'output_tokens')
  return { tokens: counted.reduce((sum, line) => sum + line.units, 0), cost: lines.reduce((sum, line) => sum + line.cost, 0) }
}

function linesOfCall(row: CallRow): UsageRow[] {
  const line = (unit: string, units: number, cost: number): UsageRow => ({ ...row, id: row.requestId, unit, units, cost })
  return [
    line('requests', 1, 0),
    line('input_tokens', row.input, row.inputCost),
    line('output_tokens', row.output, row.outputCost),
    line('cached_input_tokens', row.cached, row.cachedCost),
    line('reasoning_tokens', row.reasoning, 0),
  ]
}

function sumsOf(lines: readonly UsageRow[]): Record<string, { units: number; cost: number }> {
  const sums: Record<string, { units: number; cost: number }> = {}
  for (const { account, key, model, unit, units, cost } of lines) {
    if (units === 0) continue
    const name = [account, key, model, unit].join(' ')
    const sum = sums[name] ?? { units: 0, cost: 0 }
    sums[name] = { units: sum.units + units, cost: sum.cost + cost }
  }
  return sums
}
