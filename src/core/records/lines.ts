import type { CallRecord, HoldEnd, UsageLine } from '../ports/usage.ts'
import type { PricedUnits } from './ledger.ts'

/** Returns the usage lines of a task or a response, one for each unit. The id of a line consists
 *  of the given id and the unit, so a line that is written twice counts once. */
export function usageLines(
  { id, accountId, keyId, model }: { id: string } & Pick<UsageLine, 'accountId' | 'keyId' | 'model'>,
  lines: readonly PricedUnits[],
  at: number,
): UsageLine[] {
  return lines.map(line => ({ ...line, id: `${id}:${line.unit}`, accountId, keyId, model, at }))
}

/** Returns the id for usage lines of a response that clients read before the call that creates it
 *  has ended. At its end, the usage of that call replaces these lines. */
export function openReadingId(responseId: string): string {
  return `${responseId}:open`
}

/** Returns what the store needs to end the hold of this call: the hold's id and the amounts to
 *  charge. Undefined when the call has neither a hold nor usage lines of a stored response. */
export function endOfCall(record: CallRecord): HoldEnd | undefined {
  const { requestId, holdId, owed, openReadings } = record
  if (owed) return { id: holdId ?? requestId, used: owed.lines, owed }
  if (openReadings) return { id: holdId ?? requestId, used: record.units, openReadings }
  return holdId === undefined ? undefined : { id: holdId, used: record.units }
}
