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

/** Returns the id for the usage lines of readings of a response whose creating call is still open.
 *  They are replaced by the usage of that call when it ends. */
export function openReadingId(responseId: string): string {
  return `${responseId}:open`
}

/** Returns the end of the hold of this call, with the counted amounts; undefined when the call has
 *  neither a hold nor usage lines of a stored response. */
export function endOfCall(record: CallRecord): HoldEnd | undefined {
  const { requestId, holdId, owed, openReadings } = record
  if (owed) return { id: holdId ?? requestId, used: owed.lines, owed }
  if (openReadings) return { id: holdId ?? requestId, used: record.units, openReadings }
  return holdId === undefined ? undefined : { id: holdId, used: record.units }
}
