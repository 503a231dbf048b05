import type { CallRecord, HoldEnd, UsageLine } from '../ports/usage.ts'
import type { PricedUnits } from './ledger.ts'

/** Returns the usage lines of a task or a response, one for each unit; their ids make lines that
 *  are written twice count once. */
export function usageLines(
  { id, accountId, keyId, model }: { id: string } & Pick<UsageLine, 'accountId' | 'keyId' | 'model'>,
  lines: readonly PricedUnits[],
  at: number,
): UsageLine[] {
  return lines.map(line => ({ ...line, id: `${id}:${line.unit}`, accountId, keyId, model, at }))
}

/** Returns the end of a recorded call's hold; undefined when the call has no hold and no usage
 *  beside its record. */
export function endOfCall(record: CallRecord): HoldEnd | undefined {
  const { requestId, holdId, owed } = record
  if (owed) return { id: holdId ?? requestId, used: owed, lines: owed }
  return holdId === undefined ? undefined : { id: holdId, used: record.units }
}
